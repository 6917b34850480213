package dpgd

// tail adds up the last of the θ that a plan's steps give out. Each of them is
// computed from noisy sums alone, so their mean costs nothing. In directions of high
// curvature the steps' noise moves θ to and fro, and the mean takes most of it away.
type tail struct {
	first int // the step after which θ is the first to be added
	count int // how many are added; below 2 the last θ stands as it is
	sum   []float64
}

func newTail(plan Plan) *tail {
	t := &tail{first: len(plan.Sigmas) - plan.Tail, count: plan.Tail}
	if t.count > 1 {
		t.sum = make([]float64, plan.Dimension)
	}
	return t
}

// add takes the θ that step, counted from 0, has led to.
func (t *tail) add(step int, theta []float64) {
	if t.count < 2 || step < t.first {
		return
	}
	for j, x := range theta {
		t.sum[j] += x
	}
}

// release sets theta to the mean.
func (t *tail) release(theta []float64) {
	if t.count < 2 {
		return
	}
	for j, x := range t.sum {
		theta[j] = x / float64(t.count)
	}
}

// weights are what a unit of gradient in each step adds to the negative of what is
// released, while θ moves no other gradient and meets no ball: wₜ = ηₜcₜ + μwₜ₊₁, cₜ the
// share of the released θ that come after step t.
func (p Plan) weights() []float64 {
	steps := len(p.Sigmas)
	out := make([]float64, steps)
	later := 0.0
	for t := steps - 1; t >= 0; t-- {
		share := min(1, float64(steps-t)/float64(max(1, p.Tail)))
		later = p.Rates[t]*share + p.Momentum*later
		out[t] = later
	}
	return out
}
