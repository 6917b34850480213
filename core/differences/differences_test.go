package differences

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/privacy"
)

// mixed has a number, a column of two categories and one of three, and an intercept.
func mixed() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			{Name: "age", Type: data.Numeric, Min: 18, Max: 100, Provenance: data.Public},
			{
				Name: "smokes", Type: data.Categorical,
				Categories: []string{"yes", "No"}, Provenance: data.Public,
			},
			{
				Name: "ward", Type: data.Categorical,
				Categories: []string{"A", "B", "C"}, Provenance: data.Public,
			},
			{
				Name: "only", Type: data.Categorical,
				Categories: []string{"one"}, Provenance: data.Public,
			},
		},
		Label: data.Label{
			Name:     "ill",
			Negative: []string{"no"}, Positive: []string{"yes"}, Provenance: data.Public,
		},
		Rows: data.Rows{Norm: data.Clip}, Intercept: 0.5,
	}
}

func release(event privacy.Event, theta ...float64) *learn.Release {
	s := mixed()
	return &learn.Release{Schema: s, Event: event, Model: learn.Model{
		Schema: s, Loss: glm.Logistic{}, Clip: math.Inf(1), Lambda: 4,
		Columns: s.Columns(), Coefficients: theta,
	}}
}

func gaussian(sigma float64) privacy.Event {
	return privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
}

// By hand: σ = 3/4 and λ = 4, so s² = 9/16 + 1/16 (a = 1 without clipping), s = 0.7906.
func TestDifferencesAreFromAReference(t *testing.T) {
	got := Of(release(gaussian(0.75), 4, 1, -2, 0.5, 0.25, 3, 9, 7))
	s := math.Sqrt(0.625)
	assert.Len(t, got, 1)
	assert.InDelta(t, s, got[0].Limit, 1e-12)
	want := []Difference{
		{Feature: "age", Estimate: 4, Shown: true},
		{Feature: "smokes", Category: "yes", Reference: "No", Estimate: 3, Shown: true},
		{Feature: "ward", Category: "B", Reference: "A", Estimate: -0.25},
		{Feature: "ward", Category: "C", Reference: "A", Estimate: 2.5, Shown: true},
	}
	for i := range want {
		want[i].Error = s * math.Sqrt2
	}
	want[0].Error = s
	assert.Len(t, got[0].Differences, 4, "a column of one category has none")
	for i, d := range got[0].Differences {
		assert.InDelta(t, want[i].Error, d.Error, 1e-12)
		want[i].Error = d.Error
		assert.Equal(t, want[i], d)
	}
}

// A missing value is held against the middle of a number's bounds, whose entry is as the
// missing one's, or against the reference.
func TestDifferencesOfMissingValues(t *testing.T) {
	s := mixed()
	s.Features = []data.Feature{s.Features[0], s.Features[2]}
	for i := range s.Features {
		s.Features[i].Missing = data.Rule{Action: data.Indicate}
	}
	r := release(gaussian(0.75), 4, 1, -2, 0.5, 0.25, 3, 9)
	r.Schema, r.Model.Schema, r.Model.Columns = s, s, s.Columns()
	limit := Of(r)[0].Limit
	got := Of(r)[0].Differences
	for i := range got {
		got[i].Shown = false
	}
	assert.Equal(t, []Difference{
		{Feature: "age", Estimate: 4, Error: limit},
		{Feature: "age", Missing: true, Estimate: 1, Error: limit},
		{Feature: "ward", Category: "B", Reference: "A", Estimate: 2.5, Error: math.Sqrt2 * limit},
		{Feature: "ward", Category: "C", Reference: "A", Estimate: 2.25, Error: math.Sqrt2 * limit},
		{Feature: "ward", Missing: true, Reference: "A", Estimate: 5, Error: math.Sqrt2 * limit},
	}, got)
}

// By hand: the vectors 5, 1 and 0 are 5 − 1/2, 1 − 5/2 and 0 − 6/2 against the mean of the
// others; of two classes the difference is the logistic model's.
func TestTheSoftmaxHoldsAClassAgainstTheOthers(t *testing.T) {
	of := func(theta ...float64) (out []float64) {
		s := mixed()
		s.Features, s.Intercept = s.Features[:1], 0
		s.Label = data.Label{Name: "kind", Type: data.SeveralClasses}
		for k := range theta {
			s.Label.Classes = append(s.Label.Classes, []string{string(rune('a' + k))})
		}
		event := privacy.ObjectivePerturbation{Sigma: 3, Lambda: 4, Loss: privacy.LossSoftmax}
		r := &learn.Release{Schema: s, Event: event, Model: learn.Model{
			Schema: s, Loss: glm.Softmax{}, Clip: math.Inf(1), Columns: s.Columns(),
			Coefficients: theta,
		}}
		r.Event = privacy.ApproximateMinima{Objective: event}
		for _, v := range Of(r) {
			out = append(out, v.Differences[0].Estimate)
			k := float64(len(theta))
			assert.InDelta(t, 0.75*math.Sqrt(k/(k-1)), v.Limit, 1e-12)
		}
		r.Model.Clip = 1
		assert.Equal(t, math.Inf(1), Of(r)[0].Limit, "clipped")
		return out
	}
	assert.Equal(t, []float64{4.5, -1.5, -3}, of(5, 1, 0))
	assert.Equal(t, []float64{4, -4}, of(5, 1))
}

