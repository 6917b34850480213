package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A grafter makes a release of parts of several, and of events wrapped into others.
type grafter struct {
	source *randomtest.Seeded
	files  [][]byte
	names  []string
}

func (g *grafter) below(n int) int {
	word, _ := g.source.Uint64() // the seeded source does not fail
	return int(word % uint64(n))
}

func (g *grafter) number(from ...float64) float64 { return from[g.below(len(from))] }

// tree is a fresh copy of one of the files, and its name.
func (g *grafter) tree() (tree object, name string) {
	k := g.below(len(g.files))
	if err := json.Unmarshal(g.files[k], &tree); err != nil {
		panic(err) // they were read before
	}
	return tree, g.names[k]
}

// A place is an event within a tree, with what puts another there.
type place struct {
	event object
	set   func(object)
}

// places are those of an event, itself the first.
func places(event object, set func(object), out []place) []place {
	out = append(out, place{event, set})
	member := func(in object, name string) {
		if inner, is := in[name].(object); is {
			out = places(inner, func(e object) { in[name] = e }, out)
		}
	}
	for _, name := range []string{"base", "test", "release"} {
		member(event, name)
	}
	parts, _ := event["parts"].([]any)
	for _, part := range parts {
		member(part.(object), "event")
	}
	events, _ := event["events"].([]any)
	for k, inner := range events {
		out = places(inner.(object), func(e object) { events[k] = e }, out)
	}
	return out
}

func (g *grafter) place(tree object) place {
	all := places(tree["event"].(object), func(e object) { tree["event"] = e }, nil)
	return all[g.below(len(all))]
}

func copied(tree any) any {
	text, _ := json.Marshal(tree)
	var out any
	_ = json.Unmarshal(text, &out)
	return out
}

// cheap is an event that tells little or nothing.
func (g *grafter) cheap(adjacency any) object {
	all := []object{
		{"mechanism": "gaussian", "sensitivity": 1.0, "sigma": g.number(1, 30, 1e9, 1e50)},
		{"mechanism": "discrete-gaussian", "sensitivity": 2.0, "sigma": g.number(1, 30, 1e9, 1e50)},
		{"mechanism": "discrete-laplace", "sensitivity": 1.0, "scale": g.number(30, 1e9, 1e50)},
		{"mechanism": "laplace", "sensitivity": 1.0, "scale": g.number(30, 1e9, 1e50)},
		{"mechanism": "pure-dp", "epsilon": g.number(0, 1e-50, 1e-3, 1)},
		{"mechanism": "approximate-dp", "epsilon": g.number(0, 0.01), "delta": g.number(0, 1e-300, 1e-9)},
		{"mechanism": "zcdp", "rho": g.number(0, 1e-100, 0.01)},
		{"mechanism": "renyi-dp", "order": g.number(1.5, 20), "epsilon": g.number(0, 1e-50, 0.01)},
		{"mechanism": "randomised-response", "categories": 2.0, "truth": g.number(0.5, 0.51)},
		{"mechanism": "composition", "parts": []any{}},
		{"mechanism": "gradient-descent", "sensitivity": 1.0, "sigmas": []any{1e40}},
		{"mechanism": "subsampled-gaussian", "rate": 1e-9, "noise_multiplier": 1e9, "steps": 1.0},
		{"mechanism": "noisy-min", "count": 2.0},
	}
	e := all[g.below(len(all))]
	e["adjacency"] = adjacency
	return e
}

func (g *grafter) compose(adjacency any, parts ...any) object {
	return object{"mechanism": "composition", "adjacency": adjacency, "parts": parts}
}

func part(event any, count float64) object { return object{"event": event, "count": count} }

