package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// A step on 36,177 rows of Adult, noise included, beside a plain gradient of
// the solvers.
func BenchmarkStep(b *testing.B) {
	d := learntest.Adult(b, learntest.AdultSchema(b))
	problem := learn.Problem{
		Data: learntest.Every(d, func(i int) bool { return i%5 != 0 }),
		Loss: glm.Logistic{},
	}
	b.Run("private", func(b *testing.B) {
		plan := Plan{
			Adjacency: privacy.AddRemove, Dimension: problem.Dimension(),
			RowNorm: d.Schema.RowNorm(), Clip: d.Schema.RowNorm(),
			Sigmas: make([]float64, b.N), Rates: make([]float64, b.N),
		}
		for t := range plan.Sigmas {
			plan.Sigmas[t], plan.Rates[t] = 30, 1e-5
		}
		if _, _, err := Fit(b.Context(), problem, plan, random.Secure(), nil); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("plain", func(b *testing.B) {
		rows, err := problem.Rows(math.Inf(1), d.Schema.RowNorm())
		require.NoError(b, err)
		theta, gradient := make(
			[]float64, problem.Dimension(),
		), make(
			[]float64, problem.Dimension(),
		)
		for b.Loop() {
			rows.Derivatives(theta, gradient, nil)
		}
	})
}

func BenchmarkWholeRows(b *testing.B) {
	d := learntest.Adult(b, learntest.AdultSchema(b))
	plan := Plan{RowNorm: d.Schema.RowNorm(), Centring: learn.PublicCentring(d.Schema)}
	for b.Loop() {
		newWholeRows(learn.Problem{Data: d}, plan)
	}
}
