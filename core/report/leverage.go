package report

import (
	"math"

	"cloister/core/data"
	"cloister/core/solve"
)

// leverage bounds μ(x) = xᵀ(∇²J(θ*; D))⁻¹x from above, for all x at once.
type leverage struct {
	least  float64 // λ̂ ≤ the Hessian's smallest eigenvalue H
	spread float64 // T: H ⪰ Ĥ − T·I
	values []float64
	vector [][]float64 // Ĥ = Σ values[k]·vector[k]·vector[k]ᵀ; none for no Hessian
	work   []float64
}

// of is the smallest of
//
//	‖x‖²/λ̂   and   (1 + (s + T)/λ̂)·xᵀ(Ĥ + sI)⁻¹x   over s ≥ −T with Ĥ + sI ≻ 0.
//
// Each holds for every x where H ⪰ Ĥ − TI and H ⪰ λ̂I do: for s ≥ −T,
// Ĥ + sI ⪯ H + (s + T)I ⪯ (1 + (s + T)/λ̂)H, and inverses turn the order round. So
// the smallest holds too, with no union over s. s = 0 is the standard estimator of
// the thesis' Algorithm 9 and, with λ̂ = λ ≥ 2T, of Algorithm 2, whose factor 3/2
// is the largest of 1 + T/λ (Propositions A.3.2 and A.5.1); s = T is the
// regularised one. Neither half of the event G ⪰ −τ nor λ̂ ≥ 2T is needed for the
// upper bound: only that Ĥ + sI ≻ 0, which is seen.
func (l *leverage) of(row data.Row) float64 {
	length := norm2(row)
	best := length * length / l.least
	if len(l.values) == 0 || length == 0 {
		return best
	}
	for k, u := range l.vector {
		along := 0.0
		for i, j := range row.Index {
			along += row.Value[i] * u[j]
		}
		l.work[k] = along * along
	}
	try := func(s float64) {
		if !(l.values[0]+s > 0) {
			return
		}
		sum := 0.0
		for k, square := range l.work {
			sum += square / (l.values[k] + s)
		}
		if bound := (1 + (s+l.spread)/l.least) * sum * (1 + 1e-9); bound < best {
			best = bound
		}
	}
	try(0)
	try(l.spread)
	// Between s = −T and what is as good as infinity, on a fixed set of points.
	for t := 0.0; t < 0.99; t += 1.0 / 32 {
		try(-l.spread + l.least*t/(1-t))
	}
	return best
}

// leverage reads what was released of the Hessian, to hold but for a probability
// of rho, of which windowTail is for θ* being near Theta.
func (p Published) leverage(m Mechanism, rho float64) (*leverage, error) {
	l := &leverage{least: m.Lambda}
	if p.Hessian == nil {
		return l, nil
	}
	mechanism, err := p.Plan.matrix(m)
	if err != nil {
		return nil, err
	}
	if mechanism.Saturated(p.Hessian) {
		return l, nil // it bounds nothing
	}
	rho -= windowTail
	share := rho
	if p.Plan.Least > 0 {
		share = rho / 2
	}
	if l.spread, err = mechanism.SpectralBound(share); err != nil {
		return nil, err
	}
	whole := solve.NewPacked(p.Hessian.N)
	whole.Set(p.Hessian)
	whole.AddDiagonal(m.Lambda)
	e, err := solve.Decompose(whole)
	if err != nil {
		return nil, err
	}
	size := 0.0
	for _, v := range e.Values {
		size += v * v
	}
	l.spread += solve.EigenError * math.Sqrt(size) * (1 + 0x1p-20)
	l.values, l.vector, l.work = e.Values, e.Vectors, make([]float64, len(e.Values))
	l.least = math.Max(l.least, e.Values[0]-l.spread)
	if p.Plan.Least > 0 {
		// λ̂ of Algorithm 9, one-sided: noise, its lattice, and the eigenvalue's error.
		t := latticeQuantile(rho / 2)
		lower := p.Least - p.Plan.Least*t - p.Plan.eigenError(m) - gridOf(p.Plan.Least)
		if p.Least < (1<<53-1)*gridOf(p.Plan.Least) {
			l.least = math.Max(l.least, lower)
		}
	}
	return l, nil
}
