package pld

import (
	"math"

	"cloister/core/account/curve"
)

// ladder is the profile that a Rényi curve converts to, for one of which an order takes
// as long as a hundred conversions: it is asked at the orders of a ladder, each once. Any
// order makes a bound. In log(α − 1), of which log δ is the square near its best order, a
// rung is so short that no more than some thousandths of log δ's own error are lost.
type ladder struct {
	renyi func(alpha float64) float64
	known map[int]float64
}

const (
	rungs       = 128 // per unit of log(α − 1)
	coarseRungs = 64
	lowestRung  = -14 * rungs
	highestRung = 18 * rungs
)

func newLadder(renyi func(alpha float64) float64) *ladder {
	return &ladder{renyi, map[int]float64{}}
}

// LogDeltaUpper implements curve.Profile.
func (l *ladder) LogDeltaUpper(epsilon float64) float64 {
	if math.IsNaN(epsilon) {
		return 0
	}
	best, where := 0.0, lowestRung
	try := func(rung int) {
		order := 1 + math.Exp(float64(rung)/rungs)
		value, ok := l.known[rung]
		if !ok {
			value = curve.CertifiedRenyi(l.renyi(order))
			l.known[rung] = value
		}
		if log := curve.LogDeltaAtOrder(order, value, epsilon); log < best {
			best, where = log, rung
		}
	}
	for rung := lowestRung; rung <= highestRung; rung += coarseRungs {
		try(rung)
	}
	for by := coarseRungs / 2; by > 0; by /= 2 {
		around := where
		try(around - by)
		try(around + by)
	}
	return curve.CertifiedLogDelta(best)
}
