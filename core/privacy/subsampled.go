package privacy

// SubsampledGaussian is Steps steps of noisy stochastic gradient descent
// (DP-SGD; Abadi et al. 2016), or of any Gaussian mechanism on a Poisson
// sample: in each step every record takes part with probability Rate,
// independently of all else, the sum over those that do has L2 sensitivity Δ
// to one record taking part, and noise N(0, (NoiseMultiplier·Δ)² I) is added.
//
// Each step may depend on the outputs of the ones before. Batches of a fixed
// size, or cut from a shuffled data set, are not Poisson samples and are not
// described by this event. Rate is 0 or from 1e-50 to 1, NoiseMultiplier from
// 1e-50 to 1e50, Steps from 0 to 2^53.
type SubsampledGaussian struct {
	Adjacency       Adjacency // AddRemove
	Rate            float64   // q
	NoiseMultiplier float64   // σ/Δ
	Steps           int       // T
}

func (SubsampledGaussian) Mechanism() string       { return "subsampled-gaussian" }
func (e SubsampledGaussian) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Rate is 0 or lies from [LeastScale] to 1, NoiseMultiplier
// from [LeastScale] to [LargestScale], 0 ≤ Steps ≤ [LargestCount], and that the
// adjacency is AddRemove: replacing a record is two changes, one after
// the other, under Poisson sampling.
func (e SubsampledGaussian) Validate() error {
	if err := CheckAdjacency(e.Adjacency); err != nil {
		return err
	}
	if e.Adjacency != AddRemove {
		return &ParameterError{
			Field: "adjacency",
			Value: quote(e.Adjacency.String()),
			Want:  `"add-remove" for a Poisson sample`,
		}
	}
	if e.Rate != 0 {
		if err := orZero(checkBetween("rate", e.Rate, LeastScale, 1)); err != nil {
			return err
		}
	}
	return FirstError(
		checkScale("noise_multiplier", e.NoiseMultiplier), checkCount("steps", e.Steps, 0),
	)
}

func decodeSubsampledGaussian(f *Fields) Event {
	return SubsampledGaussian{
		Adjacency:       f.Adjacency(),
		Rate:            f.Number("rate"),
		NoiseMultiplier: f.Number("noise_multiplier"),
		Steps:           f.Int("steps"),
	}
}

func (e SubsampledGaussian) encode(tree map[string]any) {
	tree["rate"] = e.Rate
	tree["noise_multiplier"] = e.NoiseMultiplier
	tree["steps"] = float64(e.Steps)
}
