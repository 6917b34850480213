package objective

import (
	"fmt"
	"testing"
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
