package rdp

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/special"
)

var orders = []float64{1.001, 1.1, 1.5, 2, 3.7, 10, 64}

// sumRenyi is D_α of two laws given by their logarithms on the same points.
func sumRenyi(logP, logQ []float64, alpha float64) float64 {
	total := math.Inf(-1)
	for i := range logP {
		total = special.LogAddExp(total, alpha*logP[i]+(1-alpha)*logQ[i])
	}
	return total / (alpha - 1)
}

// The direct sum is exact but for cancellation, about 1e-15/(α−1).
func near(t *testing.T, want, got, alpha float64) {
	t.Helper()
	assert.InDelta(t, want, got, 1e-9*want+2e-14/(alpha-1), "α = %v", alpha)
}

func TestLaplaceAgainstQuadrature(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.1, 1, 5} {
		// ∫ p^α q^{1−α} with p centred at 0 and q at ε (scale 1): the two tails in
		// closed form, the middle by Simpson's rule.
		for _, alpha := range orders {
			const n = 20000
			middle := 0.0
			for i := 0; i <= n; i++ {
				x := epsilon * float64(i) / n
				weight := 2.0 + 2*float64(i%2)
				if i == 0 || i == n {
					weight = 1
				}
				middle += weight * math.Exp(-alpha*x-(1-alpha)*(epsilon-x)) / 2
			}
			middle *= epsilon / n / 3
			tails := math.Exp((alpha-1)*epsilon)/2 + math.Exp(-alpha*epsilon)/2
			near(t, math.Log(middle+tails)/(alpha-1), laplace(epsilon)(alpha), alpha)
		}
	}
}

func TestPureIsRandomisedResponse(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.3, 2, 30} {
		yes, no := -math.Log1p(math.Exp(-epsilon)), -math.Log1p(math.Exp(epsilon))
		for _, alpha := range orders {
			near(
				t, sumRenyi([]float64{yes, no}, []float64{no, yes}, alpha), pure(epsilon)(alpha),
				alpha,
			)
		}
	}
}

func TestRandomisedResponseAgainstSum(t *testing.T) {
	for _, k := range []int{2, 3, 50} {
		for _, truth := range []float64{0.001, 0.4, 0.99} {
			p := make([]float64, k)
			q := make([]float64, k)
			for i := range p {
				p[i] = math.Log1p(-truth) - math.Log(float64(k-1))
				q[i] = p[i]
			}
			p[0], q[1] = math.Log(truth), math.Log(truth)
			for _, alpha := range orders {
				near(t, sumRenyi(p, q, alpha), randomisedResponse(k, truth)(alpha), alpha)
			}
		}
	}
}

func TestDiscreteLaplaceAgainstSum(t *testing.T) {
	for _, c := range []struct {
		a     float64
		shift int
	}{{0.01, 1}, {0.5, 3}, {1, 7}, {4, 2}} {
		var logP, logQ []float64
		reach := int(900/c.a) + c.shift
		if reach > 100000 {
			reach = 100000
		}
		for x := -reach; x <= reach; x++ {
			height := math.Log(math.Tanh(c.a / 2))
			logP = append(logP, height-c.a*math.Abs(float64(x)))
			logQ = append(logQ, height-c.a*math.Abs(float64(x-c.shift)))
		}
		for _, alpha := range orders {
			near(t, sumRenyi(logP, logQ, alpha), discreteLaplace(c.a, c.shift)(alpha), alpha)
		}
	}
}

// At whole orders E[g^α] is a binomial sum; an independent way to the same.
func TestSubsampledGaussianAgainstBinomial(t *testing.T) {
	for _, q := range []float64{0.01, 0.3, 0.99} {
		for _, sigma := range []float64{0.4, 1, 6} {
			for _, alpha := range []int{2, 3, 8, 33, 200} {
				total := math.Inf(-1)
				for k := 0; k <= alpha; k++ {
					a, _ := math.Lgamma(float64(alpha + 1))
					b, _ := math.Lgamma(float64(k + 1))
					c, _ := math.Lgamma(float64(alpha - k + 1))
					kk := float64(k)
					total = special.LogAddExp(
						total,
						a-b-c+kk*math.Log(q)+float64(alpha-k)*math.Log1p(-q)+
							kk*(kk-1)/(2*sigma*sigma),
					)
				}
				want := total / float64(alpha-1)
				got := newSubsampledGaussian(q, sigma).at(float64(alpha))
				assert.InDelta(t, want, got, 1e-9*want+1e-12, "q=%v σ=%v α=%v", q, sigma, alpha)
			}
		}
	}
}

// Whatever is asked, a curve answers with a number ≥ 0 or +Inf, and never
// promises more when σ falls, q grows or α grows.
func TestSubsampledGaussianIsMonotoneEverywhere(t *testing.T) {
	sigmas := []float64{1e-6, 1e-3, 0.0199, 0.0201, 0.1, 0.3, 1, 3, 10, 1e3, 1e6}
	rates := []float64{0, 5e-324, 1e-200, 1e-110, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 0.999, 1}
	alphas := []float64{1 + 1e-9, 1.0001, 1.5, 2, 10, 333.3, 1e4, 1e7, 1e12}
	const slack = 1 + 1e-9
	for i, sigma := range sigmas {
		for j, q := range rates {
			for k, alpha := range alphas {
				value := SubsampledGaussian(q, sigma, 1).At(alpha)
				require.False(
					t, math.IsNaN(value) || value < 0, "q=%v σ=%v α=%v: %v", q, sigma, alpha, value,
				)
				if i > 0 {
					require.LessOrEqual(
						t, value, SubsampledGaussian(q, sigmas[i-1], 1).At(alpha)*slack,
						"σ=%v q=%v α=%v", sigma, q, alpha,
					)
				}
				if j > 0 {
					require.GreaterOrEqual(
						t, value*slack, SubsampledGaussian(rates[j-1], sigma, 1).At(alpha),
						"σ=%v q=%v α=%v", sigma, q, alpha,
					)
				}
				if k > 0 {
					require.GreaterOrEqual(
						t, value*slack, SubsampledGaussian(q, sigma, 1).At(alphas[k-1]),
						"σ=%v q=%v α=%v", sigma, q, alpha,
					)
				}
			}
		}
	}
}
