package privacy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/privacy/privacytest"
)

// The examples are of all events that the sources declare.
func TestThereIsAnExampleOfEveryEvent(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var declared []string
	there := map[string]string{} // the mechanism of each type
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) Mechanism\(\) string`).FindAllSubmatch(text, -1) {
			declared = append(declared, "privacy."+string(found[1]))
		}
	}
	require.NotEmpty(t, declared)
	for _, event := range privacytest.Events() {
		there[fmt.Sprintf("%T", event)] = event.Mechanism()
	}
	for _, name := range declared {
		assert.Contains(t, there, name, "add an example of it to privacytest.Examples")
	}
	assert.Len(t, there, len(declared), "an example of each")
	names := map[string]bool{}
	for _, name := range there {
		names[name] = true
	}
	assert.Len(t, names, len(there), "every mechanism has a name of its own")
	for _, law := range []privacy.NoiseLaw{privacy.GeometricNoise, privacy.GumbelNoise} {
		assert.True(t, slices.ContainsFunc(privacytest.Events(), func(e privacy.Event) bool {
			min, ok := e.(privacy.NoisyMin)
			return ok && min.Noise == law
		}), "add noisy min with %s noise to privacytest.Examples", law)
	}
}

// Events that hold others are those whose tree has an event in it, and Parts knows
// every one of them.
func TestPartsAreWhatStandsInsideAnEvent(t *testing.T) {
	for _, event := range privacytest.Events() {
		inside := 0
		for name, value := range privacy.EncodeEvent(event) {
			_, one := value.(map[string]any)
			list, several := value.([]any)
			switch {
			case one:
				inside++
			case several && (name == "parts" || name == "events"):
				inside += len(list)
			}
		}
		assert.Len(t, privacy.Parts(event), inside, event.Mechanism())
	}
}

// Every event that holds others gives each to be changed, in the order of Parts, and
// keeps all else; those that hold none, and the event that was given, stay the same.
func TestRebuildChangesWhatStandsInsideAnEvent(t *testing.T) {
	other := privacy.PureDP{Adjacency: either, Epsilon: 0.125}
	for _, event := range privacytest.Events() {
		before := privacy.EncodeEvent(event)
		var seen []privacy.Event
		rebuilt, err := privacy.Rebuild(
			event,
			func(i int, inside privacy.Event) (privacy.Event, error) {
				assert.Equal(t, len(seen), i)
				seen = append(seen, inside)
				return other, nil
			},
		)
		require.NoError(t, err)
		assert.Equal(t, before, privacy.EncodeEvent(event), event.Mechanism())
		assert.IsType(t, event, rebuilt)
		require.Len(t, seen, len(privacy.Parts(event)), event.Mechanism())
		for i, part := range privacy.Parts(rebuilt) {
			assert.Equal(t, privacy.Part{Event: other, Count: privacy.Parts(event)[i].Count}, part)
		}
		again, err := privacy.Rebuild(
			rebuilt, func(i int, _ privacy.Event) (privacy.Event, error) { return seen[i], nil },
		)
		require.NoError(t, err)
		assert.Equal(t, event, again)
		if len(seen) > 0 {
			_, err = privacy.Rebuild(event, func(int, privacy.Event) (privacy.Event, error) {
				return nil, &privacy.ParameterError{Field: "sigma", Value: "0", Want: "more"}
			})
			assert.ErrorContains(t, err, ".sigma", "the place is named")
		}
	}
}

func TestObjectiveOfAnEventIsOfObjectivePerturbationAlone(t *testing.T) {
	for _, event := range privacytest.Events() {
		objective, ok := privacy.ObjectiveOf(event)
		_, has := privacy.EncodeEvent(event)["smoothness"]
		assert.Equal(t, has, ok, event.Mechanism())
		if ok {
			want := map[privacy.LossClass]float64{
				privacy.LossLogistic: 0.25, privacy.LossSoftmax: 0.5,
			}
			assert.Equal(t, want[objective.Loss], objective.Smoothness)
		}
	}
}

func TestWalkGivesEachEventBeforeWhatIsInside(t *testing.T) {
	pure, other := privacy.PureDP{
		Adjacency: either,
		Epsilon:   1,
	}, privacy.PureDP{
		Adjacency: either,
		Epsilon:   2,
	}
	selection := privacy.PoissonSelection{Base: pure, Mean: 3}
	inner := privacy.Composition{
		Adjacency: either,
		Parts:     []privacy.Part{{Event: selection, Count: 2}, {Event: nil, Count: 1}},
	}
	event := privacy.Composition{
		Adjacency: either,
		Parts:     []privacy.Part{{Event: inner, Count: 1}, {Event: other, Count: 0}},
	}
	var seen []privacy.Event
	see := func(e privacy.Event) { seen = append(seen, e) }
	privacy.Walk(event, see)
	assert.Equal(t, []privacy.Event{event, inner, selection, pure, other}, seen)
	privacy.Walk(nil, see)
	assert.Len(t, seen, 5)
	base, ok := privacy.Base(privacy.PoissonSelection{})
	assert.True(t, ok && base == nil, "a selection without a base is one all the same")
}
