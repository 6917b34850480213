package pate

import (
	"math"

	"cloister/core/special"
)

// BinarySmooth is the β-smooth sensitivity of the data-dependent price [Simple] of one vote
// on two classes, and the distance at which it is: the largest, over k, of e^{−βk} times the
// largest local sensitivity within k changed votes, over all counts (Nissim, Raskhodnikova &
// Smith 2007; what Algorithm 6 of Redberg's thesis adds noise by). local(k) is that largest
// local sensitivity. For comparison; [Plan] needs none.
func BinarySmooth(
	teachers, plurality int, sigma, alpha, beta float64,
) (smooth float64, distance int, local func(k int) float64) {
	prices, changes := make([]float64, teachers+1), make([]float64, teachers+1)
	for n := range prices {
		gap := math.Abs(float64(2*n - teachers))
		prices[n] = Simple(special.NormalSurvival(gap/(math.Sqrt2*sigma)), sigma, alpha)
	}
	for n := 1; n <= teachers; n++ {
		change := math.Abs(prices[n] - prices[n-1])
		changes[n-1], changes[n] = math.Max(changes[n-1], change), change
	}
	local = func(k int) float64 {
		most := 0.0
		for n := max(0, plurality-k); n <= min(teachers, plurality+k); n++ {
			most = math.Max(most, changes[n])
		}
		return most
	}
	for k := 0; k <= teachers; k++ {
		if s := math.Exp(-beta*float64(k)) * local(k); s > smooth {
			smooth, distance = s, k
		}
	}
	return smooth, distance, local
}
