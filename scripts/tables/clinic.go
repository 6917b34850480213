package tables

import (
	"math"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/scripts/splitmix"
)

// The clinic: 2,000 made-up records of a small clinic's kind, three features, a
// rare outcome that depends on one of them, features that may all be 0. It is
// where an intercept matters, and scaling every row to norm 1 hurts.

func clinicSchema() *data.Schema {
	numeric := func(name string) data.Feature {
		return data.Feature{Name: name, Type: data.Numeric, Min: 0, Max: 1, Provenance: data.Public}
	}
	return &data.Schema{
		Features: []data.Feature{numeric("dose"), numeric("noise"), numeric("treated")},
		Label: data.Label{
			Name:       "outcome",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: 0.5,
	}
}

func clinicText() string {
	state := splitmix.Source(7)
	var b strings.Builder
	b.WriteString("dose,noise,treated,outcome\n")
	for range 2000 {
		dose, noise, treated := state.Uniform(), state.Uniform(), math.Floor(2*state.Uniform())
		outcome := "no"
		if state.Uniform() < 1/(1+math.Exp(1.5-8*(dose-0.5))) {
			outcome = "yes"
		}
		for _, x := range []float64{dose, noise, treated} {
			b.WriteString(strconv.FormatFloat(x, 'g', -1, 64) + ",")
		}
		b.WriteString(outcome + "\n")
	}
	return b.String()
}
