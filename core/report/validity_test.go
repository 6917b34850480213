package report

import (
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mathext"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// long is what the audits' long form is asked for by.
func long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

// A trial draws one release and its report, and says by how much the true loss of
// a record exceeds what the report allows.
type trial struct {
	name string
	all  sample
	c    lossCase
	// lambda, sigma of objective perturbation; amp adds its output step.
	lambda, sigma float64
	amp           bool
	tau           float64 // of the output step; 0 for 2^-12
	plan          Plan
	scope         Scope
	// sabotage changes the reader before it is asked.
	sabotage func(*Reader)
}

func (c lossCase) class() privacy.LossClass { return c.loss.Class() }

func (x trial) event(d int) privacy.Event {
	lipschitz := math.Min(x.c.clip, x.c.loss.MaxSlope())
	if math.IsInf(lipschitz, 1) {
		lipschitz = 1e6 // never reached: no clipping
	}
	o := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: x.c.class(), RowNorm: 1, Lipschitz: lipschitz,
		Smoothness: x.c.loss.MaxCurvature(), Lambda: x.lambda, Sigma: x.sigma, Dimension: d,
	}
	if !x.amp {
		return o
	}
	tau := x.tau
	if tau == 0 {
		tau = 0x1p-12
	}
	return privacy.ApproximateMinima{Objective: o, Tau: tau, SigmaOut: 0x1p-5, Grid: 0x1p-30}
}

// excess is the true loss less the bound for a record in the data and for one
// that is not, and the report's own loss for the first less the bound on it.
func (x trial) excess(t testing.TB, rho float64, source random.Source) (in, out float64) {
	t.Helper()
	d := len(x.all.x[0])
	event := x.event(d)
	b := make([]float64, d)
	require.NoError(t, random.Gaussian(source, b, x.sigma))
	theta := x.all.minimiser(t, x.c.loss, x.c.clip, x.lambda, b)
	published, outputLoss := theta, 0.0
	if e, ok := event.(privacy.ApproximateMinima); ok {
		var err error
		published, err = learn.AddLatticeNoise(theta, e.SigmaOut, e.Grid, source)
		require.NoError(t, err)
		// The worst that the solver may do: θ̃ moves by the whole sensitivity, here
		// along the first record.
		shift, noise := make([]float64, d), make([]float64, d)
		length := (2*e.Tau/x.lambda + e.Grid*math.Sqrt(float64(d))) / math.Sqrt(
			inner(x.all.x[0], x.all.x[0]),
		)
		for j := range shift {
			shift[j], noise[j] = length*x.all.x[0][j], published[j]-theta[j]
		}
		outputLoss = GaussianLoss(shift, noise, e.SigmaOut)
	}
	m, err := NewMechanism(event, x.c.loss, published)
	require.NoError(t, err)
	problem := learntest.Problem(learntest.Schema(d, 0), x.all.x, x.all.y)
	problem.Loss = x.c.loss
	if m.Numeric {
		problem.Data = learntest.Numeric(problem.Data, -1, 1)
	}
	released, err := Release(m, x.plan, problem, b, source)
	require.NoError(t, err)
	reader, err := NewReader(m, released, rho, x.scope)
	require.NoError(t, err)
	if x.sabotage != nil {
		x.sabotage(reader)
	}
	exact, err := NewExact(
		solve.NewObjective(x.lambda, nil, x.all.part(t, x.c.loss, x.c.clip)), theta, x.sigma,
	)
	require.NoError(t, err)

	worst := func(rows [][]float64, labels []float64, member bool) float64 {
		most := math.Inf(-1)
		for i, row := range rows {
			bound, err := reader.Row(rowOf(row), labels[i])
			require.NoError(t, err)
			r := bound.Out
			if member {
				r = bound.In
			}
			truth := exact.Loss(recordOf(t, x.c, row, labels[i], theta), member) + outputLoss
			most = math.Max(most, math.Max(truth-r.High, r.Low-truth))
		}
		return most
	}
	people := 1
	if x.scope.People > 1 || x.scope.Everybody {
		people = min(len(x.all.x), 20)
	}
	strangers := outsiders(t, d, m.Numeric)
	return worst(
			x.all.x[:people],
			x.all.y[:people],
			true,
		), worst(
			strangers.x[:people], strangers.y[:people], false,
		)
}

var strangersOf = map[[2]int]sample{}

func outsiders(t testing.TB, d int, numeric bool) sample {
	key := [2]int{d, map[bool]int{true: 1}[numeric]}
	if _, ok := strangersOf[key]; !ok {
		strangersOf[key] = draw(t, randomtest.New(4711), 20, d, numeric)
	}
	return strangersOf[key]
}

// failures is in how many of the runs the bound did not hold.
func (x trial) failures(t testing.TB, rho float64, runs int) (in, out int) {
	source := randomtest.New(uint64(runs))
	for range runs {
		a, b := x.excess(t, rho, source)
		if a > 0 {
			in++
		}
		if b > 0 {
			out++
		}
	}
	return in, out
}

// tooMany reports whether so many failures in runs trials have probability below
// 1e-6 if each has probability rho: P[X ≥ k] = I_ρ(k, n − k + 1).
func tooMany(k, runs int, rho float64) bool {
	return k > 0 && mathext.RegIncBeta(float64(k), float64(runs-k+1), rho) < 1e-6
}

