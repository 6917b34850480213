package expect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/nativetest"
	"cloister/core/privacy"
)

func mixed(label data.Label) *data.Schema {
	label.Name, label.Provenance = "y", data.Public
	s := &data.Schema{
		Label:     label,
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: data.DefaultIntercept,
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		s.Features = append(
			s.Features,
			data.Feature{Name: name, Type: data.Numeric, Min: 0, Max: 100, Provenance: data.Public},
		)
	}
	for _, name := range []string{"e", "f", "g"} {
		s.Features = append(
			s.Features,
			data.Feature{
				Name:       name,
				Type:       data.Categorical,
				Categories: []string{"u", "v", "w", "x"},
				Provenance: data.Public,
			},
		)
	}
	return s
}

var (
	two     = data.Label{Negative: []string{"no"}, Positive: []string{"yes"}}
	several = data.Label{Type: data.SeveralClasses, Classes: [][]string{{"p"}, {"q"}, {"r"}}}
	number  = data.Label{Type: data.NumericLabel, Min: 0, Max: 10}
)

func guaranteed(epsilon float64) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5}
}

// trials are those of fits by the default method.
func trials(t *testing.T, s *data.Schema, loss glm.Loss, epsilons ...float64) (out []learn.Trial) {
	for _, epsilon := range epsilons {
		fit, err := methods.Choose(
			methods.Default, learn.Asked{Schema: s, Loss: loss, Guarantee: guaranteed(epsilon)},
		)
		require.NoError(t, err)
		trial, err := fit.Trial()
		require.NoError(t, err)
		out = append(out, trial)
	}
	return out
}

// losses are the means over trials of what each private fit loses.
func losses(t *testing.T, r Request, runs int) []float64 {
	out := make([]float64, len(r.Fits))
	for r.Trial = 1; r.Trial <= runs; r.Trial++ {
		result, err := Run(t.Context(), r)
		require.NoError(t, err)
		for i, score := range result.Private {
			out[i] += (result.Plain - score) / float64(runs)
		}
	}
	return out
}

func TestMoreBudgetAndMoreRecordsLoseLess(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct {
		label data.Label
		loss  glm.Loss
	}{{two, glm.Logistic{}}, {number, glm.Squared{}}} {
		s := mixed(c.label)
		request := Request{
			Schema: s,
			Signal: Medium,
			Loss:   c.loss,
			Fits:   trials(t, s, c.loss, 0.1, 1, 8),
		}
		before := []float64{1, 1, 1}
		for _, request.Records = range []int{300, 3_000, 30_000, 3_000_000} {
			lost := losses(t, request, 6)
			t.Logf("%d records: %.4f", request.Records, lost)
			assert.Greater(t, lost[0]+0.002, lost[1])
			assert.Greater(t, lost[1]+0.002, lost[2])
			for i := range lost {
				assert.Less(t, lost[i], before[i]+0.002)
			}
			before = lost
		}
		assert.Less(t, before[0], 0.005, "of millions of records nothing is lost")
	}
}

// A quarter of the records, each counted four times, loses what all of them do.
func TestFewStandForMany(t *testing.T) {
	nativetest.Only(t)
	for _, c := range []struct {
		label  data.Label
		loss   glm.Loss
		method string
		budget float64
	}{
		{two, glm.Logistic{}, "amp", 0.3}, {two, glm.Logistic{}, "dpsgd", 0.3},
		{number, glm.Squared{}, "suffstats", 1},
		{several, glm.Softmax{}, "amp", 0.6}, {several, glm.Softmax{}, "steps", 0.3},
	} {
		name, s := fmt.Sprintf("%T by %s", c.loss, c.method), mixed(c.label)
		asked := learn.Asked{
			Schema: s, Loss: c.loss, Guarantee: guaranteed(c.budget), Records: 4000,
		}
		chosen, err := methods.Choose(c.method, asked)
		require.NoError(t, err)
		fit, err := chosen.Trial()
		require.NoError(t, err)
		lost := func(records int, share float64) (out sample) {
			for trial := range 20 {
				stream := seeded.New("test/share/" + strconv.Itoa(trial))
				p := draw(stream, s)
				test := &fresh{kind: c.label.Type, truth: truth{Signal: Medium}}
				test.x, test.scores = p.records(stream, tested)
				x, scores := p.records(stream, records)
				f := fits{
					ctx: t.Context(), loss: c.loss, share: share, norm: s.RowNorm(),
					all: &data.Dataset{
						Schema: s, X: x, Y: test.labels(stream, c.label.Type, scores),
					},
				}
				plain, err := f.fit(
					learn.Trial{Clip: math.Inf(1), Lambda: 0.1, Classes: fit.Classes}, nil,
				)
				require.NoError(t, err)
				private, err := f.fit(fit, seeded.New("test/share/noise/"+strconv.Itoa(trial)))
				require.NoError(t, err)
				out = append(out, test.score(plain)-test.score(private))
			}
			return out
		}
		all, few, unweighted := lost(4000, 1), lost(1000, 0.25), lost(1000, 1)
		t.Logf(
			"%s: %.4f ± %.4f of all, %.4f ± %.4f of a quarter, %.4f", name, all.mean(), all.error(),
			few.mean(), few.error(), unweighted.mean(),
		)
		assert.InDelta(
			t, all.mean(), few.mean(), 0.004+3*math.Hypot(all.error(), few.error()), name,
		)
		assert.Greater(
			t, unweighted.mean(), 2*all.mean(), "a quarter that counts once loses much more: "+name,
		)
	}
}

