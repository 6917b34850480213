package expect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
)

// with are trials that gain so much.
func with(gains ...float64) (out []Result) {
	for _, gain := range gains {
		out = append(out, Result{Known: 0.75, Private: []float64{0, 0.75 + gain}})
	}
	return out
}

// The same cases are those of site/test/unit/outlook.test.ts.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		medium, strong []float64
		want           Outlook
	}{
		{[]float64{0.1, 0.1}, []float64{0.009, 0.01}, BuysNothing},
		{[]float64{0, 0, 0.1}, []float64{0.019, 0.013}, BuysNothing},
		{[]float64{0, 0.1}, []float64{0.019, 0.013}, BuysUncertain},
		{[]float64{0, 0.1}, []float64{0.019, 0.003}, BuysNothing},
		{[]float64{0, 0.1, 0.1}, []float64{0.019, 0.003}, BuysUncertain},
		{[]float64{0.1, 0.1, 0.1}, []float64{0.019, 0.003}, BuysSomething},
		{[]float64{0.1, 0.1, 0.009, 0.1}, []float64{0.2}, BuysUncertain},
		{[]float64{0.1, 0.1, 0.009, 0.1, 0.1}, []float64{0.2}, BuysSomething},
		{[]float64{0.011}, []float64{-0.1, 0.2}, BuysSomething},
		{[]float64{0.5}, []float64{-0.2}, BuysNothing},
		{nil, []float64{0.2}, BuysUncertain},
		{[]float64{0.2}, nil, BuysUncertain},
	} {
		assert.Equal(t, c.want, Judge(with(c.medium...), with(c.strong...), 1), "%v", c)
	}
}

// usual are the trials of the usual fits at these ε.
func usual(t *testing.T, r *Request, epsilons ...float64) {
	t.Helper()
	for _, epsilon := range epsilons {
		trial, err := methods.Trials("", learn.Asked{
			Schema: r.Schema, Loss: r.Loss, Guarantee: guaranteed(epsilon),
			Records: float64(r.Records),
		})
		require.NoError(t, err)
		fit, err := trial(epsilon)
		require.NoError(t, err)
		r.Fits = append(r.Fits, fit)
	}
}

// With few records and a rare class nothing is bought; with more of either, something is.
func TestWhatABudgetBuys(t *testing.T) {
	of := func(records int, rarer, epsilon float64) Outlook {
		r := Request{Schema: mixed(two), Records: records, Loss: glm.Logistic{}, Rarer: rarer}
		usual(t, &r, epsilon)
		by := map[Signal][]Result{}
		for _, r.Signal = range []Signal{Medium, Strong} {
			for r.Trial = 1; r.Trial <= 4; r.Trial++ {
				result, err := Run(t.Context(), r)
				require.NoError(t, err)
				by[r.Signal] = append(by[r.Signal], result)
			}
		}
		return Judge(by[Medium], by[Strong], 0)
	}
	assert.Equal(t, BuysNothing, of(300, 0.1, 0.05))
	assert.Equal(t, BuysSomething, of(30_000, 0.3, 1))
	assert.Equal(t, BuysNothing, of(30_000, 0.01, 1), "nor does a fit without privacy gain much")
	assert.Equal(t, BuysNothing, of(30_000, 0.06, 8), "columns of medium strength tell nothing")
}

// The declared share is that of the made-up records, and naming the other class is known.
func TestTheDeclaredShareIsThatOfTheRecords(t *testing.T) {
	for _, rarer := range []float64{0.01, 0.1, 0.4, 0.5} {
		r := Request{
			Schema: mixed(two), Records: 500, Signal: Medium, Trial: 1, Loss: glm.Logistic{},
			Rarer: rarer,
		}
		result, err := Run(t.Context(), r)
		require.NoError(t, err)
		assert.InDelta(t, 1-rarer, result.Known, 1e-9)
		assert.Greater(t, result.Plain, result.Known-0.01)
	}
	r := Request{Schema: mixed(two), Records: 500, Signal: Medium, Trial: 1, Loss: glm.Logistic{}}
	result, err := Run(t.Context(), r)
	require.NoError(t, err)
	assert.InDelta(t, 0.5, result.Known, 0.05, "about as many of either")
	r.Schema, r.Loss = mixed(number), glm.Squared{}
	result, err = Run(t.Context(), r)
	require.NoError(t, err)
	assert.Zero(t, result.Known)
}

func TestTheShareIsOfTwoClasses(t *testing.T) {
	for _, c := range []struct {
		rarer float64
		label int
	}{{-0.1, 0}, {0.51, 0}, {0.1, 1}} {
		r := Request{Schema: mixed(two), Records: 500, Signal: Weak, Trial: 1, Loss: glm.Logistic{}}
		if c.label == 1 {
			r.Schema = mixed(several)
		}
		r.Rarer = c.rarer
		_, err := Run(t.Context(), r)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "rarer", bad.Field)
	}
}
