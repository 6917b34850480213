package ledger

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	"cloister/core/privacy"
)

// keyBytes is the length of the key for hashes of contents.
const keyBytes = 32

// Ledger is the accounts in one Store. Its methods may be called at the same
// time, and other Ledgers, in other programs too, may use the same store. What
// a method returns without an error is in the store.
type Ledger struct {
	store Store
	now   func() time.Time

	mutex sync.Mutex
	book  *book // as far as it was read; nil: nothing yet
}

// New returns the ledger in a store, which may be empty. now is the clock, for the
// times that people read; nil is time.Now.
func New(store Store, now func() time.Time) *Ledger {
	if now == nil {
		now = time.Now
	}
	return &Ledger{store: store, now: now}
}

// newID returns 16 random bytes in hexadecimal.
func newID() string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic("ledger: no random bytes: " + err.Error()) // crypto/rand never returns one
	}
	return hex.EncodeToString(id[:])
}

// since reads what was appended after the book's last entry, which is read once more: another
// one in its place, or none, is ErrConflict.
func (l *Ledger) since(ctx context.Context, b *book) ([]string, error) {
	if b.length == 0 {
		return l.store.Read(ctx, 0)
	}
	texts, err := l.store.Read(ctx, b.length-1)
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 || texts[0] != b.last {
		return nil, ErrConflict
	}
	return texts[1:], nil
}

// refresh reads what was appended since.
func (l *Ledger) refresh(ctx context.Context) (*book, error) {
	if l.book == nil {
		l.book = newBook()
	}
	texts, err := l.since(ctx, l.book)
	if err == ErrConflict {
		// Entries went away, as nothing here makes them do, and others may have come in their
		// place: a site's data were cleared, and a file taken in. Read what there is now.
		l.book = newBook()
		texts, err = l.since(ctx, l.book)
	}
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		number := l.book.length + 1
		e, err := readEntry(text, number)
		if err == nil {
			err = l.book.apply(e, text)
			if _, ok := err.(*DamageError); err != nil && !ok {
				err = &DamageError{
					Where: "an entry",
					What:  "does not follow from those before it: " + err.Error(),
					Cause: err,
				}
			}
		}
		if err != nil {
			l.book = nil
			return nil, err
		}
	}
	return l.book, nil
}

// view runs read on the ledger as it is now.
func (l *Ledger) view(ctx context.Context, read func(*book) error) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	b, err := l.refresh(ctx)
	if err != nil {
		return err
	}
	return read(b)
}

// change appends the entry that decide returns for the ledger as it is, if any,
// and then runs after. If others have appended in the meantime, decide is asked
// again.
func (l *Ledger) change(
	ctx context.Context, decide func(*book) (*entry, error), after func(*book),
) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for {
		b, err := l.refresh(ctx)
		if err != nil {
			return err
		}
		e := &entry{kind: kindBegin}
		if b.length > 0 {
			if e, err = decide(b); err != nil {
				return err
			}
			if e == nil {
				after(b)
				return nil
			}
		} else {
			e.key = make([]byte, keyBytes)
			if _, err := rand.Read(e.key); err != nil {
				return err
			}
		}
		e.time = l.now()
		if err := l.append(ctx, b, e); err == ErrConflict {
			continue
		} else if err != nil {
			return err
		}
		if e.kind != kindBegin {
			after(b)
			return nil
		}
	}
}

// append stores an entry and applies it: what is read back from its text, so
// that this ledger and every later reader have the same.
func (l *Ledger) append(ctx context.Context, b *book, e *entry) error {
	text, err := e.text()
	if err != nil {
		return err
	}
	back, err := readEntry(text, b.length+1)
	if err != nil {
		return err
	}
	next, err := b.plan(back)
	if err != nil {
		return err
	}
	if err := l.store.Append(ctx, b.length, text); err != nil {
		return err
	}
	next()
	b.grown(back, text)
	return nil
}

