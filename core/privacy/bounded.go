package privacy

// The events of this file say nothing of a mechanism but a bound that it is
// known to satisfy, in both directions. They are priced as the worst mechanism
// that satisfies it.

// PureDP is any mechanism that is Epsilon-DP. Epsilon, in nats, is 0 or from 1e-50
// to 1e50.
type PureDP struct {
	Adjacency Adjacency
	Epsilon   float64
}

func (PureDP) Mechanism() string       { return "pure-dp" }
func (e PureDP) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Epsilon is 0 or lies from [LeastScale] to [LargestScale],
// and the adjacency.
func (e PureDP) Validate() error {
	return FirstError(CheckAdjacency(e.Adjacency), checkScaleOrZero("epsilon", e.Epsilon))
}

func decodePureDP(f *Fields) Event {
	return PureDP{Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon")}
}

func (e PureDP) encode(tree map[string]any) { tree["epsilon"] = e.Epsilon }

// ApproximateDP is any mechanism that is (Epsilon, Delta)-DP. Epsilon, in nats, is 0
// or from 1e-50 to 1e50; Delta is 0 or from 1e-300 to below 1.
type ApproximateDP struct {
	Adjacency Adjacency
	Epsilon   float64
	Delta     float64
}

func (ApproximateDP) Mechanism() string       { return "approximate-dp" }
func (e ApproximateDP) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Epsilon is 0 or lies from [LeastScale] to [LargestScale],
// that Delta is 0 or from [LeastProbability] to below 1, and the adjacency.
func (e ApproximateDP) Validate() error {
	if err := FirstError(CheckAdjacency(e.Adjacency), checkScaleOrZero("epsilon", e.Epsilon)); err != nil {
		return err
	}
	if e.Delta == 0 {
		return nil
	}
	return orZero(checkProbability("delta", e.Delta))
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
// Rényi divergence of every order α > 1 is at most Rho·α nats. Rho is 0 or from
// 1e-100 to 1e100.
type ZeroConcentrated struct {
	Adjacency Adjacency
	Rho       float64
}

func (ZeroConcentrated) Mechanism() string       { return "zcdp" }
func (e ZeroConcentrated) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Rho is 0 or lies from [LeastRho] to [LargestRho], and the
// adjacency.
func (e ZeroConcentrated) Validate() error {
	if err := CheckAdjacency(e.Adjacency); err != nil || e.Rho == 0 {
		return err
	}
	return orZero(checkBetween("rho", e.Rho, LeastRho, LargestRho))
}

func decodeZeroConcentrated(f *Fields) Event {
	return ZeroConcentrated{Adjacency: f.Adjacency(), Rho: f.Number("rho")}
}

func (e ZeroConcentrated) encode(tree map[string]any) { tree["rho"] = e.Rho }
