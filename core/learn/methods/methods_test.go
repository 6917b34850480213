package methods

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

var labels = []data.LabelType{data.TwoClasses, data.SeveralClasses, data.NumericLabel}

// clinic is a small problem with a label of that kind.
func clinic(t *testing.T, label data.LabelType, loss glm.Loss) learn.Problem {
	problem := learntest.Clinic()
	problem.Loss = loss
	switch label {
	case data.NumericLabel:
		problem.Data = learntest.Numeric(problem.Data, -1, 1)
	case data.SeveralClasses:
		problem.Data = learntest.Several(problem.Data)
	}
	return problem
}

func guarantee(adjacency privacy.Adjacency) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: adjacency, Epsilon: 2, Delta: 1e-5}
}

func askedOf(p learn.Problem, adjacency privacy.Adjacency) learn.Asked {
	return learn.Asked{
		Schema:    p.Data.Schema,
		Loss:      p.Loss,
		Guarantee: guarantee(adjacency),
		Records:   300,
	}
}

// fieldOf is the field that a *privacy.ParameterError names.
func fieldOf(t *testing.T, err error, what string) string {
	t.Helper()
	var wrong *privacy.ParameterError
	require.ErrorAs(t, err, &wrong, what)
	return wrong.Field
}

// Whatever the table says of a method is so: with each label, loss and adjacency
// that it can, it fits, is priced, and gives a release that holds, and has a trial;
// with the others it is refused by the field at fault. (Of a fit for each of several
// classes there is no price under replace-one: the adjacency is at fault.)
func TestEveryMethodDoesWhatTheTableSays(t *testing.T) {
	for _, m := range All() {
		for _, label := range labels {
			for _, loss := range slices.Concat(
				learntest.Losses(t), learntest.Shifted(t),
				[]glm.Loss{learntest.Weighted(t, 4), glm.Softmax{}},
			) {
				for _, adjacency := range learn.AllAdjacencies {
					name := m.Name + ", " + string(label) + ", " + learn.LossName(loss) + ", " +
						adjacency.String()
					problem := clinic(t, label, loss)
					fit, err := Choose(m.Name, askedOf(problem, adjacency))
					switch {
					case !slices.Contains(m.Labels, label):
						assert.Equal(t, "method", fieldOf(t, err, name), name)
					case learn.CheckLoss(loss, &problem.Data.Schema.Label) != nil ||
						!slices.Contains(m.Losses, learn.LossName(loss)),
						label == data.SeveralClasses && m.Name != Default &&
							loss != glm.Loss(glm.Softmax{}):
						assert.Equal(t, "loss", fieldOf(t, err, name), name)
					case !slices.Contains(m.Adjacencies, adjacency):
						assert.Equal(t, "method", fieldOf(t, err, name), name)
					case label == data.SeveralClasses && adjacency == privacy.ReplaceOne &&
						loss != glm.Loss(glm.Softmax{}):
						assert.Equal(t, "adjacency", fieldOf(t, err, name), name)
					default:
						require.NoError(t, err, name)
						holds(t, m, fit, problem, adjacency, name)
					}
				}
			}
		}
	}
}

