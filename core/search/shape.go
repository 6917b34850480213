package search

import (
	"math/bits"
	"strconv"
)

// Public limits on what is searched. A search is exponential in the worst case:
// they are there so that what is too large is refused before a row is read.
const (
	MostLevels = 32      // of all attributes together
	MostCells  = 1 << 16 // combinations of one level of each attribute
	MostBound  = 16      // B
)

// Shape is what is public of a problem: how many levels each attribute has, and
// the bound B on points.
type Shape struct {
	Levels []int
	Bound  int
}

// SizeError says that a shape is refused, by public numbers alone.
type SizeError struct {
	What string // what is too large or too small
	Is   string
	Want string
}

func (e *SizeError) Error() string {
	return "search: " + e.What + ": " + e.Is + "; it must be " + e.Want
}

// Check returns a *SizeError unless there is an attribute, each has a level, and
// the limits hold: MostLevels, MostCells, 1 ≤ B ≤ MostBound and |W| < 2^63.
func (s Shape) Check() error {
	if len(s.Levels) == 0 {
		return &SizeError{"attributes", "none", "at least one"}
	}
	if s.Bound < 1 || s.Bound > MostBound {
		return &SizeError{
			"the largest point",
			strconv.Itoa(s.Bound),
			"from 1 to " + strconv.Itoa(MostBound),
		}
	}
	cells, levels := 1, 0
	for g, n := range s.Levels {
		if n < 1 || n > MostLevels {
			return &SizeError{
				"levels of attribute " + strconv.Itoa(g+1),
				strconv.Itoa(n),
				"from 1 to " + strconv.Itoa(MostLevels),
			}
		}
		levels += n
		cells = min(cells*n, MostCells+1)
	}
	if levels > MostLevels {
		return &SizeError{
			"levels of all attributes",
			strconv.Itoa(levels),
			"at most " + strconv.Itoa(MostLevels) + ": merge some",
		}
	}
	if cells > MostCells {
		return &SizeError{
			"combinations of levels",
			"more than " + strconv.Itoa(MostCells),
			"at most that: merge levels or leave out an attribute",
		}
	}
	if _, ok := s.count(); !ok {
		return &SizeError{
			"scorecards to choose from",
			"2^63 or more",
			"fewer: merge levels or take a smaller largest point",
		}
	}
	return nil
}

// Dimension is d, the number of levels of all attributes.
func (s Shape) Dimension() int {
	d := 0
	for _, n := range s.Levels {
		d += n
	}
	return d
}

// Cells is the number of combinations of one level of each attribute. The shape
// must have passed Check.
func (s Shape) Cells() int {
	cells := 1
	for _, n := range s.Levels {
		cells *= n
	}
	return cells
}

// Size is |W| = (2B+1)^d, of a shape that has passed Check.
func (s Shape) Size() uint64 {
	size, _ := s.count()
	return size
}

func (s Shape) count() (size uint64, ok bool) {
	size = 1
	for range s.Dimension() {
		high, low := bits.Mul64(size, uint64(2*s.Bound+1))
		if high != 0 || low >= 1<<63 {
			return 0, false
		}
		size = low
	}
	return size, true
}

// Order is the order in which Minimise takes the attributes when none is given:
// fewest levels first, and those with as many as they stand. It changes the time
// of a search and not its result.
func (s Shape) Order() []int {
	order := make([]int, len(s.Levels))
	for i := range order {
		j := i
		for j > 0 && s.Levels[order[j-1]] > s.Levels[i] {
			order[j] = order[j-1]
			j--
		}
		order[j] = i
	}
	return order
}
