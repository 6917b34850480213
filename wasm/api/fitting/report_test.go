package fitting

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/report"
	"cloister/core/solve"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// reporting is a session with a fit to 3,000 records.
func reporting(
	t *testing.T, more map[string]any,
) (session *Session, e *edge, dataset float64, release map[string]any) {
	session = NewSession(randomtest.New(5))
	e = &edge{t, wiretest.Hold(session.Service())}
	dataset = opened(e, sickRows(3000))
	request := budget(dataset)
	for name, value := range more {
		request[name] = value
	}
	return session, e, dataset, e.ask("fit", request)["release"].(map[string]any)
}

func askingFor(release any, kind string, more ...any) map[string]any {
	out := map[string]any{"release": release, "kind": kind}
	if kind != reportFree {
		out["epsilon"], out["delta"] = 0.5, 1e-6
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// Each kind is charged for what it says that it did, belongs to its release, and
// bounds what the release cost the records that it was made from.
func TestReportsOfAFit(t *testing.T) {
	session, e, dataset, release := reporting(t, nil)
	parsed, err := learn.ReleaseFromTree(release)
	require.NoError(t, err)

	free := e.ask("report.free", askingFor(release, reportFree, "people", 0.0))["release"].(map[string]any)
	_, err = report.FromTree(free, parsed)
	require.NoError(t, err)
	looked := e.ask("report.inspect", map[string]any{"release": release, "report": free})
	assert.Equal(t, 0.0, looked["epsilon"])
	assert.Equal(t, 1.0, looked["total"])
	assert.NotContains(t, looked, "intervals")

	for _, c := range []struct {
		kind   string
		errors bool
	}{{reportBought, false}, {reportBought, true}, {reportAdaptive, false}} {
		asked := askingFor(release, c.kind)
		if c.errors {
			asked["errors"] = true
		}
		planned := e.ask("report.plan", asked)["event"]
		asked["dataset"] = dataset
		purchase, err := session.Purchases()["report"](
			&api.Call{Fields: privacy.NewFields("", asked)},
		)
		require.NoError(t, err)
		assert.Equal(t, int(dataset), purchase.Dataset)
		assert.Equal(t, planned, privacy.EncodeEvent(purchase.Event))
		reply, err := purchase.Run()
		require.NoError(t, err)
		assert.Equal(t, []string{"release"}, keys(reply))
		tree := reply["release"].(map[string]any)
		assert.Equal(t, planned, tree["event"])
		assert.Equal(t, c.kind, tree["kind"])

		looked := e.ask("report.inspect", map[string]any{"release": release, "report": tree})
		// at the release's δ, which is ten times larger
		assert.InDelta(t, 0.5, looked["epsilon"], 0.15)
		assert.Greater(t, looked["total"], 1.0)
		assert.Less(t, looked["total"], 1.5) // Gaussians add up to less than their sum
		if !c.errors {
			assert.Equal(t, "scores", looked["noErrors"])
		} else if intervals, ok := looked["intervals"].([]any); ok {
			// The wards and the intercept say the same, which no noisy Hessian tells apart.
			assert.Equal(t, []any{nil, nil, nil}, intervals[1:])
		}

		losses := e.ask(
			"losses", map[string]any{"release": release, "dataset": dataset, "report": tree},
		)
		assert.Len(t, losses["losses"], 3000)
		bounds := losses["bounds"].([]any)
		require.Len(t, bounds, 2)
		for _, b := range bounds {
			assert.Less(t, b.(map[string]any)["above"], 3000/10) // ρ is 0.05 for each record
		}
	}
}

// Of columns that differ, each coefficient has an interval.
func TestStandardErrors(t *testing.T) {
	e := &edge{t, wiretest.Hold(NewSession(randomtest.New(5)).Service())}
	schema := ageSchema()
	schema["features"] = schema["features"].([]any)[:1]
	schema["rows"] = map[string]any{"norm": "clip"}
	reply, failed := e.open(schema, sickRows(20_000))
	require.Nil(t, failed, "%v", failed)
	dataset := float64(reply["dataset"].(int))
	release := e.ask("fit", budget(dataset))["release"]
	for _, c := range []struct {
		errors bool
		want   any
	}{{false, "scores"}, {true, nil}} {
		tree := e.ask("report", askingFor(release, reportBought, "dataset", dataset, "errors", c.errors, "epsilon", 1.0))["release"]
		looked := e.ask("report.inspect", map[string]any{"release": release, "report": tree})
		assert.Equal(t, c.want, looked["noErrors"])
		if c.want == nil {
			require.Len(t, looked["intervals"], 2)
			for _, i := range looked["intervals"].([]any) {
				interval := i.(map[string]any)
				assert.Less(t, interval["low"], interval["estimate"])
				assert.Greater(t, interval["error"], 0.0)
			}
		}
	}
}

// A report that was prepared, and may be charged, is made whatever becomes of the data set.
func TestAReportOfADatasetThatIsClosed(t *testing.T) {
	var made []map[string]any
	for _, closed := range []bool{false, true} {
		session, e, dataset, release := reporting(t, nil)
		asked := askingFor(release, reportBought, "dataset", dataset)
		purchase, err := session.Purchases()["report"](
			&api.Call{Fields: privacy.NewFields("", asked)},
		)
		require.NoError(t, err)
		if closed {
			e.ask("dataset.free", map[string]any{"dataset": dataset})
		}
		session.source = entropy{randomtest.New(8)}
		reply, err := purchase.Run()
		require.NoError(t, err)
		made = append(made, reply)
	}
	assert.Equal(t, made[0], made[1])
}

// The true losses are those of the package, and are counted whole.
func TestTrueLosses(t *testing.T) {
	session, e, dataset, release := reporting(t, nil)
	losses := e.ask("losses", map[string]any{"release": release, "dataset": dataset})
	parsed, err := learn.ReleaseFromTree(release)
	require.NoError(t, err)
	m, err := report.MechanismOf(parsed)
	require.NoError(t, err)
	b, err := session.noise(int(dataset), parsed)
	require.NoError(t, err)
	want, err := report.Losses(
		t.Context(), m,
		learn.Problem{Data: session.datasets[int(dataset)], Loss: parsed.Model.Loss}, b,
	)
	require.NoError(t, err)
	// The noise kept is that of the fit: with it, the minimiser is where the release is.
	// Without, or with as much noise of another draw, it is far off.
	away := func(b []float64) float64 {
		rows, err := learn.Problem{
			Data: session.datasets[int(dataset)],
			Loss: parsed.Model.Loss,
		}.Rows(
			m.Loss.Threshold(), m.RowNorm,
		)
		require.NoError(t, err)
		solved, err := solve.Newton(
			t.Context(), solve.NewObjective(m.Lambda, b, rows), solve.Options{Tolerance: 1e-6},
		)
		require.NoError(t, err)
		square := 0.0
		for j, v := range solved.Theta {
			square += (v - m.Theta[j]) * (v - m.Theta[j])
		}
		return math.Sqrt(square)
	}
	near := m.Output.Shift + 10*m.Output.Sigma
	assert.Less(t, away(b), near)
	turned := slices.Clone(b)
	slices.Reverse(turned)
	assert.Greater(t, away(turned), near)
	assert.Greater(t, away(make([]float64, len(b))), near)

	sum, largest := 0.0, 0.0
	for i, loss := range want {
		require.InDelta(t, math.Abs(loss), losses["losses"].([]float64)[i], 1e-12)
		sum, largest = sum+math.Abs(loss), max(largest, math.Abs(loss))
	}
	summary := losses["summary"].(map[string]any)
	assert.InDelta(t, sum/3000, summary["mean"], 1e-12)
	assert.InDelta(t, largest, summary["largest"], 1e-12)
	assert.LessOrEqual(t, summary["median"], summary["p90"])
	total := 0
	for _, n := range losses["histogram"].(map[string]any)["counts"].([]any) {
		total += n.(int)
	}
	assert.Equal(t, 3000, total)
	assert.Less(t, largest, losses["histogram"].(map[string]any)["high"])

	// The noise goes with the data.
	kept := session.noises[int(dataset)][0].b
	e.ask("dataset.free", map[string]any{"dataset": dataset})
	assert.Empty(t, session.noises)
	for _, v := range kept {
		assert.Zero(t, v)
	}
	// That of a fit whose data were closed while it waited for another worker, too.
	kept[0] = 1
	session.keep(int(dataset), parsed, kept)
	assert.Empty(t, session.noises)
	assert.Zero(t, kept[0])
	again := opened(e, sickRows(3000))
	failed := e.refused("losses", map[string]any{"release": release, "dataset": again})
	assert.Equal(t, api.CodeDatasetLost, failed.Code)
	assert.Contains(t, failed.Message, "noise")
}

func TestReportsThatCannotBe(t *testing.T) {
	_, e, dataset, release := reporting(t, nil)
	_, _, _, other := reporting(t, map[string]any{"epsilon": 2.0})
	_, _, _, replaced := reporting(t, map[string]any{"adjacency": "replace-one"})
	_, _, _, output := reporting(t, map[string]any{"method": "outpert", "records": 3000.0})
	free := func(change map[string]any) map[string]any {
		tree := e.ask("report.free", askingFor(release, reportFree))["release"].(map[string]any)
		for name, value := range change {
			tree[name] = value
		}
		return tree
	}
	for message, ask := range map[string]func() *api.Error{
		"belongs to another release": func() *api.Error {
			return e.refused("report.inspect", map[string]any{"release": other, "report": free(nil)})
		},
		"written by a newer version": func() *api.Error {
			return e.refused(
				"report.inspect",
				map[string]any{"release": release, "report": free(map[string]any{"version": 99.0, "extra": 1.0})},
			)
		},
		"does not hold, so nothing follows": func() *api.Error {
			forged := maps.Clone(release)
			forged["guarantee"] = maps.Clone(release["guarantee"].(map[string]any))
			forged["guarantee"].(map[string]any)["epsilon"] = 0.5
			// It is of this release, which says that it costs half of what it does.
			its := e.ask("report.free", askingFor(forged, reportFree))["release"]
			return e.refused("report.inspect", map[string]any{"release": forged, "report": its})
		},
		"not a privacy report": func() *api.Error {
			return e.refused("report.inspect", map[string]any{"release": release, "report": free(map[string]any{"format": "cloister-release"})})
		},
		"in another's place":        func() *api.Error { return e.refused("report.free", askingFor(replaced, reportFree)) },
		"objective perturbation":    func() *api.Error { return e.refused("report.free", askingFor(output, reportFree)) },
		"costs nothing, and is not": func() *api.Error { return e.refused("report", askingFor(release, reportFree, "dataset", dataset)) },
		"noise of this fit": func() *api.Error {
			return e.refused("report", askingFor(other, reportBought, "dataset", dataset))
		},
		"rho is 0.9": func() *api.Error {
			return e.refused("report.free", askingFor(release, reportFree, "rho", 0.9))
		},
		"epsilon is 0": func() *api.Error {
			return e.refused("report.plan", askingFor(release, reportBought, "epsilon", 0.0))
		},
		"kind is":                func() *api.Error { return e.refused("report.plan", askingFor(release, "partial")) },
		"There is no dataset 99": func() *api.Error { return e.refused("losses", map[string]any{"release": release, "dataset": 99.0}) },
	} {
		assert.Contains(t, ask().Message, message)
	}
}

func TestSeveralClassesHaveNoReport(t *testing.T) {
	e := newEdge(t)
	id := float64(e.opens(severalSchema(), outcomes(600, threeOutcomes))["dataset"].(int))
	release := e.ask("fit", budget(id))["release"]
	assert.Contains(
		t, e.refused("report.free", askingFor(release, reportFree)).Message, "several classes",
	)
}
