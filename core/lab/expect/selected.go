package expect

import (
	"math"

	"cloister/core/lab/seeded"
	"cloister/core/learn"
)

// selected is the best of so many fits by their noisy scores. The score of the
// rows that stand for n counts n/m times: the noise is that of n records' scores.
func (f *fits) selected(among *learn.TrialSelection, noise *seeded.Stream) ([][]float64, error) {
	best, most := [][]float64{}, math.Inf(-1)
	for range max(1, len(f.all.Schema.Label.Classes)) {
		best = append(best, make([]float64, f.all.X.Columns))
	}
	drawn := make([]float64, 1)
	// The time up to which events of a Poisson process are counted is its mean number.
	for t := -math.Log(1 - noise.Uniform()); t < among.Mean; t -= math.Log(1 - noise.Uniform()) {
		theta, err := f.fit(among.Among[noise.Below(len(among.Among))], noise)
		if err != nil {
			return nil, err
		}
		normals(noise, drawn)
		score := float64(among.Score(theta, f.all))/f.share + among.Sigma*drawn[0]
		if score > most {
			best, most = theta, score
		}
	}
	return best, nil
}
