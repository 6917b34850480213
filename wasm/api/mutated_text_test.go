package api_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/random/randomtest/mutated"
)

// leastDelta is δ of one Gaussian sum that the release holds whatever else it does, by the numbers
// of its event alone, at an ε: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), written down apart from the
// accountant; 0 where nothing so plain is known.
func leastDelta(r *learn.Release, epsilon float64) float64 {
	var square func(event privacy.Event) float64
	square = func(event privacy.Event) float64 {
		switch e := event.(type) {
		case privacy.Gaussian:
			return e.Sensitivity / e.Sigma * (e.Sensitivity / e.Sigma)
		case privacy.GradientDescent:
			total := 0.0
			for _, sigma := range e.Sigmas {
				total += e.Sensitivity / sigma * (e.Sensitivity / sigma)
			}
			return total
		case privacy.Composition:
			total := 0.0
			for _, part := range e.Parts {
				total += float64(part.Count) * square(part.Event)
			}
			return total
		}
		return 0
	}
	mu := math.Sqrt(square(r.Event))
	if mu == 0 {
		return 0
	}
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	return normal(mu/2-epsilon/mu) - math.Exp(epsilon)*normal(-mu/2-epsilon/mu)
}

// unproved says in which way a changed release claims more than its own numbers prove, by nothing
// of what Verify goes by; "" if it does not. before is the file that was changed.
func unproved(r, before *learn.Release) string {
	g := r.Guarantee
	if bad := unfit(r); bad != "" {
		return bad
	}
	if leastDelta(r, g.Epsilon) > g.Delta*(1+1e-6) {
		return "a Gaussian sum alone costs more"
	}
	// What was calibrated to an ε has it to less than a hundredth.
	if assert.ObjectsAreEqual(r.Event, before.Event) && g.Delta <= before.Guarantee.Delta &&
		g.Epsilon < 0.99*before.Guarantee.Epsilon && g.Method == before.Guarantee.Method {
		return "the same event costs more"
	}
	return ""
}

// A release that somebody has changed, as text, in one place or two, is refused, or a finding says
// what is not true, or what it claims is no more than what its own numbers prove: its event is
// that of a mechanism which gives out such a model, and costs what is claimed. What an event costs
// is known here, apart from the accountant, of sums with Gaussian noise alone. Of others it is only
// asked that the very event of the file is not claimed for less.
func TestAChangedTextClaimsNothingThatItsNumbersDoNotProve(t *testing.T) {
	m := mutated.Mutator{Source: randomtest.New(12)}
	each := 60
	switch {
	case os.Getenv("CLOISTER_AUDIT") == "long":
		each = 3000
	case testing.Short():
		each = 15
	}
	changed, refused, found, caught, believed := 0, 0, 0, 0, 0
	for _, file := range releasesToForge(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		before, err := learn.ParseRelease(text)
		require.NoError(t, err)
		root := mutated.Parse(t, text)
		whole := root.String()
		for range each {
			copied := root.Clone()
			what := filepath.Base(file) + ":" + m.Mutate(copied)
			out := copied.String()
			if out == whole {
				continue
			}
			changed++
			r, err := learn.ParseRelease([]byte(out))
			if err != nil {
				refused++
				continue
			}
			failed := falseAnyway(r) // which asks for no price, that may take seconds
			if !failed {
				_, failed = r.Verify().Failed()
			}
			if failed {
				if found++; unproved(r, before) != "" {
					caught++
				}
				continue
			}
			believed++
			// What was read is what is written: there is no second reading of the text.
			written, err := json.Marshal(r)
			require.NoError(t, err, what)
			again, err := learn.ParseRelease(written)
			require.NoError(t, err, what)
			assert.Equal(t, r, again, what)
			assert.Empty(t, unproved(r, before), what)
		}
	}
	t.Logf("%d changed texts: %d refused, %d found out (%d without Verify), %d believed",
		changed, refused, found, caught, believed)
	assert.Greater(t, refused, changed/4)
	assert.Positive(t, caught, "a Verify that believes everything would not be noticed")
	assert.Positive(t, believed)
}
