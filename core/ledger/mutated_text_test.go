package ledger

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/random/randomtest/mutated"
)

// fileToMutate is where a ledger of two accounts is kept, with Gaussian sums of each kind, and its
// file.
func fileToMutate(t *testing.T) (*Memory, []byte) {
	t.Helper()
	store := &Memory{}
	l := New(store, nil)
	d, err := l.Create(ctx, content("a,b\n1,2\n"), "table", &budget)
	require.NoError(t, err)
	id := d.ID
	bought(t, l, id, gaussian(20), "one")
	bought(t, l, id, privacy.GradientDescent{
		Adjacency: privacy.AddRemove, Sensitivity: 0.5, Sigmas: []float64{30, 40, 50},
	}, "two")
	bought(t, l, id, privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{
		{Event: gaussian(60), Count: 3}, {Event: gaussian(90), Count: 1},
	}}, "three")
	_, err = l.Reserve(ctx, id, gaussian(33), "fit")
	require.NoError(t, err)
	wide := privacy.Guarantee{Epsilon: 2, Delta: 1e-6, Adjacency: privacy.ReplaceOne}
	other, err := l.Create(ctx, content("other"), "other", &wide)
	require.NoError(t, err)
	bought(t, l, other.ID, privacy.Gaussian{
		Adjacency: privacy.ReplaceOne, Sensitivity: 2, Sigma: 25,
	}, "four")
	file, err := l.Export(ctx)
	require.NoError(t, err)
	return store, file
}

// squareIn is Σ(Δ/σ)² of an event as its text says it, read by nothing of this package: of
// Gaussian sums, and 0 for what it does not know.
func squareIn(event any) (sum float64) {
	tree, _ := event.(map[string]any)
	number := func(name string) float64 {
		x, _ := tree[name].(float64)
		return x
	}
	switch tree["mechanism"] {
	case "gaussian":
		return math.Pow(number("sensitivity")/number("sigma"), 2)
	case "gradient-descent":
		sigmas, _ := tree["sigmas"].([]any)
		for _, sigma := range sigmas {
			sum += math.Pow(number("sensitivity")/sigma.(float64), 2)
		}
	case "composition":
		parts, _ := tree["parts"].([]any)
		for _, part := range parts {
			one := part.(map[string]any)
			count, is := one["count"].(float64)
			if !is {
				count = 1
			}
			sum += count * squareIn(one["event"])
		}
	}
	return sum
}

// squaresIn is that of all charges of a file, by account and then by charge.
func squaresIn(t *testing.T, text []byte) map[string]map[string]float64 {
	t.Helper()
	var file map[string]any
	require.NoError(t, json.Unmarshal(text, &file))
	all := map[string]map[string]float64{}
	for _, one := range file["datasets"].([]any) {
		set := one.(map[string]any)
		costs := map[string]float64{}
		for _, one := range set["charges"].([]any) {
			charge := one.(map[string]any)
			costs[charge["id"].(string)] = squareIn(charge["event"])
		}
		all[set["id"].(string)] = costs
	}
	return all
}

// leastDelta is costsOf, and at an ε whose exponential no float64 holds less than it: there
// e^ε·Φ(b) ≤ e^ε·φ(b)/|b| = φ(a)/|b|, where a = μ/2 − ε/μ and b = −μ/2 − ε/μ.
func leastDelta(square, epsilon float64) float64 {
	switch {
	case square == 0 || math.IsInf(epsilon, 1):
		return 0
	case epsilon <= 700:
		return costsOf(square, epsilon)
	}
	mu := math.Sqrt(square)
	a, b := mu/2-epsilon/mu, mu/2+epsilon/mu
	return math.Erfc(-a/math.Sqrt2)/2 - math.Exp(-a*a/2)/math.Sqrt(2*math.Pi)/b
}

