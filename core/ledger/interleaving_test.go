package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/filter"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

var errFull = &StorageError{Kind: Full, Cause: errors.New("test")}

// failing is a Store as one client has it: Append may fail, before or after the
// entries are there.
type failing struct {
	Store
	next func() (before, after bool)
}

func (f *failing) Append(ctx context.Context, after int, entries ...string) error {
	before, behind := f.next()
	if before {
		return errFull
	}
	err := f.Store.Append(ctx, after, entries...)
	if err == nil && behind {
		return errFull
	}
	return err
}

// play drives several clients on one store by a list of choices, and checks what
// must hold whatever they are.
//
// A client reserves, runs, commits and only then hands out; in between it may
// crash (and start again, knowing nothing), its storage may fail, and the others
// go on. Every step is one entry of the script.
func play(t testing.TB, script []byte) {
	shared := &Memory{}
	budget := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	set, err := New(shared, nil).Create(ctx, content("x"), "x", &budget)
	require.NoError(t, err)

	type client struct {
		ledger *Ledger
		charge string // reserved and not committed yet
		ran    bool
	}
	var failBefore, failAfter bool
	start := func() *client {
		return &client{ledger: New(&failing{shared, func() (bool, bool) {
			b, a := failBefore, failAfter
			failBefore, failAfter = false, false
			return b, a
		}}, nil)}
	}
	clients := []*client{start(), start(), start(), start()}
	reserved := map[string]bool{} // what Reserve returned for
	released := map[string]bool{} // digests handed out
	ran := 0
	for i, choice := range script {
		c := clients[choice&3]
		failBefore, failAfter = false, false
		switch action := choice >> 2 & 7; {
		case action == 7: // crash
			clients[choice&3] = start()
		case c.charge == "": // reserve
			failBefore, failAfter = action == 5, action == 6
			event := gaussian(8 + float64(choice>>5))
			if choice>>5 == 7 {
				event = gaussian(0.5) // too much in any case
			}
			charge, err := c.ledger.Reserve(ctx, set.ID, event, "")
			var exceeded *ExceededError
			switch {
			case err == nil:
				c.charge = charge.ID
				reserved[charge.ID] = true
			case errors.As(err, &exceeded), errors.Is(err, errFull):
			default:
				require.NoError(t, err)
			}
		case !c.ran:
			c.ran = true
			ran++
		default: // commit, then hand out
			failBefore, failAfter = action == 5, action == 6
			digest := fmt.Sprint("release ", i)
			if err := c.ledger.Commit(ctx, c.charge, digest); err == nil {
				released[digest] = true
			} else {
				require.ErrorIs(t, err, errFull)
			}
			c.charge, c.ran = "", false
		}
	}

	// Anybody who comes later, knowing nothing, reads it all.
	later := New(shared, nil)
	d, err := later.Dataset(ctx, set.ID)
	require.NoError(t, err)
	stand := map[string]bool{}
	committed := 0
	for _, c := range d.Charges {
		stand[c.ID] = true
		if c.State == Committed {
			committed++
		}
	}
	requireWithin(t, d)
	for id := range reserved {
		require.True(t, stand[id], "a charge was lost")
	}
	for digest := range released {
		c, _, err := later.PaidBy(ctx, digest)
		require.NoError(t, err, "a release without a charge")
		require.Equal(t, Committed, c.State)
	}
	require.GreaterOrEqual(t, committed, len(released))
	require.GreaterOrEqual(t, len(d.Charges), ran, "charges ≥ fits")
}

// requireWithin checks by the theorem, from the charges alone, that all of them
// are within the budget.
func requireWithin(t testing.TB, d *Dataset) {
	t.Helper()
	spent, condition, err := d.Spent()
	require.NoError(t, err)
	require.LessOrEqual(t, spent, d.Budget.Epsilon)
	f, err := filter.New(*d.Budget, SetAside(*d.Budget))
	require.NoError(t, err)
	over := false
	for _, c := range d.Charges {
		over = over || f.Charge(c.Event) != nil
	}
	if !over {
		require.Equal(t, Open, condition)
		return
	}
	require.Equal(t, Closed, condition)
	parts := privacy.Composition{Adjacency: d.Budget.Adjacency}
	for _, c := range d.Charges {
		require.True(t, c.Opening, "chosen after a release")
		parts.Parts = append(parts.Parts, privacy.Part{Event: c.Event, Count: 1})
	}
	price, err := account.Of(parts, account.Auto, pld.Options{})
	require.NoError(t, err)
	require.LessOrEqual(t, math.Exp(price.LogDeltaUpper(d.Budget.Epsilon)), d.Budget.Delta*(1+1e-9))
}

// script is a list of choices, the same for the same seed everywhere.
func script(seed int64, length int) []byte {
	state := uint64(seed)*0x9E3779B97F4A7C15 + 1
	out := make([]byte, length)
	for i := range out {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		out[i] = byte(state >> 32)
	}
	return out
}

