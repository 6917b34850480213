package learn_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// labelled is the schema of the other tests with another label.
func labelled(t testing.TB, label string) *data.Schema {
	t.Helper()
	text := strings.NewReplacer("PROVENANCE", "public", `"version": 1`, `"version": 2`, `"negative": ["no"], "positive": ["yes"]`, label).
		Replace(schemaText)
	s, err := data.ParseSchema([]byte(text))
	require.NoError(t, err)
	return s
}

const (
	threeClasses = `"type": "classes", "classes": [["well"], ["ill"], ["dead", "deceased"]]`
	aNumber      = `"type": "numeric", "min": -10, "max": 30`
)

// kind is a release that was put together without a fit.
type kind struct {
	name    string
	schema  func(t testing.TB) *data.Schema
	loss    glm.Loss
	clip    float64
	lambda  float64
	grid    float64 // of the coefficients
	event   func(t testing.TB, s *data.Schema) privacy.Event
	version float64
	closed  bool // priced in closed form
}

func minima(t testing.TB, s *data.Schema, loss glm.Loss) privacy.ApproximateMinima {
	t.Helper()
	event, err := calibrate.Minima(calibrate.MinimaRequest{
		Guarantee: guarantee, Loss: loss.Class(), RowNorm: s.RowNorm(),
		Smoothness: loss.MaxCurvature(), Dimension: s.Dimension(),
	})
	require.NoError(t, err)
	return event
}

// enough is the event with its noise multiplied until it has the guarantee.
func enough(t testing.TB, event privacy.Event) privacy.Event {
	t.Helper()
	answer, err := calibrate.Solve(
		calibrate.Request{Event: event, Parameter: "noise", Keep: guarantee},
	)
	require.NoError(t, err)
	return answer.Event
}

func kinds() []kind {
	two := func(t testing.TB) *data.Schema { return schema(t, "public") }
	three := func(t testing.TB) *data.Schema { return labelled(t, threeClasses) }
	number := func(t testing.TB) *data.Schema { return labelled(t, aNumber) }
	huber, _ := glm.NewHuber(0.5)
	amp := func(loss glm.Loss) func(testing.TB, *data.Schema) privacy.Event {
		return func(t testing.TB, s *data.Schema) privacy.Event { return minima(t, s, loss) }
	}
	clip := 0.5625 * math.Sqrt2
	sgd := privacy.SubsampledGaussian{
		Adjacency:       privacy.AddRemove,
		Rate:            0.01,
		NoiseMultiplier: 1,
		Steps:           100,
	}
	const step = toldStep
	return append(toldKinds(), []kind{
		{"approximate minima", two, glm.Logistic{}, clip, 0, step, amp(glm.Logistic{}), 1, true},
		{"Huber", two, huber, clip, 0, step, amp(huber), 2, true},
		{"regression", number, glm.Squared{}, clip, 0, step, amp(glm.Squared{}), 2, true},
		{
			"one against the rest", three, glm.Logistic{}, clip, 0, step,
			func(t testing.TB, s *data.Schema) privacy.Event {
				one := minima(t, s, glm.Logistic{})
				one.Objective.Lambda *= 6
				return enough(
					t,
					privacy.Composition{
						Adjacency: privacy.AddRemove,
						Parts:     []privacy.Part{{Event: one, Count: 3}},
					},
				)
			},
			2, false,
		},
		{
			"stochastic gradients", two, glm.Logistic{}, 1, 0, 0,
			func(t testing.TB, _ *data.Schema) privacy.Event { return enough(t, sgd) },
			2, false,
		},
		{
			"selection", two, glm.Logistic{}, 1, 0, 0,
			func(t testing.TB, _ *data.Schema) privacy.Event {
				score := privacy.Laplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 20}
				base := privacy.Composition{
					Adjacency: privacy.AddRemove,
					Parts:     []privacy.Part{{Event: sgd, Count: 1}, {Event: score, Count: 1}},
				}
				return enough(t, privacy.PoissonSelection{Base: base, Mean: 15})
			},
			2, false,
		},
		{
			"gradient descent", two, glm.Logistic{}, 1, 0, 0,
			func(t testing.TB, _ *data.Schema) privacy.Event {
				return enough(
					t,
					privacy.GradientDescent{
						Adjacency:   privacy.AddRemove,
						Sensitivity: 1,
						Sigmas:      []float64{5, 4, 3},
					},
				)
			},
			2, false,
		},
		{
			"output perturbation", two, glm.Logistic{}, 1, 4, 0,
			func(t testing.TB, _ *data.Schema) privacy.Event {
				return enough(
					t, privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 0.26, Sigma: 1},
				)
			},
			2, false,
		},
		{
			"moments", number, glm.Squared{}, math.Inf(1), 0, 0,
			func(t testing.TB, s *data.Schema) privacy.Event {
				return privacy.Gaussian{
					Adjacency: privacy.AddRemove,
					Sensitivity: moments(t, s).Ratio(
						privacy.AddRemove, s.RowNorm(),
					) * (1 + 0x1p-40),
					Sigma: 1,
				}
			},
			4, true,
		},
	}...)
}

