package amp

import (
	"context"
	"fmt"
	"runtime"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// The audit (package audittest) runs the real mechanism on neighbours chosen so
// that the bound is nearly tight. At ε′ near 0 half the noise shows as twice the
// difference in P(S); at ε′ = ε δ is too small for so many runs to see anything.

const auditThresholds = 5

// neighbours are two data sets, the second with one record more, and a linear
// statistic of the output.
type neighbours struct {
	without, with learn.Problem
	direction     []float64
}

// mechanism is a way to fit: the real one, or one that is broken.
type mechanism func(
	problem learn.Problem, event privacy.ApproximateMinima, source random.Source,
) ([]float64, error)

func honest(
	problem learn.Problem, event privacy.ApproximateMinima, source random.Source,
) ([]float64, error) {
	model, _, err := Fit(context.Background(), problem, event, source, nil)
	return model.Coefficients, err
}

// unchecked runs the mechanism of another event than the claimed one.
func unchecked(change func(*privacy.ApproximateMinima)) mechanism {
	return func(
		problem learn.Problem, event privacy.ApproximateMinima, source random.Source,
	) ([]float64, error) {
		change(&event)
		theta, _, err := run(context.Background(), problem, event, source, nil)
		return theta, err
	}
}

var (
	noiseHalved  = unchecked(func(e *privacy.ApproximateMinima) { e.Objective.Sigma /= 2 })
	neverClipped = unchecked(
		func(e *privacy.ApproximateMinima) { e.Objective.Lipschitz = e.Objective.RowNorm },
	)
	rowsAsTheyAre = unchecked(func(*privacy.ApproximateMinima) {})
)

// audit holds runs on this pair against the profile of the event.
func (pair neighbours) audit(
	t *testing.T, event privacy.ApproximateMinima, epsilon float64,
) audittest.Audit {
	claim, err := objective.Of(event, objective.BoundAuto)
	require.NoError(t, err)
	runs, long := 4_000, 20_000
	if epsilon < 1 {
		runs, long = 20_000, 30_000 // there is less to see
	}
	if audittest.Long() {
		runs = long
	}
	return audittest.Audit{
		Claim:      func(at float64) (float64, error) { return curve.DeltaUpper(claim, at) },
		Epsilons:   audittest.Grid(epsilon, 20),
		Thresholds: pair.thresholds(t, event),
		Runs:       audittest.Runs(runs),
	}
}

// usual are the audits that every event has: it holds, and half its noise is caught.
func (pair neighbours) usual(
	t *testing.T, event privacy.ApproximateMinima, epsilon float64,
) audittest.Audit {
	t.Helper()
	audit := pair.audit(t, event, epsilon)
	without, with := pair.trials(event, honest)
	audit.Holds(t, "honest", without, with)
	without, with = pair.trials(event, noiseHalved)
	audit.Catches(t, "noise halved", without, with)
	return audit
}

// broken is what a broken promise looks like: gradients that are clipped have to be, and rows may
// not be too long.
func (pair neighbours) broken(
	t *testing.T, audit audittest.Audit, event privacy.ApproximateMinima, clipped bool,
) {
	t.Helper()
	if clipped {
		without, with := pair.trials(event, neverClipped)
		audit.Catches(t, "never clipped", without, with)
		return
	}
	without, with := pair.longer().trials(event, rowsAsTheyAre)
	audit.Catches(t, "row too long", without, with)
}

// trials are runs of a mechanism on either data set.
func (pair neighbours) trials(
	event privacy.ApproximateMinima, fit mechanism,
) (without, with audittest.Trial) {
	on := func(problem learn.Problem) audittest.Trial {
		return func(source random.Source) (float64, error) {
			theta, err := fit(problem, event, source)
			if err != nil {
				return 0, err
			}
			return learntest.Dot(pair.direction, theta), nil
		}
	}
	return on(pair.without), on(pair.with)
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
		result, err := solve.Newton(
			t.Context(), solve.NewObjective(o.Lambda, b, rows),
			solve.Options{Tolerance: 1e-6 * o.Sigma},
		)
		require.NoError(t, err)
		list = append(list, learntest.Dot(pair.direction, result.Theta))
	}
	sort.Float64s(list)
	return list
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
		without:   learntest.Problem(schema, x, y),
		with:      learntest.Problem(schema, append(x[:n:n], extra), append(y[:n:n], 1)),
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
func worstCase(
	t *testing.T, schema *data.Schema, extra []float64, epsilon float64, clipped bool,
) (neighbours, privacy.ApproximateMinima) {
	request := Request(schema, guaranteed(epsilon), objective.BoundAuto)
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
	event, err := calibrate.Minima(request)
	require.NoError(t, err)
	return pairOf(schema, n, row, extra), event
}

// The short form has every R and ε, but leaves out cases that differ from
// others by scale or number of columns alone, and the one of 250 records, which
// takes as long as all of them; under js/wasm, where the code is
// the same and slower, it keeps two. CLOISTER_AUDIT=long runs all of them.
func TestAudit(t *testing.T) {
	long := audittest.Long()
	for _, space := range []struct {
		name   string
		schema *data.Schema
		extra  []float64
	}{
		{"R=1", learntest.Schema(1, 0), []float64{1}},
		{"R=100", learntest.Schema(0, 100), []float64{100}}, // the intercept alone; R = √10001
		{"d=3", learntest.Schema(2, 0.5), []float64{0.59, 0.8, 0.5}},
	} {
		for _, epsilon := range []float64{0.5, 2} {
			for _, clipped := range []bool{false, true} {
				slow := epsilon < 1 && !clipped
				repeats := slow || clipped && space.name != "R=1"
				if runtime.GOARCH == "wasm" {
					repeats = !clipped || space.name != "R=1"
				}
				if repeats && !long {
					continue
				}
				t.Run(
					fmt.Sprintf("%s epsilon=%g clipped=%v", space.name, epsilon, clipped),
					func(t *testing.T) {
						pair, event := worstCase(t, space.schema, space.extra, epsilon, clipped)
						audit := pair.usual(t, event, epsilon)
						if clipped || !slow || long {
							pair.broken(t, audit, event, clipped)
						}
					},
				)
			}
		}
	}
}

// The defaults as they are, curvature and all, where the bound is not known to
// be tight: no data set of these shows more than is claimed.
func TestAuditOfTheDefaults(t *testing.T) {
	schema := learntest.Schema(1, 0)
	for _, n := range []int{0, 10} {
		event := calibrated(t, schema, 2)
		pair := pairOf(schema, n, []float64{1}, []float64{1})
		without, with := pair.trials(event, honest)
		pair.audit(t, event, 2).Holds(t, fmt.Sprintf("%d records", n), without, with)
	}
}
