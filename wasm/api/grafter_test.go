package api_test

import (
	"encoding/json"
	"math"

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
