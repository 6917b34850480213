package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/privacy"
	"cloister/core/solve"
)

// MaxMoments is the largest number of columns of which moments are released.
const MaxMoments = 512

// Moments are the second moments of rows x and labels y in [−1, 1], with noise: what
// package suffstats releases, and all that linear regression needs.
//
//	Matrix  A = Σ x xᵀ + MatrixSigma·G,  G of the Gaussian orthogonal ensemble:
//	        N(0, 1) off the diagonal, N(0, 2) on it
//	Vector  b = Σ y x + N(0, VectorSigma²)
//	Square  c = Σ y² + N(0, SquareSigma²)
//
// All numbers lie on the lattice Grid·ℤ, and so does their noise. They are public. So is
// everything that is computed from them, at no further cost: coefficients with any ridge
// (Spectrum), their standard errors, regressions on some of the columns (Keep) and of one
// column on others (Of).
type Moments struct {
	Matrix *solve.Packed
	Vector []float64
	Square float64

	MatrixSigma, VectorSigma, SquareSigma float64
	Grid                                  float64

	Ridge float64 // λ > 0 of the model's coefficients: see Spectrum.Coefficients

	// Intercept is κ, the last entry of every row; 0 if rows have none. It follows from
	// the schema.
	Intercept float64
}

// Columns is the number of columns.
func (m *Moments) Columns() int { return len(m.Vector) }

// MomentsRatio is an upper bound on what one record moves the moments by, each in units
// of its noise: the moments are a Gaussian mechanism with this sensitivity and noise 1.
// rowNorm is R ≥ ‖x‖. It is +Inf if a σ is below 2^10 grid.
//
// Theorem. Let Q(z) be the record's moments, divided by √2 on the diagonal of xxᵀ, which
// makes the noise of the ensemble isotropic, and by the noise. Then
//
//	⟨Q(z), Q(z′)⟩ = t²/(2σ₁²) + tu/σ₂² + u²/σ₃²,   t = xᵀx′, u = yy′.
//
// One record added or removed: ‖Q(z)‖² = μ² ≤ R⁴/(2σ₁²) + R²/σ₂² + 1/σ₃², attained. One
// replaced: ‖Q(z) − Q(z′)‖² ≤ 2μ² − 2 min ⟨Q, Q′⟩ over |t| ≤ R², |u| ≤ 1; a quadratic form,
// whose least value on the rectangle is 0 or on its boundary, at u = 1 with
// t = −min(R², σ₁²/σ₂²) or at t = R² with u = −min(1, R²σ₃²/(2σ₂²)).
//
// Each number of a record is rounded to the lattice before it is added: half a step at
// most, which is a vector of length g/2·√(d²/(2σ₁²) + d/σ₂² + 1/σ₃²) a record. And the
// noise on the lattice is priced as LatticeSensitivity says, by the least of the σ.
func MomentsRatio(
	adjacency privacy.Adjacency, columns int, rowNorm, matrix, vector, square, grid float64,
) float64 {
	// R²/(√2σ₁), R/σ₂ and 1/σ₃.
	a, b, c := rowNorm*rowNorm/(math.Sqrt2*matrix), rowNorm/vector, 1/square
	ratio := math.Hypot(math.Hypot(a, b), c)
	d := float64(columns)
	rounding := math.Hypot(
		math.Hypot(d/(math.Sqrt2*matrix), math.Sqrt(d)/vector), 1/square) * grid / 2
	if adjacency == privacy.ReplaceOne {
		// In units of the ratio, so that no square under- or overflows.
		a, b, c := a/ratio, b/ratio, c/ratio
		form := func(t, u float64) float64 { return t*t*a*a + t*u*b*b + u*u*c*c } // t of R²
		least := math.Min(0, math.Min(
			form(-math.Min(1, b*b/(2*a*a)), 1), form(1, -math.Min(1, b*b/(2*c*c)))))
		ratio *= math.Sqrt(2-2*least) * (1 + 0x1p-48)
		rounding *= 2
	}
	least := math.Min(matrix, math.Min(vector, square))
	return LatticeSensitivity((ratio+rounding)*(1+0x1p-46), least, grid)
}

// Ratio is MomentsRatio of these.
func (m *Moments) Ratio(adjacency privacy.Adjacency, rowNorm float64) float64 {
	return MomentsRatio(adjacency, m.Columns(), rowNorm,
		m.MatrixSigma, m.VectorSigma, m.SquareSigma, m.Grid)
}

