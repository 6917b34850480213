package suffstats

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// A pair for which the price is exact but for the row's last hundredth: a row as long as rows
// get with the largest label, alone; removed, or its label turned round.
func worstCase(adjacency privacy.Adjacency) (first, second learn.Problem) {
	schema, row := learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}
	first = problemOf(learntest.Problem(schema, [][]float64{row}, []float64{1}))
	second = problemOf(learntest.Problem(schema, nil, nil))
	if adjacency == privacy.ReplaceOne {
		second = problemOf(learntest.Problem(schema, [][]float64{row}, []float64{-1}))
	}
	return first, second
}

// along is the log-likelihood ratio of the two laws, but for a constant and the lattice: what
// tells the data sets apart best.
func along(p Plan, m *learn.Moments, toward *sums) float64 {
	sum, at := 0.0, 0
	add := func(x float64, sigma float64) {
		sum += x * float64(toward.at[at]) * p.Grid / (sigma * sigma)
		at++
	}
	for i := range p.Dimension {
		for j, x := range m.Matrix.Row(i) {
			sigma := p.MatrixSigma
			if i == j {
				sigma = diagonalSigma(sigma)
			}
			add(x, sigma)
		}
	}
	for _, x := range m.Vector {
		add(x, p.VectorSigma)
	}
	add(m.Square, p.SquareSigma)
	return sum
}

func TestAudit(t *testing.T) {
	for _, adjacency := range learn.AllAdjacencies {
		for _, epsilon := range []float64{0.5, 4} {
			runs := audittest.Runs(20_000)
			if runtime.GOARCH == "wasm" && !audittest.Long() {
				if epsilon < 1 {
					continue // it takes more runs to see, and the code is the same
				}
				runs = 4_000
			}
			t.Run(adjacency.String()+" epsilon="+privacy.Number(epsilon), func(t *testing.T) {
				first, second := worstCase(adjacency)
				g := privacy.Guarantee{Adjacency: adjacency, Epsilon: epsilon, Delta: 0.01}
				plan, err := NewPlan(g, 3, first.Data.Schema.RowNorm())
				require.NoError(t, err)
				claimOf := func(plan Plan) func(float64) (float64, error) {
					event, err := plan.Event()
					require.NoError(t, err)
					profile, err := objective.Of(event, objective.BoundAuto)
					require.NoError(t, err)
					return func(epsilon float64) (float64, error) {
						return curve.DeltaUpper(profile, epsilon)
					}
				}
				event, err := plan.Event()
				require.NoError(t, err)
				audit := audittest.Audit{
					Claim: claimOf(plan), Epsilons: audittest.Grid(epsilon, 16), Runs: runs,
				}
				for k := -6; k <= 10; k++ {
					mu := event.Sensitivity
					audit.Thresholds = append(audit.Thresholds, mu*(mu+float64(k)*0.4))
				}
				trial := func(problem learn.Problem, plan Plan) audittest.Trial {
					sums, err := plan.sum(t.Context(), problem.Data)
					require.NoError(t, err)
					a, err := plan.sum(t.Context(), first.Data)
					require.NoError(t, err)
					b, err := plan.sum(t.Context(), second.Data)
					require.NoError(t, err)
					for k := range a.at {
						a.at[k] -= b.at[k]
					}
					return func(source random.Source) (float64, error) {
						m, err := plan.release(sums, source)
						if err != nil {
							return 0, err
						}
						return along(plan, m, a), nil
					}
				}
				audit.Holds(t, "honest", trial(first, plan), trial(second, plan))

				for name, spoil := range map[string]func(p *Plan){
					"all noise halved": func(p *Plan) {
						p.MatrixSigma /= 2
						p.VectorSigma /= 2
						p.SquareSigma /= 2
					},
					"the vector's halved":  func(p *Plan) { p.VectorSigma /= 2 },
					"the matrix's, by 4":   func(p *Plan) { p.MatrixSigma /= 4 },
					"the square's, by 16":  func(p *Plan) { p.SquareSigma /= 16 },
					"scaled for half rows": func(p *Plan) { p.MatrixSigma /= 4; p.VectorSigma /= 2 },
				} {
					if adjacency == privacy.ReplaceOne && name != "all noise halved" &&
						name != "the vector's halved" {
						continue // the label alone is turned round: only the vector moves
					}
					spoilt := plan
					spoil(&spoilt)
					audit.Catches(t, name, trial(first, spoilt), trial(second, spoilt))
				}
				if adjacency == privacy.ReplaceOne {
					g.Adjacency = privacy.AddRemove
					other, err := NewPlan(g, 3, first.Data.Schema.RowNorm())
					require.NoError(t, err)
					audit.Catches(t, "noise of add/remove", trial(first, other), trial(second, other))
				}
			})
		}
	}
}

// What two neighbours' sums differ by is within the ratio, in units of the noise, for random
// pairs; and the worst pair reaches it, but for the lattice and the row's length.
func TestNeighboursDifferByNoMoreThanTheRatio(t *testing.T) {
	source := randomSource(3)
	distance := func(p Plan, first, second *sums) float64 {
		difference := newSums(p.Dimension)
		for k := range difference.at {
			difference.at[k] = first.at[k] - second.at[k]
		}
		m := &learn.Moments{Vector: make([]float64, p.Dimension)}
		m.Matrix, m.Square = packed(difference, p.Grid), 0
		at := p.Dimension * (p.Dimension + 1) / 2
		for i := range m.Vector {
			m.Vector[i] = float64(difference.at[at+i]) * p.Grid
		}
		m.Square = float64(difference.at[at+p.Dimension]) * p.Grid
		return math.Sqrt(along(p, m, difference))
	}
	for _, adjacency := range learn.AllAdjacencies {
		for _, coarse := range []float64{1, 0x1p6} {
			p, err := NewPlan(privacy.Guarantee{
				Adjacency: adjacency, Epsilon: 1, Delta: 1e-5,
			}, 3, learntest.Schema(2, 0.5).RowNorm())
			require.NoError(t, err)
			p.Grid *= coarse
			event, err := p.Event()
			require.NoError(t, err)
			for range 2000 {
				draw := func() *sums {
					s := newSums(3)
					if adjacency == privacy.AddRemove && source() < 0.5 {
						return s
					}
					x := []float64{source() - 0.5, source() - 0.5, source() - 0.5}
					length := learntest.Length(x) / (p.RowNorm * (1 - 0x1p-40))
					for j := range x {
						x[j] /= length
					}
					s.add(rowOf(x), math.Copysign(math.Pow(source(), 0.2), source()-0.5), p.Grid)
					return s
				}
				first, second := draw(), draw()
				if adjacency == privacy.AddRemove {
					second = newSums(3)
				}
				require.LessOrEqual(t, distance(p, first, second), event.Sensitivity)
			}
			first, second := worstCase(adjacency)
			a, err := p.sum(t.Context(), first.Data)
			require.NoError(t, err)
			b, err := p.sum(t.Context(), second.Data)
			require.NoError(t, err)
			far := distance(p, a, b)
			require.LessOrEqual(t, far, event.Sensitivity)
			require.Greater(t, far, 0.985*event.Sensitivity, "it is attained")
		}
	}
}
