package privacy

// The events of this file say nothing of a mechanism but a bound that it is
// known to satisfy, in both directions. They are priced as the worst mechanism
// that satisfies it.

// PureDP is any mechanism that is Epsilon-DP. Epsilon is in nats.
type PureDP struct {
	Adjacency Adjacency
	Epsilon   float64
}

func (PureDP) Mechanism() string       { return "pure-dp" }
func (e PureDP) Neighbours() Adjacency { return e.Adjacency }

// Validate checks Epsilon ≥ 0 and finite, and the adjacency.
func (e PureDP) Validate() error {
	return firstError(checkAdjacency(e.Adjacency), CheckNonNegative("epsilon", e.Epsilon))
}

func decodePureDP(f *Fields) Event {
	return PureDP{Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon")}
}

func (e PureDP) encode(tree map[string]any) { tree["epsilon"] = e.Epsilon }

// ApproximateDP is any mechanism that is (Epsilon, Delta)-DP. Epsilon is in
// nats.
type ApproximateDP struct {
	Adjacency Adjacency
	Epsilon   float64
	Delta     float64
}

func (ApproximateDP) Mechanism() string       { return "approximate-dp" }
func (e ApproximateDP) Neighbours() Adjacency { return e.Adjacency }

// Validate checks Epsilon ≥ 0 and finite, 0 ≤ Delta < 1 and the adjacency.
func (e ApproximateDP) Validate() error {
	if err := firstError(checkAdjacency(e.Adjacency), CheckNonNegative("epsilon", e.Epsilon)); err != nil {
		return err
	}
	if !(e.Delta >= 0 && e.Delta < 1) {
		return &ParameterError{Field: "delta", Value: Number(e.Delta), Want: "0 or more and below 1"}
	}
	return nil
}

func decodeApproximateDP(f *Fields) Event {
	return ApproximateDP{
		Adjacency: f.Adjacency(),
		Epsilon:   f.Number("epsilon"),
		Delta:     f.Number("delta"),
	}
}

func (e ApproximateDP) encode(tree map[string]any) {
	tree["epsilon"] = e.Epsilon
	tree["delta"] = e.Delta
}

// ZeroConcentrated is any mechanism that is Rho-zCDP (Bun & Steinke 2016): its
// Rényi divergence of every order α > 1 is at most Rho·α nats.
type ZeroConcentrated struct {
	Adjacency Adjacency
	Rho       float64
}

func (ZeroConcentrated) Mechanism() string       { return "zcdp" }
func (e ZeroConcentrated) Neighbours() Adjacency { return e.Adjacency }

// Validate checks Rho ≥ 0 and finite, and the adjacency.
func (e ZeroConcentrated) Validate() error {
	return firstError(checkAdjacency(e.Adjacency), CheckNonNegative("rho", e.Rho))
}

func decodeZeroConcentrated(f *Fields) Event {
	return ZeroConcentrated{Adjacency: f.Adjacency(), Rho: f.Number("rho")}
}

func (e ZeroConcentrated) encode(tree map[string]any) { tree["rho"] = e.Rho }
