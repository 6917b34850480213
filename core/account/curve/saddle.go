package curve

import (
	"math"

	"cloister/core/special"
)

// Saddle estimates δ(ε) of one direction from its Rényi divergences, without a
// promise: what a curve looks like while a slider moves, until the certified one
// is there. It costs one divergence at each of 36 orders, whatever the event;
// pld.Estimate is far nearer the truth, and may take seconds for a whole curve.
//
// With K(t) = t·D_{1+t}, the privacy loss L has the cumulant function K under the
// measure that it is bounded for, and for any t
//
//	δ(ε) = E[1 − e^{ε−L}]₊ = e^{K(t)−tε}·E_t[(e^{−tx} − e^{−(1+t)x}); x > 0],  x = L − ε,
//
// E_t being under the loss tilted by e^{tL}, of mean K′(t) and variance K″(t). Where
// K′(t) is ε, or near it, x is taken to be normal there (Esscher's method): exact
// for Gaussian mechanisms, and the better the more steps are composed. Divergences
// that are upper bounds give neither an upper nor a lower one.
type Saddle []cumulant

// cumulant is K at t with its first two derivatives.
type cumulant struct{ t, value, mean, variance float64 }

// SaddleOf asks for the divergence, in nats, at α − 1 from 0.01 to 4000, evenly in
// its logarithm. The derivatives of K at the inner orders are those of the parabola
// through three neighbours; K(0) is 0. Orders without a finite bound are left out.
func SaddleOf(renyi func(alpha float64) float64) Saddle {
	const least, most, orders = 0.01, 4000, 36
	at := func(i int) (t, k float64) {
		if i < 0 {
			return 0, 0
		}
		t = least * math.Pow(most/least, float64(i)/(orders-1))
		return t, t * renyi(1+t)
	}
	var saddle Saddle
	tLeft, kLeft := at(-1)
	t, k := at(0)
	for i := 1; i < orders; i++ {
		tRight, kRight := at(i)
		left, right := (k-kLeft)/(t-tLeft), (kRight-k)/(tRight-t)
		variance := 2 * (right - left) / (tRight - tLeft)
		mean := left + variance/2*(t-tLeft)
		if variance > 0 && !math.IsInf(variance, 0) && !math.IsInf(mean, 0) {
			saddle = append(saddle, cumulant{t, k, mean, variance})
		}
		tLeft, kLeft, t, k = t, k, tRight, kRight
	}
	return saddle
}

// EstimatedLogDelta is the estimate of log δ at ε, at most 0; +Inf where the orders
// do not reach, for more than three standard deviations from the middle of every tilted
// loss nothing normal is left of it.
func (s Saddle) EstimatedLogDelta(epsilon float64) float64 {
	best, least := cumulant{}, math.Inf(1)
	for _, c := range s {
		if off := (c.mean - epsilon) * (c.mean - epsilon) / c.variance; off < least {
			best, least = c, off
		}
	}
	if !(least <= 9) {
		return math.Inf(1)
	}
	deviation := math.Sqrt(best.variance)
	m := (best.mean - epsilon) / deviation
	// In units of the normal density at 0: m(ts − m) − m((1 + t)s − m), m the Mills ratio.
	share := special.MillsDrop(best.t*deviation-m, deviation) / math.Sqrt(2*math.Pi)
	return math.Min(0, best.value-best.t*epsilon-m*m/2+math.Log(share))
}