// Steps of a softmax clip so much that nothing is known of their differences, however large.
func TestNothingIsSaidOfStepsOfASoftmax(t *testing.T) {
	s := mixed()
	s.Label = data.Label{Name: "kind", Type: data.SeveralClasses}
	s.Label.Classes = [][]string{{"a"}, {"b"}, {"c"}}
	keep := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 8, Delta: 1e-5}
	for _, records := range []float64{50, 1e6} {
		plan, err := dpgd.MeanDefaults(s, glm.Softmax{}, keep, records).Plan()
		require.NoError(t, err)
		event, err := plan.Event()
		require.NoError(t, err)
		theta := make([]float64, plan.Dimension)
		theta[0] = 1e6
		r := &learn.Release{Schema: s, Event: event, Model: learn.Model{
			Schema: s, Loss: glm.Softmax{}, Clip: plan.Clip, Columns: s.Columns(),
			Coefficients: theta,
		}}
		for _, v := range Of(r) {
			assert.Equal(t, math.Inf(1), v.Limit)
			assert.False(t, v.Differences[0].Shown)
		}
	}
}

// The third of four has p = 0.0127, which is above 0.025/4 and 2·0.025/4, but not above
// 3·0.025/4.
func TestTheLeastAreMarkedTogether(t *testing.T) {
	p := func(z float64) Difference { return Difference{Estimate: z, Error: 1} }
	marked := func(list ...Difference) (out []bool) {
		mark(list)
		for _, d := range list {
			out = append(out, d.Shown)
		}
		return out
	}
	assert.Equal(t, []bool{true, true, false, true}, marked(p(4), p(-3), p(0.1), p(2.235)))
	assert.Equal(t, []bool{false, false, false, false}, marked(p(2.235), p(-1), p(0.1), p(1)))
	assert.Equal(t, []bool{true, true}, marked(p(1.97), p(-1.97)))
	assert.Equal(t, []bool{false}, marked(p(1.95)))
	assert.Empty(t, marked())
	nothing := Difference{Estimate: 1e9, Error: math.Inf(1)}
	assert.Equal(t, []bool{false}, marked(nothing))
}

// Where the release does not say enough there is no limit, and nothing is shown.
func TestNothingIsSaidOfWhatIsNotKnown(t *testing.T) {
	either := privacy.AddRemove
	sigmas := make([]float64, 100)
	for i := range sigmas {
		sigmas[i] = 5
	}
	even := privacy.GradientDescent{Adjacency: either, Sensitivity: 1, Sigmas: sigmas}
	few := even
	few.Sigmas = sigmas[:99]
	uneven := even
	uneven.Sigmas = append([]float64{6}, sigmas[1:]...)
	samples := privacy.SubsampledGaussian{
		Adjacency: either, Rate: 0.1, NoiseMultiplier: 1, Steps: 1000,
	}
	other := samples
	other.Steps = 999
	chosen := privacy.PoissonSelection{Mean: 3, Base: privacy.Composition{
		Adjacency: either,
		Parts: []privacy.Part{
			{Event: gaussian(1), Count: 1},
			{Event: privacy.PureDP{Adjacency: either, Epsilon: 1}, Count: 1},
		},
	}}
	laplace := privacy.Laplace{Adjacency: either, Sensitivity: 1, Scale: 1}
	for name, c := range map[string]struct {
		event privacy.Event
		known bool
	}{
		"steps": {even, true}, "other steps": {few, false}, "uneven steps": {uneven, false},
		"samples": {samples, true}, "other samples": {other, false},
		"private selection": {chosen, false}, "no mechanism of a model": {laplace, false},
	} {
		r := release(c.event, 1e6, 1, -2, 0.5, 0.25, 3, 9, 7)
		r.Model.Clip = 1
		v := Of(r)[0]
		assert.Equal(t, c.known, !math.IsInf(v.Limit, 1), name)
		assert.Equal(t, c.known, v.Differences[0].Shown, name)
	}
}

func TestReference(t *testing.T) {
	assert.Equal(t, 0, Reference([]string{"female", "male"}))
	assert.Equal(t, 1, Reference([]string{"current", "Never", "no"}))
	assert.Equal(t, 0, Reference([]string{"one"}))
}
