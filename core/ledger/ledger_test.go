package ledger

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/filter"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// Ten fits at ε = 0.1: the total is the accountant's certified composition, well
// below 1.0; and what the filter says is spent is not below it, and below 1.0 too.
func TestTenSmallFitsCostLessThanTheirSum(t *testing.T) {
	l, id := opened(t, budget)
	event := fit(t, 0.1, 1e-6)
	for range 10 {
		bought(t, l, id, event, "")
	}
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	total, err := d.Total()
	require.NoError(t, err)
	assert.Equal(t, account.Distribution, total.Method)

	composed := privacy.Composition{
		Adjacency: privacy.AddRemove,
		Parts:     []privacy.Part{{Event: event, Count: 10}},
	}
	certified, err := pld.Of(composed, pld.Options{})
	require.NoError(t, err)
	interval, err := certified.Epsilon(budget.Delta)
	require.NoError(t, err)
	assert.Equal(t, interval.Upper, total.Upper)
	assert.Equal(t, interval.Lower, total.Lower)
	assert.Less(t, total.Upper, 1.0)
	assert.LessOrEqual(t, total.Lower, total.Upper)
	assert.Greater(t, total.Lower, 0.1, "ten fits cost more than one")

	spent, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Open, condition)
	assert.GreaterOrEqual(
		t, spent, total.Lower, "what holds for any choice is not below what holds for a fixed one",
	)
	assert.Less(t, spent, 1.0)
	t.Logf(
		"ten fits at ε = 0.1, δ = 1e-6: %.4f in [%.4f, %.4f] fixed in advance, %.4f by the filter",
		1.0, total.Lower, total.Upper, spent,
	)
}

// The charges of a ledger, priced by the filter directly, give the same answer.
func TestSpentIsTheFilters(t *testing.T) {
	l, id := opened(t, budget)
	f, err := filter.New(budget, SetAside(budget))
	require.NoError(t, err)
	events := []privacy.Event{
		gaussian(20), fit(t, 0.2, 1e-6), gaussian(15),
		privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.01},
		privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            0.01,
			NoiseMultiplier: 2,
			Steps:           100,
		}, gaussian(20),
	}
	for _, event := range events {
		d, err := l.Dataset(ctx, id)
		require.NoError(t, err)
		before, err := d.Affords(event)
		require.NoError(t, err)
		bought(t, l, id, event, "")
		require.NoError(t, f.Charge(event))
		d, err = l.Dataset(ctx, id)
		require.NoError(t, err)
		spent, condition, err := d.Spent()
		require.NoError(t, err)
		assert.Equal(t, Open, condition)
		assert.Equal(t, f.EpsilonUpper(), spent)
		assert.Equal(t, spent, before.Spent, "what was foretold")
		assert.False(t, before.Closes)
	}
}

// The first release may use up the whole budget, exactly; then nothing follows.
// (The filter's bound is a little above the truth, and would refuse it.)
func TestOneReleaseMaySpendTheWholeBudget(t *testing.T) {
	l, id := opened(t, budget)
	whole := fit(t, budget.Epsilon, budget.Delta)
	f, err := filter.New(budget, SetAside(budget))
	require.NoError(t, err)
	require.ErrorIs(t, f.Affords(whole), filter.ErrExceeded, "else this test says nothing")

	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	then, err := d.Affords(whole)
	require.NoError(t, err)
	assert.True(t, then.Closes)
	assert.InDelta(t, 1, then.Spent, 1e-3)
	assert.LessOrEqual(t, then.Spent, 1.0)
	c := bought(t, l, id, whole, "")
	assert.True(t, c.Opening)

	d, err = l.Dataset(ctx, id)
	require.NoError(t, err)
	spent, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Closed, condition)
	assert.Equal(t, then.Spent, spent)
	var exceeded *ExceededError
	_, err = l.Reserve(ctx, id, gaussian(1e9), "more")
	require.ErrorAs(t, err, &exceeded)
	assert.True(t, exceeded.Closed)

	// A little more than the budget is refused, first or not.
	l, id = opened(t, budget)
	_, err = l.Reserve(ctx, id, fit(t, 1.001, budget.Delta), "too much")
	require.ErrorAs(t, err, &exceeded)
	assert.False(t, exceeded.Closed)
	assert.Equal(t, 0.0, exceeded.Spent)
}