// Datasets returns all accounts, in the order in which they were opened.
func (l *Ledger) Datasets(ctx context.Context) ([]*Dataset, error) {
	var out []*Dataset
	err := l.view(ctx, func(b *book) error {
		for _, d := range b.sets {
			out = append(out, d.copy())
		}
		return nil
	})
	return out, err
}

// Dataset returns one account, by its ID or by one that it had before.
func (l *Ledger) Dataset(ctx context.Context, id string) (*Dataset, error) {
	var out *Dataset
	err := l.view(ctx, func(b *book) error {
		d, err := b.dataset(id)
		if err == nil {
			if d.Budget != nil {
				d.settle() // so that it is not done anew for every copy
			}
			out = d.copy()
		}
		return err
	})
	return out, err
}

// Find returns the account of a content (see Content), nil if there is none. A content that was
// known by its whole digest alone is known by both from then on, if there is room to note that.
// It is an *UntakenError if only the whole digest, which was not taken, can tell; so it is in
// Create and in Same.
func (l *Ledger) Find(ctx context.Context, content Identity) (*Dataset, error) {
	var out *Dataset
	var unseen bool
	err := l.view(ctx, func(b *book) error {
		d, err := b.accountOf(content)
		if d != nil {
			out, unseen = d.copy(), b.seenEntry(content) != nil
		}
		return err
	})
	if unseen {
		note := func(b *book) (*entry, error) { return b.seenEntry(content), nil }
		_ = l.change(ctx, note, func(*book) {}) // best effort: else the next one does
	}
	return out, err
}

// NeedsWhole reports whether there are contents that are known by their whole digest alone:
// then Content.Whole is to be set for files that cannot be read twice.
func (l *Ledger) NeedsWhole(ctx context.Context) (bool, error) {
	needs := false
	err := l.view(ctx, func(b *book) error {
		needs = len(b.unseen) > 0
		return nil
	})
	return needs, err
}

// Create opens an account for a content that has none (else *KnownError). The
// budget may be nil and set later.
func (l *Ledger) Create(
	ctx context.Context, content Identity, name string, budget *privacy.Guarantee,
) (*Dataset, error) {
	if budget != nil {
		if err := budget.Validate(); err != nil {
			return nil, privacy.Within("budget", err)
		}
	}
	var out *Dataset
	id := newID()
	err := l.change(ctx, func(b *book) (*entry, error) {
		if known, err := b.accountOf(content); err != nil {
			return nil, err
		} else if known != nil {
			return nil, &KnownError{ID: known.ID, Name: known.Name}
		}
		return &entry{
			kind:    kindDataset,
			dataset: id,
			name:    name,
			content: b.list(content),
			budget:  budget,
		}, nil
	}, func(b *book) { out = b.home[id].copy() })
	return out, err
}

// SetBudget gives a data set its budget, or another one while nothing is charged
// (else *FixedError).
func (l *Ledger) SetBudget(
	ctx context.Context, id string, budget privacy.Guarantee,
) (*Dataset, error) {
	if err := budget.Validate(); err != nil {
		return nil, privacy.Within("budget", err)
	}
	var out *Dataset
	err := l.change(ctx, func(b *book) (*entry, error) {
		d, err := b.dataset(id)
		if err != nil {
			return nil, err
		}
		if d.Budget != nil && *d.Budget == budget {
			return nil, nil
		}
		return &entry{kind: kindBudget, dataset: d.ID, budget: &budget}, nil
	}, func(b *book) { out = b.home[id].copy() })
	return out, err
}