// CLOISTER_AUDIT=long plays a few minutes.
func TestNoInterleavingLosesACharge(t *testing.T) {
	scripts, length := 15, 300
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		scripts = 10_000
	}
	for seed := range scripts {
		play(t, script(int64(seed), length))
	}
}

// Four clients at the same time, each with 50 fits, on one budget that affords
// some of them: not one charge more than that, and none lost.
func TestClientsAtTheSameTimeStayWithinTheBudget(t *testing.T) {
	run := func(store Store) (stand int, reserved []string, err error) {
		first := New(store, nil)
		d, err := first.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		var mutex sync.Mutex
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				l := New(store, nil)
				for range 50 {
					c, e := l.Reserve(ctx, d.ID, gaussian(30), "")
					var exceeded *ExceededError
					mutex.Lock()
					switch {
					case e == nil:
						reserved = append(reserved, c.ID)
						e = l.Commit(ctx, c.ID, c.ID)
					case errors.As(e, &exceeded):
						e = nil
					}
					if e != nil {
						err = e
					}
					mutex.Unlock()
				}
			})
		}
		wait.Wait()
		if err != nil {
			return 0, nil, err
		}
		d, err = New(store, nil).Dataset(ctx, d.ID)
		if err != nil {
			return 0, nil, err
		}
		return len(d.Charges), reserved, nil
	}
	affordable := 0
	f, err := filter.New(budget, SetAside(budget))
	require.NoError(t, err)
	for f.Charge(gaussian(30)) == nil {
		affordable++
	}
	require.Less(t, affordable, 200)
	stand, reserved, err := run(&Memory{})
	require.NoError(t, err)
	assert.Equal(t, affordable, stand, "all that can be afforded, and no more")
	assert.Len(t, reserved, stand)
}

// rushed is a Store at which somebody else comes first: the first Append runs
// another one before it. blind leaves out the comparison.
type rushed struct {
	*Memory
	rush  func()
	blind bool
}

func (r *rushed) Append(ctx context.Context, after int, entries ...string) error {
	if rush := r.rush; rush != nil {
		r.rush = nil
		rush()
	}
	if r.blind {
		after = len(r.entries)
	}
	return r.Memory.Append(ctx, after, entries...)
}

// Two clients want the rest of a budget, the second while the first has looked
// and not written yet. One gets it. With a store that did not compare, both
// would, and this test sees that.
func TestTwoCannotSpendTheSameMoney(t *testing.T) {
	for _, blind := range []bool{false, true} {
		shared := &Memory{}
		slow := &rushed{Memory: shared, blind: blind}
		first, second := New(slow, nil), New(shared, nil)
		d, err := first.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		bought(t, first, d.ID, gaussian(100), "")
		rest := gaussian(5.5) // two of them are too much
		slow.rush = func() {
			_, err := second.Reserve(ctx, d.ID, rest, "")
			require.NoError(t, err)
		}
		_, err = first.Reserve(ctx, d.ID, rest, "")
		var exceeded *ExceededError
		d, e := New(shared, nil).Dataset(ctx, d.ID)
		require.NoError(t, e)
		spent, condition, e := d.Spent()
		require.NoError(t, e)
		if blind {
			require.NoError(t, err)
			assert.Equal(t, Exceeded, condition)
			assert.GreaterOrEqual(t, spent, budget.Epsilon)
		} else {
			require.ErrorAs(t, err, &exceeded)
			assert.Equal(t, Open, condition)
			assert.Len(t, d.Charges, 2)
		}
	}
}

// A storage that fails leaves the charge where it may be: it is there or not,
// the caller is told, and the next one sees which.
func TestAFullStorage(t *testing.T) {
	for _, behind := range []bool{false, true} {
		shared := &Memory{}
		fails := false
		l := New(
			&failing{shared, func() (bool, bool) { return fails && !behind, fails && behind }}, nil,
		)
		d, err := l.Create(ctx, content("x"), "x", &budget)
		require.NoError(t, err)
		c, err := l.Reserve(ctx, d.ID, gaussian(20), "")
		require.NoError(t, err)
		fails = true
		var storage *StorageError
		require.ErrorAs(t, l.Commit(ctx, c.ID, "x"), &storage)
		assert.Equal(t, Full, storage.Kind)
		_, err = l.Reserve(ctx, d.ID, gaussian(20), "")
		require.ErrorAs(t, err, &storage)
		fails = false
		d, err = l.Dataset(ctx, d.ID)
		require.NoError(t, err)
		if behind {
			require.Len(t, d.Charges, 2)
			assert.Equal(t, Committed, d.Charges[0].State)
		} else {
			require.Len(t, d.Charges, 1)
			assert.Equal(t, Reserved, d.Charges[0].State)
		}
		require.NoError(t, l.Commit(ctx, c.ID, "x"), "once there is room again")
	}
}

func TestACancelledCallChangesNothing(t *testing.T) {
	l, id := opened(t, budget)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := l.Reserve(cancelled, id, gaussian(20), "")
	require.ErrorIs(t, err, context.Canceled)
	d, err := l.Dataset(ctx, id)
	require.NoError(t, err)
	assert.Empty(t, d.Charges)
}
