package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Golden values R, binary_smooth_sensitivity (mpmath, 24 digits).
func TestGoldenBinarySmooth(t *testing.T) {
	for _, c := range []struct {
		teachers, plurality       int
		sigma, alpha, beta        float64
		local, one, five, fifteen float64
		smooth                    float64
		distance                  int
	}{
		{40, 35, 5, 6, 0.02, 0.002090260067335633, 0.004236018004530312, 0.026508825425678808, 0.03560980870299433, 0.0306144731832337, 7},
		{40, 22, 5, 6, 0.02, 0, 0, 0.03560980870299433, 0.03560980870299433, 0.03287199650543515, 4},
		{100, 90, 12, 10, 0.1, 1.5939776955651845e-05, 2.4239520753283065e-05, 0.00011293674974377388, 0.001919064614433163, 0.0005785621223673976, 21},
		{60, 60, 4, 15, 0.013, 0.0017322195890688299, 0.01019297479661795, 0.09922036143741385, 0.09922036143741385, 0.09419275329112203, 4},
		{80, 70, 20, 25, 0.008, 0.0020375184849754295, 0.002053937296621213, 0.002061783239017632, 0.002061783239017632, 0.0020375713493223976, 1},
		{51, 26, 8, 4, 0.05, 0, 0, 0, 0.012005562860126807, 0.007655084855681666, 9},
	} {
		smooth, distance, local := BinarySmooth(c.teachers, c.plurality, c.sigma, c.alpha, c.beta)
		assert.InEpsilon(t, c.smooth, smooth, 1e-7, "%+v", c)
		assert.Equal(t, c.distance, distance, "%+v", c)
		for k, want := range map[int]float64{0: c.local, 1: c.one, 5: c.five, 15: c.fifteen} {
			assert.InDelta(t, want, local(k), 1e-7*want+1e-15, "%+v at %d", c, k)
		}
		// A second derivation of what smooth means: from any count to the next it grows by no
		// more than e^β, and it is no less than the local sensitivity.
		for n := 1; n <= c.teachers; n++ {
			a, _, near := BinarySmooth(c.teachers, n, c.sigma, c.alpha, c.beta)
			b, _, _ := BinarySmooth(c.teachers, n-1, c.sigma, c.alpha, c.beta)
			assert.LessOrEqual(t, math.Abs(math.Log(a/b)), c.beta*(1+1e-9))
			assert.GreaterOrEqual(t, a, near(0))
		}
	}
}
