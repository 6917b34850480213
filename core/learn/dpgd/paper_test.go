package dpgd

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// paperSet is a data set as Fay et al. prepare it: features of mean 0 and
// variance 1, no intercept. Rows are divided by the longest one's norm Z, which
// Z θ makes up for: noise, step sizes and schedules are the same.
type paperSet struct {
	problem learn.Problem
	z       float64
}

func standardised(x [][]float64, y []float64) paperSet {
	n, d := len(x), len(x[0])
	for j := range d {
		mean, square := 0.0, 0.0
		for i := range n {
			mean += x[i][j] / float64(n)
		}
		for i := range n {
			x[i][j] -= mean
			square += x[i][j] * x[i][j] / float64(n)
		}
		for i := range n {
			x[i][j] /= math.Sqrt(square)
		}
	}
	z := 0.0
	for i := range n {
		z = math.Max(z, learntest.Length(x[i]))
	}
	z *= 1 + 1e-12
	for i := range n {
		for j := range d {
			x[i][j] /= z
		}
	}
	return paperSet{learntest.Problem(learntest.Schema(d, 0), x, y), z}
}

// syntheticSet is the two-dimensional set: N(0, Σ), Σ = (2 1; 1 2), ten
// thousand records; labels are +1 with probability 0.1 where the features add
// up to 0 or less, and 0.9 elsewhere.
func syntheticSet(t testing.TB) paperSet {
	source := randomtest.New(2)
	var x [][]float64
	var y []float64
	for range 10_000 {
		g := learntest.Gaussians(t, source, 3)
		row := []float64{g[0] + g[1], g[0] + g[2]}
		label := -1.0
		if learntest.Uniform(source) < 0.1 {
			label = 1
		}
		if row[0]+row[1] > 0 {
			label = -label
		}
		x, y = append(x, row), append(y, label)
	}
	return standardised(x, y)
}

