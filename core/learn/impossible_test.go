package learn_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// failed is the first untrue claim, "" if there is none.
func failed(r *learn.Release) string {
	f, _ := r.Verify().Failed()
	return f.Claim
}

// A regulariser so strong that no record moves anything makes next to no noise
// cheap. What such a mechanism gives out is next to nothing too.
func TestNoRegulariserMakesLongCoefficientsCheap(t *testing.T) {
	output := named(t, "output perturbation")
	require.Empty(t, failed(output))
	output.Assessment = nil // which is of other coefficients
	output.Model.Lambda = 1e40
	output.Event = privacy.Gaussian{
		Adjacency:   privacy.AddRemove,
		Sensitivity: 1.01e-40,
		Sigma:       1e-38,
	}
	assert.Equal(t, "reach", failed(output), "the coefficients of any model, with noise of 1e-38")
	for j := range output.Model.Coefficients {
		output.Model.Coefficients[j] = 1e-34
	}
	assert.Empty(t, failed(output), "what a million records can come to")

	minima := named(t, "approximate minima")
	require.Empty(t, failed(minima))
	event := minima.Event.(privacy.ApproximateMinima)
	event.Objective.Lambda *= 1e20
	minima.Event = event
	assert.Equal(t, "reach", failed(minima))
}

// Claimed stronger than it was, output perturbation's regulariser makes the same noise cheaper: by
// no more than the records that can be read could make up for.
func TestNoRegulariserIsStrongerThanAllRecordsTogether(t *testing.T) {
	r := named(t, "output perturbation")
	r.Assessment = nil
	longest := 0.0
	for _, c := range r.Model.Coefficients {
		longest = math.Max(longest, math.Abs(c))
	}
	// One gradient is no longer than the rows, of which the slope is at most 1.
	strongest := 0x1p24 * math.Min(r.Model.Clip, r.Schema.RowNorm()) / longest
	r.Model.Lambda = strongest / 1.01
	event := r.Event.(privacy.Gaussian)
	sensitivity := 2.02 * math.Min(r.Model.Clip, r.Schema.RowNorm()) / r.Model.Lambda
	event.Sensitivity, event.Sigma = sensitivity, 100*sensitivity
	r.Event = event
	assert.Empty(t, failed(r), "so many records could have asked for these coefficients")
	r.Model.Lambda = strongest * 1.01
	assert.Equal(t, "reach", failed(r))
}

// The lattice ends at 2^53 steps, so noise far below a coefficient's last digit is
// not what that coefficient was given out with.
func TestNoCoefficientLiesBeyondItsLattice(t *testing.T) {
	r := named(t, "approximate minima")
	event := r.Event.(privacy.ApproximateMinima)
	event.Tau *= 0x1p-40
	event.SigmaOut *= 0x1p-40
	event.Grid *= 0x1p-40
	r.Event = event
	assert.Equal(t, "grid", failed(r))
	for j := range r.Model.Coefficients {
		r.Model.Coefficients[j] = math.Copysign((1<<53-1)*event.Grid, r.Model.Coefficients[j])
	}
	assert.Empty(t, failed(r), "the lattice's last points")
}

// A selection of something else, beside a model that was chosen by hand, pays for
// no choice of the model; nor does a score that costs nothing.
func TestAPrivateSelectionIsOneOfTheModel(t *testing.T) {
	r := named(t, "selection")
	require.NoError(t, r.State(learn.PrivateSelection))
	selected := r.Event.(privacy.PoissonSelection)
	base := selected.Base.(privacy.Composition)
	other := privacy.LiuTalwarSelection{
		Base:   privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 1e-6},
		Tau:    0.5,
		Cutoff: 1e-12,
	}
	r.Event = privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
		{Event: base.Parts[0].Event, Count: 1}, {Event: other, Count: 1},
	}}
	r.Guarantee.Method = account.Closed // by which it has no price, and is told so in no time
	f, ok := finding(r, "choice")
	require.True(t, ok)
	assert.False(t, f.True, f.Text)
	r.Choice = learn.NotStated
	f, _ = finding(r, "choice")
	assert.NotContains(t, f.Text, "chosen by a private selection")

	for _, score := range []privacy.Event{
		privacy.PureDP{Adjacency: privacy.AddRemove}, privacy.ApproximateDP{
			Adjacency: privacy.AddRemove,
		}, privacy.ZeroConcentrated{Adjacency: privacy.AddRemove},
	} {
		selected.Base = privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{base.Parts[0], {Event: score, Count: 1}},
		}
		r.Event = selected
		f, _ = finding(r, "mechanism")
		assert.False(t, f.True, score.Mechanism())
	}
}

