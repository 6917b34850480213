package solve

import (
	"context"
	"math"
	"math/bits"
)

// SAG is a [Solver] for objectives whose parts are all *[Rows], by the
// stochastic averaged gradient method (Schmidt, Le Roux & Bach 2017): it keeps
// the slope of every record as it was when the record was last looked at, looks
// at one record a step, chosen at random, and moves along the sum of all kept
// slopes. The regulariser and the linear term, which need no record, enter as
// they are.
//
// The gradient's norm is looked at every n steps (Redberg, Koskela & Wang 2023,
// appendix G), which costs n gradients of single records more. By their Theorem G.1
// that ends after O(max(n, nβ/λ)·log n) gradients of single records, with high
// probability: n log n if λ does not shrink as n grows, where gradient descent needs n²
// log n. (Do not use it if λ is far below β: each digit then takes some β/λ passes.)
// Newton's method takes some ten passes over the records and d² numbers of memory; SAG
// takes more passes and d + 2n numbers.
//
// A step is 1/L in the beginning, L = β max‖x‖² + λ/n, which is what the method's
// authors advise; where a check finds a gradient twice as long as the shortest
// yet it is halved, down to the 1/(16L) of the theorem.
//
// A fixed sequence of pseudorandom numbers chooses the records. So the result is a
// function of the objective alone, and uses none of the mechanism's randomness.
// Options.Iterations counts checks and their n steps as one gradient each; 20,000 if 0.
// It panics if a part is no *Rows, or thinned.
func SAG(ctx context.Context, o *Objective, options Options) (*Result, error) {
	options = options.checked(o, 40*DefaultIterations)
	s := newAveraged(ctx, o, options)
	result := Result{}
	reason := certified(ctx, o, options.Tolerance, &result, s.approach)
	result.Iterations, result.Evaluations = s.iterations, s.iterations*s.n
	return conclude(ctx, options, reason, result)
}

// averaged is the state of one minimisation of F/n, a mean over n records.
type averaged struct {
	ctx       context.Context
	objective *Objective
	options   Options

	parts []*Rows
	ends  []int // how many records there are up to and with each part
	n     int   // records

	slope []float64 // f' of each record, where it was last looked at
	sum   []float64 // Σ slope·x, and b
	theta []float64

	// With ρ = 1 − αλ/n, a step takes θ_j to ρθ_j − (α/n)·sum_j, so k of them,
	// while sum_j is what it is, to ρ^k θ_j − (1 − ρ^k)·sum_j/λ. A step on a sparse
	// record brings up to date what the record touches, and no more.
	seen  []int     // the step up to which θ_j is brought
	decay []float64 // 1 − ρ^k for k ≤ n

	largest, smallest float64 // step lengths
	alpha             float64
	least             float64 // the least norm at a check yet
	chosen            uint64
	gradient          []float64
	iterations        int
}

func newAveraged(ctx context.Context, o *Objective, options Options) *averaged {
	s := &averaged{
		ctx: ctx, objective: o, options: options,
		theta: make(
			[]float64, o.Dim(),
		), gradient: make([]float64, o.Dim()), sum: make([]float64, o.Dim()),
		least: math.Inf(1),
	}
	steepest := 0.0
	for _, part := range o.Parts {
		rows, ok := part.(*Rows)
		if !ok || rows.step() != 1 {
			panic("solve: SAG looks at single records, so all parts must be rows in memory")
		}
		s.n += rows.Records()
		s.parts, s.ends = append(s.parts, rows), append(s.ends, s.n)
		for i := range rows.Records() {
			_, x := rows.at(i)
			steepest = math.Max(steepest, rows.Loss.MaxCurvature()*dot(x, x))
		}
	}
	n := float64(max(1, s.n))
	s.largest = 1 / (steepest + o.Lambda/n)
	s.smallest = s.largest / 16
	s.slope = make([]float64, s.n)
	s.seen = make([]int, o.Dim())
	s.decay = make([]float64, s.n+1)
	s.setStep(s.largest)
	return s
}

func (s *averaged) setStep(alpha float64) {
	s.alpha = alpha
	rate := math.Log1p(-alpha * s.objective.Lambda / float64(max(1, s.n)))
	for k := 1; k <= s.n; k++ { // rate is -Inf where there is no curvature but λ's
		s.decay[k] = -math.Expm1(float64(k) * rate)
	}
}

// at returns the columns (nil: all) and entries of row i.
func (r *Rows) at(i int) ([]int32, []float64) {
	if r.dense() {
		return nil, r.denseRow(i)
	}
	return r.row(i)
}

