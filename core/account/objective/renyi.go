package objective

import (
	"math"
	"sync"

	"cloister/core/account/curve"
)

// renyiDirection is the profile that a Rényi curve implies: at every ε the
// best conversion over real orders.
type renyiDirection struct {
	renyi func(alpha float64) float64
	slow  bool // whether each of its values is an integral
}

func (r renyiDirection) logDelta(epsilon float64) float64 {
	return curve.LogDeltaFromRenyi(r.renyi, epsilon)
}

// logDeltaWithGaussian adds αμ_out²/2 to the curve (Theorem 4.1 of Redberg,
// Koskela & Wang 2023).
func (r renyiDirection) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	return r.plus(muOut).logDelta(epsilon)
}

func (r renyiDirection) plus(muOut float64) renyiDirection {
	return renyiDirection{
		renyi: func(alpha float64) float64 { return r.renyi(alpha) + alpha*muOut*muOut/2 },
		slow:  r.slow,
	}
}

// drawn is near the curve, and no bound: a cubic through its values, which are computed once, in
// log(α−1), where a curve of many integrals is asked at many orders. At orders beyond those of
// curve.BestOrder, and near a value that is not finite, it is the curve itself.
func (r renyiDirection) drawn() renyiDirection {
	const low, step, n = -14.75, 1. / 8, 274
	values := sync.OnceValue(func() []float64 {
		y := make([]float64, n)
		for k := range y {
			y[k] = r.renyi(1 + math.Exp(low+step*float64(k)))
		}
		return y
	})
	return renyiDirection{renyi: func(alpha float64) float64 {
		at := (math.Log(alpha-1) - low) / step
		if !(at >= 1 && at < n-2) {
			return r.renyi(alpha)
		}
		k, y := int(at), values()
		t, a, b, c, d := at-float64(k), y[k-1], y[k], y[k+1], y[k+2]
		if value := b + t/2*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a))); value >= 0 {
			return value
		}
		return r.renyi(alpha)
	}}
}

func (r renyiDirection) epsilonUpper(logDelta float64) float64 {
	return curve.EpsilonFromRenyi(r.renyi, logDelta)
}