// change changes one thing of a tree, and says what.
func (g *grafter) change(tree object) string {
	other, name := g.tree()
	model, others := tree["model"].(object), other["model"].(object)
	at := g.place(tree)
	a := at.event["adjacency"]
	switch k := g.below(22); k {
	case 0:
		tree["event"] = other["event"]
		return "event of " + name
	case 1:
		at.set(copied(g.place(other).event).(object))
		return "a part of the event of " + name
	case 2:
		at.set(g.compose(a, part(at.event, g.number(0, 1, 1, 2, 3, 1<<53))))
		return "in a composition"
	case 3:
		at.set(g.compose(a, part(at.event, 1), part(g.cheap(a), g.number(0, 1, 1, 2))))
		return "beside something cheap"
	case 4:
		at.set(object{"mechanism": "one-of", "adjacency": a, "events": []any{at.event, g.cheap(a)}})
		return "or something cheap"
	case 5:
		at.set(object{"mechanism": "one-of", "adjacency": a, "events": []any{g.cheap(a), at.event}})
		return "something cheap or"
	case 6:
		at.set(object{
			"mechanism": "poisson-selection", "adjacency": a, "base": at.event,
			"mean": g.number(1e-50, 1e-4, 0.1, 1, 10),
		})
		return "selected"
	case 7:
		at.set(object{
			"mechanism": "negative-binomial-selection", "adjacency": a, "base": at.event,
			"eta": g.number(-1+1e-9, -0.5, 0, 1), "gamma": g.number(1e-50, 0.01, 0.5, 1-0x1p-53),
		})
		return "selected from one or more"
	case 8:
		at.set(object{
			"mechanism": "propose-test-release", "adjacency": a, "test": at.event,
			"release": g.cheap(a), "failure": g.number(0, 1e-9, 1e-300),
		})
		return "a test before something cheap"
	case 9:
		at.set(object{
			"mechanism": "propose-test-release", "adjacency": a, "test": g.cheap(a),
			"release": at.event, "failure": g.number(0, 1e-9, 1e-300),
		})
		return "after a cheap test"
	case 10:
		at.set(g.cheap(a))
		return "something cheap"
	case 11, 12:
		names := []string{"lambda", "clip", "moments", "told", "selected"}
		field := names[g.below(len(names))]
		delete(model, field)
		if value, is := others[field]; is {
			model[field] = value
		}
		return field + " of " + name
	case 13:
		tree["model"], tree["schema"] = others, other["schema"]
		return "model of " + name
	case 14:
		tree["schema"] = other["schema"]
		return "schema of " + name
	case 15:
		for _, field := range []string{"loss", "huber_width", "shift", "positive_weight"} {
			delete(model, field)
			if value, is := others[field]; is {
				model[field] = value
			}
		}
		return "loss of " + name
	case 16:
		c := combination{turn: true}
		c.forge(tree)
		return "turned"
	case 17:
		tree["version"] = float64(1 + g.below(6))
		return "version"
	case 18:
		model["selected"] = object{"candidate": float64(g.below(3)), "score": g.number(-3, 0, 40, 1e4)}
		return "selected"
	case 19:
		model[[]string{"lambda", "clip"}[g.below(2)]] = g.number(1e-3, 0.1, 1, 30, 1e6, 1e30)
		return "lambda or clip"
	case 20:
		schema := tree["schema"].(object)
		switch g.below(3) {
		case 0:
			schema["intercept"] = g.number(0x1p-100, 0.1, 1, 3, 1e6)
		case 1:
			schema["rows"] = object{"norm": []any{"clip", "unit", "scale"}[g.below(3)]}
		case 2:
			delete(schema, "intercept")
		}
		return "rows"
	}
	all := numbersOf(at.event, "", nil, nil)
	if len(all) == 0 {
		return "nothing"
	}
	n := all[g.below(len(all))]
	n.set(n.value * g.number(0.5, 2, 0.01, 100, 1e-20, 1e20))
	return n.path + " changed"
}

// follows makes what follows from the rest follow: names of columns, the coefficients in the
// original units, from moments, and on the lattice; false if it is no release.
func (g *grafter) follows(tree object) (*learn.Release, bool) {
	model := tree["model"].(object)
	schema, err := data.SchemaFromTree("schema", tree["schema"])
	if err != nil {
		return nil, false
	}
	var old []float64
	vectors := []any{model}
	if classes, is := model["classes"].([]any); is {
		vectors = classes
	}
	for _, vector := range vectors {
		list, _ := vector.(object)["coefficients"].([]any)
		for _, c := range list {
			old = append(old, c.(float64))
		}
	}
	if len(old) == 0 {
		return nil, false
	}
	m := learn.Model{
		Schema: schema, Loss: glm.Logistic{}, Clip: 1, Columns: schema.Columns(),
	}
	for k := range m.Vectors() * schema.Dimension() {
		m.Coefficients = append(m.Coefficients, old[k%len(old)])
	}
	plain := &learn.Release{Schema: schema, Model: m, Event: privacy.Composition{}}
	whole, err := plain.Tree()
	if err != nil {
		return nil, false
	}
	for _, name := range []string{
		"columns", "coefficients", "intercept", "original", "original_constant", "classes",
	} {
		delete(model, name)
		if value, is := whole["model"].(object)[name]; is {
			model[name] = value
		}
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return nil, false
	}
	r, err := learn.ParseRelease(text)
	if err != nil {
		return nil, false
	}
	if moments := r.Model.Moments; moments != nil {
		if spectrum, err := moments.Spectrum(); err == nil {
			r.Model.Coefficients = spectrum.Coefficients(moments.Ridge)
		}
		return r, true
	}
	grid, longer := 0.0, math.Exp2(float64(g.below(20)-6))
	privacy.Walk(r.Event, func(event privacy.Event) {
		if e, is := event.(privacy.ApproximateMinima); is {
			grid = math.Max(grid, e.Grid)
		}
	})
	if told, is := model["told"].(object); is {
		grid, longer = told["grid"].(float64), 1
	}
	if grid > 0 {
		for k, c := range r.Model.Coefficients {
			r.Model.Coefficients[k] = math.Round(c*longer/grid) * grid
		}
	}
	return r, true
}

