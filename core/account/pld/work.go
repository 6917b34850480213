package pld

// work counts what a question costs, in units that depend on nothing but the question:
// so whether it is answered sharply does not depend on the machine. One unit is a bin
// of a loss that is looked at, or a point of a Fourier transform: some 0.1 µs.
//
// Bins that are laid beyond mostBins in one question are given up, on the safe side:
// what is left of the loss is infinite at the upper end, and is left out at the lower
// one. mostSpent bounds the points. Questions of which the answer is sharp have looked at
// 200,000 bins at most, some of those over the whole ranges of events at 1.2 million.
//
// A composition transforms every point once for each different event in it, and once
// back. mostTransformed bounds that: no sheet is begun beyond it, and the windows of
// many events are shorter (longestFor), so that one sheet alone stays within it.
type work struct{ bins, points, transformed int }

const (
	// mostBins is how many bins all sheets of one question may look at.
	mostBins = 1 << 21

	// mostTransformed is how many points may be transformed for one question.
	mostTransformed = 1 << 23

	// mostLoad bounds what the different events of a composition cost beside that, as load
	// counts it: 128 of them at most, or seven that list 2^16 atoms each, or 16 that are
	// known by a bound on their profile only: but of those by objective.BoundControl 128, which
	// take no longer than as many by objective.BoundLogistic. A question of more is refused
	// before anything is laid.
	mostLoad = 1024

	// mostFits is how many distances of atoms are held against a step, for one sheet.
	mostFits = 1 << 22
)

// longestFor is how many grid points the longest window has, where that many different
// losses are composed: longest, or the largest power of two of which all transforms
// together are within half of mostTransformed.
func longestFor(losses int) int {
	length := longest
	for length*(losses+1) > mostTransformed/2 && length > 1<<10 {
		length /= 2
	}
	return length
}

// each is the load of a source, and promised that of one that is known by a profile.
const (
	each     = 8
	promised = 64
)

// load is what laying a source costs, about: a part of mostLoad.
func load(s source) int {
	switch s := s.(type) {
	case *loss:
		return each + len(s.atoms)/512
	case *promise:
		return s.load
	}
	return each
}

// bin counts a bin, and reports whether it may be laid.
func (w *work) bin() bool {
	if w == nil {
		return true
	}
	w.bins++
	return w.bins <= mostBins
}

// spent reports whether there is nothing left for another sheet.
func (w *work) spent() bool {
	return w.bins > mostBins/2 || w.points > mostSpent || w.transformed > mostTransformed/2
}

// much reports whether a question has taken more than most that are settled do.
func (w *work) much() bool { return w.bins+w.transformed > mostBins/4 }
