package ledger

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/filter"
	"cloister/core/privacy"
)

// moved imports the present state of one ledger into another.
func moved(t testing.TB, from, to *Ledger) Merged {
	t.Helper()
	file, err := from.Export(ctx)
	require.NoError(t, err)
	what, err := to.Import(ctx, file, false)
	require.NoError(t, err)
	return what
}

// A purchase is between its reservation and its release when the ledger is
// exported. The release is shown after that. Whoever has seen it may not go on in
// another ledger, which has the purchase as reserved, as if nothing had been
// released: two events that make up the budget together if both are fixed in
// advance are too much if the second is chosen by the first.
func TestAnImportClosesTheOpening(t *testing.T) {
	sigma, err := calibrate.Gaussian(budget.Epsilon, budget.Delta, 1)
	require.NoError(t, err)
	half := gaussian(sigma * math.Sqrt2 * (1 + 1e-9)) // two of them are the budget
	table := content("a,b\n1,2\n")
	for name, way := range map[string]func(from *Ledger, id string) *Ledger{
		"into nothing": func(from *Ledger, _ string) *Ledger {
			to := New(&Memory{}, nil)
			moved(t, from, to)
			return to
		},
		"twice": func(from *Ledger, _ string) *Ledger {
			to := New(&Memory{}, nil)
			moved(t, from, to)
			assert.Equal(t, Merged{}, moved(t, from, to))
			return to
		},
		"through a third": func(from *Ledger, _ string) *Ledger {
			between, to := New(&Memory{}, nil), New(&Memory{}, nil)
			moved(t, from, between)
			moved(t, between, to)
			return to
		},
		"and there and back": func(from *Ledger, _ string) *Ledger {
			between, to := New(&Memory{}, nil), New(&Memory{}, nil)
			moved(t, from, to)
			moved(t, to, between)
			moved(t, between, to)
			return to
		},
		"into an account of the file": func(from *Ledger, id string) *Ledger {
			to := New(&Memory{}, nil)
			_, err := to.Create(ctx, table, "mine", &budget)
			require.NoError(t, err)
			moved(t, from, to)
			_, err = to.Same(ctx, table, id, false)
			require.NoError(t, err)
			return to
		},
		"an account of the file into it": func(from *Ledger, id string) *Ledger {
			to := New(&Memory{}, nil)
			mine, err := to.Create(ctx, table, "mine", &budget)
			require.NoError(t, err)
			moved(t, from, to)
			_, err = to.Same(ctx, content("other"), id, false)
			require.NoError(t, err)
			_, err = to.Same(ctx, content("other"), mine.ID, false)
			require.NoError(t, err)
			return to
		},
		"read from the storage again": func(from *Ledger, _ string) *Ledger {
			store := &Memory{}
			moved(t, from, New(store, nil))
			return New(store, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			here, id := opened(t, budget)
			first, err := here.Reserve(ctx, id, half, "first")
			require.NoError(t, err)
			there := way(here, id)
			require.NoError(t, here.Commit(ctx, first.ID, "shown"))

			var exceeded *ExceededError
			_, err = here.Reserve(ctx, id, half, "second")
			require.ErrorAs(t, err, &exceeded, "else this test says nothing")
			_, err = there.Reserve(ctx, id, half, "second")
			require.ErrorAs(t, err, &exceeded)

			// What the filter affords, it affords there too; it is no opening charge.
			small, err := there.Reserve(ctx, id, gaussian(30), "small")
			require.NoError(t, err)
			assert.False(t, small.Opening)
		})
	}
}

// The same where the ledger that it is imported into has the account already, from
// an earlier export or as its own.
func TestAnImportClosesTheOpeningOfAKnownAccount(t *testing.T) {
	sigma, err := calibrate.Gaussian(budget.Epsilon, budget.Delta, 1)
	require.NoError(t, err)
	half := gaussian(sigma * math.Sqrt2 * (1 + 1e-9))
	here, id := opened(t, budget)
	there := New(&Memory{}, nil)
	moved(t, here, there) // the account, and no charge
	_, err = here.Reserve(ctx, id, half, "first")
	require.NoError(t, err)
	moved(t, here, there)
	var exceeded *ExceededError
	_, err = there.Reserve(ctx, id, half, "second")
	require.ErrorAs(t, err, &exceeded)

	// A purchase under way here, and another ledger's on top of it, made in the light
	// of nothing: all that is known of that one is what its file says.
	here, id = opened(t, budget)
	_, err = here.Reserve(ctx, id, gaussian(40), "own")
	require.NoError(t, err)
	there = New(&Memory{}, nil)
	moved(t, here, there)
	_, err = there.Reserve(ctx, id, gaussian(41), "theirs")
	require.NoError(t, err)
	moved(t, there, here)
	beyond := privacy.ApproximateDP{
		Adjacency: privacy.AddRemove,
		Epsilon:   0.1,
		Delta:     SetAside(budget) * 1.01,
	} // the filter takes none such
	_, err = here.Reserve(ctx, id, beyond, "third")
	require.ErrorAs(t, err, &exceeded)
}

