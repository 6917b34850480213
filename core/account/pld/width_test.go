package pld

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

// The figures for interval widths: at most 0.5 % of ε by default and 0.05 % on
// request, over the whole range of DP-SGD and up to 10,000 objective
// perturbations. (The default is set at 0.1 %.) The rates and lengths of DP-SGD are a share, fewer
// with -short; CLOISTER_AUDIT=long takes them all.
func TestWidths(t *testing.T) {
	rates, noises, lengths := []float64{
		1e-4,
		0.01,
		0.5,
	}, []float64{
		0.5,
		1,
		3,
		10,
	}, []int{
		10,
		100_000,
	}
	switch {
	case long():
		rates, lengths = []float64{1e-4, 1e-3, 0.01, 0.1, 0.5, 1}, []int{1, 10, 1000, 100_000}
	case testing.Short():
		rates, lengths = []float64{1e-4, 0.1}, []int{10, 100_000}
	}
	slowest := time.Duration(0)
	for _, q := range rates {
		for _, sigma := range noises {
			for _, steps := range lengths {
				for _, delta := range []float64{1e-5, 1e-9} {
					for _, accuracy := range []float64{0, 5e-4} {
						start := time.Now()
						i := intervalOf(
							t, dpsgd(q, sigma, steps), delta, Options{Accuracy: accuracy},
						)
						took := time.Since(start)
						if accuracy == 0 {
							accuracy = 5e-3
						}
						if i.Reached > 0 { // else ε is 0 or next to it
							assert.LessOrEqual(
								t, i.Upper-i.Reached, accuracy*i.Upper,
								"q %v, σ %v, %d steps, δ %v: %v", q, sigma, steps, delta, i,
							)
						} else {
							t.Logf("q %v, σ %v, %d steps, δ %v: %v", q, sigma, steps, delta, i)
						}
						if took > slowest {
							slowest = took
							t.Logf(
								"q %v, σ %v, %d steps, δ %v, accuracy %v: %v", q, sigma, steps,
								delta, accuracy, took,
							)
						}
					}
				}
			}
		}
	}
}

func TestWidthsOfObjectivePerturbation(t *testing.T) {
	accuracies := []float64{5e-3, 5e-4}
	if testing.Short() {
		accuracies = accuracies[:1]
	}
	for _, loss := range []privacy.LossClass{
		privacy.LossLogistic, privacy.LossSigned, privacy.LossGLM,
	} {
		for _, lambda := range []float64{0.3, 3, 100} {
			for _, k := range []int{1, 2, 30, 10_000} {
				event := privacy.ObjectivePerturbation{
					Adjacency: addRemove, Loss: loss, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
					Lambda: lambda, Sigma: 10,
				}
				bound, err := objective.BoundAuto.Resolve(loss)
				require.NoError(t, err)
				for _, accuracy := range accuracies {
					start := time.Now()
					i := intervalOf(
						t, repeated(event, k), 1e-6, Options{Bound: bound, Accuracy: accuracy},
					)
					took := time.Since(start)
					assert.LessOrEqual(
						t, i.Upper-i.Reached, accuracy*i.Upper, "%s, λ = %v, %d runs: %v",
						bound, lambda, k, i,
					)
					if took > 200*time.Millisecond {
						t.Logf(
							"%s, λ = %v, %d runs, accuracy %v: %v", bound, lambda, k, accuracy,
							took,
						)
					}
				}
			}
		}
	}
}

// Where a few large losses decide: small rates, few steps, small δ.
func TestWidthsWhereRareLossesDecide(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct {
		q, sigma float64
		steps    int
		delta    float64
		accuracy float64
		within   float64
	}{
		{1e-6, 0.3, 500, 1e-10, 0, 1e-3},
		{1e-6, 0.3, 500, 1e-20, 0, 1e-3},
		{1e-5, 0.5, 100, 1e-10, 0, 1e-3},
		{1e-5, 0.5, 100, 1e-20, 0, 1e-3},
		{7.785e-5, 0.679, 7, 1e-20, 0, 1e-3},
		{1.918e-4, 1.0434, 58227, 1.02e-13, 1e-4, 1e-4},
		{2.16e-4, 1.0608, 2, 1.3e-17, 0, 1e-3},
		{1e-4, 0.5, 500, 1e-10, 0, 1e-3},
		{1e-4, 10, 2, 1e-30, 0, 1e-3},
		{1e-4, 0.5, 100_000, 1e-30, 0, 1e-3},
	} {
		i := intervalOf(t, dpsgd(c.q, c.sigma, c.steps), c.delta, Options{Accuracy: c.accuracy})
		assert.LessOrEqual(t, i.Upper-i.Reached, c.within*i.Upper, "%v: %v", c, i)
	}
}

// Whoever asks for a narrower interval gets none that is wider. The first grid was as
// fine as was asked for, and spent all points there are on a window that was a guess.
func TestFinerIntervalsAreNarrower(t *testing.T) {
	event := dpsgd(0.00026228796333057773, 1, 1000)
	before := math.Inf(1)
	for _, accuracy := range []float64{DefaultAccuracy, 1e-4, BestAccuracy} {
		d, err := Of(event, Options{Accuracy: accuracy})
		require.NoError(t, err)
		i, err := d.Delta(0.1)
		require.NoError(t, err)
		width := i.LogUpper - i.LogLower
		assert.LessOrEqual(t, width, math.Max(before, 1e-4), "accuracy %v", accuracy)
		assert.Less(t, width, 60*accuracy+1e-4, "accuracy %v", accuracy)
		before = width
	}
}
