package scorecard

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/search"
)

func free(privacy.Event) error { return nil }

func numeric(name string, most float64, cuts ...float64) data.Attribute {
	return data.Attribute{Name: name, Min: 0, Max: most, Cuts: cuts, Provenance: data.Public}
}

func grouped(name string, of ...data.Level) data.Attribute {
	return data.Attribute{Name: name, Levels: of, Provenance: data.Public}
}

func schema() *data.CellSchema {
	return &data.CellSchema{
		Attributes: []data.Attribute{
			numeric("age", 100, 40),
			grouped(
				"smoker", data.Level{Name: "no", Values: []string{"no", "quit"}},
				data.Level{Name: "yes", Values: []string{"yes"}},
			),
		},
		Label: data.Label{
			Name:       "ill",
			Negative:   []string{"0"},
			Positive:   []string{"1"},
			Provenance: data.Public,
		},
	}
}

// counted are cells of the schema: (young, no), (young, yes), (old, no), (old, yes).
func counted(positives, negatives [4]int) *data.Cells {
	c := &data.Cells{Schema: schema(), Positives: make([]int64, 4), Negatives: make([]int64, 4)}
	for cell := range 4 {
		for range positives[cell] {
			c.Rows = append(c.Rows, uint32(2*cell+1))
		}
		for range negatives[cell] {
			c.Rows = append(c.Rows, uint32(2*cell))
		}
		c.Positives[cell], c.Negatives[cell] = int64(positives[cell]), int64(negatives[cell])
	}
	return c
}

var clear = counted([4]int{1, 30, 5, 60}, [4]int{90, 20, 40, 2})

func requests() (all []Request) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		for _, r := range []Request{
			{Mechanism: NoisyMin, Noise: privacy.GeometricNoise},
			{Mechanism: NoisyMin, Noise: privacy.GumbelNoise},
			{Mechanism: Centre},
		} {
			r.Schema, r.Adjacency, r.Epsilon = schema(), adjacency, 1
			all = append(all, r)
		}
	}
	return all
}

func TestPlansCostWhatTheySay(t *testing.T) {
	for _, r := range requests() {
		for _, epsilon := range []float64{0.01, 0.3, 1, 8} {
			r.Epsilon = epsilon
			plan, err := r.Plan()
			require.NoError(t, err, "%+v", r)
			assert.Equal(t, epsilon, plan.Guarantee.Epsilon)
			assert.Zero(t, plan.Guarantee.Delta)
			price, err := account.Of(plan.Event, account.Auto, pld.Options{})
			require.NoError(t, err)
			least, err := price.EpsilonUpper(1e-12)
			require.NoError(t, err)
			assert.LessOrEqual(t, least, epsilon*(1+1e-12))
			assert.InEpsilon(t, epsilon, least, 1e-6)
		}
	}
}

func TestFitFindsTheCardThatIsThere(t *testing.T) {
	for _, r := range requests() {
		r.Epsilon = 4
		plan, err := r.Plan()
		require.NoError(t, err)
		var charged []privacy.Event
		release, d, err := Fit(
			context.Background(),
			clear,
			plan,
			randomtest.New(1),
			func(e privacy.Event) error {
				charged = append(charged, e)
				return nil
			},
			nil,
		)
		require.NoError(t, err)
		assert.Equal(t, []privacy.Event{plan.Event}, charged)
		assert.Equal(t, plan.Event, release.Event)
		assert.LessOrEqual(t, d.Loss, int64(35), "of 248; the least is 28")
		wrong := int64(0)
		for cell := range 4 {
			if _, yes := release.Score([]int{cell / 2, cell % 2}); yes {
				wrong += clear.Negatives[cell]
			} else {
				wrong += clear.Positives[cell]
			}
		}
		assert.Equal(t, wrong, d.Loss, "as the card says it")
		assert.Equal(t, len(clear.Rows), d.Records)
		_, err = json.Marshal(d)
		assert.Error(t, err)
	}
}

