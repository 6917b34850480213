package api_test

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cloister/core/account"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// A forger changes several things of a release at once, so that each fits the others, and states
// the ε that the changed event costs.

// A numberAt is a number of a document that can be changed.
type numberAt struct {
	path  string // names of its members, and numbers of its entries, with points between
	value float64
	set   func(float64)
}

// numbersOf lists the numbers of a document.
func numbersOf(at any, path string, set func(any), out []numberAt) []numberAt {
	switch at := at.(type) {
	case float64:
		out = append(out, numberAt{path, at, func(x float64) { set(x) }})
	case map[string]any:
		for name, member := range at {
			out = numbersOf(member, path+"."+name, func(x any) { at[name] = x }, out)
		}
	case []any:
		for k, member := range at {
			out = numbersOf(member, path+"."+strconv.Itoa(k), func(x any) { at[k] = x }, out)
		}
	}
	return out
}

// field is the name that a number goes by.
func (n numberAt) field() string {
	names := strings.Split(n.path, ".")
	for k := len(names) - 1; k >= 0; k-- {
		if _, err := strconv.Atoi(names[k]); err != nil {
			return names[k]
		}
	}
	return ""
}

// noiseFields is what stands for how much noise there is. It is made to look like more.
var noiseFields = []string{
	"sigma", "sigma_out", "noise_multiplier", "scale", "sigmas", "matrix_sigma",
	"vector_sigma", "square_sigma",
}

// multiply multiplies the numbers of these fields in the event and in what the model says of its
// noise, and reports whether there are any.
func multiply(tree map[string]any, fields []string, by float64) (some bool) {
	model := map[string]any{}
	for _, name := range []string{"clip", "lambda", "moments", "told"} {
		if at, is := tree["model"].(map[string]any)[name]; is {
			model[name] = at
		}
	}
	numbers := numbersOf(tree["event"], "event", nil, nil)
	numbers = numbersOf(model, "model", nil, numbers)
	for _, n := range numbers {
		if !slices.Contains(fields, n.field()) {
			continue
		}
		x := n.value * by
		if n.value == math.Trunc(n.value) && whole[n.field()] {
			x = max(1, math.Round(x))
		}
		if some = true; n.path == "model.clip" || n.path == "model.lambda" {
			tree["model"].(map[string]any)[n.field()] = x
			continue
		}
		n.set(x)
	}
	return some
}

// whole numbers stay whole.
var whole = map[string]bool{
	"steps": true, "records": true, "dimension": true, "count": true, "classes": true,
}

// restate states what the release's event costs, at the δ that it states. It is false if it can
// be read or priced no more.
func restate(tree map[string]any) (*learn.Release, bool) {
	r, err := learn.ReleaseFromTree(tree)
	if err != nil {
		return nil, false
	}
	price, _, err := r.Price(r.Guarantee.Method, r.Guarantee.Bound)
	if err != nil {
		return nil, false
	}
	epsilon, err := price.EpsilonUpper(r.Guarantee.Delta)
	if err != nil || math.IsInf(epsilon, 1) {
		return nil, false
	}
	r.Guarantee.Epsilon = math.Max(epsilon*(1+1e-9), 1e-9)
	return r, true
}

// foundOutAnyway reports whether the file cannot be read, or some claim does not hold whatever ε
// is: then the event, which may take seconds to price, need not be. By a method that has no price
// of a composition it is told so in no time.
func foundOutAnyway(tree map[string]any) bool {
	r, err := learn.ReleaseFromTree(tree)
	if err != nil {
		return true
	}
	return falseAnyway(r)
}

// falseAnyway reports whether some claim of a release does not hold whatever ε is.
func falseAnyway(release *learn.Release) bool {
	r := *release
	r.Guarantee.Method = account.Closed
	return slices.ContainsFunc(r.Verify(), func(f learn.Finding) bool {
		return !f.True && f.Claim != "guarantee" && f.Claim != "theorem"
	})
}

