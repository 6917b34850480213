package privacy

import "math"

// DiscreteLaplace is the discrete Laplace (geometric) mechanism: a whole
// number that one record changes by at most Sensitivity is released with noise
// of mass tanh(1/(2·Scale))·e^{−|x|/Scale} on the integers added. Sensitivity is
// from 1 to 2^53, Scale from 1e-50 to 1e50.
type DiscreteLaplace struct {
	Adjacency   Adjacency
	Sensitivity int
	Scale       float64 // b, in units of the number released
}

func (DiscreteLaplace) Mechanism() string       { return "discrete-laplace" }
func (e DiscreteLaplace) Neighbours() Adjacency { return e.Adjacency }

// Validate checks 1 ≤ Sensitivity ≤ [LargestCount], that Scale lies from
// [LeastScale] to [LargestScale], and the adjacency.
func (e DiscreteLaplace) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkCount("sensitivity", e.Sensitivity, 1),
		checkScale("scale", e.Scale),
	)
}

func decodeDiscreteLaplace(f *Fields) Event {
	return DiscreteLaplace{
		Adjacency:   f.Adjacency(),
		Sensitivity: f.Int("sensitivity"),
		Scale:       f.Number("scale"),
	}
}

func (e DiscreteLaplace) encode(tree map[string]any) {
	tree["sensitivity"] = float64(e.Sensitivity)
	tree["scale"] = e.Scale
}

// DiscreteGaussian is the discrete Gaussian mechanism on one whole number
// (Canonne, Kamath & Steinke 2020): a number that one record changes by at
// most Sensitivity is released with noise of mass ∝ e^{−x²/(2·Sigma²)} on the
// integers added. Sigma is the parameter of that formula; the standard
// deviation is slightly smaller. Sensitivity is from 1 to 2^53, Sigma from 1e-50
// to 1e50.
type DiscreteGaussian struct {
	Adjacency   Adjacency
	Sensitivity int
	Sigma       float64
}

func (DiscreteGaussian) Mechanism() string       { return "discrete-gaussian" }
func (e DiscreteGaussian) Neighbours() Adjacency { return e.Adjacency }

// Validate checks 1 ≤ Sensitivity ≤ [LargestCount], that Sigma lies from
// [LeastScale] to [LargestScale], and the adjacency.
func (e DiscreteGaussian) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkCount("sensitivity", e.Sensitivity, 1),
		checkScale("sigma", e.Sigma),
	)
}

func decodeDiscreteGaussian(f *Fields) Event {
	return DiscreteGaussian{
		Adjacency:   f.Adjacency(),
		Sensitivity: f.Int("sensitivity"),
		Sigma:       f.Number("sigma"),
	}
}

func (e DiscreteGaussian) encode(tree map[string]any) {
	tree["sensitivity"] = float64(e.Sensitivity)
	tree["sigma"] = e.Sigma
}

// RandomisedResponse is the release of one of Categories values: the true one
// with probability Truth, else one of the others, each as likely (Warner 1965
// for two categories). Categories is from 2 to 2^53, Truth from 1e-300 to below 1.
type RandomisedResponse struct {
	Adjacency  Adjacency
	Categories int
	Truth      float64 // probability that the true value is released
}

func (RandomisedResponse) Mechanism() string       { return "randomised-response" }
func (e RandomisedResponse) Neighbours() Adjacency { return e.Adjacency }

// Validate checks 2 ≤ Categories ≤ [LargestCount], [LeastProbability] ≤ Truth < 1
// and the adjacency.
func (e RandomisedResponse) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkCount("categories", e.Categories, 2),
		checkProbability("truth", e.Truth),
	)
}

// LogOdds returns log(Truth·(Categories−1)/(1−Truth)), the privacy loss in nats of the
// answer that is the true value of one neighbour and not of the other. The event is
// |LogOdds|-DP. It is right to a few units in the last place, even near 0, where the
// odds' excess over 1 is computed without rounding Truth·Categories.
func (e RandomisedResponse) LogOdds() float64 {
	k, rest := float64(e.Categories), 1-e.Truth
	if odds := e.Truth / rest * (k - 1); !(odds > 0.5 && odds < 2) {
		return math.Log(odds)
	}
	short := float64(float32(e.Truth))
	excess := (short*k - 1) + (e.Truth-short)*k
	return math.Log1p(excess / rest)
}

func decodeRandomisedResponse(f *Fields) Event {
	return RandomisedResponse{
		Adjacency:  f.Adjacency(),
		Categories: f.Int("categories"),
		Truth:      f.Number("truth"),
	}
}

func (e RandomisedResponse) encode(tree map[string]any) {
	tree["categories"] = float64(e.Categories)
	tree["truth"] = e.Truth
}
