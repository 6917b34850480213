package audit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClopperPearson(t *testing.T) {
	// 3 of 10 and 1 of 20 at 95 %, two-sided: the tables of Clopper & Pearson 1934
	// and Fisher & Yates, as in any book.
	i := ClopperPearson(3, 10, 0.025)
	assert.InDelta(t, 0.0667, i.Lower, 5e-5)
	assert.InDelta(t, 0.6525, i.Upper, 5e-5)
	i = ClopperPearson(1, 20, 0.025)
	assert.InDelta(t, 0.0013, i.Lower, 5e-5)
	assert.InDelta(t, 0.2487, i.Upper, 5e-5)
	// No success, and nothing but successes: closed forms.
	i = ClopperPearson(0, 20_000, 1e-8)
	assert.Zero(t, i.Lower)
	assert.InEpsilon(t, -math.Expm1(math.Log(1e-8)/20_000), i.Upper, 1e-9)
	i = ClopperPearson(20_000, 20_000, 1e-8)
	assert.Equal(t, 1.0, i.Upper)
	assert.InEpsilon(t, math.Exp(math.Log(1e-8)/20_000), i.Lower, 1e-12)
}

// The probability that a bound is wrong, added up over all outcomes of a
// binomial, is at most alpha for each p.
func TestClopperPearsonCovers(t *testing.T) {
	const n = 40
	for _, alpha := range []float64{0.05, 1e-4} {
		var bounds [n + 1]Interval
		for k := range bounds {
			bounds[k] = ClopperPearson(k, n, alpha)
		}
		for p := 0.005; p < 1; p += 0.005 {
			below, above := 0.0, 0.0
			for k := range bounds {
				choose, _ := math.Lgamma(n + 1)
				a, _ := math.Lgamma(float64(k) + 1)
				b, _ := math.Lgamma(float64(n-k) + 1)
				mass := math.Exp(
					choose - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p),
				)
				if p < bounds[k].Lower {
					below += mass
				}
				if p > bounds[k].Upper {
					above += mass
				}
			}
			assert.LessOrEqual(t, below, alpha*(1+1e-9), "p = %g", p)
			assert.LessOrEqual(t, above, alpha*(1+1e-9), "p = %g", p)
		}
	}
}