// An account that comes back to where all of it was reserved tells nothing new, and
// closes nothing.
func TestAnOwnExportClosesNothing(t *testing.T) {
	here, id := opened(t, budget)
	_, err := here.Reserve(ctx, id, gaussian(40), "one")
	require.NoError(t, err)
	assert.Equal(t, Merged{}, moved(t, here, here))
	second, err := here.Reserve(ctx, id, gaussian(40), "two")
	require.NoError(t, err)
	assert.True(t, second.Opening)
}

// A whole budget spent at once is spent in a copy too, and not more than spent.
func TestAWholeBudgetIsClosedInACopyToo(t *testing.T) {
	here, id := opened(t, budget)
	_, err := here.Reserve(ctx, id, fit(t, budget.Epsilon, budget.Delta), "all of it")
	require.NoError(t, err)
	there := New(&Memory{}, nil)
	moved(t, here, there)
	d, err := there.Dataset(ctx, id)
	require.NoError(t, err)
	_, condition, err := d.Spent()
	require.NoError(t, err)
	assert.Equal(t, Closed, condition)
}

// playApart drives three ledgers that know of each other by files alone, and holds
// each against the theorem's own words: an account that lives by its charges having
// been fixed in advance has none that was reserved after the release of another was
// shown, in whatever ledger that was.
//
// It returns how often an account lived by that.
func playApart(t testing.TB, script []byte) (closed int) {
	sigma, err := calibrate.Gaussian(budget.Epsilon, budget.Delta, 1)
	require.NoError(t, err)
	first := New(&Memory{}, nil)
	set, err := first.Create(ctx, content("x"), "x", &budget)
	require.NoError(t, err)
	ledgers := []*Ledger{first, New(&Memory{}, nil), New(&Memory{}, nil)}
	moved(t, first, ledgers[1])
	moved(t, first, ledgers[2])

	fresh, err := filter.New(budget, SetAside(budget))
	require.NoError(t, err)

	type times struct{ reserved, shown int }
	at := map[string]*times{}                // by charge
	open := make([][]string, len(ledgers))   // charges that are reserved there and being run
	shelf := make([][]byte, 0, len(ledgers)) // exported files
	for now, choice := range script {
		i := int(choice) % len(ledgers)
		l := ledgers[i]
		switch action := choice >> 2 & 7; {
		case action <= 1: // reserve
			share := []float64{2, 3, 2, 60}[choice>>5&3] // so many of them are the budget
			c, err := l.Reserve(ctx, set.ID, gaussian(sigma*math.Sqrt(share)*(1+1e-9)), "")
			var exceeded *ExceededError
			if err == nil {
				at[c.ID] = &times{reserved: now, shown: math.MaxInt}
				open[i] = append(open[i], c.ID)
			} else if !errors.As(err, &exceeded) {
				require.NoError(t, err)
			}
		case action <= 3 && len(open[i]) > 0: // commit, and show
			id := open[i][0]
			require.NoError(t, l.Commit(ctx, id, fmt.Sprint("release ", now)))
			at[id].shown = now
			open[i] = open[i][1:]
		case action == 4: // crash: what is reserved stays so
			open[i] = nil
		case action <= 5:
			file, err := l.Export(ctx)
			require.NoError(t, err)
			shelf = append(shelf, file)
		case len(shelf) > 0:
			_, err := l.Import(ctx, shelf[max(0, len(shelf)-1-int(choice>>5&1))], false)
			require.NoError(t, err)
		}
		d, err := l.Dataset(ctx, set.ID)
		require.NoError(t, err)
		_, condition, err := d.Spent()
		require.NoError(t, err)
		f, over := *fresh, false
		for _, c := range d.Charges {
			over = over || f.Charge(c.Event) != nil
		}
		require.Equal(t, over, condition != Open, "step %d", now)
		if condition != Closed {
			continue
		}
		closed++
		last, earliest := 0, math.MaxInt
		for _, c := range d.Charges {
			last, earliest = max(last, at[c.ID].reserved), min(earliest, at[c.ID].shown)
		}
		require.Less(
			t, last, earliest,
			"step %d: a charge counts as fixed in advance, and a release was shown before it", now,
		)
	}
	return closed
}

// CLOISTER_AUDIT=long plays a few minutes.
func TestNoInterleavingOfFilesReopensAnAccount(t *testing.T) {
	scripts, length, closed := 250, 30, 0
	if testing.Short() {
		scripts = 50
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		scripts = 20_000
	}
	for seed := range scripts {
		closed += playApart(t, script(int64(seed)+1000, length))
	}
	assert.Greater(t, closed, scripts*2/5, "else nothing was played")
}
