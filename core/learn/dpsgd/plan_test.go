package dpsgd

import "cloister/core/privacy"

// planOf is for the clinic.
func planOf(optimiser Optimiser) Plan {
	return Plan{
		Adjacency: privacy.AddRemove,
		Rate:      0.1, Steps: 100, Clip: 0.5, NoiseMultiplier: 1.5, Batch: 30,
		Optimiser: optimiser,
	}
}