// DefaultRidge is the ridge λ that is taken where none is asked for:
//
//	λ² = d·(¾σ₁² + σ₂²/8).
//
// √d·σ₁ is half of where the spectrum of the matrix's noise ends, 2√d·σ₁, which the ridge of
// AdaSSP (Wang 2018) is chosen to exceed. A ridge so large is safe, and costs more accuracy
// than the noise that it is safe from.
func (m *Moments) DefaultRidge() float64 {
	return math.Sqrt(float64(m.Columns())) *
		math.Hypot(math.Sqrt(0.75)*m.MatrixSigma, m.VectorSigma/math.Sqrt(8))
}

// check returns a *privacy.ParameterError unless the moments are such as a release of a
// model of so many columns can hold.
func (m *Moments) check(columns int) error {
	if columns > MaxMoments {
		return momentsError("moments.vector", strconv.Itoa(columns)+" columns",
			"of "+strconv.Itoa(MaxMoments)+" columns at most")
	}
	if m.Columns() != columns || m.Matrix == nil || m.Matrix.N != columns ||
		len(m.Matrix.At) != columns*(columns+1)/2 {
		return momentsError("moments", "of another size",
			strconv.Itoa(columns)+" numbers, one a column, and a triangle of them")
	}
	for _, p := range []struct {
		field string
		value float64
	}{
		{"moments.matrix_sigma", m.MatrixSigma}, {"moments.vector_sigma", m.VectorSigma},
		{"moments.square_sigma", m.SquareSigma}, {"moments.ridge", m.Ridge},
	} {
		if err := CheckRange(p.field, p.value, false); err != nil {
			return err
		}
	}
	if half, _ := math.Frexp(m.Grid); half != 0.5 {
		return momentsError("moments.grid", privacy.Number(m.Grid), "a power of two")
	}
	if !m.finite() {
		return momentsError("moments", "not a number", "finite numbers")
	}
	return nil
}

func momentsError(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// each visits every number that was released.
func (m *Moments) each(visit func(x float64) bool) bool {
	for _, list := range [][]float64{m.Matrix.At, m.Vector, {m.Square}} {
		for _, x := range list {
			if !visit(x) {
				return false
			}
		}
	}
	return true
}

func (m *Moments) finite() bool {
	return m.each(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) })
}

// onLattice reports whether every number is one that the mechanism could give out.
func (m *Moments) onLattice() bool {
	return m.each(func(x float64) bool {
		return math.Remainder(x, m.Grid) == 0 && math.Abs(x/m.Grid) < exactIntegers
	})
}

// Keep returns the moments of these columns alone, in the order given: for a regression
// that leaves others out. Its ridge is the default one. It panics if a column is none of
// them, or is named twice.
func (m *Moments) Keep(columns ...int) *Moments {
	return m.with(columns, m.Square, m.VectorSigma, m.SquareSigma,
		func(j int) float64 { return m.Vector[j] })
}

// Of returns the moments of a regression of one column on others: of what each record has
// in column target, which takes the label's place. The label itself takes no part. It
// panics as Keep does, and if the target is among the columns.
func (m *Moments) Of(target int, columns ...int) *Moments {
	if slices.Contains(columns, target) {
		panic("learn: a column that is predicted from itself")
	}
	return m.with(columns, m.Matrix.Row(target)[target], m.MatrixSigma,
		math.Sqrt2*m.MatrixSigma, func(j int) float64 { return m.at(target, j) })
}

func (m *Moments) at(i, j int) float64 { return m.Matrix.Row(max(i, j))[min(i, j)] }

func (m *Moments) with(
	columns []int, square, vectorSigma, squareSigma float64, vector func(j int) float64,
) *Moments {
	out := &Moments{
		Matrix: solve.NewPacked(len(columns)), Square: square, MatrixSigma: m.MatrixSigma,
		VectorSigma: vectorSigma, SquareSigma: squareSigma, Grid: m.Grid,
	}
	for i, column := range columns {
		if slices.Contains(columns[:i], column) {
			panic("learn: a column that is named twice")
		}
		for j, other := range columns[:i+1] {
			out.Matrix.Row(i)[j] = m.at(column, other)
		}
		out.Vector = append(out.Vector, vector(column))
	}
	if n := len(columns); n > 0 && columns[n-1] == m.Columns()-1 {
		out.Intercept = m.Intercept
	}
	out.Ridge = out.DefaultRidge()
	return out
}
