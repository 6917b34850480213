// Package privacy names what is promised and what was done: neighbouring
// relations, guarantees, and events. An [Event] says which mechanism was run
// on private data and with which parameters; it never prices itself (package
// account does), so that the same event draws a curve, describes a release and
// is added up in a ledger.
//
// The package is part of the accounting-only WebAssembly binary, whose size is
// bounded: it uses neither fmt nor encoding/json nor reflection. Events are
// read from and written to plain trees (map[string]any, []any, float64,
// string, bool), the form that both encoding/json and a JavaScript object
// give; see [DecodeEvent] and [EncodeEvent].
package privacy

// Event describes one mechanism that was run on private data. The set of
// events is closed: this package defines all of them, and account prices all
// of them.
type Event interface {
	// Mechanism is the name in files, such as "gaussian".
	Mechanism() string

	// Neighbours is the relation under which the event's parameters (its
	// sensitivity above all) were computed.
	Neighbours() Adjacency

	// Validate returns a *ParameterError naming the first bad field, or nil.
	Validate() error

	// encode writes the event's own fields into tree; being unexported it also
	// closes the set.
	encode(tree map[string]any)
}

// Gaussian is the Gaussian mechanism: a vector of L2 sensitivity Sensitivity
// is released with N(0, Sigma² I) added. Both are in the vector's units.
type Gaussian struct {
	Adjacency   Adjacency
	Sensitivity float64
	Sigma       float64
}

func (Gaussian) Mechanism() string       { return "gaussian" }
func (e Gaussian) Neighbours() Adjacency { return e.Adjacency }

// Validate checks Sensitivity > 0, Sigma > 0, both finite, and the adjacency.
func (e Gaussian) Validate() error {
	return firstError(
		checkAdjacency(e.Adjacency),
		CheckPositive("sensitivity", e.Sensitivity),
		CheckPositive("sigma", e.Sigma),
	)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
