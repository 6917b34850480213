// Package privacy describes what was run on private data, and what is promised about
// it: events, guarantees, and neighbouring relations. Use it to write down a mechanism
// and its parameters as an [Event]; package account then prices it. An event never
// prices itself, so the same one can draw a curve, describe a release, and be added up
// in a ledger.
//
// Events are read from and written to plain trees (map[string]any, []any, float64,
// string, bool). Both encoding/json and JavaScript objects give this form; see
// [DecodeEvent] and [EncodeEvent].
//
// The package is part of the accounting-only WebAssembly binary, whose size is bounded.
// So it uses neither fmt nor encoding/json nor reflection.
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
// is released with N(0, Sigma² I) added. Both are in the vector's units, and lie
// from 1e-50 to 1e50.
type Gaussian struct {
	Adjacency   Adjacency
	Sensitivity float64
	Sigma       float64
}

func (Gaussian) Mechanism() string       { return "gaussian" }
func (e Gaussian) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Sensitivity and Sigma lie from [LeastScale] to
// [LargestScale], and the adjacency.
func (e Gaussian) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkScale("sensitivity", e.Sensitivity),
		checkScale("sigma", e.Sigma),
	)
}

// FirstError is the first of several checks that went wrong; nil if none did.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
