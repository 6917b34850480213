package selection

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// finite is a base with few outputs: one of two candidates, drawn by a fair coin, tells a bit
// with randomised response of its own, and a score of three values is drawn by that bit
// and the records with randomised response too.
type finite struct {
	truths [2]float64
	score  float64
	mean   float64
}

func (f finite) event() privacy.Event {
	answer := func(truth float64, categories int) privacy.Event {
		return privacy.RandomisedResponse{
			Adjacency: privacy.AddRemove, Categories: categories, Truth: truth,
		}
	}
	return privacy.PoissonSelection{
		Mean: f.mean,
		Base: privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
			{Event: privacy.OneOf{
				Adjacency: privacy.AddRemove,
				Events:    []privacy.Event{answer(f.truths[0], 2), answer(f.truths[1], 2)},
			}, Count: 1},
			{Event: answer(f.score, 3), Count: 1},
		}},
	}
}

// law is that of one run on data set x, 0 or 1: of candidate, bit and score.
func (f finite) law(x int) (law [2][2][3]float64) {
	for j, truth := range f.truths {
		for bit := range 2 {
			told := 1 - truth
			if bit == x {
				told = truth
			}
			for score := range 3 {
				right := (bit + x) % 3 // the score sees the model and the records
				drawn := (1 - f.score) / 2
				if score == right {
					drawn = f.score
				}
				law[j][bit][score] = told * drawn / 2
			}
		}
	}
	return law
}

// selected is the law of the best of Poisson(mean) runs, by thinning: the numbers of runs with
// each score are independent and Poisson, and the best score is s where there is a run of it
// and none above; which of those runs is kept is a fair draw. The last entry is that of no run.
func (f finite) selected(x int) []float64 {
	var out []float64
	law := f.law(x)
	above := 0.0
	for score := 2; score >= 0; score-- {
		mass := 0.0
		for j := range 2 {
			mass += law[j][0][score] + law[j][1][score]
		}
		best := math.Exp(-f.mean*above) * -math.Expm1(-f.mean*mass)
		for j := range 2 {
			for bit := range 2 {
				out = append(out, best*law[j][bit][score]/mass)
			}
		}
		above += mass
	}
	return append(out, math.Exp(-f.mean))
}

// The second derivation: what a selection among candidates costs is never below the exact
// divergence of its law, in either direction, at any order and any ε.
func TestThePriceIsNotBelowTheExactLaw(t *testing.T) {
	nativetest.Only(t)
	for _, f := range []finite{
		{[2]float64{0.52, 0.55}, 0.36, 5},
		{[2]float64{0.6, 0.51}, 0.35, 6},
		{[2]float64{0.7, 0.7}, 0.5, 2},
		{[2]float64{0.55, 0.8}, 0.4, 30},
		{[2]float64{0.5001, 0.7}, 0.34, 0.5},
	} {
		price, err := account.Of(f.event(), account.Renyi, pld.Options{})
		require.NoError(t, err)
		none, one := f.selected(0), f.selected(1)
		for _, law := range [][]float64{none, one} {
			sum := 0.0
			for _, p := range law {
				sum += p
			}
			require.InDelta(t, 1, sum, 1e-12)
		}
		closest := math.Inf(1)
		for _, pair := range [][2][]float64{{none, one}, {one, none}} {
			for _, alpha := range []float64{1.1, 1.5, 2, 4, 8, 20, 100} {
				moment := 0.0
				for i, p := range pair[0] {
					moment += p * math.Pow(p/pair[1][i], alpha-1)
				}
				exact := math.Log(moment) / (alpha - 1)
				claimed := price.Renyi.At(alpha)
				assert.GreaterOrEqual(t, claimed, exact, "%+v at order %g", f, alpha)
				closest = math.Min(closest, claimed/exact)
			}
			for epsilon := 0.0; epsilon < 3; epsilon += 0.1 {
				exact := 0.0
				for i, p := range pair[0] {
					exact += math.Max(0, p-math.Exp(epsilon)*pair[1][i])
				}
				claimed := math.Exp(price.LogDeltaUpper(epsilon))
				assert.GreaterOrEqual(t, claimed, exact, "%+v at %g", f, epsilon)
			}
		}
		assert.Less(t, closest, 12.0, "%+v: the comparison is of one size", f)
	}
}

// The program draws by the law that is priced: its frequencies are those of the exact law.
func TestTheProgramDrawsByThatLaw(t *testing.T) {
	f := finite{[2]float64{0.6, 0.8}, 0.5, 3}
	plan := Plan{Fits: make([]learnChosen, 2), Event: f.event().(privacy.PoissonSelection)}
	source := randomtest.New(11)
	const n = 40_000
	for x := range 2 {
		counts := map[string]float64{}
		law := f.law(x)
		for range n {
			got, err := plan.best(source, func(candidate int) (run, error) {
				u := float64(uniform(t, source)) / 2
				for bit := range 2 {
					for score := range 3 {
						if u -= law[candidate][bit][score]; u < 0 {
							return run{candidate: 2*candidate + bit, score: int64(score)}, nil
						}
					}
				}
				return run{candidate: 2*candidate + 1, score: 2}, nil
			})
			if err != nil {
				require.ErrorIs(t, err, ErrNoRun)
				counts["none"]++
				continue
			}
			counts[fmt.Sprint(got.score, got.candidate)]++
		}
		want := f.selected(x)
		for i, p := range want {
			name := "none"
			if i < 12 {
				name = fmt.Sprint(2-i/4, i%4)
			}
			assert.InDelta(t, n*p, counts[name], 5.5*math.Sqrt(n*p*(1-p)), "%d %s", x, name)
		}
	}
}
