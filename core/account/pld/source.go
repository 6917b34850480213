package pld

import "math"

// source is what one direction of one event is known by.
type source interface {
	// upper and lower move it onto a grid from above and from below.
	upper(*layout) *measure
	lower(*layout) *measure

	// logDelta bounds log δ(ε) of a single run.
	logDelta(epsilon float64) (lower, upper float64)

	// logDeltaLower is the lower end of logDelta alone, which may take less time.
	logDeltaLower(epsilon float64) float64

	// logDeltaCoarse is at least the upper end of logDelta, and takes little time.
	logDeltaCoarse(epsilon float64) float64

	// table approximates it by nodes, to plan by or to estimate with.
	table(low, high float64, m mesh) (omega, weight []float64)

	// ceiling is a loss beyond which lies no more than high of P.
	ceiling(high float64) float64

	// spacing is the distance of its atoms, 0 if there is none to keep.
	spacing() float64
}

func (l *loss) spacing() float64 { return l.lattice }

func (l *loss) ceiling(high float64) float64 {
	most := math.Inf(-1)
	for _, a := range l.atoms {
		most = math.Max(most, a.loss+a.reach)
	}
	for _, p := range l.pieces {
		_, to := p.trim(high, high)
		most = math.Max(most, p.at(to))
	}
	return most
}

// between is a loss of which a parameter carries the rounding of a sum: least and most are its
// losses at either end of that rounding. If apart is set they are bounds of a loss that is not
// known, and differ by more than rounding.
type between struct {
	least, most *loss
	apart       bool
}

// apart reports whether bounds are all that is known of some loss of a direction: then its
// ends do not meet, however fine the grid.
func (d *direction) apart() bool {
	for _, r := range d.runs {
		switch s := r.source.(type) {
		case *promise:
			return true
		case between:
			if s.apart {
				return true
			}
		}
	}
	return false
}

func (b between) spacing() float64             { return 0 }
func (b between) ceiling(high float64) float64 { return b.most.ceiling(high) }
func (b between) upper(g *layout) *measure     { return b.most.upper(g) }
func (b between) lower(g *layout) *measure     { return b.least.lower(g) }
func (b between) table(low, high float64, m mesh) (omega, weight []float64) {
	return b.most.table(low, high, m)
}

func (b between) logDelta(epsilon float64) (lower, upper float64) {
	return b.logDeltaLower(epsilon), b.logDeltaCoarse(epsilon)
}

func (b between) logDeltaLower(epsilon float64) float64 {
	return b.least.logDeltaLower(epsilon)
}

func (b between) logDeltaCoarse(epsilon float64) float64 {
	return b.most.logDeltaCoarse(epsilon)
}