// believed restates a release's guarantee, and reports whether all its claims then hold.
func (g *grafter) believed(r *learn.Release) bool {
	r.Guarantee.Adjacency = r.Event.Neighbours()
	r.Guarantee.Covers, r.Guarantee.Caveats = r.Schema.CoversEverything(), r.Schema.Caveats()
	r.Guarantee.Bound = ""
	if falseAnyway(r) {
		return false
	}
	for _, method := range []account.Method{account.Closed, account.Renyi, account.Distribution} {
		if method == account.Distribution && g.below(4) > 0 {
			continue
		}
		price, bound, err := r.Price(method, objective.BoundAuto)
		if err != nil {
			continue
		}
		epsilon, err := price.EpsilonUpper(r.Guarantee.Delta)
		if err != nil || math.IsInf(epsilon, 1) {
			continue
		}
		r.Guarantee.Method, r.Guarantee.Bound = price.Method, bound
		r.Guarantee.Epsilon = math.Max(epsilon*(1+1e-9), 1e-9)
		r.Guarantee.Theorem = learn.Theorem(r.Guarantee.Method, r.Guarantee.Bound)
		if _, failed := r.Verify().Failed(); !failed {
			return true
		}
	}
	return false
}

// paid says what an event pays for of a model's coefficients, written down apart from Verify.
type paid struct {
	square  float64 // Σ μ², μ the least that a record's part can be in units of its noise
	vectors int     // mechanisms that give some out
	extra   int     // events that are none, and cost something
	chance  float64 // at least, that there is a run
	outside bool    // of any selection
	bad     string  // what is wrong with one
}

// pruned is an event without what is not run.
func pruned(event privacy.Event) privacy.Event {
	if all, is := event.(privacy.Composition); is {
		all.Parts = slices.DeleteFunc(slices.Clone(all.Parts), func(part privacy.Part) bool {
			return part.Count == 0
		})
		event = all
	}
	out, _ := privacy.Rebuild(event, func(_ int, inside privacy.Event) (privacy.Event, error) {
		return pruned(inside), nil
	})
	return out
}