// Reserve charges an event, if the budget affords it (errors: those of
// Dataset.Affords). The mechanism may be run once Reserve has returned, and not
// before.
func (l *Ledger) Reserve(
	ctx context.Context, id string, event privacy.Event, purpose string,
) (Charge, error) {
	var out Charge
	charge := newID()
	err := l.change(ctx, func(b *book) (*entry, error) {
		d, err := b.dataset(id)
		if err != nil {
			return nil, err
		}
		if _, err := d.Affords(event); err != nil {
			return nil, err
		}
		return &entry{
			kind:    kindReserve,
			dataset: d.ID,
			charge:  charge,
			event:   event,
			purpose: purpose,
		}, nil
	}, func(b *book) {
		if c, err := b.charge(charge); err == nil {
			out = *c
		}
	})
	return out, err
}

// Commit notes that the mechanism's output may now be shown. Show it only after Commit
// has returned. digest is that of the release, empty for a mechanism that refused. To
// commit the same again changes nothing. Another digest for the same charge is a
// *ChargeConflictError, unless the first one came only from a file and the charge was
// reserved here.
func (l *Ledger) Commit(ctx context.Context, charge, digest string) error {
	return l.commit(ctx, &entry{kind: kindCommit, charge: charge, digest: digest})
}

func (l *Ledger) commit(ctx context.Context, e *entry) error {
	return l.change(ctx, func(b *book) (*entry, error) {
		c, err := b.charge(e.charge)
		if err != nil {
			return nil, err
		}
		if c.State == Committed && c.Digest == e.digest && !c.told {
			return nil, nil
		}
		return e, nil
	}, func(*book) {})
}

// Same notes that a content belongs to a data set that has an account. Use it for a
// file that was edited, or for a data set from an imported ledger. If the content had
// an account of its own, its charges move too; for different budgets see Import.
func (l *Ledger) Same(
	ctx context.Context, content Identity, id string, smaller bool,
) (*Dataset, error) {
	var out *Dataset
	err := l.change(ctx, func(b *book) (*entry, error) {
		d, err := b.dataset(id)
		if err != nil {
			return nil, err
		}
		known, err := b.accountOf(content)
		if err != nil {
			return nil, err
		}
		if known == d {
			return b.seenEntry(content), nil
		}
		return &entry{
			kind:    kindSame,
			dataset: d.ID,
			content: b.list(content),
			whole:   b.unseenWhole(content),
			smaller: smaller,
		}, nil
	}, func(b *book) { out = b.home[id].copy() })
	return out, err
}

// Export returns all accounts as a file: indented JSON with a checksum. Nobody can
// check a guess of the data with it.
func (l *Ledger) Export(ctx context.Context) ([]byte, error) {
	var out []byte
	err := l.view(ctx, func(b *book) error {
		var err error
		out, err = indentJSON(fileTree(b.sets, l.now()))
		return err
	})
	return out, err
}

// Merged says what Import changed.
type Merged struct {
	Datasets  int // new accounts
	Added     int // new charges
	Committed int // charges that were known as reserved
	Budgets   int // accounts that have another budget now
	Changed   bool
}

// Import takes in an exported file without losing anything of either: accounts
// with an ID in common are put together, charges by their ID, and a committed
// state wins. If two accounts have different budgets it is a
// *BudgetConflictError, or, if smaller says so and they are for the same
// neighbours, the smaller ε and the smaller δ stay. Other errors are
// *DamageError, *NewerError and *ChargeConflictError. After an error nothing is
// changed.
//
// An imported charge counts as one whose release has been seen, even if the file says
// that it is reserved. So no charge that is reserved after it is opening. See the
// package's theorem.
//
// Charges of two ledgers that did not know of each other can exceed the budget
// together. Then all of them stand, and no further event is afforded (Exceeded).
func (l *Ledger) Import(ctx context.Context, file []byte, smaller bool) (Merged, error) {
	sets, err := readFile(file)
	if err != nil {
		return Merged{}, err
	}
	var what Merged
	err = l.change(ctx, func(b *book) (*entry, error) {
		if _, what, err = b.merged(sets, smaller); err != nil || !what.Changed {
			return nil, err
		}
		return &entry{kind: kindMerge, sets: sets, smaller: smaller}, nil
	}, func(*book) {})
	return what, err
}
