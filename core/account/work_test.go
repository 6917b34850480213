//go:build unix

package account_test

import (
	"errors"
	"math"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// many is a composition of n events, each at its own scale from 10 on, or all alike.
func many(n int, alike bool, make func(scale float64) privacy.Event) privacy.Composition {
	var parts []privacy.Part
	for i := range n {
		scale := 10.0
		if !alike {
			scale += float64(i) / 100
		}
		parts = append(parts, privacy.Part{Event: make(scale), Count: 1})
	}
	return privacy.Composition{Adjacency: parts[0].Event.Neighbours(), Parts: parts}
}

func kinds() map[string]func(float64) privacy.Event {
	const a = privacy.AddRemove
	return map[string]func(float64) privacy.Event{
		"gaussian": func(s float64) privacy.Event {
			return privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: s}
		},
		"laplace": func(s float64) privacy.Event {
			return privacy.Laplace{Adjacency: a, Sensitivity: 1, Scale: s}
		},
		"discrete-gaussian": func(s float64) privacy.Event {
			return privacy.DiscreteGaussian{Adjacency: a, Sensitivity: 1, Sigma: 1e4 * s}
		},
		"discrete-laplace": func(s float64) privacy.Event {
			return privacy.DiscreteLaplace{Adjacency: a, Sensitivity: 1000, Scale: 1e4 * s}
		},
		"approximate-dp": func(s float64) privacy.Event {
			return privacy.ApproximateDP{Adjacency: a, Epsilon: 1e-3 / s, Delta: 1e-14}
		},
		"subsampled-gaussian": func(s float64) privacy.Event {
			return privacy.SubsampledGaussian{
				Adjacency: a, Rate: 0.01, NoiseMultiplier: s, Steps: 3,
			}
		},
		"objective-perturbation": func(s float64) privacy.Event {
			return privacy.ObjectivePerturbation{
				Adjacency: privacy.ReplaceOne, Loss: "logistic", RowNorm: 1, Lipschitz: 1,
				Smoothness: 0.25, Lambda: 20 * s, Sigma: 100, Dimension: 10,
			}
		},
		"noisy-min": func(s float64) privacy.Event {
			return privacy.NoisyMin{
				Adjacency: a, Epsilon: 0.01 / s, Span: 1, Noise: privacy.GumbelNoise,
			}
		},
		"selection": func(s float64) privacy.Event {
			return privacy.NegativeBinomialSelection{
				Base: privacy.Gaussian{Adjacency: a, Sensitivity: 1, Sigma: s}, Eta: 1, Gamma: 0.1,
			}
		},
	}
}

// A description may list as many events as its author likes. Each method has an answer
// within seconds, or says at once that there is too much work in it: what it refuses
// goes by the description alone (pld.mostLoad, rdp.mostTerms).
func TestSoManyEventsAreAnsweredOrRefusedAtOnce(t *testing.T) {
	for name, make := range kinds() {
		for _, n := range []int{16, 130, 100_000} {
			for _, alike := range []bool{true, false} {
				if alike && n < 100_000 {
					continue // which is less work than as many that differ
				}
				event := many(n, alike, make)
				for _, method := range []account.Method{
					account.Closed, account.Distribution, account.Renyi, account.Auto,
				} {
					start := time.Now()
					price, err := account.Of(event, method, pld.Options{})
					if err == nil {
						_, err = price.EpsilonUpper(1e-6)
					}
					var refused *privacy.ParameterError
					var none *pld.NoDistributionError
					assert.True(
						t, err == nil || errors.As(err, &refused) || errors.As(err, &none),
						"%d %s by %s: %v", n, name, method, err,
					)
					assert.Less( // it took minutes; a busy machine has room here
						t, time.Since(start), 20*time.Second, "%d %s by %s", n, name, method,
					)
				}
			}
		}
	}
}

// Where a distribution is refused for the number of different events, auto prices by
// Rényi divergences, and beyond those it names the list.
func TestManyDifferentEventsArePricedByRenyiDivergences(t *testing.T) {
	laplace := kinds()["laplace"]
	for _, c := range []struct {
		n  int
		by account.Method
	}{{128, account.Distribution}, {129, account.Renyi}} {
		price, err := account.Of(many(c.n, false, laplace), account.Auto, pld.Options{})
		assert.NoError(t, err)
		assert.Equal(t, c.by, price.Method, "%d different events", c.n)
	}
	var refused *privacy.ParameterError
	_, err := account.Of(many(20_000, false, laplace), account.Auto, pld.Options{})
	assert.ErrorAs(t, err, &refused)
	assert.Equal(t, "parts", refused.Field)
}

