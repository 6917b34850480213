package solve

import "testing"

// The fit that the figures of the project are about has the shape of census
// with 36,177 rows. Beside each is what one machine measured, natively and
// under js/wasm in Node.

func benchmarkPass(b *testing.B, hessian *Packed) {
	o := NewObjective(10, nil, census(b, 36177, logistic(b)))
	theta, gradient := perturbation(1, 105, 1), make([]float64, 105)
	for b.Loop() {
		o.Derivatives(theta, gradient, hessian)
	}
}

func BenchmarkGradient(b *testing.B) { benchmarkPass(b, nil) }            // 0.8 ms, 2.7 ms
func BenchmarkHessian(b *testing.B)  { benchmarkPass(b, NewPacked(105)) } // 3.3 ms, 10 ms

func BenchmarkCertify(b *testing.B) { // 1.6 ms, 3.7 ms
	o := NewObjective(10, nil, census(b, 36177, logistic(b)))
	theta := perturbation(1, 105, 1)
	for b.Loop() {
		o.Certify(theta)
	}
}

func BenchmarkFactorize(b *testing.B) { // 0.07 ms, 0.2 ms
	p, work := NewPacked(105), NewPacked(105)
	NewObjective(
		10, nil, census(b, 1000, logistic(b)),
	).Derivatives(make([]float64, 105), make([]float64, 105), p)
	for b.Loop() {
		work.Set(p)
		work.Factorize()
	}
}

func BenchmarkNewton(b *testing.B) { // 15 ms, 42 ms
	o := NewObjective(10, perturbation(2, 105, 30), census(b, 36177, logistic(b)))
	for b.Loop() {
		if _, err := Newton(b.Context(), o, Options{Tolerance: 1e-6}); err != nil {
			b.Fatal(err)
		}
	}
}
