package golden

import "math/big"

// LogSurvival is log Φ(−x) to some 80 bits: by Mills' ratio as a continued fraction, or by the
// series of Φ next to 0.
func LogSurvival(x *big.Float) *big.Float {
	zero, one, two := Big(0), Big(1), Big(2)
	square := Times(x, x)
	// log √(2π), of 50 digits.
	root, _, err := big.ParseFloat(
		"0.91893853320467274178032973640561763986139747363778", 10, Bits, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	switch {
	case x.Cmp(one) >= 0:
		fraction := x
		for n := 400; n > 0; n-- {
			fraction = Plus(x, Over(Big(float64(n)), fraction))
		}
		log := Minus(Minus(zero, Over(square, two)), root)
		return Minus(log, Log(fraction))
	case x.Cmp(Big(-1)) <= 0:
		return Log(Minus(one, Exp(LogSurvival(Minus(zero, x)))))
	}
	sum, term := zero, x
	for k := range 120 {
		sum = Plus(sum, Over(term, Big(float64(2*k+1))))
		term = Over(Times(term, square), Big(-2*float64(k+1)))
	}
	density := Exp(Minus(zero, root))
	return Log(Minus(Over(one, two), Times(density, sum)))
}
