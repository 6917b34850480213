package audit

import "math"

// Measured is what the rounds of an attack say of δ(ε).
type Measured struct {
	aim           float64 // lower bound of δ at Aim.Epsilon
	counts        Counts
	without, with []Interval
}

// Measure computes the bounds of the rounds; the package comment says why they hold.
func (c Counts) Measure() Measured {
	m := Measured{counts: c}
	a := c.Test.Aim
	hits, runs, base, others := c.aimed()
	m.aim = lowerDifference(hits, runs, base, others, math.Exp(a.Epsilon), FalseAlarm/2)
	alpha := FalseAlarm / float64(8*len(c.Test.Lines))
	for k := range c.Test.Lines {
		m.without = append(m.without, ClopperPearson(c.Above[0][k], c.Runs[0], alpha))
		m.with = append(m.with, ClopperPearson(c.Above[1][k], c.Runs[1], alpha))
	}
	return m
}

// aimed returns how often S happened in how many runs of P, and in how many of Q; see
// [Aim].
func (c Counts) aimed() (hits, runs, base, others int) {
	if c.Test.Aim.Below {
		return c.Runs[0] - c.AboveAim[0], c.Runs[0], c.Runs[1] - c.AboveAim[1], c.Runs[1]
	}
	return c.AboveAim[1], c.Runs[1], c.AboveAim[0], c.Runs[0]
}

// Shares are how often S of the aim happened, as shares of the runs of P and of Q; 0 of
// no runs.
func (c Counts) Shares() (p, q float64) {
	hits, runs, base, others := c.aimed()
	return float64(hits) / math.Max(1, float64(runs)), float64(base) / math.Max(1, float64(others))
}

// Allowed is the largest share of S of the aim that a promise of δ at the aim's ε allows, of the
// share of it under Q.
func (c Counts) Allowed(delta float64) float64 {
	_, q := c.Shares()
	if q > 0 { // e^ε may be +∞
		delta += math.Exp(c.Test.Aim.Epsilon) * q
	}
	return math.Min(1, delta)
}

// DeltaLower returns a lower bound for δ(epsilon), at least 0, epsilon ≥ 0. All of them
// hold together with probability at least 1 − [FalseAlarm].
func (m Measured) DeltaLower(epsilon float64) float64 {
	worst := math.Max(0, Divergence(m.without, m.with, epsilon))
	if epsilon <= m.counts.Test.Aim.Epsilon {
		worst = math.Max(worst, m.aim) // δ does not increase
	}
	return worst
}

// Delta estimates the δ(epsilon) that the attack sees, without any confidence: the
// largest of the differences of shares. It may lie above the truth.
func (m Measured) Delta(epsilon float64) float64 {
	c := m.counts
	shares := func(side int) []Interval {
		list := make([]Interval, 0, len(c.Test.Lines)+1)
		for _, n := range append(c.Above[side][:len(c.Above[side]):len(c.Above[side])],
			c.AboveAim[side]) {
			share := float64(n) / math.Max(1, float64(c.Runs[side]))
			list = append(list, Interval{share, share})
		}
		return list
	}
	return math.Max(0, Divergence(shares(0), shares(1), epsilon))
}

// Point is the curve at one ε.
type Point struct {
	Epsilon  float64
	Promised float64 // δ, an upper bound
	Lower    float64 // what the rounds prove of the true δ, with 1 − FalseAlarm
	Seen     float64 // the estimate
}

// Broken is whether the promise is false there.
func (p Point) Broken() bool { return p.Lower > p.Promised }

// Against holds the rounds against a promised profile, an upper bound on δ(ε), at each
// ε ≥ 0 of a list. The error is the profile's.
func (m Measured) Against(
	promised func(epsilon float64) (float64, error), epsilons []float64,
) ([]Point, error) {
	points := make([]Point, len(epsilons))
	for i, epsilon := range epsilons {
		delta, err := promised(epsilon)
		if err != nil {
			return nil, err
		}
		points[i] = Point{epsilon, delta, m.DeltaLower(epsilon), m.Delta(epsilon)}
	}
	return points, nil
}

// Divergence is the largest lower bound for H_{e^ε}, in either direction, of events
// whose probabilities on two data sets lie in these intervals. It may be below 0, where
// it says nothing.
func Divergence(first, second []Interval, epsilon float64) float64 {
	c, worst := math.Exp(epsilon), math.Inf(-1)
	Events(first, second, func(p, q Interval) {
		of := p.Lower
		if q.Upper > 0 { // c may be +∞
			of -= c * q.Upper
		}
		worst = math.Max(worst, of)
	})
	return worst
}

// Events visits every event and its complement, in both directions.
func Events(first, second []Interval, visit func(p, q Interval)) {
	for k := range first {
		p, q := first[k], second[k]
		visit(p, q)
		visit(q, p)
		visit(p.Complement(), q.Complement())
		visit(q.Complement(), p.Complement())
	}
}

// Grid returns n + 1 values of ε from 0 to epsilon, evenly spaced.
func Grid(epsilon float64, n int) []float64 {
	list := make([]float64, n+1)
	for i := range list {
		list[i] = epsilon * float64(i) / float64(n)
	}
	return list
}