func TestSeveralClasses(t *testing.T) {
	nativetest.Only(t)
	s := mixed(several)
	request := Request{Schema: s, Records: 5_000, Signal: Strong, Loss: glm.Logistic{}}
	request.Fits = trials(t, s, glm.Logistic{}, 0.5, 8)
	lost := losses(t, request, 3)
	assert.Greater(t, lost[0], 0.02)
	assert.Less(t, math.Abs(lost[1]), 0.02)
}

func TestSignalsAreAsSaid(t *testing.T) {
	s := seeded.New("test/signals")
	z := make([]float64, 20_000)
	normals(s, z)
	for signal, want := range map[Signal]float64{Weak: 0.674, Medium: 0.777, Strong: 0.871} {
		right := 0.0
		for _, score := range z {
			chances := truth{Signal: signal}.chances([]float64{score})
			right += math.Max(chances[0], chances[1]) / float64(len(z))
		}
		assert.InDelta(t, want, right, 0.005)
	}
	p := draw(s, mixed(number))
	_, scores := p.records(s, 20_000)
	var of sample
	for _, score := range scores {
		of = append(of, score[0])
	}
	assert.InDelta(t, 0, of.mean(), 0.05)
	assert.InDelta(t, 1, of.error()*math.Sqrt(20_000), 0.05)
}

func TestRunRefuses(t *testing.T) {
	s := mixed(two)
	good := Request{
		Schema:  s,
		Records: 100,
		Signal:  Weak,
		Trial:   1,
		Loss:    glm.Logistic{},
		Fits:    trials(t, s, glm.Logistic{}, 1),
	}
	for field, spoil := range map[string]func(*Request){
		"records": func(r *Request) { r.Records = 9 },
		"trial":   func(r *Request) { r.Trial = 0 },
		"signal":  func(r *Request) { r.Signal = "none" },
		"loss":    func(r *Request) { r.Loss = nil },
		"dimension": func(r *Request) {
			r.Fits = slices.Clone(r.Fits)
			r.Fits[0].Dimension++
		},
		"schema": func(r *Request) {
			wide := *s
			wide.Features = append([]data.Feature(nil), s.Features...)
			wide.Features = append(
				wide.Features,
				data.Feature{
					Name: "z", Type: data.Categorical, Categories: make([]string, MaxDimension),
				},
			)
			r.Schema = &wide
		},
	} {
		r := good
		spoil(&r)
		_, err := Run(t.Context(), r)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad, field)
		assert.Equal(t, field, bad.Field)
	}
}

type sample []float64

func (s sample) mean() float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// error is the standard error of the mean.
func (s sample) error() float64 {
	sum, mean := 0.0, s.mean()
	for _, x := range s {
		sum += (x - mean) * (x - mean)
	}
	n := float64(len(s))
	return math.Sqrt(sum / (n - 1) / n)
}

// One trial of the usual fits at thirteen budgets, as the studio asks for it.
func BenchmarkRun(b *testing.B) {
	request := Request{Schema: mixed(two), Records: 12_000, Signal: Medium, Loss: glm.Logistic{}}
	for _, epsilon := range []float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8} {
		asked := learn.Asked{
			Schema: request.Schema, Loss: request.Loss, Guarantee: guaranteed(epsilon),
			Records: float64(request.Records),
		}
		fit, err := methods.Choose(methods.Usual(asked), asked)
		require.NoError(b, err)
		trial, err := fit.Trial()
		require.NoError(b, err)
		request.Fits = append(request.Fits, trial)
	}
	for b.Loop() {
		request.Trial++
		_, err := Run(b.Context(), request)
		require.NoError(b, err)
	}
}

// What 30 numbers share is nearly the score of a numeric label, and not that of two classes.
func TestHowMuchOfAScoreNumbersShare(t *testing.T) {
	explained := func(label data.Label) (of sample) {
		schema := mixed(label)
		schema.Rows.Norm = data.Scale
		schema.Features = slices.Repeat(schema.Features[:1], 30)
		for trial := range 8 {
			s := seeded.New("shared/" + strconv.Itoa(trial))
			p := draw(s, schema)
			x, scores := p.records(s, 1000)
			var products, squares, own float64
			for i, z := range scores {
				common, row := 0.0, x.Row(i)
				for at, j := range row.Index {
					if int(j) < len(p.features) {
						f := p.features[j]
						common += f.way[0] * (math.Sqrt(30)*row.Value[at] - f.middle)
					}
				}
				products += common * z[0]
				squares += common * common
				own += z[0] * z[0]
			}
			of = append(of, products*products/squares/own)
		}
		return of
	}
	assert.Greater(t, explained(number).mean(), 0.9)
	assert.Less(t, explained(two).mean(), 0.6)
}