func holds(
	t *testing.T, m learn.Method, fit learn.Chosen, problem learn.Problem,
	adjacency privacy.Adjacency, name string,
) {
	t.Helper()
	schema := problem.Data.Schema
	vectors := max(1, len(schema.Label.Classes))
	if fit.Check != nil {
		require.NoError(t, fit.Check(problem), name)
	}
	told, steps := 0, 0
	watch := learn.Watch{Progress: func(p learn.Progress) {
		told++
		steps = p.Steps
		assert.Less(t, p.Class, vectors, name)
	}}
	model, diagnostics, err := fit.Fit(t.Context(), problem, randomtest.New(1), watch)
	require.NoError(t, err, name)
	learntest.RequireFinite(t, model.Coefficients, vectors*schema.Dimension(), name)
	fits := vectors
	if problem.Loss == glm.Loss(glm.Softmax{}) {
		fits = 1
	}
	require.Len(t, diagnostics, fits, name)
	assert.Positive(t, told, "%s: it tells its progress, once at least", name)
	assert.Equal(
		t, fit.Tau == 0, steps > 0, "%s: it is solved, or takes steps whose number is known", name,
	)
	for _, d := range diagnostics {
		assert.Equal(t, 300, d.Rows, name)
		if fit.Tau > 0 {
			assert.LessOrEqual(t, d.Certificate.Upper()+d.SamplerError, fit.Tau, name)
		}
	}
	assert.Equal(t, adjacency, fit.Event.Neighbours(), name)
	release, err := learn.NewRelease(fit.Event, guarantee(adjacency), fit.Bound, model)
	require.NoError(t, err, name)
	assert.Equal(t, fit.Price, release.Guarantee.Method, name)
	assert.Equal(t, fit.Bound, release.Guarantee.Bound, name)
	text, err := release.MarshalJSON()
	require.NoError(t, err, name)
	again, err := learn.ParseRelease(text)
	require.NoError(t, err, name)
	_, failed := again.Verify().Failed()
	assert.False(t, failed, name)
	less := guarantee(adjacency)
	less.Epsilon *= 0.9
	_, err = learn.NewRelease(fit.Event, less, fit.Bound, model)
	var claim *learn.ClaimError
	assert.ErrorAs(t, err, &claim, "%s: it is priced, and costs what was asked for", name)

	assert.Equal(t, m.Sums && vectors == 1, fit.Sums, name)
	assert.Equal(t, m.Sums && vectors > 1, fit.ClassSums, name)
	trial, err := fit.Trial()
	if err != nil {
		assert.Equal(
			t, "method", fieldOf(t, err, name),
			"%s: that no trial does what it does is said of the method", name,
		)
		return
	}
	assert.Equal(t, schema.Dimension(), trial.Dimension, name)
	assert.Positive(t, trial.Clip, name)
	if trial.Steps != nil {
		assert.Len(t, trial.Steps.Sizes, len(trial.Steps.Sigmas), name)
	}
}

// Passes that others can take are taken as sums: a fit whose problem is spread
// over others asks them, and no other does.
func TestMethodsOfSumsCanBeSpread(t *testing.T) {
	type asked struct {
		learn.Method
		label data.LabelType
		loss  glm.Loss
	}
	several, err := Named(Default)
	require.NoError(t, err)
	cases := []asked{
		{several, data.SeveralClasses, glm.Logistic{}}, {several, data.SeveralClasses, glm.Softmax{}},
	}
	for _, m := range For(data.TwoClasses) {
		cases = append(cases, asked{m, data.TwoClasses, glm.Logistic{}})
	}
	for _, m := range For(data.NumericLabel) {
		cases = append(cases, asked{m, data.NumericLabel, glm.Squared{}})
	}
	for _, m := range cases {
		problem := clinic(t, m.label, m.loss)
		fit, err := Choose(m.Name, askedOf(problem, m.Adjacencies[0]))
		require.NoError(t, err, m.Name)
		problem.Data.Ends = []int{100, 300}
		alone, _, err := fit.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
		require.NoError(t, err, m.Name)
		spread := 0
		problem.Spread = func(rows *solve.Rows, classes int, ends []int) []solve.Apart {
			spread++
			alone := problem
			alone.Spread = nil
			return alone.Blocks(rows, classes)
		}
		model, _, err := fit.Fit(t.Context(), problem, randomtest.New(3), learn.Watch{})
		require.NoError(t, err, m.Name)
		assert.Equal(t, alone.Coefficients, model.Coefficients, m.Name)
		assert.Equal(t, m.Spread, spread > 0, m.Name)
	}
}