// The same of an event that is priced by an interval: noise that is chosen by the
// finest one there is lies within a coarser one's.
func TestOneDescentMaySpendTheWholeBudget(t *testing.T) {
	whole := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	l, id := opened(t, whole)
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	// The smallest multiplier for this is between 5.9903 and 5.9905: package pld's
	// finest intervals of ε are [1.000010, 1.000020] and [0.999973, 0.999982] there.
	descent := privacy.SubsampledGaussian{
		Adjacency:       privacy.AddRemove,
		Rate:            0.05,
		Steps:           1000,
		NoiseMultiplier: 5.9906,
	}
	then, err := d.Affords(descent)
	require.NoError(t, err)
	assert.True(t, then.Closes)
	assert.LessOrEqual(t, then.Spent, 1.0)
	descent.NoiseMultiplier = 5.99
	_, err = d.Affords(descent)
	var exceeded *ExceededError
	require.ErrorAs(t, err, &exceeded)
}

// What was reserved before the first release is fixed in advance, and composes
// as such; the same events one after the other, each released before the next
// is chosen, need the filter.
func TestOpeningChargesComposeSharply(t *testing.T) {
	sigma, err := calibrate.Gaussian(budget.Epsilon, budget.Delta, 1)
	require.NoError(t, err)
	half := gaussian(sigma * math.Sqrt2 * (1 + 1e-9)) // two of them are the budget

	l, id := opened(t, budget)
	first, err := l.Reserve(ctx, id, half, "one")
	require.NoError(t, err)
	second, err := l.Reserve(ctx, id, half, "two")
	require.NoError(t, err)
	assert.True(t, first.Opening)
	assert.True(t, second.Opening)
	require.NoError(t, l.Commit(ctx, first.ID, "x"))
	require.NoError(t, l.Commit(ctx, second.ID, "y"))

	l, id = opened(t, budget)
	bought(t, l, id, half, "x")
	var exceeded *ExceededError
	_, err = l.Reserve(ctx, id, half, "two")
	require.ErrorAs(t, err, &exceeded)
	// Though the composition is within the budget: that is no rule to go on by.
	assert.True(t, within(Composition(privacy.AddRemove, []privacy.Event{half, half}), budget))
	c := bought(t, l, id, gaussian(30), "z")
	assert.False(t, c.Opening)
}

// Why the composition of what was charged so far is no rule to go on by: an
// analyst who chooses the second event in the light of the first output. Both
// choices compose with the first to a δ(ε) of exactly the budget's, but chosen
// by the output they come to more. The exact δ of that, summed over the first
// output. A ledger refuses them; one that went by the composition would not.
func TestCompositionIsNoRuleToGoOnBy(t *testing.T) {
	budget := privacy.Guarantee{Epsilon: 0.6, Delta: 1e-3, Adjacency: privacy.AddRemove}
	first := privacy.RandomisedResponse{
		Adjacency:  privacy.AddRemove,
		Categories: 2,
		Truth:      1 / (1 + math.Exp(-0.3)),
	}
	up, down := first.Truth, 1-first.Truth
	delta := func(event privacy.Event, epsilon float64) float64 {
		price, err := account.Of(event, account.Auto, pld.Options{})
		require.NoError(t, err)
		return math.Exp(price.LogDeltaUpper(epsilon))
	}
	together := func(event privacy.Event) float64 {
		return up*delta(event, budget.Epsilon-0.3) + down*delta(event, budget.Epsilon+0.3)
	}
	// The strongest of each family that composes with the first to the budget.
	solve := func(event func(x float64) privacy.Event, low, high float64) privacy.Event {
		for range 60 {
			middle := math.Sqrt(low * high)
			if together(event(middle)) <= budget.Delta {
				high = middle
			} else {
				low = middle
			}
		}
		return event(high)
	}
	wide := solve(gaussian, 1, 1e4)
	narrow := solve(func(x float64) privacy.Event {
		return privacy.ApproximateDP{Adjacency: privacy.AddRemove, Epsilon: 1e-4, Delta: 1 / x}
	}, 10, 1e6)
	adaptive := up*math.Max(delta(wide, 0.3), delta(narrow, 0.3)) +
		down*math.Max(delta(wide, 0.9), delta(narrow, 0.9))
	t.Logf(
		"δ of either choice %.3g and %.3g, of choosing by the output %.3g", together(wide),
		together(narrow), adaptive,
	)
	require.Greater(t, adaptive, 1.2*budget.Delta, "the rule would be broken")

	for _, second := range []privacy.Event{wide, narrow} {
		l, id := opened(t, budget)
		bought(t, l, id, first, "x")
		_, err := l.Reserve(ctx, id, second, "second")
		var exceeded *ExceededError
		require.ErrorAs(t, err, &exceeded)
	}
}

