package suffstats

import (
	"context"
	"math"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Published is AdaSSP as Wang (2018, Algorithm 2) has it, to hold this package's against: the
// smallest eigenvalue, the matrix and the vector are released apart, each with noise
// √log(6/δ)/(ε/3) times what one record moves it by, one record added or removed.
//
// Its proof takes each of the three for (ε/3, δ/3)-DP. At ε = 1, δ = 1e-6 each of them has
// δ = 8.8e-7 at ε/3, and not δ/3. Together they are one Gaussian mechanism of ratio
// μ = ε/√(3 log(6/δ)), and that has ε = 0.596: the claim is true, and wasteful. Event is what
// it costs.
type Published struct {
	Epsilon, Delta float64 // as claimed
	Dimension      int
	RowNorm        float64
}

// Failure of the ridge: ϱ of Algorithm 2.
const publishedFailure = 0.05

func (p Published) validate() error {
	if p.Dimension < 1 || p.Dimension > 200 { // solve.EigenError
		return bad("dimension", privacy.Number(float64(p.Dimension)), "from 1 to 200")
	}
	return privacy.FirstError(
		privacy.CheckEpsilon(p.Epsilon), privacy.CheckDelta(p.Delta),
		learn.CheckRange("row_norm", p.RowNorm, false),
	)
}

// unit is √log(6/δ)/(ε/3): each noise, over what one record moves.
func (p Published) unit() float64 { return math.Sqrt(math.Log(6/p.Delta)) / (p.Epsilon / 3) }

// plan is what sums the records up, with the lattice that all three noises are on.
func (p Published) plan() Plan {
	square := p.RowNorm * p.RowNorm
	plan := Plan{
		Adjacency: privacy.AddRemove, Dimension: p.Dimension, RowNorm: p.RowNorm,
		MatrixSigma: p.unit() * square, VectorSigma: p.unit() * p.RowNorm,
	}
	plan.SquareSigma = plan.MatrixSigma // which is not released
	plan.Grid = plan.grid()
	return plan
}

// ratio is that of one of the three, noise sigma on numbers that one record moves by 1/unit of
// it, and by so many steps of the lattice besides.
func (p Published) ratio(sigma, grid, steps float64) float64 {
	return learn.LatticeSensitivity((1/p.unit()+steps*grid/sigma)*(1+0x1p-40), sigma, grid)
}

// Event is what the three cost. Errors are of type *privacy.ParameterError.
func (p Published) Event() (privacy.Composition, error) {
	if err := p.validate(); err != nil {
		return privacy.Composition{}, err
	}
	plan := p.plan()
	if err := plan.validate(); err != nil {
		return privacy.Composition{}, err
	}
	// Half a step for each number of a record's own; the eigenvalue moves by no more than the
	// matrix, is rounded itself, and may be computed a little wrong (solve.EigenError).
	d, numbers := float64(p.Dimension), float64(p.Dimension*(p.Dimension+1)/2)
	e := privacy.Composition{Adjacency: privacy.AddRemove}
	for _, ratio := range []float64{
		p.ratio(plan.MatrixSigma, plan.Grid, d+2) * (1 + 0x1p-10),
		p.ratio(plan.MatrixSigma, plan.Grid, math.Sqrt(numbers)),
		p.ratio(plan.VectorSigma, plan.Grid, math.Sqrt(d)),
	} {
		e.Parts = append(e.Parts, privacy.Part{Count: 1, Event: privacy.Gaussian{
			Adjacency: privacy.AddRemove, Sensitivity: ratio, Sigma: 1,
		}})
	}
	return e, e.Validate()
}

// Fit runs it on the problem, with noise from source. Errors are those of the package's Fit.
func (p Published) Fit(
	ctx context.Context, problem learn.Problem, source random.Source,
) (learn.Model, error) {
	if err := p.validate(); err != nil {
		return learn.Model{}, err
	}
	plan, square := p.plan(), p.RowNorm*p.RowNorm
	if err := plan.check(problem); err != nil {
		return learn.Model{}, err
	}
	sums, err := plan.sum(ctx, problem.Data)
	if err != nil {
		return learn.Model{}, err
	}
	defer clear(sums.at)
	d := p.Dimension
	matrix, vector := solve.NewPacked(d), make([]float64, d)
	for k := range matrix.At {
		matrix.At[k] = float64(sums.at[k]) * plan.Grid
	}
	for j := range vector {
		vector[j] = float64(sums.at[len(matrix.At)+j]) * plan.Grid
	}
	eigen, err := solve.Decompose(matrix)
	if err != nil {
		return learn.Model{}, err
	}
	least, err := learn.AddLatticeNoise(
		[]float64{math.Max(0, eigen.Values[0])}, plan.MatrixSigma, plan.Grid, source)
	if err != nil {
		return learn.Model{}, err
	}
	log := math.Log(6 / p.Delta)
	low := math.Max(0, least[0]-log/(p.Epsilon/3)*square)
	ridge := math.Max(0, math.Sqrt(float64(d)*log*math.Log(2*float64(d*d)/publishedFailure))*
		square/(p.Epsilon/3)-low)
	matrix.At, err = learn.AddLatticeNoise(matrix.At, plan.MatrixSigma, plan.Grid, source)
	if err != nil {
		return learn.Model{}, err
	}
	theta, err := learn.AddLatticeNoise(vector, plan.VectorSigma, plan.Grid, source)
	if err != nil {
		return learn.Model{}, err
	}
	// Where the ridge leaves an eigenvalue below 0 the system is solved all the same, as there.
	if eigen, err = solve.Decompose(matrix); err != nil {
		return learn.Model{}, err
	}
	out := make([]float64, d)
	for k, u := range eigen.Vectors {
		dot := 0.0
		for j, v := range u {
			dot += float64(v * theta[j])
		}
		shifted := eigen.Values[k] + ridge
		if shifted == 0 {
			continue
		}
		for j, v := range u {
			out[j] += float64(dot / shifted * v)
		}
	}
	return learn.NewModel(problem, math.Inf(1), out), nil
}