func TestTheTableIsOneThatCanBeChosenFrom(t *testing.T) {
	names, titles := map[string]bool{}, map[string]bool{}
	for _, m := range All() {
		assert.Regexp(t, "^[a-z][a-z-]*$", m.Name)
		assert.NotEmpty(t, m.Title, m.Name)
		assert.False(t, names[m.Name] || titles[m.Title], m.Name)
		names[m.Name], titles[m.Title] = true, true
		assert.Subset(t, labels, m.Labels, m.Name)
		assert.Subset(
			t, slices.Concat(learn.AllLosses, learn.TwoClassLosses, []string{learn.SoftmaxLoss}),
			m.Losses, m.Name,
		)
		assert.Subset(t, learn.AllAdjacencies, m.Adjacencies, m.Name)
	}
	usual, err := Named(Default)
	require.NoError(t, err)
	assert.ElementsMatch(t, labels, usual.Labels, "the default is for every label")
	assert.ElementsMatch(t, learn.AllAdjacencies, usual.Adjacencies)
	assert.False(t, usual.Records, "the default asks for nothing that has to be known")
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	problem := clinic(t, data.TwoClasses, glm.Logistic{})
	for _, c := range []struct {
		method  string
		spoil   func(*learn.Asked)
		field   string
		message string
	}{
		{"best", func(*learn.Asked) {}, "method", `method is "best": it must be ` + oneOf(All())},
		{"", func(a *learn.Asked) { a.Schema = nil }, "schema", ""}, // the usual one
		{"", func(a *learn.Asked) { a.Loss = nil }, "loss", ""},
		{"amp", func(a *learn.Asked) { a.Schema = nil }, "schema", ""},
		{"amp", func(a *learn.Asked) { a.Loss = nil }, "loss", ""},
		{"amp", func(a *learn.Asked) { a.Loss = learntest.Huber(t, 1e-9) }, "huber_width", ""},
		{"amp", func(a *learn.Asked) { a.Guarantee.Epsilon = math.NaN() }, "epsilon", ""},
		{"amp", func(a *learn.Asked) { a.Tuning.Bound = "folklore" }, "bound", ""},
		{"amp", func(a *learn.Asked) { a.Tuning.Lambda = 1e-300 }, "lambda", ""},
		{"dpsgd", func(a *learn.Asked) { a.Guarantee.Adjacency = privacy.ReplaceOne }, "method",
			`method is "dpsgd": it must be another for "replace-one": this one is for records added or removed`},
		{"amp-paper", func(a *learn.Asked) {
			a.Schema = clinic(t, data.SeveralClasses, nil).Data.Schema
		}, "method",
			`method is "amp-paper": it must be "amp" or "steps", or left out, for a label of several classes`},
		{"outpert", func(a *learn.Asked) { a.Records = 0 }, "records", ""},
		{"dpgd", func(a *learn.Asked) { a.Records = math.Inf(1) }, "records", ""},
		{"dpsgd", func(a *learn.Asked) { a.Records = 0.5 }, "records", ""},
		{"dpgd", func(a *learn.Asked) { a.Tuning.Bound = objective.BoundRDP }, "bound", ""},
		{"dpgd", func(a *learn.Asked) { a.Tuning.Clip = 1 }, "clip", ""},
		{"outpert", func(a *learn.Asked) { a.Tuning.Lambda = 1 }, "lambda", ""},
		{"amp-paper", func(a *learn.Asked) { a.Tuning.Radius = 1 }, "radius", ""},
		{"dpsgd", func(a *learn.Asked) { a.Tuning.Tau = 1 }, "tau", "tau is 1: it must be left out: this method chooses it"},
	} {
		asked := askedOf(problem, privacy.AddRemove)
		c.spoil(&asked)
		_, err := Choose(c.method, asked)
		assert.Equal(t, c.field, fieldOf(t, err, c.method), "%s: %v", c.method, err)
		if c.message != "" {
			assert.EqualError(t, err, c.message)
		}
		at, err := Trials(c.method, asked)
		if err == nil {
			_, err = at(asked.Guarantee.Epsilon)
		}
		assert.Equal(t, c.field, fieldOf(t, err, c.method), "%s, a trial: %v", c.method, err)
	}
}

// Where no noise gives what is asked for, the error says so, and is none of a field.
func TestWhatCannotBeIsNoFault(t *testing.T) {
	asked := askedOf(clinic(t, data.TwoClasses, glm.Logistic{}), privacy.AddRemove)
	asked.Guarantee.Epsilon, asked.Tuning = 0.1, learn.Tuning{
		Bound:  objective.BoundKifer,
		Lambda: 1,
	}
	_, err := Choose("amp", asked)
	var infeasible *calibrate.UnattainableError
	require.ErrorAs(t, err, &infeasible)
	var other *calibrate.InfeasibleError
	assert.NotErrorAs(t, err, &other)
}

