package privacy

import "strconv"

// GradientDescent is noisy gradient descent on the whole data: step t releases a sum of
// L2 sensitivity Sensitivity with noise N(0, Sigmas[t]² I) added, and may depend on the
// outputs of the steps before. Both are in the gradient's units, and lie from 1e-50 to
// 1e50. Every step must have noise. An empty list of steps is valid.
type GradientDescent struct {
	Adjacency   Adjacency
	Sensitivity float64
	Sigmas      []float64
}

func (GradientDescent) Mechanism() string       { return "gradient-descent" }
func (e GradientDescent) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Sensitivity and every Sigmas[t] lie from [LeastScale] to
// [LargestScale], and the adjacency.
func (e GradientDescent) Validate() error {
	if err := FirstError(CheckAdjacency(e.Adjacency), checkScale("sensitivity", e.Sensitivity)); err != nil {
		return err
	}
	for t, sigma := range e.Sigmas {
		if err := checkScale("sigmas["+strconv.Itoa(t)+"]", sigma); err != nil {
			return err
		}
	}
	return nil
}

func decodeGradientDescent(f *Fields) Event {
	return GradientDescent{
		Adjacency:   f.Adjacency(),
		Sensitivity: f.Number("sensitivity"),
		Sigmas:      f.Numbers("sigmas"),
	}
}

func (e GradientDescent) encode(tree map[string]any) {
	tree["sensitivity"] = e.Sensitivity
	sigmas := make([]any, len(e.Sigmas))
	for t, sigma := range e.Sigmas {
		sigmas[t] = sigma
	}
	tree["sigmas"] = sigmas
}
