package accounting

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

const addRemove = privacy.AddRemove

func logistic(adjacency privacy.Adjacency) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: adjacency, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1,
		Smoothness: 0.25, Lambda: 2, Sigma: 4, Dimension: 3,
	}
}

func softmax(adjacency privacy.Adjacency) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: adjacency, Loss: privacy.LossSoftmax, RowNorm: 1,
		Lipschitz: privacy.SoftmaxSlope, Smoothness: privacy.SoftmaxSmoothness,
		Lambda: 5, Sigma: 7, Dimension: 12, Classes: 4,
	}
}

// citedEvents is an event of every mechanism, and what must be said of it by
// each method; an empty text for methods that do not price it.
var citedEvents = []struct {
	event              privacy.Event
	closed, renyi, pld string
}{
	{
		privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 2},
		"Balle & Wang 2018, Theorem 8", "Mironov 2017, Proposition 7", "Privacy loss distribution",
	},
	{
		privacy.GradientDescent{Adjacency: addRemove, Sensitivity: 1, Sigmas: []float64{3, 4}},
		"Balle & Wang 2018, Theorem 8: privacy profile of the Gaussian mechanism; Dong, Roth & Su 2022", "Mironov 2017, Proposition 7", "Privacy loss distribution",
	},
	{
		privacy.Laplace{Adjacency: addRemove, Sensitivity: 1, Scale: 2},
		"Balle, Barthe & Gaboardi 2018: privacy profile of the Laplace", "Mironov 2017, Proposition 6", "Privacy loss distribution",
	},
	{
		privacy.DiscreteLaplace{Adjacency: addRemove, Sensitivity: 1, Scale: 2},
		"Ghosh, Roughgarden & Sundararajan 2012", "Rényi differential privacy", "Privacy loss distribution",
	},
	{
		privacy.DiscreteGaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 2},
		"", "Canonne, Kamath & Steinke 2020, Proposition 5", "Privacy loss distribution",
	},
	{
		privacy.RandomisedResponse{Adjacency: addRemove, Categories: 3, Truth: 0.6},
		"Balle, Barthe & Gaboardi 2018: privacy profile of randomised response", "Rényi differential privacy", "Privacy loss distribution",
	},
	{
		privacy.PureDP{Adjacency: addRemove, Epsilon: 0.3},
		"Kairouz, Oh & Viswanath 2015", "Kairouz, Oh & Viswanath 2015", "Kairouz, Oh & Viswanath 2015",
	},
	{
		privacy.RenyiDP{Adjacency: addRemove, Order: 8, Epsilon: 0.1},
		"", "Mironov 2017: Rényi differential privacy of one order", "",
	},
	{
		privacy.ProposeTestRelease{
			Test:    privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 10},
			Release: privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 5},
			Failure: 1e-7,
		},
		"privacy profile of the Gaussian mechanism; Cloister's source, core/privacy/ptr.go",
		"core/privacy/ptr.go", "core/privacy/ptr.go",
	},
	{
		privacy.NoisyMin{
			Adjacency:   addRemove,
			Epsilon:     0.3,
			Span:        1,
			Noise:       privacy.GeometricNoise,
			Denominator: 64,
		},
		"McKenna & Sheldon 2020", "Rényi differential privacy", "Privacy loss distribution",
	},
	{
		privacy.NoisyMin{Adjacency: addRemove, Epsilon: 0.3, Span: 1, Noise: privacy.GumbelNoise},
		"McKenna & Sheldon 2020", "Cesar & Rogers 2021", "Privacy loss distribution",
	},
	{
		privacy.ProximalCentre{
			Adjacency:   addRemove,
			Epsilon:     0.3,
			Span:        1,
			Bound:       1,
			Dimension:   3,
			Denominator: 4,
		},
		"core/privacy/search.go", "Rényi differential privacy", "Privacy loss distribution",
	},
	{
		privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.3, Delta: 1e-6},
		"Kairouz, Oh & Viswanath 2015", "Kairouz, Oh & Viswanath 2015", "Kairouz, Oh & Viswanath 2015",
	},
	{
		privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.1},
		"", "Bun & Steinke 2016", "Bun & Steinke 2016",
	},
	{logistic(addRemove), "theory.md §4.6", "theory.md §4.6", "theory.md §4.6"},
	{logistic(privacy.ReplaceOne), "theory.md §4.5", "theory.md §4.5", "theory.md §4.5"},
	{
		softmax(addRemove),
		"theory.md §4.7", "theory.md §4.7", "theory.md §4.7",
	},
	{
		privacy.ApproximateMinima{Objective: softmax(addRemove), Tau: 1e-6, SigmaOut: 1e-3},
		"theory.md §4.7", "theory.md §4.7", "theory.md §4.7",
	},
	{
		privacy.ApproximateMinima{Objective: logistic(addRemove), Tau: 1e-6, SigmaOut: 1e-3},
		"theory.md §4.6", "theory.md §4.6", "theory.md §4.6",
	},
	{
		privacy.SubsampledGaussian{Adjacency: addRemove, Rate: 0.01, NoiseMultiplier: 1, Steps: 10},
		"", "Mironov, Talwar & Zhang 2019", "Zhu, Dong & Wang 2022",
	},
	{
		privacy.Composition{
			Adjacency: addRemove,
			Parts: []privacy.Part{
				{Event: logistic(addRemove), Count: 2},
				{Event: privacy.ZeroConcentrated{Adjacency: addRemove, Rho: 0.1}, Count: 1},
				{Event: logistic(addRemove), Count: 1},
			},
		},
		"", "slopes", "theory.md §4.6",
	},
	{
		privacy.NegativeBinomialSelection{
			Base:  privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 5},
			Eta:   1,
			Gamma: 0.1,
		},
		"", "Papernot & Steinke 2022, Theorem 2", "",
	},
	{
		privacy.OneOf{
			Adjacency: addRemove,
			Events: []privacy.Event{
				privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 5},
			},
		},
		"", "core/privacy/oneof.go: one of several mechanisms", "",
	},
	{
		privacy.PoissonSelection{
			Base: privacy.Gaussian{Adjacency: addRemove, Sensitivity: 1, Sigma: 5},
			Mean: 3,
		},
		"", "core/account/selection: selection by a Poisson number of runs", "",
	},
	{
		privacy.LiuTalwarSelection{
			Base:   privacy.ApproximateDP{Adjacency: addRemove, Epsilon: 0.1, Delta: 1e-12},
			Tau:    0.1,
			Cutoff: 1e-7,
		},
		"Liu & Talwar 2019, Theorem 3.4", "Liu & Talwar 2019, Theorem 3.4", "Liu & Talwar 2019, Theorem 3.4",
	},
}

