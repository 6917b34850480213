package expect

import (
	"math"

	"cloister/core/lab/seeded"
	"cloister/core/learn"
)

// selected is the best of so many fits of one vector by their noisy scores. The score of the
// rows that stand for n counts n/m times: the noise is that of n records' scores.
func (f *fits) selected(among *learn.TrialSelection, noise *seeded.Stream) ([][]float64, error) {
	best, most := [][]float64{make([]float64, f.on[0].X.Columns)}, math.Inf(-1)
	drawn := make([]float64, 1)
	// The time up to which events of a Poisson process are counted is its mean number.
	for t := -math.Log(1 - noise.Uniform()); t < among.Mean; t -= math.Log(1 - noise.Uniform()) {
		theta, err := f.fit(among.Among[noise.Below(len(among.Among))], noise)
		if err != nil {
			return nil, err
		}
		normals(noise, drawn)
		score := float64(among.Score(theta[0], f.on[0]))/f.share + among.Sigma*drawn[0]
		if score > most {
			best, most = theta, score
		}
	}
	return best, nil
}