// A file that says of something that it was run 2^53 times gets its answer.
func TestALargeCountIsNotCountedThrough(t *testing.T) {
	r := named(t, "gradient descent")
	r.Event = privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
		{Event: r.Event, Count: 1},
		{
			Event: privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1e-20, Sigma: 1e20},
			Count: privacy.LargestCount,
		},
	}}
	r.Model.Lambda = 0
	answered := make(chan string, 1)
	go func() { answered <- failed(r) }()
	select {
	case <-answered:
	case <-time.After(30 * time.Second):
		t.Fatal("no answer")
	}
}

// What releases of before lack, one that states its choice, and so is no such, has.
func TestAReleaseOfNowSaysThatNamesAreNotCovered(t *testing.T) {
	r := release(t, "suggested")
	full := r.Schema.EarlierCaveats()
	r.Guarantee.Caveats = full[:len(full)-1]
	require.Empty(t, failed(r), "one of before")
	stated := *r
	require.NoError(t, stated.State(learn.OnlyModel))
	assert.Equal(t, full, stated.Guarantee.Caveats)
	require.Empty(t, failed(&stated))
	stated.Guarantee.Caveats = full[:len(full)-1]
	assert.Equal(t, "coverage", failed(&stated))
}

// Noise so strong that it hides everything costs nothing. With it, of an objective or of
// an output, no coefficients are those of a model.
func TestNoNoiseMakesShortCoefficientsCheap(t *testing.T) {
	for name, change := range map[string]func(*privacy.ApproximateMinima){
		"in the output": func(e *privacy.ApproximateMinima) {
			e.Objective.Lambda, e.Objective.Sigma, e.SigmaOut = 1e12, 1e32, 1e20
		},
		"in the objective": func(e *privacy.ApproximateMinima) {
			e.Objective.Lambda, e.Objective.Sigma = 1e12, 1e32
			e.Tau, e.SigmaOut, e.Grid = 1e-40, 1e-20, 0x1p-90
		},
	} {
		r := named(t, "approximate minima")
		require.Empty(t, failed(r), name)
		event := r.Event.(privacy.ApproximateMinima)
		change(&event)
		r.Event = event
		assert.Equal(t, "noise", failed(r), name)
	}

	// What such noise does give out is taken, and so are zeros where a lattice is coarse.
	r := named(t, "approximate minima")
	event := r.Event.(privacy.ApproximateMinima)
	event.Objective.Lambda, event.Objective.Sigma, event.SigmaOut = 1e12, 1e32, 1e20
	r.Event = event
	for j := range r.Model.Coefficients {
		r.Model.Coefficients[j] = math.Ldexp(1, 60+j)
	}
	event.Grid = 0x1p40
	r.Event = event
	assert.Empty(t, failed(r))
	r.Model.Coefficients[0] = 0
	assert.Empty(t, failed(r))
}

// An evaluation whose noise hides everything has no figures to show.
func TestNoNoiseMakesFiguresCheap(t *testing.T) {
	r := named(t, "regression")
	require.NotNil(t, r.Assessment)
	require.Empty(t, failed(r))
	r.Assessment.Event = r.Model.AssessmentLayout().AssessmentEvent(privacy.AddRemove, 1e40)
	r.Assessment.Epsilon = 1e-30
	assert.Equal(t, "evaluation_numbers", failed(r))
}

// Noise is drawn in steps of 2^-16, and hardly ever adds up to whole records: counts that are
// whole have none.
func TestCountsWithoutNoiseAreFoundOut(t *testing.T) {
	r := named(t, "regression")
	event := func(epsilon float64) {
		layout := r.Model.AssessmentLayout()
		scale := math.Ceil(float64(layout.Changes(privacy.AddRemove)) * 0x1p16 / epsilon)
		r.Assessment.Event = layout.AssessmentEvent(privacy.AddRemove, scale)
		r.Assessment.Epsilon = epsilon
	}
	event(1)
	squares := 0.0
	for i, row := range r.Assessment.Cells {
		mean := (float64(i) + 0.5) / float64(len(r.Assessment.Cells))
		row[0] = float64(100 * i)
		row[1] = math.Round(row[0] * mean)
		squares += row[1] * mean
		for j := range row {
			row[j] += 3 * learn.AssessmentUnit
		}
	}
	r.Assessment.Sums[0] = math.Round(squares) + 3*learn.AssessmentUnit
	require.Empty(t, failed(r))
	whole := func(n int) {
		for k, row := range r.Assessment.Cells {
			if k < n {
				row[0] = math.Round(row[0])
			}
		}
	}
	require.GreaterOrEqual(t, len(r.Assessment.Cells), 5)
	whole(2)
	assert.Empty(t, failed(r), "two of many may be whole")
	whole(5)
	assert.Equal(t, "evaluation_numbers", failed(r), "all exact counts, and sums that are not")
}