// unfit says in which way the event is not that of a mechanism which gives out such a model, by
// what each mechanism's theorem needs, written down apart from Verify; "" if it is.
func unfit(r *learn.Release) string {
	m, norm := r.Model, r.Schema.RowNorm()
	one := math.Min(m.Clip, norm*m.Loss.MaxSlope())
	_, softmax := m.Loss.(interface{ Probabilities([]float64) })
	replaced := r.Event.Neighbours() == privacy.ReplaceOne
	times := 1.0
	if replaced {
		times = 2
	}
	bad := ""
	privacy.Walk(r.Event, func(event privacy.Event) {
		switch e := event.(type) {
		case privacy.ApproximateMinima:
			o := e.Objective
			switch {
			case o.RowNorm < norm:
				bad = "rows are longer"
			case o.Lipschitz < one && m.Selected == nil:
				bad = "gradients are longer"
			case o.Smoothness < m.Loss.MaxCurvature():
				bad = "the loss is curved more"
			case o.Dimension*max(1, m.Vectors())%len(m.Coefficients) != 0 ||
				o.Dimension < len(m.Columns):
				bad = "there are more columns"
			case e.Grid == 0 || e.SigmaOut < e.Grid*(1<<20):
				bad = "the lattice is coarse"
			}
		case privacy.GradientDescent:
			if e.Sensitivity < times*one && m.Selected == nil {
				bad = "a gradient is longer"
			}
		case privacy.Gaussian:
			switch {
			case m.Told != nil || m.Selected != nil:
			case m.Moments != nil:
				s := m.Moments
				// ‖Q(z)‖, without a lattice, and at least √2 of it for one replaced.
				ratio := math.Sqrt(math.Pow(norm, 4)/2/s.MatrixSigma/s.MatrixSigma +
					norm*norm/s.VectorSigma/s.VectorSigma + 1/s.SquareSigma/s.SquareSigma)
				if e.Sensitivity/e.Sigma < ratio*math.Sqrt(times) {
					bad = "a record moves the moments by more"
				}
			case m.Lambda == 0 || e.Sensitivity < times*one/m.Lambda:
				bad = "a record moves the minimiser by more"
			case softmax && one < norm*math.Sqrt2:
				bad = "a softmax that is clipped has no minimum"
			}
		case privacy.SubsampledGaussian:
			if math.IsInf(m.Clip, 1) {
				bad = "nothing is clipped"
			}
		}
	})
	if a := r.Assessment; a != nil {
		parts := a.Event.(privacy.Composition).Parts
		if len(parts) == 0 {
			return "the evaluation has no noise"
		}
		laplace := parts[0].Event.(privacy.DiscreteLaplace)
		changes := float64(m.AssessmentLayout().Changes(a.Adjacency))
		if a.Epsilon*laplace.Scale*learn.AssessmentUnit < changes*(1-1e-12) {
			bad = "the evaluation costs more"
		}
	}
	return bad
}

// A combination is what a forger changes at once.
type combination struct {
	name   string
	fields [][]string
	by     []float64
	times  float64
	turn   bool // to the other neighbours
	bought bool // the evaluation's noise and ε too
}

func combinations(factors ...float64) []combination {
	var out []combination
	for _, f := range factors {
		one := func(name string, by float64, fields ...string) {
			out = append(out, combination{
				name: name, times: f, fields: [][]string{fields}, by: []float64{by},
			})
		}
		one("noise", f, noiseFields...)
		one("noise, lattice", f, append(slices.Clone(noiseFields), "grid")...)
		one("moves", 1/f, "sensitivity", "lipschitz")
		one("moves, clip", 1/f, "sensitivity", "lipschitz", "clip")
		one("moves, rows", 1/f, "sensitivity", "lipschitz", "row_norm")
		one("moves, rows, clip", 1/f, "sensitivity", "lipschitz", "row_norm", "clip")
		for _, name := range []string{
			"rate", "steps", "records", "dimension", "smoothness", "mean", "tau", "renyi",
			"epsilon",
		} {
			one(name, 1/f, name)
		}
		one("failure", f, "failure")
		one("lambda", f, "lambda")
		out = append(out, combination{name: "evaluation", times: f, bought: true}, combination{
			name: "moves, lambda", times: f, fields: [][]string{{"lambda"}, {"sensitivity"}},
			by: []float64{f, 1 / f},
		})
	}
	return append(out, combination{name: "neighbours", turn: true}, combination{
		name: "neighbours, moves", turn: true, fields: [][]string{{"sensitivity"}},
		by: []float64{0.5},
	})
}

// forge changes the tree, and reports whether there was anything to change.
func (c combination) forge(tree map[string]any) bool {
	some := false
	for k, fields := range c.fields {
		if !multiply(tree, fields, c.by[k]) {
			return false
		}
		some = true
	}
	if c.bought {
		a, is := tree["evaluation"].(map[string]any)
		if !is {
			return false
		}
		part := a["event"].(map[string]any)["parts"].([]any)[0].(map[string]any)
		noise := part["event"].(map[string]any)
		noise["scale"] = noise["scale"].(float64) * c.times
		a["epsilon"] = a["epsilon"].(float64) / c.times
		some = true
	}
	if c.turn {
		to := map[string]string{"add-remove": "replace-one", "replace-one": "add-remove"}
		g := tree["guarantee"].(map[string]any)
		g["adjacency"] = to[g["adjacency"].(string)]
		turn(tree["event"], to)
		some = true
	}
	return some
}

func turn(at any, to map[string]string) {
	switch at := at.(type) {
	case map[string]any:
		if old, is := at["adjacency"].(string); is {
			at["adjacency"] = to[old]
		}
		for _, member := range at {
			turn(member, to)
		}
	case []any:
		for _, member := range at {
			turn(member, to)
		}
	}
}
