package outptr

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The real program, samplers and lattices included, on two neighbours: what can be seen is within
// the price; and a sixteenth of the noise, and a test with next to none, are seen.
func TestAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("audited natively")
	}
	for name, g := range map[string]privacy.Guarantee{
		"add-remove":  {Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 0.01},
		"replace-one": {Adjacency: privacy.ReplaceOne, Epsilon: 1, Delta: 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			// One in ten has the other label. One more of these moves the minimiser by nine tenths
			// of what any could.
			const n = 400
			plan := planOf(t, g, 1, 8)
			event, err := plan.Event()
			require.NoError(t, err)
			price, err := account.Of(event, account.Auto, pld.Options{})
			require.NoError(t, err)
			audit := audittest.Audit{
				Claim: func(epsilon float64) (float64, error) {
					return curve.DeltaUpper(price, epsilon)
				},
				Epsilons: audittest.Grid(2, 16), Runs: audittest.Runs(1500),
				Thresholds: []float64{-2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 6},
			}
			first, second := tenth(n), tenth(n, -1)
			if g.Adjacency == privacy.ReplaceOne {
				first, second = tenth(n, 1), tenth(n, -1)
			}
			var ends [2][2]float64
			for k, p := range []learn.Problem{first, second} {
				theta, least := minimum(t, plan, p)
				ends[k] = [2]float64{theta[0], math.Min(least, adaptive.CurvatureReach*plan.Lambda)}
			}
			trial := func(p learn.Problem, plan Plan) audittest.Trial {
				return func(source random.Source) (float64, error) {
					model, told, _, err := Fit(t.Context(), p, plan, source, nil)
					if err != nil {
						return 0, err
					}
					return ratio(t, plan, told, model.Coefficients[0], ends), nil
				}
			}
			audit.Holds(t, "honest", trial(first, plan), trial(second, plan))
			for name, spoil := range map[string]func(p *Plan){
				"a sixteenth of the noise":         func(p *Plan) { p.OutputRatio *= 16 },
				"a test without noise to speak of": func(p *Plan) { p.CurvatureRatio = 100 },
			} {
				spoilt := plan
				spoil(&spoilt)
				audit.Catches(t, name, trial(first, spoilt), trial(second, spoilt))
			}
		})
	}
}

// ratio is the log-likelihood ratio of what a run gave out, but for the lattices: what tells the
// two data sets apart best.
func ratio(t *testing.T, p Plan, told Told, theta float64, ends [2][2]float64) float64 {
	t.Helper()
	margin, err := p.Margin()
	require.NoError(t, err)
	log := func(end [2]float64) float64 {
		a := (told.Curvature - end[1]) / margin.Sigma()
		b := (theta - end[0]) / told.Sigma
		return -(a*a + b*b) / 2
	}
	return log(ends[1]) - log(ends[0])
}

// tenth is n records (1, y), one in ten of them with label −1, and others.
func tenth(n int, more ...float64) learn.Problem {
	var x [][]float64
	var y []float64
	for i := range n + len(more) {
		x = append(x, []float64{1})
		switch {
		case i >= n:
			y = append(y, more[i-n])
		case i%10 == 0:
			y = append(y, -1)
		default:
			y = append(y, 1)
		}
	}
	return learntest.Problem(learntest.Schema(1, 0), x, y)
}