// An evaluation whose ε is too small by little is untrue.
func TestAnEvaluationCostsWhatItsNoiseDoes(t *testing.T) {
	r := named(t, "regression")
	r.Assessment.Epsilon *= 1 - 0x1p-12
	assert.Equal(t, "evaluation_epsilon", failed(r))
}

// A selection that runs nothing but for a chance nobody meets with is cheap, and has nothing to
// give out: the rarer the run, the rarer what it learns from.
func TestASelectionThatMakesNoRunHasNoCoefficients(t *testing.T) {
	r := named(t, "selection")
	one := r.Event.(privacy.PoissonSelection)
	twice := func(mean float64, base privacy.Event) privacy.Event {
		score := privacy.Laplace{Adjacency: privacy.AddRemove, Sensitivity: 1, Scale: 40}
		return privacy.PoissonSelection{Mean: mean, Base: privacy.Composition{
			Adjacency: privacy.AddRemove,
			Parts:     []privacy.Part{{Event: base, Count: 1}, {Event: score, Count: 1}},
		}}
	}
	rare := func(mean float64) privacy.Event {
		return privacy.PoissonSelection{Base: one.Base, Mean: mean}
	}
	seldom := one.Base.(privacy.Composition)
	seldom.Parts = slices.Clone(seldom.Parts)
	sgd := seldom.Parts[0].Event.(privacy.SubsampledGaussian)
	sgd.Rate = 1e-30
	seldom.Parts[0].Event = sgd
	for _, c := range []struct {
		event privacy.Event
		claim string
	}{
		{rare(1e-50), "mechanism"},
		{rare(1e-29), ""},
		{twice(1e-16, rare(1e-16)), "mechanism"},
		{twice(1e20, rare(1e-40)), ""},
		{privacy.NegativeBinomialSelection{
			Base: twice(1, rare(1e-40)).(privacy.PoissonSelection).Base, Eta: 1, Gamma: 0.1,
		}, "mechanism"},
		{privacy.PoissonSelection{Base: seldom, Mean: 1}, ""},
		{privacy.PoissonSelection{Base: seldom, Mean: 1e-20}, "steps"},
	} {
		r.Event, r.Guarantee.Epsilon, r.Guarantee.Delta = c.event, 1e6, 1e-31
		assert.Equal(t, c.claim, failed(r), "%+v", c.event)
	}
}

// What tells something with a probability of at most δ is (0, δ)-differentially private whatever
// it tells then, as no noise at all: such a guarantee is none for what was told.
func TestNoModelComesFromWithinDelta(t *testing.T) {
	selection, descent := named(t, "selection"), named(t, "stochastic gradients")
	for _, chance := range []float64{1e-12, 1e-9, 1e-3} {
		delta := selection.Guarantee.Delta
		claim := ""
		if chance < delta {
			claim = "mechanism"
		}
		selected := selection.Event.(privacy.PoissonSelection)
		selected.Mean = chance
		selection.Event = selected
		assert.Equal(t, claim, failed(selection), "runs: %g", chance)
		if chance < delta {
			claim = "steps"
		}
		steps := descent.Event.(privacy.SubsampledGaussian)
		steps.NoiseMultiplier, steps.Rate = 1e-3, chance/0x1p24/float64(steps.Steps)
		descent.Event = steps
		assert.Equal(t, claim, failed(descent), "records drawn: %g", chance)
	}
}

// A softmax whose gradients are clipped is no convex function's, so that a minimum of it may be
// moved by one record as far as it likes: the sensitivity of output perturbation is that without
// clipping.
func TestASoftmaxThatIsClippedHasNoMinimum(t *testing.T) {
	r := named(t, "output perturbation")
	three := labelled(t, threeClasses)
	norm := three.RowNorm()
	for _, c := range []struct {
		clip, sensitivity float64
		claim             string
	}{
		{math.Inf(1), math.Sqrt2 * norm / 4 * (1 + 1e-12), ""},
		{math.Inf(1), norm / 4, "sensitivity"},
		{0.1, 0.1 / 4 * (1 + 1e-12), "clip"},
	} {
		r.Schema, r.Model.Schema, r.Model.Columns = three, three, three.Columns()
		r.Model.Loss, r.Model.Clip = glm.Softmax{}, c.clip
		r.Model.Coefficients = make([]float64, 3*len(r.Model.Columns))
		for j := range r.Model.Coefficients {
			r.Model.Coefficients[j] = 0.1 * float64(j)
		}
		r.Guarantee.Covers, r.Guarantee.Caveats = three.CoversEverything(), three.Caveats()
		r.Event = privacy.Gaussian{
			Adjacency: privacy.AddRemove, Sensitivity: c.sensitivity, Sigma: 4 * c.sensitivity,
		}
		assert.Equal(t, c.claim, failed(r), "clipped at %g", c.clip)
	}
}