// tableSet reads a published data set: one label against the others.
func tableSet(t testing.TB, name, label, positive string) paperSet {
	t.Helper()
	file, err := os.Open(filepath.Join(learntest.DataFolder(), name))
	if err != nil {
		t.Skipf(
			"%s is absent: put the published data there, or set CLOISTER_DATA",
			filepath.Join(learntest.DataFolder(), name),
		)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var x [][]float64
	var y []float64
	for _, record := range records[1:] {
		var row []float64
		class := -1.0
		for j, field := range record {
			if records[0][j] == label {
				if field == positive {
					class = 1
				}
				continue
			}
			v, err := strconv.ParseFloat(field, 64)
			require.NoError(t, err)
			row = append(row, v)
		}
		x, y = append(x, row), append(y, class)
	}
	return standardised(x, y)
}

// risk is the mean logistic loss plus (λ/2)‖θ‖², λ and θ in the units of the
// paper; theta is the one for rows divided by z.
func (p paperSet) risk(theta []float64, lambda float64) float64 {
	total, squares := 0.0, 0.0
	d := p.problem.Data
	for i := range d.X.Rows() {
		total += glm.Logistic{}.Value(d.X.Row(i).Dot(theta), d.Y[i])
	}
	for _, c := range theta {
		squares += c * c
	}
	return total/float64(d.X.Rows()) + lambda/2*squares/(p.z*p.z)
}

func median(list []float64) float64 {
	sort.Float64s(list)
	return list[len(list)/2]
}

// setting is the problem's as Fay et al. have it, in rows divided by z: L = Z for
// what one record's loss adds (they also count the regulariser's λR, which
// depends on no record), M = λ + Z²/4 and μ = λ, both divided by z².
//
// The paper does not say what it takes for F(θ₀) − F*, for R, for θ₀ and for the
// largest number of iterations. Here θ₀ = 0, where slopes are 1/2, so that
// F(θ₀) − F* ≤ ‖∇F(θ₀)‖²/(2μ) ≤ Z²/(8λ): 31 for the synthetic set, 16 for Iris, 528
// for breast cancer.
func (p paperSet) setting(lambda float64) Setting {
	s := Setting{
		Records: float64(p.problem.Data.X.Rows()), Dimension: p.problem.Dimension(), Sensitivity: 2,
		Smoothness: lambda/(p.z*p.z) + 0.25, Convexity: lambda / (p.z * p.z),
	}
	s.Gap, s.Distance = 1/(8*s.Convexity), paperDistance*p.z
	return s
}

const (
	paperDistance   = 5    // R, in the units of the paper
	paperIterations = 2000 // of a constant schedule
)

// plan is the schedule's in the units of the sum.
func (p paperSet) plan(s Setting, sigmas []float64) Plan {
	plan := Plan{
		Adjacency: privacy.ReplaceOne, Dimension: s.Dimension, RowNorm: 1, Clip: 1,
		Lambda: s.Convexity * s.Records,
		Sigmas: make([]float64, len(sigmas)), Rates: make([]float64, len(sigmas)),
	}
	for t, sigma := range sigmas {
		plan.Sigmas[t], plan.Rates[t] = sigma*s.Records, s.Rate()/s.Records
	}
	return plan
}

// budget is ρ for ε at δ = 1/N, as the paper converts.
func (s Setting) budget(epsilon float64) float64 {
	return RhoOf(privacy.Guarantee{Epsilon: epsilon, Delta: 1 / s.Records})
}

// constants are the paper's constant schedules, cut off where the budget ends.
func (p paperSet) constants(s Setting, rho float64) [][]float64 {
	var list [][]float64
	for _, sigma := range []float64{0.001, 0.01, 0.1, 1} {
		sigmas := s.Steps(func(int) float64 { return sigma / p.z }, rho)
		list = append(list, sigmas[:min(len(sigmas), paperIterations)])
	}
	return list
}

// Why a number of the paper's Table 3 is not reproduced. The test checks what is
// said here, not only that the numbers differ.
type difference string

const (
	// reproduced: within paperTolerance.
	reproduced difference = ""

	// noStep: under our accounting the budget does not pay for one step, so that
	// the risk is F(θ₀), log 2 for θ₀ = 0. The paper's numbers are not log 2: its
	// θ₀ is not 0 and not told, or it takes steps that cost less.
	noStep difference = "the budget pays for no step"

	// otherDraw: the paper's draw of the synthetic set is another, with a lower
	// risk than is possible on this one.
	otherDraw difference = "the least possible risk of this draw is above the paper's number"

	// unsettled: medians of so few runs scatter by more than paperTolerance; the
	// paper's number is within that scatter, and no more is said.
	unsettled difference = "within the scatter of few runs"
)

// paperTolerance is how near a risk has to be to the paper's to be called
// reproduced: that of scripts/reproduce, with a median of few runs in the place
// of 120.
const paperTolerance = 0.006

// Table 3 of Fay et al., the empirical risk, for the sets that can be had. What
// decides it at ε = 20 is reproduced on Iris and breast cancer: both columns come
// down to the regularised optimum at λ = 0.1 (which is how λ was found) for Iris,
// and to 0.03 above it for breast cancer. The rest is known to differ, and why:
// see difference.
//
// Which constant schedule is the best is the long form's to find; the short one
// runs that one alone.
func TestTableThree(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("thousands of steps: the native run says the same")
	}
	type figures struct {
		ours, constant, near float64 // of our own runs
		best                 int     // of the constant schedules, by the long form
		why                  [2]difference
	}
	for _, c := range []struct {
		name    string
		set     func(testing.TB) paperSet
		runs    int
		optimum float64 // of this draw, at λ = 0.1
		paper   map[float64][2]float64
		want    map[float64]figures
	}{
		{
			name: "synthetic", set: syntheticSet, runs: 3, optimum: 0.51808,
			paper: map[float64][2]float64{0.1: {0.5090, 0.5307}, 20: {0.5087, 0.5087}},
			want: map[float64]figures{
				0.1: {0.527, 0.540, 0.012, 3, [2]difference{otherDraw, unsettled}},
				20:  {0.5181, 0.5181, 0.0005, 1, [2]difference{otherDraw, otherDraw}},
			},
		},
		{
			name: "Iris", set: func(t testing.TB) paperSet {
				return tableSet(t, "iris.csv", "species", "setosa")
			}, runs: 31, optimum: 0.27705,
			paper: map[float64][2]float64{0.1: {0.6465, 0.6809}, 20: {0.2778, 0.2782}},
			want: map[float64]figures{
				0.1: {math.Ln2, math.Ln2, 1e-12, 0, [2]difference{noStep, noStep}},
				20:  {0.2787, 0.2790, 0.0025, 2, [2]difference{reproduced, reproduced}},
			},
		},
		{
			name: "breast cancer", set: func(t testing.TB) paperSet {
				return tableSet(t, "breast_cancer.csv", "diagnosis", "malignant")
			}, runs: 7, optimum: 0.20987,
			paper: map[float64][2]float64{0.1: {1.1656, 0.8651}, 20: {0.2399, 0.2437}},
			want: map[float64]figures{
				0.1: {math.Ln2, math.Ln2, 1e-12, 0, [2]difference{noStep, noStep}},
				20:  {0.2442, 0.2437, 0.008, 3, [2]difference{reproduced, reproduced}},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			const lambda = 0.1
			set := c.set(t)
			s := set.setting(lambda)
			best, err := minimiser(t, set, s)
			require.NoError(t, err)
			assert.InDelta(t, c.optimum, set.risk(best, lambda), 5e-5)
			risk := func(sigmas []float64) float64 {
				runs := c.runs
				if len(sigmas)*set.problem.Data.X.Rows() > 1e6 {
					runs = min(runs, 3) // so many steps and records give nearly the same each time
				}
				if len(sigmas)*set.problem.Data.X.Rows() > 5e6 {
					runs = 1
				}
				var risks []float64
				for seed := range runs {
					model, _, err := Fit(
						t.Context(), set.problem, set.plan(s, sigmas), randomtest.New(uint64(seed)),
						nil,
					)
					require.NoError(t, err)
					risks = append(risks, set.risk(model.Coefficients, lambda))
				}
				return median(risks)
			}
			for _, epsilon := range []float64{0.1, 20} {
				rho := s.budget(epsilon)
				schedule := s.Steps(s.StronglyConvex, rho)
				paper, want := c.paper[epsilon], c.want[epsilon]
				constants := set.constants(s, rho)
				ours, constant := risk(schedule), risk(constants[want.best])
				if audittest.Long() {
					for k, sigmas := range constants {
						assert.GreaterOrEqual(t, risk(sigmas), constant, "schedule %d", k)
					}
				}
				t.Logf(
					"ε = %g: %d steps, risk %.4f, best constant %.4f (paper %.4f, %.4f), optimum %.4f",
					epsilon, len(schedule), ours, constant, paper[0], paper[1], c.optimum,
				)
				for i, figure := range []struct {
					risk  float64
					steps int
				}{{ours, len(schedule)}, {constant, len(constants[want.best])}} {
					switch want.why[i] {
					case reproduced:
						assert.InDelta(t, paper[i], figure.risk, paperTolerance)
						continue
					case noStep:
						assert.Zero(t, figure.steps)
						assert.InDelta(t, math.Ln2, figure.risk, 1e-12)
					case otherDraw:
						assert.Less(t, paper[i], c.optimum)
					case unsettled:
						assert.Greater(t, want.near, paperTolerance)
						assert.InDelta(t, paper[i], figure.risk, want.near)
						continue
					}
					assert.Greater(
						t, math.Abs(figure.risk-paper[i]), paperTolerance,
						"reproduced after all: take it off the differences",
					)
				}
				assert.InDelta(t, want.ours, ours, want.near)
				assert.InDelta(t, want.constant, constant, want.near)
				assert.Less(
					t, ours, constant+0.005, "at least as good as the best constant in hindsight",
				)
			}
		})
	}
}

func minimiser(t testing.TB, set paperSet, s Setting) ([]float64, error) {
	rows, err := set.problem.Rows(math.Inf(1), 1)
	require.NoError(t, err)
	result, err := solve.Newton(
		t.Context(), solve.NewObjective(s.Convexity*s.Records, nil, rows),
		solve.Options{Tolerance: 1e-7},
	)
	if err != nil {
		return nil, err
	}
	return result.Theta, nil
}
