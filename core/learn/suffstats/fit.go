package suffstats

import (
	"context"
	"math"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem, with noise from source. The model holds the moments,
// which are what is released, and the coefficients that their default ridge gives.
// Diagnostics may not be published.
//
// Errors: a *privacy.ParameterError if the plan is not one for this problem, a
// *learn.RowError if a row breaks what the schema promises (neither draws noise), the
// context's error, the source's, or solve.ErrEigen. Charge for the event before calling, and
// keep the charge whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	if err := plan.check(problem); err != nil {
		return learn.Model{}, nil, err
	}
	sums, err := plan.sumOf(ctx, problem)
	if err != nil {
		return learn.Model{}, nil, err
	}
	defer clear(sums.at)
	moments, err := plan.release(sums, source)
	if err != nil {
		return learn.Model{}, nil, err
	}
	moments.Intercept = problem.Data.Schema.Intercept
	spectrum, err := moments.Spectrum()
	if err != nil {
		return learn.Model{}, nil, err
	}
	moments.Ridge = moments.DefaultRidge()
	model := learn.NewModel(problem, math.Inf(1), spectrum.Coefficients(moments.Ridge))
	model.Moments = moments
	if progress != nil {
		progress(solve.Progress{Iteration: 1})
	}
	return model, &learn.Diagnostics{Rows: problem.Data.X.Rows(), Iterations: 1}, nil
}

// sums are the moments of some records in steps of the lattice: the lower triangle of the
// matrix by rows, then the vector, then the square.
type sums struct {
	columns int
	at      []int64
}

// sum adds up the records, each number of each rounded to the lattice by itself. So two
// neighbours' sums differ by exactly the rounded moments of the record in which they differ:
// no rounding error of a sum, which depends on other records, comes into the sensitivity.
func (p Plan) sum(ctx context.Context, d *data.Dataset) (*sums, error) {
	columns := p.Dimension
	total := solve.Shares(len(d.Y), columns*(columns+3)/2+1,
		func() *sums { return newSums(columns) },
		func(first, end int, s *sums) {
			for i := first; i < end && (i%data.BlockRows != 0 || ctx.Err() == nil); i++ {
				s.add(d.X.Row(i), d.Y[i], p.Grid)
			}
		}, func(total, own *sums) {
			for k, n := range own.at {
				total.at[k] += n
			}
			clear(own.at)
		})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return total, nil
}

// sumOf is sum of the problem's records, wherever it is taken: whole numbers add up to the same.
func (p Plan) sumOf(ctx context.Context, problem learn.Problem) (*sums, error) {
	if problem.Spread == nil || problem.Data.Ends == nil {
		return p.sum(ctx, problem.Data)
	}
	blocks, step := problem.Blocks(problem.Design(), 0), []float64{p.Grid}
	for _, block := range blocks {
		if s, ok := block.(solve.Starter); ok {
			s.Start(step, solve.Moments)
		}
	}
	total := newSums(p.Dimension)
	for _, block := range blocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for k, n := range solve.Integers(block.Numbers(step, solve.Moments)) {
			total.at[k] += n
		}
	}
	return total, nil
}

func newSums(columns int) *sums {
	return &sums{columns, make([]int64, columns*(columns+3)/2+1)}
}

func (s *sums) add(x data.Row, y, grid float64) {
	solve.AddMoments(s.at, x.Index, x.Value, y, grid)
}

// last is the largest lattice index released: sums beyond are moved to it, after the noise.
const last = 1<<53 - 1

// release draws the noise, exactly, and adds it.
func (p Plan) release(s *sums, source random.Source) (*learn.Moments, error) {
	m := &learn.Moments{
		Matrix: solve.NewPacked(p.Dimension), Vector: make([]float64, p.Dimension),
		MatrixSigma: p.MatrixSigma, VectorSigma: p.VectorSigma, SquareSigma: p.SquareSigma,
		Grid: p.Grid,
	}
	var fault error
	noise := func(sigma float64) func(sum int64) float64 {
		law, err := random.NewDiscreteGaussian(sigma, p.Grid)
		if err != nil {
			fault = err
		}
		return func(sum int64) float64 {
			if fault != nil {
				return 0
			}
			k, err := law.Sample(source)
			if err != nil {
				fault = err
				return 0
			}
			k = max(-1<<61, min(k, 1<<61)) + sum
			return float64(max(-last, min(k, last))) * p.Grid
		}
	}
	off, diagonal := noise(p.MatrixSigma), noise(diagonalSigma(p.MatrixSigma))
	vector, square := noise(p.VectorSigma), noise(p.SquareSigma)
	at := 0
	for i := range p.Dimension {
		for j := range i + 1 {
			law := off
			if i == j {
				law = diagonal
			}
			m.Matrix.At[at] = law(s.at[at])
			at++
		}
	}
	for i := range m.Vector {
		m.Vector[i] = vector(s.at[at+i])
	}
	m.Square = square(s.at[at+p.Dimension])
	return m, fault
}

// diagonalSigma is √2σ, rounded up.
func diagonalSigma(sigma float64) float64 { return math.Sqrt2 * sigma * (1 + 0x1p-50) }