// moments are some of the schema's columns, as of few records, with as much noise as the
// guarantee needs.
func moments(t testing.TB, s *data.Schema) *learn.Moments {
	t.Helper()
	d := s.Dimension()
	m := &learn.Moments{
		Matrix: solve.NewPacked(d), Vector: make([]float64, d), Square: 40.5,
		MatrixSigma: 15, VectorSigma: 12.5, SquareSigma: 50, Grid: 0x1p-20,
		Intercept: s.Intercept,
	}
	for i := range d {
		for j := range i + 1 {
			m.Matrix.Row(i)[j] = float64(i*i-3*j) + 0.25
		}
		m.Matrix.Row(i)[i] += 30
		m.Vector[i] = float64(5*i) - 12.75
	}
	unit, err := calibrate.Gaussian(guarantee.Epsilon, guarantee.Delta, 1)
	require.NoError(t, err)
	scale := unit * m.Ratio(privacy.AddRemove, s.RowNorm()) * (1 + 1e-6)
	m.MatrixSigma *= scale
	m.VectorSigma *= scale
	m.SquareSigma *= scale
	m.Ridge = m.DefaultRidge()
	return m
}

var made sync.Map // calibrations are shared among tests

func (k kind) release(t testing.TB) *learn.Release {
	t.Helper()
	if text, ok := made.Load(k.name); ok {
		r, err := learn.ParseRelease(text.([]byte))
		require.NoError(t, err)
		return r
	}
	s := k.schema(t)
	event := k.event(t, s)
	step := k.grid
	if step == 0 {
		step = 1e-3
	}
	vector := func(at float64) learn.Model {
		theta := make([]float64, s.Dimension())
		for j := range theta {
			theta[j] = step * math.Round((float64(j)-at)/step)
		}
		two := *s
		if s.Label.Type == data.SeveralClasses {
			two.Label = s.Label.AgainstRest(0)
		}
		m := learn.NewModel(
			learn.Problem{Data: &data.Dataset{Schema: &two}, Loss: k.loss}, k.clip, theta,
		)
		m.Lambda = k.lambda
		return m
	}
	if e, ok := event.(privacy.ApproximateMinima); ok {
		k.clip = e.Objective.Lipschitz
	}
	model := vector(1.7)
	model.Told = toldOf(t, k, s)
	if k.name == "moments" {
		model.Moments = moments(t, s)
		spectrum, err := model.Moments.Spectrum()
		require.NoError(t, err)
		model.Coefficients = spectrum.Coefficients(model.Moments.Ridge)
	}
	if s.Label.Type == data.SeveralClasses {
		model = learn.Join(s, []learn.Model{model, vector(0.4), vector(-1.2)})
	}
	r, err := learn.NewRelease(event, guarantee, objective.BoundAuto, model)
	require.NoError(t, err)
	layout := model.AssessmentLayout()
	if k.version > 1 {
		a := &learn.Assessment{Adjacency: privacy.AddRemove, Epsilon: 0.5, Sums: []float64{}}
		a.Event = layout.AssessmentEvent(
			privacy.AddRemove, math.Ceil(float64(layout.Changes(privacy.AddRemove))*0x1p16/0.5),
		)
		for i := range model.DefaultBins() {
			row := make([]float64, layout.Columns)
			for j := range row {
				row[j] = float64(10*i+j) + 0x1p-16
				if s.Label.Type == data.SeveralClasses && i > 2 {
					row[j] = 6 + 0x1p-16 // by noise: it is never so sure
				}
			}
			a.Cells = append(a.Cells, row)
		}
		for range layout.Sums {
			a.Sums = append(a.Sums, 17.25)
		}
		if layout.HasLoss() {
			a.LossBound = 4
		}
		r.Assessment = a
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	made.Store(k.name, text)
	return r
}

func TestEveryKindOfRelease(t *testing.T) {
	for _, k := range kinds() {
		r := k.release(t)
		finding, failed := r.Verify().Failed()
		require.False(t, failed, "%s: %s", k.name, finding.Text)
		text, err := json.Marshal(r)
		require.NoError(t, err, k.name)
		again, err := learn.ParseRelease(text)
		require.NoError(t, err, k.name)
		assert.Equal(t, r, again, k.name)
		tree, err := r.Tree()
		require.NoError(t, err)
		assert.Equal(t, k.version, tree["version"], k.name)
		if r.Assessment != nil {
			figures := r.Assessment.Figures(r.Model)
			assert.Len(t, figures.Table, r.Model.DefaultBins())
		}
	}
}

// Every number, text, truth and list of a release is changed in turn, both
// ways. What survives is listed here: each either claims less than before, or is
// no claim that a file could contradict.
func TestEveryChangeOfAReleaseIsFound(t *testing.T) {
	for _, k := range kinds() {
		if runtime.GOARCH == "wasm" && !k.closed {
			continue // the same code, and slower
		}
		r := k.release(t)
		text, err := json.Marshal(r)
		require.NoError(t, err)
		var tree map[string]any
		require.NoError(t, json.Unmarshal(text, &tree))
		var survived []string
		each(tree, "", func(path string, change func() func()) {
			if !k.closed &&
				(strings.HasPrefix(path, "schema.") || strings.HasPrefix(path, "model.classes[1]")) {
				return // as in those that are priced in no time
			}
			undo := change()
			text, err := json.Marshal(tree)
			require.NoError(t, err)
			undo()
			changed, err := learn.ParseRelease(text)
			if err != nil {
				return
			}
			if _, failed := changed.Verify().Failed(); !failed {
				survived = append(survived, path)
			}
		})
		for _, path := range survived {
			listed, ok := harmless[path]
			assert.True(
				t, ok && (listed == nil || slices.Contains(listed, k.name)),
				"%s: %s is changed and nobody notices", k.name, path,
			)
		}
		for path, listed := range harmless {
			if listed == nil || slices.Contains(listed, k.name) {
				assert.Contains(
					t, survived, path, "%s: %s is noticed, and need not be listed", k.name, path,
				)
			}
		}
	}
}

// The kinds that have an evaluation, and those of them with a log loss, or with any sum.
var (
	evaluated = append([]string{"Huber"}, summed...)
	summed    = append([]string{"regression", "moments", "tested sample"}, logLoss...)
	logLoss   = []string{
		"one against the rest",
		"stochastic gradients",
		"selection",
		"gradient descent",
		"output perturbation",
		"tested curvature",
	}
)

// Paths with the way they were changed: + and − for numbers, ! for left out, ~ for
// the rest; and the kinds of release in which nobody notices, nil for all of them.
var harmless = map[string][]string{
	// Nothing is claimed by them, or another way to treat what is missing: what changes columns is
	// found.
	"library~":                    nil,
	"schema.features[0].log!":     {"approximate minima", "Huber", "regression", "moments"},
	"schema.features[0].missing!": {"approximate minima", "Huber", "regression", "moments"},
	"schema.features[1].missing!": {"approximate minima", "Huber", "regression", "moments"},
	"schema.features[2].missing!": {"approximate minima", "Huber", "regression", "moments"},
	"schema.features[2].unknown!": {"approximate minima", "Huber", "regression", "moments"},
	"schema.label.max+":           {"regression", "moments"},
	"schema.label.max-":           {"regression", "moments"},
	"schema.label.min+":           {"regression", "moments"},
	"schema.label.min-":           {"regression", "moments"},
	"schema.label.missing!":       {"approximate minima", "Huber", "regression", "moments"},
	"schema.label.name~":          {"approximate minima", "Huber", "regression", "moments"},
	"schema.label.negative[0]~":   {"approximate minima", "Huber"},
	"schema.label.positive[0]~":   {"approximate minima", "Huber"},
	"schema.missing_values!":      {"approximate minima", "Huber", "regression", "moments"},
	"schema.missing_values[0]~":   {"approximate minima", "Huber", "regression", "moments"},
	"schema.missing_values[1]~":   {"approximate minima", "Huber", "regression", "moments"},
	"schema.missing_values[2]~":   {"approximate minima", "Huber", "regression", "moments"},
	"schema.missing_values~":      {"approximate minima", "Huber", "regression", "moments"},
	"schema.version+":             {"approximate minima", "Huber", "regression", "moments"},
	// Less is claimed, or left unsaid.
	"evaluation!":                      evaluated,
	"evaluation.epsilon+":              evaluated,
	"evaluation.event.parts[0].count!": {"Huber"},
	"event.release.parts[0].count!":    {"tested sample"},
	"event.release.parts[1].count!":    {"tested sample"},
	"event.test.parts[0].count!":       {"tested sample"},
	"event.test.parts[1].count!":       {"tested sample"},
	"event.base.parts[0].count!":       {"selection"},
	"event.base.parts[1].count!":       {"selection"},
	"guarantee.delta+":                 nil,
	"guarantee.epsilon+":               nil,
	"model.clip!":                      {"Huber"},
	// More noise, or fewer records and steps behind it: only who made the model knows.
	"event.base.parts[0].event.noise_multiplier+": {"selection"},
	"event.base.parts[0].event.rate-":             {"selection"},
	"event.base.parts[0].event.steps-":            {"selection"},
	"event.base.parts[1].event.scale+":            {"selection"},
	"event.mean-":                                 {"selection"},
	"event.noise_multiplier+":                     {"stochastic gradients"},
	"event.rate-":                                 {"stochastic gradients"},
	"event.sigma+": {
		"approximate minima",
		"Huber",
		"regression",
		"output perturbation",
	},
	"event.sigma_out+": {"approximate minima", "Huber", "regression"},
	"event.sigmas[0]+": {"gradient descent"},
	"event.sigmas[1]+": {"gradient descent"},
	"event.sigmas[2]+": {"gradient descent"},
	"event.sigmas~":    {"gradient descent"},
	"event.steps-":     {"stochastic gradients"},
	"event.tau-":       {"approximate minima", "Huber", "regression"},
	// The same of K fits, where a change of τ or σ_out is within what pricing rounds up.
	"event.parts[0].event.lambda+":    {"one against the rest"},
	"event.parts[0].event.sigma+":     {"one against the rest"},
	"event.parts[0].event.sigma_out+": {"one against the rest"},
	"event.parts[0].event.sigma_out-": {"one against the rest"},
	"event.parts[0].event.tau+":       {"one against the rest"},
	"event.parts[0].event.tau-":       {"one against the rest"},
	// A stronger regulariser than there was, or a lower threshold: they cost less.
	"event.lambda+":    {"approximate minima", "Huber", "regression"},
	"event.lipschitz-": {"approximate minima"},
	"model.lambda+":    {"output perturbation"},
	// The noisy counts, and how noisy they are: only who made them knows.
	"evaluation.cells~":                      {"regression", "one against the rest", "moments", "tested sample"},
	"evaluation.event.parts[0].event.scale+": evaluated,
	"evaluation.loss_bound+":                 logLoss,
	"evaluation.loss_bound-":                 logLoss,
	"evaluation.sums[0]+":                    summed,
	"evaluation.sums[1]+":                    {"regression", "moments", "tested sample"},
	// More noise than there was, and a number that no coefficient needs: only who made them knows.
	"model.moments.matrix_sigma+": {"moments"},
	"model.moments.square+":       {"moments"},
	"model.moments.square_sigma+": {"moments"},
	"model.moments.vector_sigma+": {"moments"},
	// Gradients are no longer than the event assumes either way, whatever the loss and its
	// clipping.
	"model.clip+":        {"Huber", "stochastic gradients", "selection"},
	"model.clip-":        {"Huber", "regression", "one against the rest"},
	"model.huber_width+": {"Huber"},
	"model.loss~": {
		"stochastic gradients",
		"selection",
		"gradient descent",
		"output perturbation",
	},
}

// each calls visit for every change of every leaf of a tree.
func each(tree any, path string, visit func(path string, change func() (undo func()))) {
	replace := func(at string, old any, set func(any)) {
		switch v := old.(type) {
		case float64:
			up, down := v*1.25, v*0.8
			if v == 0 || v == math.Trunc(v) {
				up, down = v+1, v-1
			}
			visit(at+"+", func() func() { set(up); return func() { set(v) } })
			visit(at+"-", func() func() { set(down); return func() { set(v) } })
		case string:
			visit(at+"~", func() func() { set(v + "x"); return func() { set(v) } })
			if v == "public" {
				visit(at+"~", func() func() { set("suggested"); return func() { set(v) } })
			}
			if v == "add-remove" {
				visit(at+"~", func() func() { set("replace-one"); return func() { set(v) } })
			}
			for _, family := range [][]string{{"logistic", "signed", "glm", "squared", "huber"}, {"closed", "pld", "rdp"}} {
				if slices.Contains(family, v) {
					for _, other := range family {
						if other != v {
							visit(at+"~", func() func() { set(other); return func() { set(v) } })
						}
					}
				}
			}
		case bool:
			visit(at+"~", func() func() { set(!v); return func() { set(v) } })
		case []any:
			if len(v) > 0 {
				visit(at+"~", func() func() { set(v[:len(v)-1]); return func() { set(v) } })
			}
		}
	}
	switch v := tree.(type) {
	case map[string]any:
		for name, member := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			replace(at, member, func(x any) { v[name] = x })
			visit(at+"!", func() func() { delete(v, name); return func() { v[name] = member } })
			each(member, at, visit)
		}
	case []any:
		for i, member := range v {
			at := fmt.Sprintf("%s[%d]", path, i)
			replace(at, member, func(x any) { v[i] = x })
			each(member, at, visit)
		}
	}
}
