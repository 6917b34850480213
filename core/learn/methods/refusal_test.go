package methods

import (
	"context"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// extremes draws what a plan may be asked for, from where it is usual to where a double
// ends.
type extremes struct{ source *randomtest.Seeded }

func (x extremes) unit() float64 { return learntest.Uniform(x.source) }

func (x extremes) between(low, high float64) float64 {
	return low * math.Pow(high/low, x.unit())
}

func (x extremes) below(n int) int { return min(n-1, int(x.unit()*float64(n))) }

// often is a number that is usual, now and then one at the end of what there is.
func (x extremes) often(low, high float64) float64 {
	if x.below(3) == 0 {
		return x.between(0x1p-300, 0x1p300)
	}
	return x.between(low, high)
}

func (x extremes) asked() (string, learn.Asked) {
	method := All()[x.below(len(All()))]
	label := method.Labels[x.below(len(method.Labels))]
	schema := learntest.Schema(2, 0.5)
	switch x.below(6) {
	case 0:
		schema.Intercept = 0
	case 1:
		schema.Intercept = x.between(1e-300, 1e6)
	}
	if x.below(2) == 0 {
		schema.Rows.Norm = data.Unit
	}
	schema.Label = data.Label{Name: "y", Type: label, Provenance: data.Public}
	switch label {
	case data.TwoClasses:
		schema.Label.Negative, schema.Label.Positive = []string{"a"}, []string{"b"}
	case data.SeveralClasses:
		schema.Label.Classes = [][]string{{"a"}, {"b"}, {"c"}}
	default:
		schema.Label.Min, schema.Label.Max = -1, 1
	}
	asked := learn.Asked{
		Schema: schema, Loss: glm.Squared{}, Records: x.often(1, 1e7),
		Guarantee: privacy.Guarantee{
			Adjacency: method.Adjacencies[x.below(len(method.Adjacencies))],
			Epsilon:   x.between(1e-4, 1e3), Delta: x.between(1e-15, 0.1),
		},
	}
	if x.below(5) == 0 {
		asked.Guarantee.Epsilon = x.between(1e-12, 1e12)
		asked.Guarantee.Delta = x.between(1e-300, 0.9)
	}
	if label != data.NumericLabel {
		asked.Loss = glm.Logistic{}
		switch x.below(4) {
		case 0:
			asked.Loss = glm.Squared{}
		case 1:
			if huber, err := glm.NewHuber(x.often(1e-6, 10)); err == nil {
				asked.Loss = huber
			}
		}
	}
	if method.Tuned {
		for _, set := range []*float64{
			&asked.Tuning.Clip, &asked.Tuning.Lambda, &asked.Tuning.Radius, &asked.Tuning.Tau,
		} {
			if x.below(3) == 0 {
				*set = x.often(1e-8, 1e6)
			}
		}
	}
	return method.Name, asked
}

// tables are data sets of the schema that differ in how many records there are, and in what
// is in them: all there can be of one, nothing, and what pulls both ways.
func tables(schema *data.Schema, loss glm.Loss) []learn.Problem {
	var out []learn.Problem
	kappa := schema.Intercept
	row := func(a, b float64) []float64 {
		if kappa == 0 {
			return []float64{a, b}
		}
		return []float64{a, b, kappa}
	}
	label := func(i int) float64 { return float64(2*(i%2) - 1) }
	if schema.Label.Type == data.SeveralClasses {
		label = func(i int) float64 { return float64(i % 3) }
	}
	for _, n := range []int{1, 2, 7, 8, 9, 10, 33, 400} {
		for kind := range 4 {
			var x [][]float64
			var y []float64
			for i := range n {
				at := row(1-0x1p-40, 0)
				switch kind {
				case 1:
					at = row(0, 0)
				case 2:
					at = row(0.6*(1-0x1p-40), 0.8*(1-0x1p-40))
				case 3:
					if i%2 == 0 {
						at = row(0, 1-0x1p-40)
					}
				}
				x = append(x, at)
				if kind == 0 {
					y = append(y, label(1))
				} else {
					y = append(y, label(i))
				}
			}
			p := learntest.Problem(schema, x, y)
			p.Loss = loss
			out = append(out, p)
		}
	}
	return out
}

// outcomeOf is what becomes of a fit, as the data holder's reader sees it.
func outcomeOf(err error) string {
	var parameter *privacy.ParameterError
	var refusal *learn.Refusal
	switch {
	case err == nil:
		return "a model"
	case errors.As(err, &parameter):
		return "refused: " + parameter.Field
	case errors.As(err, &refusal):
		return string(refusal.Cause)
	}
	return err.Error()
}

// Whether a plan is refused is known before a row is read: whatever it asks for, what one
// table of its schema is refused, all are, and refused in the same words.
func TestNoRefusalDependsOnTheRecords(t *testing.T) {
	seed, tries, limit := uint64(1), 60, time.Minute
	if testing.Short() {
		tries = 10
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		seed, tries, limit = uint64(time.Now().UnixNano()), 1<<30, 8*time.Minute
	}
	if text := os.Getenv("CLOISTER_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("CLOISTER_SEED=%d repeats these plans", seed)
	x := extremes{randomtest.New(seed)}
	plans, fits, slow := map[string]int{}, 0, 0
	for start := time.Now(); tries > 0 && time.Since(start) < limit; tries-- {
		name, asked := x.asked()
		fit, err := Choose(name, asked)
		if err != nil {
			plans[name+" refused"]++
			continue
		}
		plans[name]++
		seen, first := "", ""
		for _, problem := range tables(asked.Schema, asked.Loss) {
			if fit.Check != nil {
				if err := fit.Check(problem); err != nil {
					outcome := "check " + outcomeOf(err)
					if outcome == "check refused: records" &&
						float64(problem.Data.X.Rows()) > asked.Records &&
						asked.Guarantee.Adjacency == privacy.ReplaceOne {
						continue // of replaced records the number is public
					}
					if seen == "" {
						seen, first = outcome, outcome
					}
					require.Equal(t, seen, outcome, "%s %+v", name, asked)
					continue
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			_, _, err := fit.Fit(ctx, problem, randomtest.New(uint64(fits)), learn.Watch{})
			cancel()
			if errors.Is(err, context.DeadlineExceeded) {
				slow++
				break // that it is slow is no refusal
			}
			fits++
			outcome := outcomeOf(err)
			if seen == "" {
				seen, first = outcome, outcome
			}
			require.Equal(
				t, first, outcome, "%d records: %s %+v, loss %T %+v: %v", problem.Data.X.Rows(), name,
				asked, asked.Loss, fit.Event, err,
			)
		}
	}
	t.Logf("%d fits (%d plans too slow) of %v", fits, slow, plans)
}
