package glm

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

// No two margins within the radius have slopes that differ by more than the bound
// says, and the bound is 0 where the loss is a straight line.
func TestCurvatureNearBoundsTheSlopesChange(t *testing.T) {
	random := seeded(31)
	for name, loss := range map[string]Loss{
		"logistic": Logistic{}, "huber": mustHuber(t, 1.0/128), "wide": mustHuber(t, 2),
		"squared": Squared{}, "shift": mustShift(t, 2), "hinge": mustHinge(t, 1),
		"weight": mustWeigh(t, 5),
	} {
		for _, threshold := range []float64{0.3, 1.5, math.Inf(1)} {
			c := mustClip(t, loss, threshold)
			flat := 0
			for range 10_000 {
				norm := 0.1 + random.Float64()
				y := math.Copysign(1, random.Float64()-0.5)
				m := y*(1+0.02*random.NormFloat64()) + math.Pow(random.NormFloat64(), 3)*math.Round(
					random.Float64(),
				)
				radius := math.Exp2(-60 * random.Float64())
				bound := c.CurvatureNear(m, radius, y, norm)
				if bound > loss.MaxCurvature() {
					t.Fatalf("%s: %v at %v", name, bound, m)
				}
				if bound == 0 {
					flat++
				}
				row := c.Row(norm)
				for range 4 {
					other := m + radius*(2*random.Float64()-1)
					// Four roundings of a slope of at most 1, or of the residual.
					rounding := 0x1p-50 * (1 + math.Abs(m) + math.Abs(other))
					if change := math.Abs(
						row.Slope(other, y) - row.Slope(m, y),
					); !(change <= bound*math.Abs(other-m)+rounding) {
						t.Fatalf("%s at %v ± %v: %v", name, m, radius, change)
					}
				}
			}
			if name == "huber" || name == "hinge" || name == "squared" && threshold < 1 {
				assert.Greater(t, flat, 1500, name)
			}
		}
	}
	assert.Less(t, mustClip(t, Logistic{}, 1).CurvatureNear(40, 1e-9, 1, 1)*40, 0.05)
	assert.Equal(t, 0.25, mustClip(t, Logistic{}, 1).CurvatureNear(40, 50, 1, 1))
	assert.Equal(t, 1.0, mustClip(t, Squared{}, 1).CurvatureNear(math.NaN(), 1, 1, 1))
}

// What the certificate of package solve charges for the rounding of a Huber slope,
// 2^-50 whatever the width, and of a squared one, 2^-53 of it, against slopes that
// are computed with 200 bits.
func TestSlopesOfRationalLossesAreWithinTheirRounding(t *testing.T) {
	random := seeded(32)
	worst := 0.0
	for range 200_000 {
		h := math.Exp2(-20 + 25*random.Float64())
		y := math.Copysign(1, random.Float64()-0.5)
		m := y * (1 + h*(3*random.Float64()-1.5))
		exact := preciseHuber(m, y, h)
		worst = max(worst, math.Abs(mustHuber(t, h).Slope(m, y)-exact))
	}
	t.Logf("worst Huber slope: %.2f·2^-53", worst*0x1p53)
	assert.LessOrEqual(t, worst, 4.2*0x1p-53+0x1p-53) // and one for the rounding of exact itself
	assert.Greater(t, worst, 0x1p-54)
}

// preciseHuber is the slope on the parabola, rounded once.
func preciseHuber(m, y, h float64) float64 {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	p := number(1)
	p.Sub(p, number(y*m))
	p.Add(p, number(h))
	p.Quo(p, number(2*h))
	f, _ := p.Float64()
	return -y * math.Max(0, math.Min(1, f))
}