// So many different fits are answered within 2 s of a processor, or refused by the
// description alone, whatever bound prices them: their curves and profiles are integrals, and
// by the bound "control" searches.
func TestSoManyFitsAreAnsweredOrRefusedAtOnce(t *testing.T) {
	fits := func(n int, a privacy.Adjacency, loss privacy.LossClass, lambda float64) privacy.Event {
		return many(n, false, func(s float64) privacy.Event {
			return privacy.ObjectivePerturbation{
				Adjacency: a, Loss: loss, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25,
				Lambda: lambda * s, Sigma: 10, Dimension: 10,
			}
		})
	}
	for _, c := range []struct {
		n        int
		a        privacy.Adjacency
		loss     privacy.LossClass
		bound    objective.Bound
		method   account.Method
		answered bool
	}{
		{700, privacy.AddRemove, privacy.LossLogistic, objective.BoundAuto, account.Auto, true},
		{800, privacy.AddRemove, privacy.LossLogistic, objective.BoundAuto, account.Auto, false},
		{200, privacy.ReplaceOne, privacy.LossLogistic, objective.BoundAuto, account.Auto, true},
		{8000, privacy.ReplaceOne, privacy.LossLogistic, objective.BoundAuto, account.Auto, false},
		{400, privacy.ReplaceOne, privacy.LossSmooth, objective.BoundAuto, account.Auto, false},
		{64, privacy.AddRemove, privacy.LossLogistic, objective.BoundControl, account.Distribution, true},
		{129, privacy.AddRemove, privacy.LossLogistic, objective.BoundControl, account.Distribution, false},
		{30, privacy.AddRemove, privacy.LossLogistic, objective.BoundControl, account.Renyi, true},
		{35, privacy.AddRemove, privacy.LossLogistic, objective.BoundControl, account.Renyi, false},
		{16, privacy.ReplaceOne, privacy.LossLogistic, objective.BoundControl, account.Distribution, true},
		{30, privacy.ReplaceOne, privacy.LossLogistic, objective.BoundControl, account.Auto, true},
		{35, privacy.ReplaceOne, privacy.LossLogistic, objective.BoundControl, account.Auto, false},
		{128, privacy.AddRemove, privacy.LossSigned, objective.BoundControl, account.Distribution, true},
	} {
		lambda := 0.5
		if c.bound == objective.BoundControl {
			lambda = 0.02 // far below λ₀, where it takes longest
		}
		start := processorTime(t)
		price, err := account.Of(
			fits(c.n, c.a, c.loss, lambda), c.method, pld.Options{Bound: c.bound},
		)
		if err == nil {
			_, err = price.EpsilonUpper(1e-6)
		}
		assert.Equal(t, c.answered, err == nil, "%+v: %v", c, err)
		took := processorTime(t) - start
		t.Logf("%+v: %.2f s", c, took)
		if !c.answered {
			assert.Less(t, took, 0.1, "%+v is refused before anything is priced", c)
			continue
		}
		assert.Less(t, took, 4.0, "%+v", c) // 2 s where the machine has no other work
	}
}

// A page asks for ε at a δ, and then for a curve down to that δ in pieces of 24 points. Each is
// answered within 2 s of a processor, whatever the noise, the rate and the number of steps: the
// parameters are log-uniform, to where losses are lost in rounding.
func TestCurvesOfSampledStepsAreAnsweredSoon(t *testing.T) {
	random := randomtest.New(31)
	between := func(low, high float64) float64 { // log-uniform
		bits, _ := random.Uint64() // the seeded source does not fail
		return low * math.Pow(high/low, float64(bits>>11)/(1<<53))
	}
	questions := []privacy.SubsampledGaussian{
		{Rate: 0.217, NoiseMultiplier: 1e12, Steps: 373},
		{Rate: 0.01, NoiseMultiplier: 1e15, Steps: 10_000},
		{Rate: 1e-9, NoiseMultiplier: 1e3, Steps: 1 << 20},
	}
	more := 6
	if testing.Short() {
		more = 0
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		more = 500
	}
	for range more {
		questions = append(questions, privacy.SubsampledGaussian{
			Rate: between(1e-9, 1), NoiseMultiplier: between(0.3, 1e18),
			Steps: int(between(1, 1e6)),
		})
	}
	for n, event := range questions {
		event.Adjacency = privacy.AddRemove
		delta := 1e-300
		if n >= 3 {
			delta = between(1e-300, 0.1)
		}
		timed := func(what string, ask func(account.Price) error) {
			start := processorTime(t)
			price, err := account.Of(event, account.Auto, pld.Options{})
			if err == nil {
				err = ask(price)
			}
			var refused *privacy.ParameterError
			assert.True(t, err == nil || errors.As(err, &refused), "%+v: %v", event, err)
			assert.Less(t, processorTime(t)-start, 2.0, "%s of %+v at δ = %v", what, event, delta)
		}
		end := 1.0
		timed("ε", func(p account.Price) error {
			epsilon, err := p.EpsilonUpper(delta)
			if epsilon > 0 && !math.IsInf(epsilon, 1) {
				end = epsilon
			}
			return err
		})
		for from := 0; from < 192; from += 48 {
			timed("a piece of the curve", func(p account.Price) error {
				for i := range 24 {
					p.LogDeltaUpper(end * float64(from+i) / 191)
				}
				return nil
			})
		}
	}
}

// processorTime is the processor's time that this process has taken, in seconds.
func processorTime(t *testing.T) float64 {
	var r syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