// payments are those of an event, which may be inside a selection.
func payments(r *learn.Release, event privacy.Event, inside bool) paid {
	m := r.Model
	length := math.Min(m.Clip, r.Schema.RowNorm()*m.Loss.MaxSlope())
	times := 1.0
	if r.Event.Neighbours() == privacy.ReplaceOne {
		times = 2
	}
	own := func(ratio float64) paid {
		one := *r
		one.Event = event
		return paid{
			square: ratio * ratio, vectors: 1, chance: 1, outside: !inside, bad: unfit(&one),
		}
	}
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return own(times * length / math.Hypot(e.Objective.Sigma, e.Objective.Lambda*e.SigmaOut))
	case privacy.GradientDescent:
		ratio := 0.0
		for _, sigma := range e.Sigmas {
			ratio = math.Hypot(ratio, times*length/sigma)
		}
		return own(ratio)
	case privacy.SubsampledGaussian:
		return own(0) // no bound of it is as simple
	case privacy.Gaussian:
		switch {
		case m.Moments != nil:
			row := r.Schema.RowNorm() * 0.99
			ratio := math.Hypot(row*row/math.Sqrt2/m.Moments.MatrixSigma, row/m.Moments.VectorSigma)
			return own(math.Hypot(ratio, 1/m.Moments.SquareSigma) * math.Sqrt(times))
		case m.Lambda > 0:
			return own(times * length / m.Lambda / e.Sigma / 2)
		}
		return paid{extra: 1, chance: 1, outside: !inside}
	case privacy.Composition:
		sum := paid{chance: 1}
		for _, part := range e.Parts {
			if part.Count == 0 {
				continue
			}
			one := payments(r, part.Event, inside)
			sum.square += float64(part.Count) * one.square
			sum.vectors += part.Count * one.vectors
			sum.extra += part.Count * one.extra
			sum.chance *= one.chance
			if one.bad != "" {
				sum.bad = one.bad
			}
			sum.outside = sum.outside || one.outside && one.vectors > 0
		}
		return sum
	case privacy.OneOf:
		if m.Selected == nil || m.Selected.Candidate >= len(e.Events) {
			return paid{chance: 1}
		}
		return payments(r, e.Events[m.Selected.Candidate], inside)
	case privacy.PoissonSelection:
		one := scored(payments(r, e.Base, true))
		one.chance *= -math.Expm1(-e.Mean)
		return one
	case privacy.NegativeBinomialSelection:
		return scored(payments(r, e.Base, true))
	case privacy.PureDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon, 1))), chance: 1}
	case privacy.ApproximateDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon+e.Delta, 1))), chance: 1}
	case privacy.ZeroConcentrated:
		return paid{extra: int(math.Ceil(math.Min(e.Rho, 1))), chance: 1}
	case privacy.RenyiDP:
		return paid{extra: int(math.Ceil(math.Min(e.Epsilon, 1))), chance: 1}
	case privacy.RandomisedResponse:
		return paid{extra: int(math.Ceil(math.Abs(e.Truth*float64(e.Categories) - 1))), chance: 1}
	case privacy.ProposeTestRelease:
		test, after := payments(r, e.Test, true), payments(r, e.Release, true)
		return paid{extra: test.extra + after.extra + int(math.Ceil(e.Failure)), chance: 1}
	}
	return paid{extra: 1, chance: 1}
}

// scored notes that a selection has no score to choose a fit by.
func scored(one paid) paid {
	if one.vectors > 0 && one.extra == 0 {
		one.bad = "a selection without a score"
	}
	return one
}

// amiss says why an event is not what gives out such a model, or promises less than is possible;
// "" if it is and does not.
func amiss(r *learn.Release) string {
	m := r.Model
	r.Event = pruned(r.Event)
	if m.Told != nil {
		return notOf(m.Told, r.Event)
	}
	_, softmax := m.Loss.(interface{ Probabilities([]float64) })
	want := m.Vectors()
	if softmax {
		want = 1
	}
	p := payments(r, r.Event, false)
	_, selection := privacy.Base(r.Event)
	switch {
	case p.bad != "":
		return p.bad
	case p.vectors != want:
		return fmt.Sprintf("%d fits are paid for, and %d were made", p.vectors, want)
	case m.Selected != nil && !selection:
		return "said to be selected, by no selection"
	case r.Choice == learn.PrivateSelection && p.outside:
		return "a fit outside the selection"
	}
	mu, epsilon := math.Sqrt(p.square), r.Guarantee.Epsilon
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	least := normal(mu/2-epsilon/mu) - math.Exp(epsilon)*normal(-mu/2-epsilon/mu)
	if least*p.chance > r.Guarantee.Delta*(1+1e-6) {
		return fmt.Sprintf("δ(%v) is at least %v", epsilon, least*p.chance)
	}
	return ""
}

// notOf says why no fit that told this is in an event.
func notOf(told learn.Told, event privacy.Event) string {
	switch e := event.(type) {
	case privacy.ProposeTestRelease:
		_, fixed := told.(learn.FixedSample)
		if e.Neighbour != 0 || fixed {
			return "a promise that nobody made"
		}
		return ""
	case privacy.Composition:
		if _, fixed := told.(learn.FixedSample); fixed && len(e.Parts) == 2 {
			first, promise := e.Parts[0].Event.(privacy.ApproximateDP)
			second, noise := e.Parts[1].Event.(privacy.Gaussian)
			if promise && noise && first.Epsilon > 0 && second.Sigma > 0 {
				return ""
			}
		}
		for _, part := range e.Parts {
			if part.Count > 0 && notOf(told, part.Event) == "" {
				return ""
			}
		}
	}
	if base, selects := privacy.Base(event); selects {
		return notOf(told, base)
	}
	return "no event of such a fit"
}