// check computes the gradient at theta.
func (s *averaged) check() (float64, Reason) {
	s.objective.Derivatives(s.theta, s.gradient, nil)
	s.iterations++
	length := norm(s.gradient)
	if s.options.Progress != nil && isFinite(length) {
		s.options.Progress(
			Progress{Iteration: s.iterations, GradientNorm: length, Tolerance: s.options.Tolerance},
		)
	}
	switch {
	case s.ctx.Err() != nil:
		return length, interrupted
	case !isFinite(length):
		return length, ReasonNotFinite
	}
	return length, ""
}

// approach takes n steps at a time until the gradient's norm is at most target.
func (s *averaged) approach(target float64) ([]float64, Reason) {
	if s.ctx.Err() != nil {
		return s.theta, interrupted
	}
	if s.iterations == 0 {
		s.start()
	}
	for stuck := 0; ; {
		length, reason := s.check()
		if length <= target || reason != "" {
			return s.theta, reason
		}
		switch {
		case length < s.least:
			s.least, stuck = length, 0
		case length > 2*s.least && s.alpha > s.smallest:
			s.setStep(math.Max(s.alpha/2, s.smallest))
			stuck = 0
		default:
			if stuck++; stuck == mostStuck {
				return s.theta, ReasonStalled
			}
		}
		if s.iterations+2 > s.options.Iterations {
			return s.theta, ReasonIterations
		}
		s.epoch()
	}
}

// mostStuck is how many checks in a row may find no shorter gradient than the
// shortest yet before it is taken that there is none.
const mostStuck = 200

// start sets every slope to that at theta = 0.
func (s *averaged) start() {
	copy(s.sum, s.objective.Linear)
	for k, rows := range s.parts {
		offset := s.ends[k] - rows.Records()
		for i := range rows.Records() {
			columns, x := rows.at(i)
			slope := s.slopeOf(rows, i, 0)
			s.slope[offset+i] = slope
			addTo(s.sum, slope, columns, x)
		}
	}
}

func addTo(sum []float64, w float64, columns []int32, x []float64) {
	if columns == nil {
		axpy(w, x, sum)
		return
	}
	for k, j := range columns {
		sum[j] += w * x[k]
	}
}

func (s *averaged) slopeOf(rows *Rows, i int, margin float64) float64 {
	length := rows.Norm[0]
	if len(rows.Norm) > 1 {
		length = rows.Norm[i]
	}
	var slope [1]float64
	rows.Loss.Derivatives([]float64{margin}, rows.Label[i:i+1], []float64{length}, slope[:], nil)
	return slope[0]
}

// epoch takes n steps.
func (s *averaged) epoch() {
	s.iterations++
	if s.n == 0 { // the regulariser and the linear term alone
		for j, b := range s.sum {
			s.theta[j] = -b / s.objective.Lambda
		}
		return
	}
	for step := range s.n {
		i := s.choose()
		k := 0
		for i >= s.ends[k] {
			k++
		}
		rows := s.parts[k]
		row := i - (s.ends[k] - rows.Records())
		columns, x := rows.at(row)
		margin := s.margin(columns, x, step)
		slope := s.slopeOf(rows, row, margin)
		addTo(s.sum, slope-s.slope[i], columns, x)
		s.slope[i] = slope
	}
	s.update(s.n)
}

// margin brings θ up to date for a record, and returns the record's margin.
func (s *averaged) margin(columns []int32, x []float64, step int) float64 {
	m := 0.0
	lambda := s.objective.Lambda
	if columns == nil {
		for j, v := range x {
			decay := s.decay[step-s.seen[j]]
			s.theta[j] -= decay * (s.theta[j] + s.sum[j]/lambda)
			s.seen[j] = step
			m += v * s.theta[j]
		}
		return m
	}
	for k, j := range columns {
		decay := s.decay[step-s.seen[j]]
		s.theta[j] -= decay * (s.theta[j] + s.sum[j]/lambda)
		s.seen[j] = step
		m += x[k] * s.theta[j]
	}
	return m
}

// update brings all of θ up to date, and begins to count steps anew.
func (s *averaged) update(step int) {
	for j, t := range s.theta {
		s.theta[j] = t - s.decay[step-s.seen[j]]*(t+s.sum[j]/s.objective.Lambda)
		s.seen[j] = 0
	}
}

// choose returns the number of a record, by SplitMix64 (Steele, Lea & Flood
// 2014): for walking over records, never for noise.
func (s *averaged) choose() int {
	s.chosen += 0x9e3779b97f4a7c15
	z := s.chosen
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	i, _ := bits.Mul64(z^z>>31, uint64(s.n))
	return int(i)
}