func TestEveryPriceNamesItsTheorems(t *testing.T) {
	mechanisms := map[string]bool{}
	for _, c := range citedEvents {
		mechanisms[privacytest.Name(c.event)] = true
		for method, want := range map[account.Method]string{
			account.Closed: c.closed, account.Renyi: c.renyi, account.Distribution: c.pld,
		} {
			_, err := account.Of(c.event, method, pld.Options{})
			if want == "" {
				require.Error(t, err, "%s by %s", c.event.Mechanism(), method)
				continue
			}
			require.NoError(t, err, "%s by %s", c.event.Mechanism(), method)
			if want == "slopes" {
				want = "theory.md §4.6: privacy profile of objective perturbation by the value of a control problem; Bun & Steinke 2016: concentrated differential privacy; Rényi"
			}
			name, theorem := cited(c.event, objective.BoundAuto, method, false)
			assert.Contains(t, theorem, want, "%s by %s", c.event.Mechanism(), method)
			assert.Equal(
				t,
				method == account.Renyi,
				contains(theorem, "Canonne, Kamath & Steinke 2020, Proposition 5; Rényi") ||
					contains(theorem, "Proposition 12"),
				theorem,
			)
			assert.Equal(
				t, method == account.Distribution, contains(theorem, "connect-the-dots"), theorem,
			)
			perturbation, bounded := privacy.ObjectiveOf(c.event)
			if bounded {
				bound, err := objective.BoundAuto.Resolve(perturbation.Loss)
				require.NoError(t, err)
				assert.Equal(t, string(bound), name)
			} else {
				assert.Equal(t, "auto", name)
			}
			// Nothing is said of mechanisms that are not there.
			if _, gaussian := c.event.(privacy.Gaussian); !gaussian &&
				!contains(c.closed+c.renyi, "Gaussian mechanism") &&
				method == account.Closed {
				assert.NotContains(t, theorem, "Balle & Wang", c.event.Mechanism())
			}
		}
	}
	for _, event := range privacytest.Events() {
		assert.True(
			t, mechanisms[privacytest.Name(event)],
			"add %s to citedEvents, with what its prices rest on", privacytest.Name(event),
		)
	}
	name, theorem := cited(logistic(addRemove), objective.BoundAuto, account.Distribution, true)
	assert.Equal(t, "logistic", name)
	assert.Contains(t, theorem, "theory.md §4.3")
	// The published bound is its own citation.
	_, theorem = cited(logistic(addRemove), objective.BoundRDP, account.Closed, false)
	assert.Equal(t, objective.BoundRDP.Theorem(), theorem)
}

func contains(text, part string) bool {
	for i := range text {
		if len(text)-i >= len(part) && text[i:i+len(part)] == part {
			return true
		}
	}
	return false
}
