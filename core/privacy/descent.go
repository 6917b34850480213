package privacy

import "strconv"

// GradientDescent is noisy gradient descent on the whole data: step t releases
// a sum of L2 sensitivity Sensitivity with noise N(0, Sigmas[t]² I) added, and
// may depend on the outputs of the steps before. Both are in the gradient's
// units. Steps of no noise are not allowed; no steps at all are.
type GradientDescent struct {
	Adjacency   Adjacency
	Sensitivity float64
	Sigmas      []float64
}

func (GradientDescent) Mechanism() string       { return "gradient-descent" }
func (e GradientDescent) Neighbours() Adjacency { return e.Adjacency }

// Validate checks Sensitivity > 0, every Sigmas[t] > 0, all finite, and the
// adjacency.
func (e GradientDescent) Validate() error {
	if err := firstError(checkAdjacency(e.Adjacency), CheckPositive("sensitivity", e.Sensitivity)); err != nil {
		return err
	}
	for t, sigma := range e.Sigmas {
		if err := CheckPositive("sigmas["+strconv.Itoa(t)+"]", sigma); err != nil {
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
