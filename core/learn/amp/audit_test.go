package amp

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"sort"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// The audit runs the real mechanism many times on two data sets that differ in
// one record, chosen so that the bound is nearly tight, and compares what is
// observed with the whole claimed profile δ(ε′), 0 ≤ ε′ ≤ ε, in both directions.
//
// An event S has H_{e^ε′}(P‖Q) ≥ P(S) − e^ε′ Q(S), so that is what is estimated,
// for events fixed beforehand: a statistic above, or below, one of five
// thresholds. With n runs on each side the estimate is a sum of 2n independent
// variables, n with range 1/n and n with range c/n, c = e^ε′; by Hoeffding's
// inequality it exceeds its mean by √((1 + c²) log(1/α)/(2n)) with probability at
// most α. Taking that off gives a lower confidence bound for the divergence. α is
// 1e-6 divided by the number of estimates of an audit (Bonferroni), so an honest
// mechanism fails an audit with probability below 1e-6.
//
// At ε′ near 0 half the noise shows as twice the difference in P(S); at ε′ = ε
// δ is too small for 20,000 runs to see anything. Where the mechanism is broken,
// the excess that is found is some four standard deviations above 0.

const (
	auditThresholds = 5
	auditSteps      = 6 // ε′ = 0, ε/5, …, ε
	auditEstimates  = 2 * 2 * auditThresholds * auditSteps
)

// auditRuns is how many fits each side has: CLOISTER_AUDIT=long runs ten times
// as many, and draws them from secure randomness.
func auditRuns() (n int, long bool) {
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		return 200_000, true
	}
	return 20_000, false
}

// neighbours are two data sets, the second with one record more, and a linear
// statistic of the output.
type neighbours struct {
	without, with learn.Problem
	direction     []float64
}

// mechanism is a way to fit: the real one, or one that is broken.
type mechanism func(problem learn.Problem, event privacy.ApproximateMinima, source random.Source) ([]float64, error)

func honest(problem learn.Problem, event privacy.ApproximateMinima, source random.Source) ([]float64, error) {
	model, _, err := Fit(context.Background(), problem, event, source, nil)
	return model.Coefficients, err
}

// unchecked runs the mechanism of another event than the claimed one.
func unchecked(change func(*privacy.ApproximateMinima)) mechanism {
	return func(problem learn.Problem, event privacy.ApproximateMinima, source random.Source) ([]float64, error) {
		change(&event)
		theta, _, err := run(context.Background(), problem, event, source, nil)
		return theta, err
	}
}

var (
	noiseHalved   = unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 2 })
	neverClipped  = unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Lipschitz = e.Objective.RowNorm })
	rowsAsTheyAre = unchecked(func(*privacy.ApproximateMinima) {})
)

// excess returns by how much the observed divergence is known to exceed the
// claimed profile: the largest over ε′, directions and events; above 0 the
// claim is false.
func (pair neighbours) excess(t *testing.T, event privacy.ApproximateMinima, epsilon float64, fit mechanism) float64 {
	n, _ := auditRuns()
	claim, err := account.Of(event, account.BoundAuto)
	require.NoError(t, err)
	thresholds := pair.thresholds(t, event)
	without := pair.above(t, pair.without, event, fit, thresholds, 1)
	with := pair.above(t, pair.with, event, fit, thresholds, 2)
	logAlpha := math.Log(auditEstimates / 1e-6)
	worst := math.Inf(-1)
	for step := range auditSteps {
		at := epsilon * float64(step) / (auditSteps - 1)
		delta, err := account.DeltaUpper(claim, at)
		require.NoError(t, err)
		c := math.Exp(at)
		slack := math.Sqrt((1 + c*c) * logAlpha / (2 * float64(n)))
		for k := range thresholds {
			p, q := without[k], with[k]
			for _, difference := range []float64{p - c*q, q - c*p, (1 - p) - c*(1-q), (1 - q) - c*(1-p)} {
				worst = math.Max(worst, difference-slack-delta)
			}
		}
	}
	return worst
}

// thresholds are the statistics of the solutions without the record for five
// noise vectors along the direction, −σ to σ: fixed before any run.
func (pair neighbours) thresholds(t *testing.T, event privacy.ApproximateMinima) []float64 {
	o := event.Objective
	rows, err := pair.without.Rows(o.Lipschitz, o.RowNorm)
	require.NoError(t, err)
	var list []float64
	for k := range auditThresholds {
		b := make([]float64, o.Dimension)
		for j, x := range pair.direction {
			b[j] = o.Sigma * (float64(k)/2 - 1) * x / length(pair.direction)
		}
		result, err := solve.Newton(t.Context(), solve.NewObjective(o.Lambda, b, rows), solve.Options{Tolerance: 1e-6 * o.Sigma})
		require.NoError(t, err)
		list = append(list, inner(pair.direction, result.Theta))
	}
	sort.Float64s(list)
	return list
}