// What amiss says is said of forged releases that nothing else stops, and of none as it was made.
func TestWhatIsAmissIsFound(t *testing.T) {
	read := func(name string) *learn.Release {
		text, err := os.ReadFile(filepath.Join(filesFolder, "releases", name))
		require.NoError(t, err)
		r, err := learn.ParseRelease(text)
		require.NoError(t, err)
		return r
	}
	within := func(e privacy.Event) []privacy.Event { // the fits that are chosen from
		all := e.(privacy.PoissonSelection).Base.(privacy.Composition).Parts[0].Event
		return all.(privacy.OneOf).Events
	}
	for _, c := range []struct {
		file, says string
		forge      func(r *learn.Release)
	}{
		{"v1-amp.json", "rows are longer", func(r *learn.Release) {
			e := r.Event.(privacy.ApproximateMinima)
			e.Objective.RowNorm /= 2
			r.Event = e
		}},
		{"v1-amp.json", "a selection without a score", func(r *learn.Release) {
			r.Event = privacy.PoissonSelection{Base: r.Event, Mean: 1}
		}},
		{"v1-amp.json", "a fit outside the selection", func(r *learn.Release) {
			r.Choice = learn.PrivateSelection
		}},
		{"v1-amp.json", "is at least", func(r *learn.Release) { r.Guarantee.Epsilon /= 4 }},
		{"v1-amp.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Event = privacy.ZeroConcentrated{Adjacency: privacy.AddRemove, Rho: 1e-9}
		}},
		{"v1-amp.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Event = privacy.Composition{
				Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: r.Event, Count: 0}},
			}
		}},
		{"v2-amp-several-classes.json", "1 fits are paid for, and 3 were made",
			func(r *learn.Release) { r.Event = r.Event.(privacy.Composition).Parts[0].Event }},
		{"v6-chosen-lambda.json", "said to be selected, by no selection",
			func(r *learn.Release) { r.Event = within(r.Event)[r.Model.Selected.Candidate] }},
		{"v6-chosen-lambda.json", "0 fits are paid for, and 1 were made", func(r *learn.Release) {
			r.Model.Selected.Candidate = len(within(r.Event))
		}},
		{"v2-dpgd.json", "a gradient is longer", func(r *learn.Release) {
			e := r.Event.(privacy.GradientDescent)
			e.Sensitivity /= 2
			r.Event = e
		}},
		{"v4-suffstats.json", "a record moves the moments by more", func(r *learn.Release) {
			r.Model.Moments.SquareSigma /= 4
		}},
		{"v2-outpert.json", "a record moves the minimiser by more", func(r *learn.Release) {
			r.Model.Lambda /= 2
		}},
		{"v5-outptr.json", "a promise that nobody made", func(r *learn.Release) {
			e := r.Event.(privacy.ProposeTestRelease)
			e.Neighbour = 1e-6
			r.Event = e
		}},
		{"v5-ops.json", "no event of such a fit", func(r *learn.Release) {
			r.Event = privacy.PureDP{Adjacency: privacy.ReplaceOne, Epsilon: 1}
		}},
	} {
		r := read(c.file)
		assert.Empty(t, amiss(r), c.file)
		r = read(c.file)
		c.forge(r)
		assert.Contains(t, amiss(r), c.says, c.file)
	}
}

// A release of parts of several, whose event is wrapped into others or has others beside it, at the
// ε that this costs, is believed only if all coefficients are paid for, each as often as it was
// made, and no less is promised than is lost anyway. (CLOISTER_AUDIT=long: 200,000 fresh ones.)
func TestGraftsAreFoundOut(t *testing.T) {
	seed, tries := uint64(7), 1200
	if testing.Short() {
		tries = 300
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		seed, tries = uint64(time.Now().UnixNano()), 200_000
	}
	paths, err := filepath.Glob(filepath.Join(filesFolder, "releases", "*.json"))
	require.NoError(t, err)
	g := &grafter{source: randomtest.New(seed)}
	for _, path := range paths {
		if !strings.HasSuffix(path, ".says.json") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			g.files = append(g.files, text)
			g.names = append(g.names, filepath.Base(path))
		}
	}
	read, good := 0, 0
	for range tries {
		tree, says := g.tree()
		for range 1 + g.below(4) {
			says += "; " + g.change(tree)
		}
		if g.below(2) == 0 {
			tree["version"] = 6.0
		}
		r, ok := g.follows(tree)
		if !ok {
			continue
		}
		read++
		if g.believed(r) {
			good++
			assert.Empty(t, amiss(r), says)
		}
	}
	t.Logf("seed %d: %d of %d read, %d believed", seed, read, tries, good)
	assert.Greater(t, good, tries/50)
}
