package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/special"
)

// guess is near the ε at which E[V(ε − w)] over w ~ N(μ²/2, μ²), μ = muOut, is e^logDelta. Of two
// Gaussian mechanisms δ is that of one; here log δ is as much above theirs as log V is above that
// of the first. V is asked where a composition asks it too.
func (d controlDirection) guess(logDelta, muOut float64) float64 {
	mu := math.Hypot(d.mu, muOut)
	x := gaussianEpsilon(logDelta, mu)
	if muOut == 0 || d.often != nil {
		return x
	}
	step := d.step(x, muOut)
	for range guesses {
		at := math.Round(x/step) * step
		above := d.node(at, sharp) - logGaussianDelta(at, d.mu)
		before := x
		if x = gaussianEpsilon(logDelta-above, mu); math.Abs(x-before) < step {
			break
		}
	}
	return x
}

// guesses are enough for a guess within a step: each is some ten times as near as the last.
const guesses = 8

// gaussianEpsilon is the ε ≥ 0 at which δ_G(ε; μ) is e^logDelta, to 1e-9 of it.
func gaussianEpsilon(logDelta, mu float64) float64 {
	enough := func(epsilon float64) bool { return logGaussianDelta(epsilon, mu) <= logDelta }
	high := mu
	for !enough(high) && high < curve.LargestEpsilon {
		high *= 2
	}
	epsilon, _ := special.SmallestTrue(enough, 0, high, 1e-9)
	return epsilon
}

// Guess implements curve.Guessed.
func (r rounded) Guess(logDelta float64) float64 { return guessOf(r.direction, logDelta, 0) }

// Guess implements curve.Guessed.
func (o onLattice) Guess(logDelta float64) float64 { return guessOf(o.inner, logDelta, 0) }

// guessOf is a direction's guess, or 0.
func guessOf(d direction, logDelta, muOut float64) float64 {
	switch d := d.(type) {
	case withGaussian:
		return guessOf(d.inner, logDelta, math.Hypot(d.muOut, muOut))
	case controlDirection:
		return d.guess(logDelta, muOut)
	}
	return 0
}
