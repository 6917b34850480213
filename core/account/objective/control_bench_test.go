package objective

import (
	"fmt"
	"testing"

	"cloister/core/account/curve"
)

// BenchmarkControl is one ε of the bound "control", for λ a share of λ₀ at the σ of one
// Gaussian mechanism that costs (ε, 1e-5).
func BenchmarkControl(b *testing.B) {
	for _, c := range []struct{ epsilon, sigma, share float64 }{
		{0.1, 30.7, 0.5}, {0.1, 30.7, 0.25}, {1, 3.73, 0.8}, {1, 3.73, 0.5}, {1, 3.73, 0.25},
		{8, 0.6, 0.5}, {8, 0.6, 0.25},
	} {
		e := logisticEvent(1, 1, c.share*ZeroOverheadLambda(c.epsilon, 1, c.sigma), c.sigma)
		added, _, err := objectiveDirections(e, BoundControl)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%v/%v", c.epsilon, c.share), func(b *testing.B) {
			for range b.N {
				added.logDelta(c.epsilon)
			}
		})
	}
}

// BenchmarkControlCurve is 200 points of the curve of one release, as a chart draws it.
func BenchmarkControlCurve(b *testing.B) {
	for _, share := range []float64{0.5, 0.25} {
		e := logisticEvent(1, 1, share*ZeroOverheadLambda(1, 1, 3.73), 3.73)
		b.Run(fmt.Sprint(share), func(b *testing.B) {
			for range b.N {
				profile, err := Of(e, BoundControl)
				if err != nil {
					b.Fatal(err)
				}
				for i := range 200 {
					if _, err := curve.DeltaUpper(profile, 2.5*float64(i)/199); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
