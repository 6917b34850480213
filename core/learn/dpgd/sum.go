package dpgd

import (
	"math"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/solve"
)

// block is how many rows are added up in floats.
const block = 1 << 14

// summer computes Σ ∇ℓ_C(θ; zᵢ), each record's gradient a vector of whole numbers of steps of the
// lattice of spacing g:
//
//	sᵢ·kᵢ,   sᵢ = rnd(wᵢ/h) for the slope wᵢ,   h = g/unit,
//
// kᵢ the row ([wholeRows]). Both are computed from the record and θ alone.
//
// # Sensitivity
//
// Nothing else is rounded: sums of whole numbers are exact here. So the sums of two neighbouring
// data sets at the same θ differ by exactly the gradients of the records in which they differ, and
// ‖g·sᵢkᵢ‖ ≤ C, whatever the record and θ are. For the slope is clipped by package glm, which keeps
// |wᵢ|·N ≤ C for the norm N that it is told, and that is one with
//
//	C/N ≤ C/L − h/2,   L = unit·length ≥ unit·‖kᵢ‖
//
// (norms); rounding to a multiple of h adds h/2 at most, and g·|sᵢ|·‖kᵢ‖ = h|sᵢ|·unit·‖kᵢ‖ ≤
// (C/N + h/2)·L ≤ C. Where C/L ≤ h/2 the record's gradient is 0. [Plan.Event] charges for rounding
// every coordinate besides, which is more than this needs.
//
// # What rounding changes
//
// A record's gradient moves by (h/2)·‖xᵢ‖ at most, which is 2^-15·C/R or less times ‖xᵢ‖ for
// entries up to R, and its row by unit/2 in a coordinate, 2^-16·R at most. Both are far below the
// noise unless C is far above R·max|f'|: then slopes become coarse, as noise, which is in
// proportion to C, becomes large.
//
// # Why sums are exact
//
// length ≥ 2^11 and C < 2^33·g make |sᵢ| ≤ C/(h·L) < 2^22; an entry of kᵢ, less that of a row of
// zeros, is at most 2^17: a product is at most 2^39, and floats add up 2^14 of them, in whatever
// order. Blocks of so many rows are then added up in integers, modulo 2^64: that is exact,
// for the whole sum is below MaxRecords·C/g < 2^62.
type summer struct {
	rows    *wholeRows
	loss    glm.Clipped
	y       []float64
	blocks  []*solve.Rows // the kept rows and norms, in shared memory
	norms   []float64     // N
	grid    float64       // g, that norms are for
	classes int           // of a softmax; 0 for one vector

	theta, part []float64 // of the kept rows
	slopes      []float64 // of a record's classes
	total       []int64   // in steps of the lattice
}

func newSummer(problem learn.Problem, plan Plan) (*summer, error) {
	loss, err := glm.Clip(problem.Loss, plan.Clip)
	if err != nil {
		return nil, err
	}
	rows := newWholeRows(problem, plan)
	columns := len(rows.base)
	unknowns := columns * max(1, plan.Classes)
	s := &summer{
		rows: rows, loss: loss, y: problem.Data.Y, norms: make([]float64, len(rows.length)),
		classes: plan.Classes, theta: make([]float64, unknowns), part: make([]float64, unknowns),
		slopes: make([]float64, plan.Classes), total: make([]int64, unknowns),
	}
	whole := &solve.Rows{
		Start: rows.start, Index: rows.index, Entry: rows.entry, Columns: columns,
		Label: s.y, Loss: loss, Norm: s.norms,
	}
	for first := 0; first < len(s.norms); first += block {
		s.blocks = append(s.blocks, whole.Between(first, min(first+block, len(s.norms))))
	}
	return s, nil
}

// at prepares for sums on the lattice of spacing grid.
func (s *summer) at(grid float64) {
	if s.grid == grid {
		return
	}
	s.grid = grid
	unit := grid / s.rows.unit
	half := unit / 2
	if s.classes > 0 {
		half *= math.Sqrt(float64(s.classes)) * (1 + 0x1p-51) // of the vector of all slopes
	}
	for _, b := range s.blocks {
		b.SlopeUnit = unit
	}
	clip := s.loss.Threshold()
	for i, length := range s.rows.length {
		s.norms[i] = math.MaxFloat64 // no slope is left
		if most := clip/(length*s.rows.unit)*(1-0x1p-48) - half; most > 0 {
			s.norms[i] = math.Min(clip/most*(1+0x1p-50), math.MaxFloat64)
		}
	}
}

// sum sets total to the sum at theta, in steps of the lattice of spacing grid.
func (s *summer) sum(theta []float64, grid float64) {
	s.at(grid)
	clear(s.total)
	columns := len(s.rows.base)
	for at := 0; at < len(theta); at += columns {
		s.rows.at(theta[at:at+columns], s.theta[at:at+columns])
	}
	for _, b := range s.blocks {
		clear(s.part)
		if s.classes > 0 {
			s.addClasses(b)
		} else {
			b.Derivatives(s.theta, s.part, nil)
		}
		for j, v := range s.part {
			s.total[j] += int64(v / b.SlopeUnit)
		}
	}
	for at := 0; at < len(theta); at += columns {
		s.rows.fold(s.total[at : at+columns])
	}
}
