package outptr

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/adaptive"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/learntest"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// What the package comment says of accuracy: the mean loss above the least, over 20,000 made-up
// records with 5 columns in all directions, of 20 draws of noise.
func TestUtility(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively")
	}
	source := randomtest.New(31)
	var x [][]float64
	var y []float64
	for range 20_000 {
		row := learntest.Gaussians(t, source, 5)
		size := learntest.Length(row) * (1 + 1e-12)
		margin := 0.0
		for j := range row {
			row[j] /= size
			margin += 2 * row[j] * float64(j-2)
		}
		label := -1.0
		if learntest.Uniform(source) < 1/(1+math.Exp(-margin)) {
			label = 1
		}
		x, y = append(x, row), append(y, label)
	}
	p := learntest.Problem(learntest.Schema(5, 0), x, y)
	loss := func(theta []float64) float64 {
		sum := 0.0
		for i, row := range x {
			sum += p.Loss.Value(learntest.Dot(row, theta), y[i])
		}
		return sum / float64(len(y))
	}
	tiny := Plan{
		Adjacency: privacy.AddRemove, Dimension: 5, RowNorm: 1, Lambda: adaptive.LeastLambda,
	}
	best, _ := minimum(t, tiny, p)
	least := loss(best)
	mean := func(fit func(random.Source) (learn.Model, error)) float64 {
		sum := 0.0
		for seed := range 20 {
			model, err := fit(randomtest.New(uint64(seed + 1)))
			require.NoError(t, err)
			sum += (loss(model.Coefficients) - least) / 20
		}
		return 1e4 * sum
	}
	for _, epsilon := range []float64{0.1, 0.3, 1, 3} {
		g := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-6}
		tested := mean(func(s random.Source) (learn.Model, error) {
			model, _, _, err := Fit(t.Context(), p, planOf(t, g, 5, 0), s, nil)
			return model, err
		})
		output := mean(func(s random.Source) (learn.Model, error) {
			plan, err := outpert.Request{
				Guarantee: g, Loss: p.Loss, Dimension: 5, RowNorm: 1, Clip: 1, Records: 20_000,
				Reach: 4,
			}.Plan()
			require.NoError(t, err)
			model, _, err := outpert.Fit(t.Context(), p, plan, s, nil)
			return model, err
		})
		ours := mean(func(s random.Source) (learn.Model, error) {
			event, err := calibrate.Minima(amp.Request(p.Data.Schema, g, objective.BoundAuto))
			require.NoError(t, err)
			model, _, err := amp.Fit(t.Context(), p, event, s, nil)
			return model, err
		})
		t.Logf("ε = %g: tested %.1f, output perturbation %.1f, objective perturbation %.1f",
			epsilon, tested, output, ours)
		assert.Equal(t, epsilon >= 1, tested < output)
	}
}
