package ledger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Two tabs on one store do something each, the second while the first has looked and not written
// yet; one of the two imports a file, or both do. It ends as if the second had come first:
// no charge of either is lost, none counts as fixed in advance that does not then, and what is
// afforded is the same. With a store that does not compare, the rest of the budget is spent
// twice, and this test sees that.
func TestTwoTabsImportOneAfterTheOther(t *testing.T) {
	type stand struct {
		store    *Memory
		id, open string   // the account, and a charge that is reserved
		files    [][]byte // of ledgers that went on from here, and from another copy of it
	}
	start := func() stand {
		s := stand{store: &Memory{}}
		l := New(s.store, nil)
		d, err := l.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		s.id = d.ID
		c, err := l.Reserve(ctx, d.ID, gaussian(30), "open")
		require.NoError(t, err)
		s.open = c.ID
		for k, sigma := range []float64{5.5, 5.6} {
			other := New(&Memory{}, nil)
			moved(t, l, other)
			bought(t, other, d.ID, gaussian(sigma), fmt.Sprint("elsewhere ", k))
			_, err := other.Reserve(ctx, d.ID, gaussian(40), fmt.Sprint("reserved ", k))
			require.NoError(t, err)
			file, err := other.Export(ctx)
			require.NoError(t, err)
			s.files = append(s.files, file)
		}
		return s
	}
	actions := map[string]func(s stand, l *Ledger) error{
		"import": func(s stand, l *Ledger) error {
			_, err := l.Import(ctx, s.files[0], false)
			return err
		},
		"import the other": func(s stand, l *Ledger) error {
			_, err := l.Import(ctx, s.files[1], false)
			return err
		},
		"reserve": func(s stand, l *Ledger) error {
			_, err := l.Reserve(ctx, s.id, gaussian(9), "new")
			return err
		},
		"reserve the rest": func(s stand, l *Ledger) error {
			_, err := l.Reserve(ctx, s.id, gaussian(5.5), "rest")
			return err
		},
		"commit": func(s stand, l *Ledger) error { return l.Commit(ctx, s.open, "shown") },
		"set": func(s stand, l *Ledger) error {
			_, err := l.SetBudget(ctx, s.id, privacy.Guarantee{
				Epsilon: budget.Epsilon, Delta: budget.Delta, Adjacency: budget.Adjacency,
			})
			return err
		},
	}
	// said is the account without what is drawn: IDs and times.
	said := func(s stand, first, second error) string {
		d, err := New(s.store, nil).Dataset(ctx, s.id)
		require.NoError(t, err)
		spent, condition, err := d.Spent()
		require.NoError(t, err)
		var lines []string
		for _, c := range d.Charges {
			lines = append(lines, fmt.Sprintf(
				"%v %s %v %s opening %v elsewhere %v", c.Event, c.Purpose, c.State, c.Digest,
				c.Opening, c.elsewhere,
			))
		}
		slices.Sort(lines)
		return fmt.Sprintf(
			"%s\n%v %v, refused %v %v", strings.Join(lines, "\n"), spent, condition,
			first != nil, second != nil,
		)
	}
	imports, changed, twice := 0, 0, 0
	for name, act := range actions {
		for other, rush := range actions {
			if !strings.HasPrefix(name, "import") && !strings.HasPrefix(other, "import") {
				continue
			}
			imports++
			for _, blind := range []bool{false, true} {
				together, apart := start(), start()
				var second error
				slow := &rushed{Memory: together.store, blind: blind}
				came := false
				slow.rush = func() { came, second = true, rush(together, New(together.store, nil)) }
				first := act(together, New(slow, nil))
				if !came { // it had nothing to write
					second = rush(together, New(together.store, nil))
				} else {
					changed++
				}
				before := rush(apart, New(apart.store, nil))
				after := act(apart, New(apart.store, nil))
				want, got := said(apart, after, before), said(together, first, second)
				if !blind {
					assert.Equal(t, want, got, "%s while the other tab would %s", other, name)
				} else if want != got {
					twice++
				}
			}
		}
	}
	assert.Equal(t, 20, imports)
	assert.Greater(t, changed, 30)
	assert.Positive(t, twice)
}
