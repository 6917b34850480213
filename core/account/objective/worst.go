package objective

import (
	"math"

	"cloister/core/account/curve"
	"cloister/core/privacy"
)

// Worst is what the control problem finds at an ε (controlDirection): the path by which a record
// is charged most, and what data that can be written down reach. It is for pictures and for
// checking: prices come from Of and BoundControl.
type Worst struct {
	// LogDelta is log of the bound on V(ε), of the added direction, and LogGaussian that of one
	// Gaussian mechanism of ratio L/σ, which V is never below.
	LogDelta, LogGaussian float64

	// Pinned says that no path is charged more than the one that stays at the steepest slope: V is
	// the Gaussian's price but for what the search may err by (2e-4 of it). Path is empty then.
	Pinned bool
	Path   Path

	// Turn is the slope down to which the path falls as fast as λ lets it. Lower slopes are passed
	// later than that.
	Turn float64

	// Data is the path that falls as fast as λ lets it all the way and is charged most, and
	// LogData what it costs, not certified. Data sets come as near as one likes: rows that hold
	// one coefficient at a large value, so that their curvature vanishes, and many that push the
	// record's along (theory §4.6). So with the Gaussian's price it bounds from below what any
	// analysis of the loss can prove.
	Data    Path
	LogData float64
}

// Path is a slope as a function of the noise along the record's row. Noise rises, in σ; Slope does
// not, in units of L.
type Path struct{ Noise, Slope []float64 }

// pathPoints are drawn of a path, at slopes from 1/(1+e^pathReach) to 1 less that.
const (
	pathPoints = 160
	pathReach  = 9.0
)

// WorstPath returns the worst case of objective perturbation at ε > 0 according to the control
// problem, under add/remove, whatever the event's own adjacency. Its errors are those of Of for
// BoundControl.
func WorstPath(event privacy.ObjectivePerturbation, epsilon float64) (Worst, error) {
	if err := event.Validate(); err != nil {
		return Worst{}, err
	}
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return Worst{}, &privacy.ParameterError{
			Field: "epsilon", Value: privacy.Number(epsilon), Want: "a finite number above 0",
		}
	}
	if _, err := BoundControl.Resolve(event.Loss); err != nil {
		return Worst{}, err
	}
	d, _, err := controlDirections(event)
	if err != nil {
		return Worst{}, err
	}
	w := Worst{
		LogDelta:    curve.RoundUp(d.logDelta(epsilon)),
		LogGaussian: logGaussianDelta(epsilon, d.mu),
	}
	s := d.path.begin(epsilon, w.LogGaussian)
	if math.IsInf(s.value(), 1) {
		return Worst{}, curve.ErrNumerical
	}
	w.Pinned = w.LogDelta-w.LogGaussian < 2e-4 || !(s.best.charge > 0)
	if !w.Pinned {
		w.Turn = s.best.a / s.top
		w.Path = s.path(func(at level) float64 {
			if at.a > s.best.a {
				return s.best.c
			}
			return math.Max(at.best, s.best.c)
		})
	}
	offset, value := s.fullRate()
	if w.LogData = s.reference + math.Log(value); math.IsNaN(w.LogData) { // at an ε beyond 1e155
		w.LogData = math.Inf(-1)
	}
	w.Data = s.path(func(level) float64 { return offset })
	return w, nil
}

// path is the one that passes each level at an offset.
func (s *search) path(offset func(level) float64) Path {
	p := Path{make([]float64, pathPoints), make([]float64, pathPoints)}
	for i := range p.Noise {
		share := 1 / (1 + math.Exp(pathReach*(2*float64(i)/(pathPoints-1)-1)))
		at := s.level(s.top * share)
		p.Slope[i], p.Noise[i] = share, offset(at)-at.x
	}
	return p
}

// fullRate returns the offset of the most charged path that falls at full rate all the way, and
// what it is charged: ∫ W(c − x, a) da over the levels with none ≤ c, which are those of a stretch.
func (s *search) fullRate() (offset, value float64) {
	low, high := s.last.a*0x1p-40, s.last.a
	least := s.turning(low, high)
	start, _, _, _ := s.none(least)
	charged := func(c float64) float64 {
		from := s.reach(c, least, low)
		to := s.reach(c, least, high)
		return s.strip(s.place(from), s.place(to), c)
	}
	keep := func(c float64) {
		if v := charged(c); v > value {
			offset, value = c, v
		}
	}
	// Noise beyond some 12 σ is next to nothing, so paths that begin there are; at a small λ none
	// begins far to the left of that.
	const cells = 48
	step := math.Max(40, 12-start) / cells / cells
	for i := 1.0; i <= cells; i++ {
		keep(start + step*i*i)
	}
	for width := 2 * step * math.Sqrt((offset-start)/step); width > 1e-5; width *= 0.6 {
		before := offset
		keep(before - width/2)
		keep(before + width/2)
	}
	return offset, value
}

// turning is the level of which none is least.
func (s *search) turning(low, high float64) float64 {
	for range 40 {
		middle := between(low, high)
		if _, _, derivative, _ := s.none(middle); derivative < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// reach is how far from a charged level towards another one levels are charged at an offset.
func (s *search) reach(c, charged, other float64) float64 {
	if offset, _, _, _ := s.none(other); offset <= c {
		return other
	}
	for range 32 {
		middle := between(math.Min(charged, other), math.Max(charged, other))
		if offset, _, _, _ := s.none(middle); offset <= c {
			charged = middle
		} else {
			other = middle
		}
	}
	return charged
}
