package suffstats

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Plan is all that the mechanism is told besides the data: public parameters only. Labels
// lie in [−1, 1].
type Plan struct {
	Adjacency privacy.Adjacency
	Dimension int
	RowNorm   float64 // R ≥ ‖x‖₂, intercept included

	MatrixSigma float64 // σ₁ of Σ xxᵀ off the diagonal; √2σ₁ on it
	VectorSigma float64 // σ₂ of Σ yx
	SquareSigma float64 // σ₃ of Σ y²

	// Grid is the lattice's spacing, a power of two; each σ is from 2^20 to 2^40 times it.
	Grid float64
}

// The shares of μ² = Σ (sensitivity/σ)² that go to the matrix and to the label's square. The
// vector takes the rest. The matrix at 0.2 or 0.4 does as well to a point of R² (doc.go).
const (
	MatrixShare = 0.3
	SquareShare = 0.03
)

// finest is the least σ over the grid that NewPlan chooses, where the noise is not so small
// that a record would have too many steps.
const finest = 1 << 26

// mostSteps bounds a record's numbers in steps of the lattice: with 2^24 records and the
// noise they stay within int64.
const mostSteps = 1 << 37

// NewPlan returns the plan with the smallest noise that has the guarantee. Errors are of
// type *privacy.ParameterError, or that of calibrate.Gaussian.
func NewPlan(g privacy.Guarantee, dimension int, rowNorm float64) (Plan, error) {
	if err := g.Validate(); err != nil {
		return Plan{}, err
	}
	if err := learn.CheckRange("row_norm", rowNorm, false); err != nil {
		return Plan{}, err
	}
	unit, err := calibrate.Gaussian(g.Epsilon, g.Delta, 1)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{
		Adjacency: g.Adjacency, Dimension: dimension, RowNorm: rowNorm,
		MatrixSigma: rowNorm * rowNorm / math.Sqrt(2*MatrixShare),
		VectorSigma: rowNorm / math.Sqrt(1-MatrixShare-SquareShare),
		SquareSigma: 1 / math.Sqrt(SquareShare),
	}
	// The ratio scales as 1/σ, but for what the lattice adds.
	for scale, rounds := unit, 0; ; rounds++ {
		if rounds == 64 {
			return Plan{}, bad("epsilon", privacy.Number(g.Epsilon)+" at delta "+
				privacy.Number(g.Delta), "less extreme: no lattice is fine enough for the noise")
		}
		p.MatrixSigma *= scale
		p.VectorSigma *= scale
		p.SquareSigma *= scale
		p.Grid = p.grid()
		event, err := p.Event()
		if err != nil {
			return Plan{}, err
		}
		if scale = event.Sensitivity * unit; scale <= 1 {
			return p, nil
		}
		scale *= 1 + 0x1p-40
	}
}

// grid is the coarsest lattice that is fine for the noise, or the finest on which a record
// takes few enough steps.
func (p Plan) grid() float64 {
	down := func(x float64) int { _, e := math.Frexp(x); return e - 1 }
	largest := math.Max(1, p.RowNorm*p.RowNorm)
	return math.Ldexp(1, max(down(p.least()/finest), down(largest/mostSteps)+2))
}

func (p Plan) least() float64 {
	return math.Min(p.MatrixSigma, math.Min(p.VectorSigma, p.SquareSigma))
}

// Event is what account prices: each number in units of its noise, so that the noise is 1
// and the sensitivity that of learn.MomentsRatio. Errors are of type
// *privacy.ParameterError.
func (p Plan) Event() (privacy.Gaussian, error) {
	if err := p.validate(); err != nil {
		return privacy.Gaussian{}, err
	}
	e := privacy.Gaussian{
		Adjacency: p.Adjacency,
		Sensitivity: learn.MomentsRatio(p.Adjacency, p.Dimension, p.RowNorm,
			p.MatrixSigma, p.VectorSigma, p.SquareSigma, p.Grid) * (1 + 0x1p-40),
		Sigma: 1,
	}
	return e, e.Validate()
}

func (p Plan) validate() error {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return err
	}
	if p.Dimension < 1 || p.Dimension > learn.MaxMoments {
		return bad("dimension", strconv.Itoa(p.Dimension),
			"from 1 to "+strconv.Itoa(learn.MaxMoments)+
				": leave out features, or put rare categories together")
	}
	if err := privacy.FirstError(
		learn.CheckRange("row_norm", p.RowNorm, false),
		learn.CheckRange("matrix_sigma", p.MatrixSigma, false),
		learn.CheckRange("vector_sigma", p.VectorSigma, false),
		learn.CheckRange("square_sigma", p.SquareSigma, false),
	); err != nil {
		return err
	}
	if half, _ := math.Frexp(p.Grid); half != 0.5 {
		return bad("grid", privacy.Number(p.Grid), "a power of two")
	}
	largest := math.Max(p.MatrixSigma, math.Max(p.VectorSigma, p.SquareSigma))
	if !(p.least()/p.Grid >= privacy.MinGridRatio && largest/p.Grid <= learn.MaxLatticeRatio) {
		return bad("grid", privacy.Number(p.Grid),
			"such that each sigma is from 2^20 to 2^40 times it")
	}
	if !(math.Max(1, p.RowNorm*p.RowNorm)/p.Grid < mostSteps) {
		return bad("grid", privacy.Number(p.Grid), "above row_norm²/2^37, and above 2^-37")
	}
	return nil
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// check returns an error unless the plan is one for this problem: first by public things,
// then that the rows keep what the schema promises of them.
func (p Plan) check(problem learn.Problem) error {
	if err := p.validate(); err != nil {
		return privacy.Within("plan", err)
	}
	return problem.CheckRegression(p.Dimension, p.RowNorm)
}