// A tuning is what the event has.
func TestATuningOverridesTheDefaults(t *testing.T) {
	asked := askedOf(clinic(t, data.TwoClasses, glm.Logistic{}), privacy.AddRemove)
	asked.Tuning = learn.Tuning{Clip: 0.75, Lambda: 3, Tau: 1e-4, Bound: objective.BoundKifer}
	fit, err := Choose("amp", asked)
	require.NoError(t, err)
	event := fit.Event.(privacy.ApproximateMinima)
	assert.Equal(
		t, []float64{0.75, 3, 1e-4},
		[]float64{event.Objective.Lipschitz, event.Objective.Lambda, event.Tau},
	)
	assert.Equal(t, objective.BoundKifer, fit.Bound)
	asked.Tuning = learn.Tuning{}
	usual, err := Choose("amp", asked)
	require.NoError(t, err)
	asked.Tuning.Radius = 2
	near, err := Choose("amp", asked)
	require.NoError(t, err)
	assert.Greater(
		t, near.Event.(privacy.ApproximateMinima).Objective.Lambda,
		usual.Event.(privacy.ApproximateMinima).Objective.Lambda,
	)
}

// A trial at an ε is that of the fit which is chosen there; of several classes it is
// so at the ε asked for, and estimated at others, with less noise for more ε.
func TestTrialsAreThoseOfWhatIsChosen(t *testing.T) {
	asked := askedOf(clinic(t, data.TwoClasses, glm.Logistic{}), privacy.AddRemove)
	for _, m := range For(data.TwoClasses) {
		at, err := Trials(m.Name, asked)
		require.NoError(t, err, m.Name)
		if _, err := at(5); err != nil {
			assert.Equal(t, "method", fieldOf(t, err, m.Name))
			continue
		}
		there := asked
		there.Guarantee.Epsilon = 5
		fit, err := Choose(m.Name, there)
		require.NoError(t, err, m.Name)
		want, err := fit.Trial()
		require.NoError(t, err, m.Name)
		got, err := at(5)
		require.NoError(t, err, m.Name)
		assert.Equal(t, want, got, m.Name)
	}
	for _, loss := range []glm.Loss{glm.Logistic{}, glm.Softmax{}} {
		asked = askedOf(clinic(t, data.SeveralClasses, loss), privacy.AddRemove)
		at, err := Trials(Default, asked)
		require.NoError(t, err)
		fit, err := Choose(Default, asked)
		require.NoError(t, err)
		want, err := fit.Trial()
		require.NoError(t, err)
		same, err := at(asked.Guarantee.Epsilon)
		require.NoError(t, err)
		assert.InEpsilon(t, want.Sigma, same.Sigma, 1e-12)
		assert.Equal(t, want.Lambda, same.Lambda)
		more, err := at(2 * asked.Guarantee.Epsilon)
		require.NoError(t, err)
		assert.Less(t, more.Sigma, same.Sigma)
	}
}

// The noise in a perturbed objective is handed to who asks, and to nobody of a fit
// that perturbs none or is of several classes.
func TestNoiseIsHandedOut(t *testing.T) {
	for _, label := range labels {
		for _, m := range All() {
			if !slices.Contains(m.Labels, label) {
				continue
			}
			problem := clinic(t, label, nil)
			problem.Loss = learn.DefaultLoss(&problem.Data.Schema.Label)
			fit, err := Choose(m.Name, askedOf(problem, m.Adjacencies[0]))
			require.NoError(t, err, m.Name)
			var noise []float64
			watch := learn.Watch{Noise: func(b []float64) { noise = slices.Clone(b) }}
			_, _, err = fit.Fit(t.Context(), problem, randomtest.New(5), watch)
			require.NoError(t, err, m.Name)
			_, perturbed := fit.Event.(privacy.ApproximateMinima)
			perturbed = perturbed && label != data.SeveralClasses
			assert.Equal(t, perturbed, len(noise) > 0, "%s, %s", m.Name, label)
		}
	}
}

// A learner that is written and not listed would be missed by nobody.
func TestEveryLearnerIsListed(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	declared := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		declared += len(
			regexp.MustCompile(`(?m)^(var )?\s*\w+\s*= learn\.Method\{$`).FindAll(text, -1),
		)
	}
	assert.Len(t, All(), declared)
}