// A release is written with names and points, and nothing that was not paid for.
func TestReleaseSaysWhatAReaderNeeds(t *testing.T) {
	plan, err := requests()[0].Plan()
	require.NoError(t, err)
	release, _, err := Fit(context.Background(), clear, plan, randomtest.New(1), free, nil)
	require.NoError(t, err)
	tree, err := release.Tree()
	require.NoError(t, err)
	text, err := json.Marshal(tree)
	require.NoError(t, err)
	assert.Equal(
		t, map[string]any{
			"adjacency": "add-remove", "delta": 0.0, "epsilon": 1.0, "covers": true, "caveats": []any{},
		},
		tree["guarantee"],
	)
	event, err := privacy.DecodeEvent("event", tree["event"])
	require.NoError(t, err)
	assert.Equal(t, plan.Event, event)
	card := tree["card"].(map[string]any)
	assert.Equal(t, 1.0, card["threshold"])
	age := card["attributes"].([]any)[0].(map[string]any)
	assert.Equal(t, "below 40", age["levels"].([]any)[0].(map[string]any)["name"])
	for _, private := range []string{"loss", "nodes", "rows", "records", "248", "seed", "time"} {
		assert.NotContains(t, string(text), private)
	}
	assert.True(t, release.Covers)
}

func TestNothingIsDrawnBeforeTheCharge(t *testing.T) {
	refused := errors.New("the budget is spent")
	for _, r := range requests() {
		plan, err := r.Plan()
		require.NoError(t, err)
		silent := &randomtest.Script{Err: errors.New("a word was drawn before the charge")}
		release, d, err := Fit(
			context.Background(), clear, plan, silent, func(privacy.Event) error { return refused },
			nil,
		)
		assert.ErrorIs(t, err, refused)
		assert.Nil(t, release)
		assert.Nil(t, d)
		_, err = Buy(clear, 1, r.Adjacency, silent, func(privacy.Event) error { return refused })
		assert.ErrorIs(t, err, refused)
	}
}

func TestCancelledFitIsPaidForAndShowsNothing(t *testing.T) {
	plan, err := requests()[0].Plan()
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	paid := 0
	release, d, err := Fit(ctx, clear, plan, randomtest.New(1), func(privacy.Event) error {
		paid++
		cancel()
		return nil
	}, nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, paid)
	assert.Nil(t, release)
	assert.Nil(t, d)
}

func TestAFaultyCountIsNotReleased(t *testing.T) {
	plan, err := requests()[0].Plan()
	require.NoError(t, err)
	wrong := *clear
	wrong.Rows = append([]uint32{0, 2, 4, 6, 1, 3, 5, 7}, wrong.Rows...)
	release, d, err := Fit(context.Background(), &wrong, plan, randomtest.New(1), free, nil)
	var fault *search.FaultError
	require.ErrorAs(t, err, &fault)
	assert.Nil(t, release)
	assert.Nil(t, d)
}

// Requests are refused by what is public, with what to do about it.
func TestRequestsAreRefusedBeforeARecordIsRead(t *testing.T) {
	good := requests()[0]
	many := schema()
	many.Attributes[1].Levels = nil
	many.Attributes[1].Max = 100
	for i := range 31 {
		many.Attributes[1].Cuts = append(many.Attributes[1].Cuts, float64(i+1))
	}
	for _, c := range []struct {
		change func(*Request)
		want   string
	}{
		{func(r *Request) { r.Schema = nil }, "schema"},
		{func(r *Request) { r.Schema = many }, "merge some"},
		{func(r *Request) { r.Schema.Attributes[0].Cuts = []float64{50, 40} }, "above the cut before"},
		{func(r *Request) { r.Schema.Attributes[0].Cuts = []float64{140} }, "between the bounds"},
		{func(r *Request) { r.Schema.Attributes[0].Cuts = nil }, "one level"},
		{func(r *Request) { r.Schema.Attributes[1].Levels[0].Name = "" }, "public name"},
		{func(r *Request) { r.Bound = 17 }, "largest point"},
		{func(r *Request) { r.Bound = -1 }, "largest point"},
		{func(r *Request) { r.Epsilon = 0 }, "epsilon"},
		{func(r *Request) { r.Epsilon = math.NaN() }, "epsilon"},
		{func(r *Request) { r.Epsilon = 33 }, "epsilon"},
		{func(r *Request) { r.Adjacency = 0 }, "adjacency"},
		{func(r *Request) { r.Mechanism = "opdisc" }, "mechanism"},
		{func(r *Request) { r.Noise = "laplace" }, "noise"},
	} {
		r := good
		r.Schema = schema()
		c.change(&r)
		_, err := r.Plan()
		require.Error(t, err, c.want)
		assert.Contains(t, err.Error(), c.want)
	}
	plan, err := good.Plan()
	require.NoError(t, err)
	other := *clear
	other.Schema = schema()
	other.Schema.Attributes[0].Cuts = []float64{41}
	_, _, err = Fit(context.Background(), &other, plan, randomtest.New(1), free, nil)
	assert.ErrorContains(t, err, "another schema")
	_, err = data.ReadCells(
		[]data.Part{{Reader: strings.NewReader("age,smoker,ill\n1,no,1\n50,yes,1\n")}}, schema(),
		data.ReadOptions{},
	)
	assert.ErrorContains(t, err, "every record is of the positive class")
}

