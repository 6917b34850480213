package pld

import "math"

// A question is put to one picture after the other, each on a finer grid than the
// last and aimed at its answer, until two answers agree.
type question struct {
	answer    func(*picture) float64
	aim       func(g *target, answer float64) *target
	tolerance func(answer float64) float64
	cost      *work
}

// agreeing is how far two answers may differ and count as settled, relative to ε,
// or to 1 − log δ. Where densities are smooth, errors fall with the sixth power of
// the step and the later answer is far better than that; against golden values
// of densities with jumps it is within 1e-7 (TestReferenceGEstimate).
const agreeing = 1e-8

// rounds is how many pictures a question may cost.
const rounds = 10

// settle returns the last answer and how far the one before lies apart; false
// where the finest grid there may be has not brought two to agree. g is aimed at
// the question.
func (q question) settle(runs []run, g *target) (answer, spread float64, ok bool) {
	g = g.clone()
	g.windowLoss, g.leastTilt = pictureLoss, 1e-5
	g = g.choose()
	p := g.whole()
	part, before, last := 1.0, math.NaN(), math.Inf(1)
	for range rounds {
		asked := part * math.Min(p.deviation/32, math.Max(g.epsilon, 0.1*g.deviation)/16)
		v, step := pictureOf(runs, p, asked)
		if v == nil {
			return 0, 0, false
		}
		q.cost.points += v.points() * (len(runs) + 1)
		answer = q.answer(v)
		if spread = math.Abs(answer - before); spread <= q.tolerance(answer) {
			return answer, spread, true
		}
		if step > asked && step > 0.7*last {
			return 0, 0, false // as fine as it gets
		}
		part, last = part/2, step
		if math.IsNaN(answer) {
			part /= 2
			g = g.toward(g.epsilon)
		} else {
			g = q.aim(g, answer)
		}
		p, before = g.divided(), answer
	}
	return 0, 0, false
}

// pictureDelta estimates log δ(ε) of one direction by pictures.
func pictureDelta(runs []run, epsilon float64, cost *work) (log, spread float64, ok bool) {
	q := question{
		answer: func(v *picture) float64 { return v.logDelta(epsilon) },
		aim: func(g *target, log float64) *target {
			g.logDelta = log
			return g.toward(epsilon)
		},
		tolerance: func(log float64) float64 { return agreeing * (1 - log) },
		cost:      cost,
	}
	return q.settle(runs, aimAt(runs, epsilon, estimateCut))
}

// pictureEpsilon is the same for ε at a δ.
func pictureEpsilon(runs []run, logDelta float64, cost *work) (epsilon, spread float64, ok bool) {
	g := aim(runs, logDelta, estimateCut)
	least := 1e-3 * g.deviation
	q := question{
		answer:    func(v *picture) float64 { return v.epsilon(logDelta) },
		aim:       (*target).toward,
		tolerance: func(epsilon float64) float64 { return agreeing * math.Max(epsilon, least) },
		cost:      cost,
	}
	return q.settle(runs, g)
}