func trials(t testing.TB) []trial {
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	source := randomtest.New(31)
	binary, numeric := draw(t, source, 60, 5, false), draw(t, source, 60, 5, true)
	logistic := lossCase{"logistic", glm.Logistic{}, math.Inf(1)}
	clipped := lossCase{"clipped logistic", glm.Logistic{}, 0.5}
	hinge := lossCase{"huber", huber, math.Inf(1)}
	squared := lossCase{"clipped squared", glm.Squared{}, 0.7}
	one, all := Scope{People: 1}, Scope{Everybody: true}
	dependent := Plan{Gradient: 1, Hessian: 0.1}
	scored := Plan{Gradient: 1, Hessian: 0.1, Scores: 0.3, Rest: true}
	adaptive := Plan{Gradient: 1, Hessian: 0.1, Least: 0.1}
	return []trial{
		{name: "independent, logistic", all: binary, c: logistic, lambda: 1, sigma: 2, scope: one},
		{name: "independent, huber", all: binary, c: hinge, lambda: 2, sigma: 2, scope: one},
		{
			name:   "independent, clipped squared",
			all:    numeric,
			c:      squared,
			lambda: 1,
			sigma:  2,
			scope:  one,
		},
		{
			name:   "independent, 20 people",
			all:    binary,
			c:      logistic,
			lambda: 1,
			sigma:  2,
			scope:  Scope{People: 20},
		},
		{name: "independent, everybody", all: binary, c: logistic, lambda: 1, sigma: 2, scope: all},
		{
			name:   "independent, output step",
			all:    binary,
			c:      clipped,
			lambda: 1,
			sigma:  2,
			amp:    true,
			scope:  one,
		},
		{
			name:   "independent, output step, everybody",
			all:    binary,
			c:      hinge,
			lambda: 1,
			sigma:  2,
			amp:    true,
			scope:  all,
		},
		{
			name:   "independent, dear output step",
			all:    binary,
			c:      clipped,
			lambda: 1,
			sigma:  2,
			amp:    true,
			tau:    0x1p-5,
			scope:  one,
		},
		{
			name:   "dependent, logistic",
			all:    binary,
			c:      logistic,
			lambda: 1,
			sigma:  2,
			plan:   dependent,
			scope:  one,
		},
		{
			name:   "dependent, huber",
			all:    binary,
			c:      hinge,
			lambda: 1,
			sigma:  2,
			plan:   dependent,
			scope:  one,
		},
		{
			name:   "dependent, squared",
			all:    numeric,
			c:      squared,
			lambda: 1,
			sigma:  2,
			plan:   dependent,
			scope:  one,
		},
		{
			name:   "dependent, everybody",
			all:    binary,
			c:      logistic,
			lambda: 1,
			sigma:  2,
			plan:   dependent,
			scope:  all,
		},
		{
			name:   "dependent, output step",
			all:    binary,
			c:      clipped,
			lambda: 1,
			sigma:  2,
			amp:    true,
			plan:   dependent,
			scope:  one,
		},
		{
			name:   "dependent with scores, output step",
			all:    binary,
			c:      clipped,
			lambda: 1,
			sigma:  2,
			amp:    true,
			plan:   scored,
			scope:  one,
		},
		{
			name:   "adaptive, logistic",
			all:    binary,
			c:      logistic,
			lambda: 0.3,
			sigma:  2,
			plan:   adaptive,
			scope:  one,
		},
		{
			name:   "adaptive, squared",
			all:    numeric,
			c:      squared,
			lambda: 0.3,
			sigma:  2,
			plan:   adaptive,
			scope:  one,
		},
		{
			name:   "adaptive, output step",
			all:    binary,
			c:      logistic,
			lambda: 0.3,
			sigma:  2,
			amp:    true,
			plan:   adaptive,
			scope:  Scope{People: 20},
		},
	}
}

// So little noise that the lattice ends within b: what was cut off is not taken for
// the gradient.
func TestGradientBeyondTheLattice(t *testing.T) {
	x := trials(t)[0]
	x.plan = Plan{Gradient: 1e-9}
	const runs, rho = 100, 0.1
	in, out := x.failures(t, rho, runs)
	assert.False(t, tooMany(in, runs, rho), "%d", in)
	assert.False(t, tooMany(out, runs, rho), "%d", out)
}

// With probability 1 − ρ or more the true losses are within the bounds.
func TestBoundsHold(t *testing.T) {
	runs := 200
	if long() {
		runs = 2000
	} else if runtime.GOARCH == "wasm" {
		runs = 60
	}
	for _, x := range trials(t) {
		for _, rho := range []float64{0.1, 0.01} {
			in, out := x.failures(t, rho, runs)
			t.Logf("%-38s ρ = %-4g failures of %d: %d in, %d out", x.name, rho, runs, in, out)
			assert.False(t, tooMany(in, runs, rho), "%s: %d of %d bounds failed", x.name, in, runs)
			assert.False(
				t, tooMany(out, runs, rho), "%s: %d of %d bounds failed", x.name, out, runs,
			)
		}
	}
}