// The extremes of what is admitted leave room in 64 bits: the largest objective is below 2^62.
func TestCentreAlwaysHasRoom(t *testing.T) {
	for _, c := range []struct{ d, bound int }{{2, 1}, {32, 1}, {12, 16}, {32, 16}} {
		for _, epsilon := range []float64{LeastEpsilon, 0.1, 1, LargestEpsilon} {
			for _, span := range []int{1, 2} {
				e := privacy.ProximalCentre{
					Epsilon:     epsilon,
					Span:        span,
					Bound:       c.bound,
					Dimension:   c.d,
					Denominator: 1,
				}
				for float64(e.Span*e.Denominator) < float64(c.d)*epsilon {
					e.Denominator *= 2
				}
				noise, err := centreNoise(e)
				require.NoError(t, err)
				costs := float64(noise.Largest()) * 3 * float64(c.d*c.bound*c.bound)
				assert.Less(t, float64(e.Denominator)*data.MaxRecords+costs, 0x1p62)
			}
		}
	}
}

// An attribute whose cut points were read off the data is said to be left out of the guarantee.
func TestSuggestedLevelsAreACaveat(t *testing.T) {
	r := requests()[0]
	r.Schema.Attributes[0].Provenance = data.Suggested
	plan, err := r.Plan()
	require.NoError(t, err)
	cells := *clear
	cells.Schema = r.Schema
	release, _, err := Fit(context.Background(), &cells, plan, randomtest.New(1), free, nil)
	require.NoError(t, err)
	assert.False(t, release.Covers)
	assert.NotEmpty(t, release.Caveats)
}

// An event that costs more than what is promised is refused, by however little.
func TestAPlanIsHeldToItsGuaranteeWithoutSlack(t *testing.T) {
	for _, epsilon := range []float64{LeastEpsilon, 0.1, 1, LargestEpsilon} {
		promised := privacy.Guarantee{Epsilon: epsilon, Adjacency: privacy.AddRemove}
		event := privacy.NoisyMin{
			Adjacency: privacy.AddRemove, Epsilon: epsilon, Span: 1, Noise: privacy.GumbelNoise,
		}
		assert.NoError(t, kept(event, promised))
		event.Epsilon = math.Nextafter(epsilon, 2*epsilon)
		var refused *privacy.ParameterError
		require.ErrorAs(t, kept(event, promised), &refused)
		assert.Equal(t, "epsilon", refused.Field)
	}
}

