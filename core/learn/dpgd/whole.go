package dpgd

import (
	"math"

	"cloister/core/data"
	"cloister/core/learn"
)

const (
	// rowBits says how finely rows are rounded: no entry is above 2^rowBits units.
	rowBits = 16

	// shortest is 2^-5 of that: in units, the length below which a row's gradient is clipped as if
	// the row were so long.
	shortest = 1 << (rowBits - 5)
)

// wholeRows are the rows of a data set as whole numbers. Row i is
//
//	kᵢ = rnd(xᵢ/unit),   |kᵢⱼ| ≤ 2^16,
//
// xᵢ centred if the plan says so, with the schema's intercept. It is computed from the record
// alone, and does not depend on how the data set is stored, which one record can decide (package
// data).
//
// A centred row has no zeros. But it differs from the row of a record of zeros, base, only in the
// columns of those entries that are not 0, and they are few where columns are categories. So what
// is kept is
//
//	kᵢ − base in all columns but the intercept's, and a 1 there,
//
// a sparse row, of 12 bytes an entry also where the data set is dense. A sum Σ sᵢkᵢ is then
// Σ sᵢ(kᵢ − base) + (Σ sᵢ)·base, and the margin kᵢᵀθ is that of the kept row and of θ whose last
// number is baseᵀθ ([wholeRows.at], [wholeRows.fold]).
type wholeRows struct {
	unit    float64 // a power of two
	perUnit float64 // 1/unit, exactly
	base    []int64 // 0 in all columns if there is no intercept
	fixed   bool    // there is an intercept

	// As in solve.Rows.
	start []int
	index []int32
	entry []float64

	length []float64 // at least ‖kᵢ‖ and shortest
}

func newWholeRows(problem learn.Problem, plan Plan) *wholeRows {
	x, kappa := problem.Data.X, problem.Data.Schema.Intercept
	if plan.Centring != nil && kappa == 0 {
		panic("dpgd: centred rows need an intercept") // Plan.check says so
	}
	unit := unitOf(plan)
	w := &wholeRows{
		unit: unit, perUnit: 1 / unit, base: make([]int64, x.Columns), fixed: kappa != 0,
		start: make([]int, 1, x.Rows()+1), length: make([]float64, x.Rows()),
	}
	columns := x.Columns // but the intercept's
	if w.fixed {
		columns--
		w.base[columns] = w.whole(kappa)
	}
	if by := plan.Centring; by != nil {
		for j := range columns {
			w.base[j] = w.centred(by, j, 0)
		}
	}
	squares := int64(0)
	for _, k := range w.base {
		squares += k * k
	}
	most := entriesOf(x)
	index, entry := make([]int32, 0, most), make([]float64, 0, most)
	for i := range w.length {
		own := squares
		row := x.Row(i)
		for at, column := range row.Index {
			if int(column) == columns {
				break
			}
			k := w.centred(plan.Centring, int(column), row.Value[at])
			if zero := w.base[column]; k != zero {
				own += k*k - zero*zero
				index, entry = append(index, column), append(entry, float64(k-zero))
			}
		}
		if w.fixed {
			index, entry = append(index, int32(columns)), append(entry, 1)
		}
		w.start = append(w.start, len(index))
		w.length[i] = math.Max(math.Sqrt(float64(own))*(1+0x1p-52), shortest)
	}
	w.index, w.entry = index, entry
	return w
}

// entriesOf is how many entries the kept rows have at most: those that are not 0, of which the
// intercept is one in each row. All memory is taken once.
func entriesOf(x *data.Matrix) int {
	if !x.Dense() {
		return len(x.Index)
	}
	n := 0
	for _, block := range x.Blocks {
		for _, v := range block {
			if v != 0 {
				n++
			}
		}
	}
	return n
}

// unitOf is a power of two that no entry of the rows that the plan is for has more than 2^rowBits
// of.
func unitOf(plan Plan) float64 {
	most := plan.RowNorm
	if by := plan.Centring; by != nil {
		for j, m := range by.Mean {
			most = math.Max(most, by.Scale[j]*(plan.RowNorm+math.Abs(m)))
		}
	}
	_, e := math.Frexp(most)
	return math.Ldexp(1, e-rowBits)
}

// whole is the nearest whole number of units. No row is longer than the plan says; if one were, it
// would be cut here.
func (w *wholeRows) whole(x float64) int64 {
	const most = 1 << rowBits
	x = math.RoundToEven(x * w.perUnit)
	if !(x < most) {
		return most
	}
	if x < -most {
		return -most
	}
	return int64(x)
}

// centred is what entry x of column j becomes.
func (w *wholeRows) centred(by *learn.Centring, j int, x float64) int64 {
	if by == nil {
		return w.whole(x)
	}
	return w.whole(float64(by.Scale[j] * float64(x-by.Mean[j])))
}

// at writes to out the point at which the kept rows have the margins xᵢᵀθ, but for what rounding
// rows has changed.
func (w *wholeRows) at(theta, out []float64) {
	for j, t := range theta {
		out[j] = t * w.unit
	}
	if !w.fixed {
		return
	}
	last := 0.0
	for j, k := range w.base {
		last += float64(float64(k) * out[j])
	}
	out[len(out)-1] = last
}

// fold turns the sum of kept rows into that of the rows. Numbers that overflow on the way do no
// harm: all is exact modulo 2^64, and the sum itself is below that.
func (w *wholeRows) fold(sum []int64) {
	if !w.fixed {
		return
	}
	last := len(sum) - 1
	times := sum[last]
	sum[last] = 0
	for j, k := range w.base {
		sum[j] += times * k
	}
}