// above returns the part of all runs whose statistic is above each threshold.
func (pair neighbours) above(t *testing.T, problem learn.Problem, event privacy.ApproximateMinima, fit mechanism, thresholds []float64, seed uint64) []float64 {
	n, long := auditRuns()
	const workers = 2
	var counts [workers][auditThresholds]int
	var errs [workers]error
	var group sync.WaitGroup
	for w := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			var source random.Source = randomtest.New(seed<<8 + uint64(w))
			if long {
				source = random.Secure()
			}
			for range n / workers {
				theta, err := fit(problem, event, source)
				if err != nil {
					errs[w] = err
					return
				}
				statistic := inner(pair.direction, theta)
				for k, threshold := range thresholds {
					if statistic > threshold {
						counts[w][k]++
					}
				}
			}
		}()
	}
	group.Wait()
	parts := make([]float64, auditThresholds)
	for w := range workers {
		require.NoError(t, errs[w])
		for k := range parts {
			parts[k] += float64(counts[w][k]) / float64(n)
		}
	}
	return parts
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += x[j] * y[j]
	}
	return sum
}

// pairOf is n copies of one record with label −1, and the same with one record
// more of label +1.
func pairOf(schema *data.Schema, n int, row, extra []float64) neighbours {
	var x [][]float64
	var y []float64
	for range n {
		x, y = append(x, row), append(y, -1)
	}
	return neighbours{
		without:   problemOf(schema, x, y),
		with:      problemOf(schema, append(x[:n:n], extra), append(y[:n:n], 1)),
		direction: extra,
	}
}

// longer is the same pair with the extra record twice as long as allowed.
func (pair neighbours) longer() neighbours {
	x := *pair.with.Data.X
	x.Value = append([]float64(nil), x.Value...)
	for k := x.RowStart[len(x.RowStart)-2]; k < len(x.Value); k++ {
		x.Value[k] *= 2
	}
	pair.with.Data = &data.Dataset{Schema: pair.with.Data.Schema, X: &x, Y: pair.with.Data.Y}
	return pair
}

// worstCase returns data and parameters for which the bound is nearly tight.
//
// Not clipped (L = R): the records without make a model so sure of −1 that the
// extra one pulls with nearly its whole length wherever θ is likely to be; λ is
// large enough for the curvature to cost the claim little at small ε′, and
// small enough for a few records to move θ. Clipped at R/4: λ is large, so every
// margin is near 0, every slope near 1/2 and every gradient as long as it may
// be; no other records are needed.
func worstCase(t *testing.T, schema *data.Schema, extra []float64, epsilon float64, clipped bool) (neighbours, privacy.ApproximateMinima) {
	request := Request(schema, guaranteed(epsilon), account.BoundAuto)
	square := request.RowNorm * request.RowNorm
	row, n := make([]float64, len(extra)), 0
	switch {
	case clipped:
		request.Lipschitz, request.Lambda = request.RowNorm/4, 100*square
	case epsilon < 1:
		request.Lipschitz, request.Lambda, n = request.RowNorm, 6*square, 250
	default:
		request.Lipschitz, request.Lambda, n = request.RowNorm, 2*square, 30
	}
	for j, x := range extra {
		row[j] = 0.4 * x
	}
	event, err := account.CalibrateMinima(request)
	require.NoError(t, err)
	return pairOf(schema, n, row, extra), event
}

// The short form has every R and ε, but leaves out cases that differ from
// others by scale or number of columns alone; under js/wasm, where the code is
// the same and slower, it keeps two. CLOISTER_AUDIT=long runs all of them.
func TestAudit(t *testing.T) {
	_, long := auditRuns()
	for _, space := range []struct {
		name   string
		schema *data.Schema
		extra  []float64
	}{
		{"R=1", schemaOf(1, 0), []float64{1}},
		{"R=100", schemaOf(0, 100), []float64{100}}, // the intercept alone; R = √10001
		{"d=3", schemaOf(2, 0.5), []float64{0.59, 0.8, 0.5}},
	} {
		for _, epsilon := range []float64{0.5, 2} {
			for _, clipped := range []bool{false, true} {
				slow := epsilon < 1 && !clipped
				repeats := slow && space.name != "R=1" || clipped && space.name == "d=3"
				if runtime.GOARCH == "wasm" {
					repeats = !clipped || space.name != "R=1"
				}
				if repeats && !long {
					continue
				}
				t.Run(fmt.Sprintf("%s epsilon=%g clipped=%v", space.name, epsilon, clipped), func(t *testing.T) {
					pair, event := worstCase(t, space.schema, space.extra, epsilon, clipped)
					check := func(name string, pair neighbours, fit mechanism, caught bool) {
						excess := pair.excess(t, event, epsilon, fit)
						t.Logf("%-13s observed over claimed: %+.4f", name, excess)
						assert.Equal(t, caught, excess > 0, name)
					}
					check("honest", pair, honest, false)
					check("noise halved", pair, noiseHalved, true)
					switch {
					case clipped:
						check("never clipped", pair, neverClipped, true)
					case !slow || long:
						check("row too long", pair.longer(), rowsAsTheyAre, true)
					}
				})
			}
		}
	}
}

// The defaults as they are, curvature and all, where the bound is not known to
// be tight: no data set of these shows more than is claimed.
func TestAuditOfTheDefaults(t *testing.T) {
	schema := schemaOf(1, 0)
	for _, n := range []int{0, 10} {
		event := calibrated(t, schema, 2)
		excess := pairOf(schema, n, []float64{1}, []float64{1}).excess(t, event, 2, honest)
		t.Logf("%d records: observed over claimed: %+.4f", n, excess)
		assert.LessOrEqual(t, excess, 0.0)
	}
}