// What is charged for noisy counts is priced within the guarantee that they state, with
// δ = 0: each mechanism in closed form within its share. And the noise that is drawn
// is no smaller than that of the event.
func TestNoisyCellsArePricedWithinTheirGuarantee(t *testing.T) {
	src := randomtest.New(11)
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		epsilons := []float64{LeastEpsilon, 0.1, 1, 3, LargestEpsilon}
		for i := range 300 {
			epsilons = append(epsilons, math.Exp(-13+16*float64(i)/300))
		}
		for _, epsilon := range epsilons {
			n, err := Buy(clear, epsilon, adjacency, src, free)
			require.NoError(t, err)
			promised := privacy.Guarantee{Epsilon: epsilon, Adjacency: adjacency}
			assert.Equal(t, promised, n.Guarantee)
			one, count := n.Event, 1
			if both, ok := n.Event.(privacy.Composition); ok {
				require.Len(t, both.Parts, 1)
				one, count = both.Parts[0].Event, both.Parts[0].Count
			}
			assert.Equal(t, privacy.SpanOf(adjacency), count)
			price, err := account.Of(one, account.Closed, pld.Options{})
			require.NoError(t, err)
			share := epsilon / float64(count)
			assert.Equal(t, -math.MaxFloat64, price.LogDeltaUpper(share), "ε = %v", epsilon)
			assert.Greater(t, price.LogDeltaUpper(share*(1-0x1p-40)), -math.MaxFloat64)

			rate := drawnEpsilon(epsilon) / float64(count)
			scale := one.(privacy.DiscreteLaplace).Scale
			assert.LessOrEqual(t, scale, 1/rate)
			assert.InEpsilon(t, 1/rate, scale, 0x1p-50)
		}
	}
}

func TestNoisyCellsAreBoughtOnce(t *testing.T) {
	for _, adjacency := range []privacy.Adjacency{privacy.AddRemove, privacy.ReplaceOne} {
		bought := 0
		n, err := Buy(clear, 2, adjacency, randomtest.New(3), func(event privacy.Event) error {
			bought++
			price, err := account.Of(event, account.Auto, pld.Options{})
			require.NoError(t, err)
			epsilon, err := price.EpsilonUpper(1e-13)
			require.NoError(t, err)
			assert.LessOrEqual(t, epsilon, 2*(1+1e-9))
			return nil
		})
		require.NoError(t, err)
		best, errors, err := n.Best(context.Background(), 1, nil)
		require.NoError(t, err)
		assert.True(t, best.FromCounts)
		_, fewer, err := n.Best(context.Background(), 2, nil)
		require.NoError(t, err)
		assert.Equal(t, 1, bought)
		assert.LessOrEqual(t, fewer, errors)
		one, err := n.Keep([]int{1})
		require.NoError(t, err)
		assert.Equal(
			t, []int64{n.Positives[0] + n.Positives[2], n.Positives[1] + n.Positives[3]},
			one.Positives,
		)
		swapped, err := n.Keep([]int{1, 0})
		require.NoError(t, err)
		assert.Equal(
			t, []int64{n.Negatives[0], n.Negatives[2], n.Negatives[1], n.Negatives[3]},
			swapped.Negatives,
		)
		for _, bad := range [][]int{{}, {2}, {-1}, {0, 0}} {
			_, err = n.Keep(bad)
			assert.Error(t, err, "%v", bad)
		}
		suggested, read := *n, *n.Schema
		suggested.Schema, read.Attributes = &read, slices.Clone(read.Attributes)
		read.Attributes[0].Provenance = data.Suggested
		_, err = suggested.Keep([]int{1})
		assert.ErrorContains(t, err, "read off the file", "its caveat would be gone")
		_, err = suggested.Keep([]int{1, 0})
		assert.NoError(t, err)
		assert.NotEqual(t, clear.Positives, n.Positives)
	}
	// The noise of a count is discrete Laplace: P[k] = tanh(a/2)·e^(−a|k|).
	src := randomtest.New(5)
	zero, sum := 0, 0.0
	const draws = 4000
	for range draws / 8 {
		n, err := Buy(clear, 1, privacy.AddRemove, src, free)
		require.NoError(t, err)
		for i := range 4 {
			for _, k := range []int64{
				n.Positives[i] - clear.Positives[i], n.Negatives[i] - clear.Negatives[i],
			} {
				if k == 0 {
					zero++
				}
				sum += float64(k * k)
			}
		}
	}
	assert.InDelta(t, math.Tanh(0.5), float64(zero)/draws, 6*0.5/math.Sqrt(draws))
	assert.InDelta(t, 1/(2*math.Pow(math.Sinh(0.5), 2)), sum/draws, 0.5)
	_, err := json.Marshal(clear)
	assert.Error(t, err)
}
