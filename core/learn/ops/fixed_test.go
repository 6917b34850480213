package ops

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/account/posterior"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

func fixedOf(
	t testing.TB, adjacency privacy.Adjacency, output bool, epsilon float64, dimension, records int,
) Fixed {
	t.Helper()
	f, err := NewFixed(privacy.Guarantee{
		Adjacency: adjacency, Epsilon: epsilon, Delta: 1e-5,
	}, output, dimension, 1, records, 0)
	require.NoError(t, err)
	return f
}

// The plans cost what was asked for, and hardly less.
func TestFixedPlansAreCalibrated(t *testing.T) {
	for _, adjacency := range learn.AllAdjacencies {
		for _, output := range []bool{false, true} {
			for _, epsilon := range []float64{0.1, 1, 8} {
				f := fixedOf(t, adjacency, output, epsilon, 5, 1000)
				event, err := f.Event()
				require.NoError(t, err)
				price, err := account.Of(event, account.Auto, pld.Options{})
				require.NoError(t, err)
				assert.Equal(t, account.Closed, price.Method)
				got, err := price.EpsilonUpper(1e-5)
				require.NoError(t, err)
				assert.LessOrEqual(t, got, epsilon)
				assert.InEpsilon(t, epsilon, got, 1e-6)
			}
		}
	}
}

// The bounds that hold for all tables hold for random ones and for the worst: of n records
// (R, 1), and one more or another in the place of one. What a record moves θ_λ by, its
// leverage and its residual are computed anew from both tables.
func TestFixedBoundsHoldForAllTables(t *testing.T) {
	uniform := randomUnit(5)
	for _, adjacency := range learn.AllAdjacencies {
		sample := fixedOf(t, adjacency, false, 1, 1, 50)
		moved := fixedOf(t, adjacency, true, 1, 1, 50)
		gamma := sample.Gamma()
		require.Greater(t, gamma, 0.0)
		farthest, worst := 0.0, 0.0
		for run := range 400 {
			n := 1 + int(50*uniform())
			var a, b oneColumn
			for i := range n {
				x, y := 2*uniform()-1, 2*uniform()-1
				if run%2 == 0 {
					x, y = 1, 1
				}
				to := oneColumn{x * x, x * y}
				other := oneColumn{}
				if adjacency == privacy.ReplaceOne {
					other = oneColumn{1, -1}
				}
				a.s, a.b = a.s+to.s, a.b+to.b
				if i == 0 {
					to = other
				}
				b.s, b.b = b.s+to.s, b.b+to.b
			}
			theta := func(d oneColumn, f Fixed) float64 { return d.b / (d.s + f.Lambda) }
			step := math.Abs(theta(a, moved) - theta(b, moved))
			farthest = math.Max(farthest, step)
			out := moved.Precision(0)
			require.LessOrEqual(t, step+2*out.Tau/moved.Lambda+out.Grid,
				out.Sigma*moved.OutputRatio)
			for _, d := range [][2]oneColumn{{a, b}, {b, a}} {
				from, to := d[0], d[1]
				kappa := (to.s - from.s) / (from.s + sample.Lambda)
				shift := math.Abs(theta(to, sample)-theta(from, sample)) *
					math.Sqrt(gamma*(from.s+sample.Lambda)) * (1 + kappa)
				delta := math.Exp(posterior.Pair{Leverage: kappa, Shift: shift}.
					LogDeltaUpper(sample.Epsilon))
				worst = math.Max(worst, delta)
				require.LessOrEqual(t, delta, sample.Delta)
			}
		}
		t.Logf("%s: moved by %.2g of the bound; δ %.2g of %.2g", adjacency,
			farthest/(moved.Precision(0).Sigma*moved.OutputRatio), worst, sample.Delta)
	}
}

// The real programs on neighbours, against their prices; and with a quarter of the noise.
func TestAuditFixed(t *testing.T) {
	const n = 3
	for _, output := range []bool{true, false} {
		g := privacy.Guarantee{Adjacency: privacy.ReplaceOne, Epsilon: 2, Delta: 0.05}
		f, err := NewFixed(g, output, 1, 1, n, 0.1)
		require.NoError(t, err)
		event, err := f.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		first, second := column(n-1, 1, 1), column(n-1, 1, -1)
		gamma, deviation := 0.0, f.Precision(0).Sigma
		if !output {
			gamma = f.Gamma()
			deviation = 1 / math.Sqrt(gamma*(f.Lambda+n))
		}
		audit := audittest.Audit{
			Claim: func(epsilon float64) (float64, error) {
				return curve.DeltaUpper(price, epsilon)
			},
			Epsilons: audittest.Grid(2, 16), Runs: audittest.Runs(10_000),
		}
		for k := -6; k <= 10; k++ {
			audit.Thresholds = append(audit.Thresholds, float64(k)*0.3*deviation)
		}
		trial := func(p learn.Problem, f Fixed, sharper float64) audittest.Trial {
			gamma, f := gamma*sharper*sharper, f
			if output {
				f.OutputRatio *= sharper
			}
			return func(source random.Source) (float64, error) {
				if output {
					theta, _, _, err := f.release(t.Context(), p, f.gamma(), 1, source)
					if err != nil {
						return 0, err
					}
					return theta[0], nil
				}
				theta, _, err := draw(
					t.Context(), p, 1, f.Lambda, gamma, f.Precision(gamma), source)
				if err != nil {
					return 0, err
				}
				return theta[0], nil
			}
		}
		audit.Holds(t, "honest", trial(first, f, 1), trial(second, f, 1))
		audit.Catches(t, "a sixth of the noise", trial(first, f, 6), trial(second, f, 6))
	}
}

func TestFixedFits(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively: many fits")
	}
	p := problemOf(learntest.Clinic())
	for _, output := range []bool{false, true} {
		f, err := NewFixed(privacy.Guarantee{
			Adjacency: privacy.ReplaceOne, Epsilon: 1e3, Delta: 1e-5,
		}, output, 3, p.Data.Schema.RowNorm(), 300, 0)
		require.NoError(t, err)
		model, diagnostics, err := f.Fit(t.Context(), p, randomtest.New(1), nil)
		require.NoError(t, err)
		assert.Equal(t, 300, diagnostics.Rows)
		solved, err := solution(t.Context(), p, f.RowNorm, f.Lambda, 1e-5, p.Data.Y, nil)
		require.NoError(t, err)
		for j, want := range solved.Theta {
			assert.InDelta(t, want, model.Coefficients[j], 0.2)
		}
		f.Records = 299
		_, _, err = f.Fit(t.Context(), p, &randomtest.Script{}, nil)
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "records", wrong.Field)
		f.Records, f.Lambda = 300, 0.1
		_, _, err = f.Fit(t.Context(), p, &randomtest.Script{}, nil)
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "lambda", wrong.Field)
		for name, table := range learntest.Degenerate() {
			table = problemOf(table)
			f, err := NewFixed(privacy.Guarantee{
				Adjacency: privacy.ReplaceOne, Epsilon: 0.5, Delta: 1e-5,
			}, output, table.Dimension(), table.Data.Schema.RowNorm(),
				max(1, table.Data.X.Rows()), 0)
			require.NoError(t, err, name)
			model, _, err := f.Fit(t.Context(), table, randomtest.New(2), nil)
			require.NoError(t, err, name)
			learntest.RequireFinite(t, model.Coefficients, table.Dimension(), name)
		}
	}
}