func TestChargesNeedABudgetOfTheirKind(t *testing.T) {
	l := New(&Memory{}, nil)
	d, err := l.Create(ctx, content("x"), "table", nil)
	require.NoError(t, err)
	var none *NoBudgetError
	_, err = l.Reserve(ctx, d.ID, gaussian(9), "")
	require.ErrorAs(t, err, &none)

	_, err = l.SetBudget(
		ctx, d.ID, privacy.Guarantee{Epsilon: 1, Delta: 2, Adjacency: privacy.AddRemove},
	)
	var parameter *privacy.ParameterError
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "budget.delta", parameter.Field)
	_, err = l.SetBudget(
		ctx, d.ID, privacy.Guarantee{Epsilon: 3, Delta: 1e-5, Adjacency: privacy.ReplaceOne},
	)
	require.NoError(t, err)
	_, err = l.SetBudget(ctx, d.ID, budget)
	require.NoError(t, err, "nothing is charged yet")

	_, err = l.Reserve(
		ctx, d.ID, privacy.Gaussian{Adjacency: privacy.ReplaceOne, Sensitivity: 1, Sigma: 9}, "",
	)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "adjacency", parameter.Field)
	_, err = l.Reserve(
		ctx, d.ID, privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1}, "",
	)
	require.ErrorAs(t, err, &parameter)
	assert.Equal(t, "sigma", parameter.Field)
	_, err = l.Reserve(ctx, d.ID, nil, "")
	require.ErrorAs(t, err, &parameter)
	_, err = l.Reserve(ctx, "nothing", gaussian(9), "")
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)

	_, err = l.Reserve(ctx, d.ID, gaussian(9), "")
	require.NoError(t, err)
	_, err = l.SetBudget(
		ctx, d.ID, privacy.Guarantee{Epsilon: 2, Delta: 1e-5, Adjacency: privacy.AddRemove},
	)
	var fixed *FixedError
	require.ErrorAs(t, err, &fixed)
}

// An event that the filter does not cover, such as one that fails with more than was
// set aside for that, can be charged while nothing was released, and not after.
func TestWithoutAFilterOnlyAdvanceChoice(t *testing.T) {
	event := privacy.ApproximateDP{
		Adjacency: privacy.AddRemove,
		Epsilon:   0.1,
		Delta:     SetAside(budget) * 1.01,
	}
	l, id := opened(t, budget)
	bought(t, l, id, event, "")
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	_, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Closed, condition)

	l, id = opened(t, budget)
	bought(t, l, id, gaussian(30), "")
	_, err = l.Reserve(ctx, id, event, "")
	var exceeded *ExceededError
	require.ErrorAs(t, err, &exceeded)
}

// Events that may fail outright are charged like others as long as they fail, all
// together, with no more than was set aside.
func TestWhatIsSetAsideForFailuresIsSpentOnce(t *testing.T) {
	event := privacy.ApproximateDP{
		Adjacency: privacy.AddRemove,
		Epsilon:   0.01,
		Delta:     0.24 * SetAside(budget),
	}
	l, id := opened(t, budget)
	bought(t, l, id, gaussian(30), "")
	for range 4 {
		bought(t, l, id, event, "")
	}
	total, spent := openAccount(t, l, id)
	assert.LessOrEqual(t, total.Lower, spent)
	_, err := l.Reserve(ctx, id, event, "")
	var exceeded *ExceededError
	require.ErrorAs(t, err, &exceeded)
	bought(t, l, id, gaussian(30), "")
}

func TestACommitIsForOneRelease(t *testing.T) {
	l, id := opened(t, budget)
	c, err := l.Reserve(ctx, id, gaussian(9), "")
	require.NoError(t, err)
	assert.Equal(t, Reserved, c.State)
	require.NoError(t, l.Commit(ctx, c.ID, "one"))
	require.NoError(t, l.Commit(ctx, c.ID, "one"), "again the same")
	var conflict *ChargeConflictError
	require.ErrorAs(t, l.Commit(ctx, c.ID, "two"), &conflict)
	var unknown *UnknownError
	require.ErrorAs(t, l.Commit(ctx, "nothing", "one"), &unknown)

	paid, d, err := l.PaidBy(ctx, "one")
	require.NoError(t, err)
	assert.Equal(t, c.ID, paid.ID)
	assert.Equal(t, id, d.ID)
	_, _, err = l.PaidBy(ctx, "two")
	require.ErrorAs(t, err, &unknown)
}

