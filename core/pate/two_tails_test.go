package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// ofQ are golden values R, bound_of_q: in 24 digits, by independent code. NaN: does not apply.
var ofQ = []struct{ q, sigma, alpha, simple, twoTails, papernot float64 }{
	{0.01, 20, 2, 0.004149365434153878, 0.00042445972136989787, 0.0047815166826864226},
	{0.01, 20, 10, 0.0070614432310472436, 0.003447601549310138, 0.008764951532965836},
	{0.01, 20, 30, 0.051835497449879746, 0.0509791179205046, 0.06445957183382146},
	{1e-05, 40, 10, 5.254332489532458e-06, 2.0761406585700936e-06, 5.874475370446078e-06},
	{1e-12, 40, 2, 5.772065746438745e-13, 6.639545083426558e-14, 6.012015278083539e-13},
	{1e-12, 40, 30, 5.562877605833985e-11, 5.511654500728229e-11, 7.198645885411399e-11},
	{1e-30, 10, 10, 2.987041100885933e-25, 2.987041100885933e-25, 3.9061306703892973e-25},
	{0.1, 5, 2, 0.08, 0.03643011825379186, 0.16070011712313254},
	{0.1, 5, 10, 0.3933781335533838, 0.3899278483002679, math.NaN()},
	{0.1, 5, 30, 1.1999999999999227, 1.1999999999999227, math.NaN()},
	{0.3, 100, 2, 0.0002, 0.00015666654098521002, 0.013287270179055012},
	{0.3, 100, 30, 0.003, 0.0024150742954114277, 0.01377077088110327},
	{0.0001, 3, 2, 0.0011081992299282848, 0.0005497899911225641, 0.0013213577868715592},
	{0.0001, 3, 10, 1.0714449402381052, 1.0714449033165312, 1.1109812074220695},
	{0.0001, 3, 30, 3.3333333333333335, 3.3333333333333335, math.NaN()},
}

// Golden values: to 1e-16 or a relative 1e-7; the certified maximum may be a relative 1e-4
// above.
func TestGoldenBoundsOfQ(t *testing.T) {
	for _, c := range ofQ {
		near(t, c.simple, Simple(c.q, c.sigma, c.alpha), 1e-7)
		above(t, c.twoTails, TwoTails(c.q, c.sigma, c.alpha))
		if papernot, ok := Papernot(math.Log(c.q), c.sigma, c.alpha); ok {
			near(t, c.papernot, papernot, 1e-7)
		} else {
			assert.True(t, math.IsNaN(c.papernot), "%+v", c)
		}
	}
}

func near(t testing.TB, want, got, relative float64) {
	t.Helper()
	assert.InDelta(t, want, got, 1e-16+relative*math.Abs(want))
}

func above(t testing.TB, want, got float64) {
	t.Helper()
	assert.GreaterOrEqual(t, got, want*(1-1e-7)-1e-16)
	assert.LessOrEqual(t, got, want*(1+1e-4)+1e-16)
}

// A second derivation: the largest divergence of two-tailed g is found by trying many splits of
// q; and no other g tried, of one to three pieces of the line, is above it.
func TestTwoTailsIsTheLargest(t *testing.T) {
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	for _, c := range []struct{ q, sigma, alpha float64 }{
		{0.01, 20, 10}, {0.3, 5, 4}, {0.1, 40, 20}, {0.45, 3, 1.5},
	} {
		m := math.Sqrt2 / c.sigma
		bound := TwoTails(c.q, c.sigma, c.alpha)
		largest := 0.0
		for i := range 400 {
			// Outcomes other than the plurality's are at v < a, and at b < v < b + h, under N(0, 1)
			// against N(m, 1): cut into slivers they have the divergence of the line there.
			a := -8 + 0.02*float64(i)
			for _, b := range []float64{a, a + 0.5, a + 1, 0, 1, 2, 3} {
				left := c.q - phi(a)
				if left < 0 || b < a || phi(b)+left > 1 {
					continue
				}
				h := 0.0 // by bisection
				for lo, hi := 0.0, 40.0; hi-lo > 1e-12; {
					if h = (lo + hi) / 2; phi(b+h)-phi(b) < left {
						lo = h
					} else {
						hi = h
					}
				}
				r := phi(a-m) + phi(b+h-m) - phi(b-m)
				shift := (c.alpha - 1) * m
				sum := phi(a+shift) + phi(b+h+shift) - phi(b+shift)
				total := math.Pow(1-c.q, c.alpha)*math.Pow(1-r, 1-c.alpha) +
					math.Exp(c.alpha*shift*m/2)*sum
				largest = math.Max(largest, math.Log(total)/(c.alpha-1))
			}
		}
		assert.LessOrEqual(t, largest, bound*(1+1e-9), "%+v", c)
		assert.Greater(t, largest, bound*0.95, "%+v", c)
	}
}

func TestTwoTailsRisesWithQ(t *testing.T) {
	for _, sigma := range []float64{2, 10, 40, 200} {
		for _, alpha := range []float64{1.1, 2, 8, 30, 100} {
			before := 0.0
			for q := 1e-17; q <= 0.5; q *= 1.3 {
				now := TwoTails(q, sigma, alpha)
				assert.GreaterOrEqual(t, now, before*(1-1e-4), "q = %g, σ = %g, α = %g", q, sigma, alpha)
				assert.LessOrEqual(t, now, Simple(q, sigma, alpha)*(1+1e-4)+1e-15)
				assert.LessOrEqual(t, now, Independent(sigma, alpha))
				before = now
			}
		}
	}
	assert.Zero(t, TwoTails(0, 10, 2))
	assert.Equal(t, 0.02, TwoTails(0.51, 10, 2))
	assert.Equal(t, 0.02, TwoTails(math.NaN(), 10, 2))
}

func BenchmarkTwoTails(b *testing.B) {
	for i := range b.N {
		TwoTails([]float64{1e-12, 1e-5, 0.01, 0.3}[i%4], 40, 20)
	}
}
