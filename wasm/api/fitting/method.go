package fitting

import (
	"math"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// asking is what a fit is asked to be: public things alone. The method is "" where the
// usual one is meant.
type asking struct {
	method string
	learn.Asked
}

// readMethod reads what a fit to data of this schema is asked to be: method?, loss?,
// huberWidth?, adjacency, epsilon, delta and, by what the method takes (package
// methods), records, about how many records there are as is publicly known, or what
// overrides the defaults (see api.ReadCalibration). What a method takes not, it
// chooses itself, and it is refused. Where no method is named, both may be given, and the
// method is the usual one for them.
func readMethod(f *privacy.Fields, schema *data.Schema) asking {
	if !f.Has("method") {
		return readUsual(f, schema)
	}
	a := asking{f.Text("method"), learn.Asked{Schema: schema}}
	m, err := methods.Named(a.method)
	f.Fail(err)
	if err == nil {
		f.Fail(methods.CheckLabel(m, &schema.Label))
	}
	a.Loss = readLoss(f, &schema.Label)
	if m.Tuned {
		a.Guarantee, a.Tuning = readTuning(f, schema, a.Loss)
	} else {
		a.Guarantee = privacy.Guarantee{
			Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon"), Delta: f.Number("delta"),
		}
		f.Fail(a.Guarantee.Validate())
	}
	if err == nil {
		f.Fail(methods.CheckAdjacency(m, a.Guarantee.Adjacency))
	}
	if m.Records {
		a.Records = f.Number("records")
		f.Fail(methods.CheckRecords(m, f.Path("records"), a.Records))
	}
	return a
}

// readUsual is readMethod for a fit whose method is not named.
func readUsual(f *privacy.Fields, schema *data.Schema) asking {
	a := asking{"", learn.Asked{Schema: schema, Loss: readLoss(f, &schema.Label)}}
	a.Guarantee, a.Tuning = readTuning(f, schema, a.Loss)
	if f.Has("records") {
		a.Records = f.Number("records")
		f.Fail(learn.CheckRange(f.Path("records"), a.Records, false))
	}
	return a
}

// readTuning reads the guarantee, and what overrides defaults.
func readTuning(
	f *privacy.Fields, schema *data.Schema, loss glm.Loss,
) (privacy.Guarantee, learn.Tuning) {
	constants := api.Loss{
		Class:      loss.Class(),
		Smoothness: loss.MaxCurvature(),
		MaxSlope:   loss.MaxSlope(),
	}
	r := api.ReadCalibration(f, constants, schema.RowNorm(), schema.Dimension())
	return r.Guarantee, learn.Tuning{
		Bound: r.Bound, Clip: r.Lipschitz, Lambda: r.Lambda, Radius: r.RadiusGuess, Tau: r.Tau,
	}
}

// choose chooses the noise, without looking at a record.
func (a asking) choose() (learn.Chosen, error) {
	chosen, err := methods.Choose(a.method, a.Asked)
	return chosen, renamed(err, "huber_width", "huberWidth")
}

// promise is a guarantee and what proves it, as api.Promise spells it; without a
// bound where no objective is perturbed.
func promise(g privacy.Guarantee, fit learn.Chosen) map[string]any {
	if fit.Bound != "" && fit.Price == account.Closed {
		return api.Promise(g, fit.Bound)
	}
	tree := map[string]any{
		"adjacency": g.Adjacency.String(), "epsilon": g.Epsilon, "delta": g.Delta,
		"theorem": learn.Theorem(fit.Price, fit.Bound),
	}
	if fit.Bound != "" {
		tree["bound"] = string(fit.Bound)
	}
	return tree
}

// telling tells the caller where a fit stands. Where the number of steps is not
// known beforehand, its fraction is that of the orders of magnitude by which the
// gradient has to shrink; of several classes, each has its part of the whole.
func telling(call *api.Call) func(learn.Progress) {
	first, class := math.NaN(), 0
	return func(p learn.Progress) {
		if p.Steps > 0 {
			call.Progress(map[string]any{
				"phase": "solving", "iteration": p.Iteration, "gradientNorm": p.GradientNorm,
				"fraction": float64(p.Iteration) / float64(p.Steps),
			})
			return
		}
		if math.IsNaN(first) || p.Class != class {
			first, class = p.GradientNorm, p.Class
		}
		update := map[string]any{
			"phase":        "solving",
			"iteration":    p.Iteration,
			"gradientNorm": p.GradientNorm,
			"target":       p.Tolerance,
		}
		if share := math.Log(first/p.GradientNorm) / math.Log(first/p.Tolerance); share >= 0 {
			update["fraction"] = (float64(class) + math.Min(share, 1)) / float64(max(p.Classes, 1))
		}
		if p.Classes > 0 {
			update["class"] = class + 1
			update["classes"] = p.Classes
		}
		if math.IsNaN(p.GradientNorm) {
			delete(update, "gradientNorm")
		}
		call.Progress(update)
	}
}