// A clock that jumps back, or that was never set, changes nothing but what
// people read.
func TestTheClockDoesNotMatter(t *testing.T) {
	times := []string{
		"2026-05-04T10:00:00Z",
		"1970-01-01T00:00:00Z",
		"2025-01-01T00:00:00Z",
		"2001-09-09T01:46:40Z",
	}
	ticks := 0
	clock := func() time.Time {
		at, err := time.Parse(time.RFC3339, times[ticks%len(times)])
		require.NoError(t, err)
		ticks++
		return at
	}
	store := &Memory{}
	backwards, steady := New(store, clock), New(&Memory{}, nil)
	var spent []float64
	for _, l := range []*Ledger{backwards, steady} {
		d, err := l.Create(ctx, content("x"), "table", &budget)
		require.NoError(t, err)
		for i := range 6 {
			bought(t, l, d.ID, gaussian(20+float64(i)), string(rune('a'+i)))
		}
		again, err := New(store, nil).Dataset(ctx, d.ID)
		if l == backwards {
			require.NoError(t, err)
			d = again
		} else {
			d, err = l.Dataset(ctx, d.ID)
			require.NoError(t, err)
		}
		for i, c := range d.Charges {
			assert.Equal(t, gaussian(20+float64(i)), c.Event, "the order is that of the entries")
			assert.Equal(t, i == 0, c.Opening)
		}
		epsilon, _, err := d.Spent()
		require.NoError(t, err)
		spent = append(spent, epsilon)
	}
	assert.Equal(t, spent[0], spent[1])

	file, err := backwards.Export(ctx)
	require.NoError(t, err)
	other := New(&Memory{}, clock)
	what, err := other.Import(ctx, file, false)
	require.NoError(t, err)
	assert.Equal(t, 6, what.Added)
}

func TestContentsAreTold(t *testing.T) {
	l, id := opened(t, budget)
	d, err := l.Find(ctx, content("a,b\n1,2\n"))
	require.NoError(t, err)
	assert.Equal(t, id, d.ID)
	var known *KnownError
	_, err = l.Create(ctx, content("a,b\r\n1,2"), "again", &budget)
	require.ErrorAs(t, err, &known)
	assert.Equal(t, id, known.ID)

	bought(t, l, id, gaussian(20), "x")
	// A changed file is a new data set …
	changed := content("a,b\n1,2\n3,4\n")
	d, err = l.Find(ctx, changed)
	require.NoError(t, err)
	assert.Nil(t, d)
	// … unless a person says that it is the same one.
	d, err = l.Same(ctx, changed, id, false)
	require.NoError(t, err)
	assert.Len(t, d.Charges, 1)
	d, err = l.Find(ctx, changed)
	require.NoError(t, err)
	assert.Equal(t, id, d.ID)
	// Said too late, the charges of both follow.
	third := content("b,a\n2,1\n")
	late, err := l.Create(ctx, third, "late", &budget)
	require.NoError(t, err)
	bought(t, l, late.ID, gaussian(25), "y")
	d, err = l.Same(ctx, third, id, false)
	require.NoError(t, err)
	require.Len(t, d.Charges, 2)
	for _, c := range d.Charges {
		assert.False(t, c.Opening, "each may have been chosen in the light of the other")
	}
	gone, err := l.Dataset(ctx, late.ID)
	require.NoError(t, err)
	assert.Equal(t, id, gone.ID, "the old name leads there")
	_, err = l.Reserve(ctx, late.ID, gaussian(30), "")
	require.NoError(t, err)
	all, err := l.Datasets(ctx)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Len(t, all[0].Charges, 3)
}

// Hashes of contents are keyed: two ledgers have different ones, neither is the
// plain digest, and none is exported.
func TestContentsStayHere(t *testing.T) {
	stores := []*Memory{{}, {}}
	digest := content("secret")
	var contents []string
	for _, store := range stores {
		l := New(store, nil)
		_, err := l.Create(ctx, digest, "table", &budget)
		require.NoError(t, err)
		var begin, set struct{ Key, Content string }
		require.NoError(t, json.Unmarshal([]byte(store.entries[0]), &begin))
		require.NoError(t, json.Unmarshal([]byte(store.entries[1]), &set))
		assert.Len(t, begin.Key, 2*keyBytes)
		assert.Len(t, set.Content, 64)
		contents = append(contents, set.Content)
		file, err := l.Export(ctx)
		require.NoError(t, err)
		assert.NotContains(t, string(file), begin.Key)
		assert.NotContains(t, string(file), set.Content)
	}
	assert.NotEqual(t, contents[0], contents[1])
}