// A file that somebody has changed, as text, in a place or two, is refused or taken in whole; the
// checksum is made again, as who forges one would, or stays as it was. An account never costs less
// than the Gaussian sums of its charges, by their numbers in the text alone and the exact profile
// (Balle & Wang 2018); and in the ledger that the file came from every charge stays as it was, and
// no account has more left. Where the checksum stays, what is read is what was written.
func TestAChangedTextOfAFileMakesNoAccountCheaper(t *testing.T) {
	trials := 1000
	switch {
	case os.Getenv("CLOISTER_AUDIT") == "long":
		trials = 30_000
	case testing.Short():
		trials = 200
	}
	store, file := fileToMutate(t)
	before, err := New(store, nil).Datasets(ctx)
	require.NoError(t, err)
	squares := squaresIn(t, file)
	root := mutated.Parse(t, file)
	m := mutated.Mutator{Source: randomtest.New(41)}
	refused, told, taken, checked, caught := 0, 0, 0, 0, 0
	for trial := range trials {
		copied := root.Clone()
		what := m.Mutate(copied)
		text := []byte(copied.String())
		if trial%3 > 0 {
			tree, err := parseJSON(text)
			if document, is := tree.(map[string]any); err == nil && is {
				copied.Set("checksum", strconv.Quote(checksum(document)))
				text = []byte(copied.String())
			}
		}
		sets, err := readFile(text)
		if err != nil {
			refused++
		} else if trial%3 == 0 {
			told++
			require.Equal(t, comparable(before), comparable(sets), what)
		}

		// Into a ledger that knows nothing of it.
		l := New(&Memory{}, nil)
		if _, err := l.Import(ctx, text, trial%2 == 0); err == nil {
			taken++
			inText := squaresIn(t, text)
			sets, err := l.Datasets(ctx)
			require.NoError(t, err, what)
			for _, d := range sets {
				places := map[string]bool{}
				for _, c := range d.Charges {
					places[c.ID] = true
				}
				square := 0.0
				for _, id := range append([]string{d.ID}, d.Also...) {
					for charge, cost := range inText[id] {
						require.True(t, places[charge], "%s: %s is lost", what, charge)
						square += cost
					}
				}
				if d.Budget == nil {
					continue
				}
				spent, condition, err := d.Spent()
				require.NoError(t, err, what)
				delta := d.Budget.Delta*(1+1e-9) + 1e-15
				require.LessOrEqual(t, leastDelta(square, spent), delta, what)
				total, err := d.Total()
				require.NoError(t, err, what)
				require.LessOrEqual(t, leastDelta(square, total.Upper), delta, what)
				if leastDelta(square, 0.9*total.Upper) > delta {
					caught++
				}
				if condition != Exceeded {
					require.LessOrEqual(t, spent, d.Budget.Epsilon*(1+1e-12), what)
				}
				if square > 0 {
					checked++
				}
			}
		}

		// Into the ledger that it came from.
		own := New(&Memory{entries: slices.Clone(store.entries)}, nil)
		if _, err := own.Import(ctx, text, trial%2 == 0); err != nil {
			continue
		}
		for _, was := range before {
			d, err := own.Dataset(ctx, was.ID)
			require.NoError(t, err, what)
			require.LessOrEqual(t, d.Budget.Epsilon, was.Budget.Epsilon, what)
			require.LessOrEqual(t, d.Budget.Delta, was.Budget.Delta, what)
			now := map[string]Charge{}
			for _, c := range d.Charges {
				now[c.ID] = c
			}
			for _, c := range was.Charges {
				after, there := now[c.ID]
				require.True(t, there, "%s: %s is lost", what, c.ID)
				require.Empty(t, after.differs(c), what)
			}
			less, _, err := was.Spent()
			require.NoError(t, err, what)
			more, _, err := d.Spent()
			require.NoError(t, err, what)
			if *d.Budget == *was.Budget {
				require.GreaterOrEqual(t, more, less, what)
			}
			// For a smaller budget the filter weighs other orders: it may say a little less of the
			// same charges, and leaves no more of the budget.
			require.LessOrEqual(t, d.Budget.Epsilon-more, was.Budget.Epsilon-less, what)
			square := 0.0
			for _, c := range was.Charges {
				square += squares[was.ID][c.ID]
			}
			require.LessOrEqual(t, leastDelta(square, more), d.Budget.Delta*(1+1e-9)+1e-15, what)
		}
	}
	t.Logf("%d texts: %d refused, %d with their old sum, %d taken in, %d accounts priced",
		trials, refused, told, taken, checked)
	assert.Greater(t, refused, trials/4)
	assert.Greater(t, taken, trials/20)
	assert.Greater(t, checked, trials/20)
	assert.Greater(t, caught, checked/4, "a total that is a tenth less would not be noticed")
}
