package ledger

import (
	"slices"
	"strconv"
)

// book is what the entries of a ledger come to.
type book struct {
	length  int    // of the list
	last    string // text of its last entry
	version int    // that it was written as; see entry
	key     []byte
	sets    []*Dataset
	home    map[string]*Dataset // by ID, also by those in Also
	content map[string]string   // fingerprint, of either kind → ID
	unseen  map[string]bool     // fingerprints of the whole digests of unseen contents
	paidBy  map[string]*Dataset // charge → its data set
	place   map[string]int      // charge → where it is among those of that
	digests map[string]string   // release → charge
}

func newBook() *book {
	return &book{
		home:    map[string]*Dataset{},
		content: map[string]string{},
		unseen:  map[string]bool{},
		paidBy:  map[string]*Dataset{},
		place:   map[string]int{},
		digests: map[string]string{},
	}
}

// list is the fingerprint by which a content is known once its list digest is.
func (b *book) list(of Identity) string { return fingerprint(b.key, listKind, of.List) }

// accountOf returns the account of a content, nil if there is none. It is an *UntakenError if that
// cannot be told without the whole digest.
func (b *book) accountOf(of Identity) (*Dataset, error) {
	if id, ok := b.content[b.list(of)]; ok {
		return b.home[id], nil
	}
	if len(b.unseen) == 0 {
		return nil, nil
	}
	if !of.Both {
		return nil, &UntakenError{}
	}
	return b.home[b.content[fingerprint(b.key, wholeKind, of.Whole)]], nil
}

// unseenWhole is the fingerprint of the whole digest of an unseen content, that is, one that is
// known by it alone; empty for any other content.
func (b *book) unseenWhole(of Identity) string {
	whole := fingerprint(b.key, wholeKind, of.Whole)
	if _, known := b.content[b.list(of)]; known || !of.Both || !b.unseen[whole] {
		return ""
	}
	return whole
}

// seenEntry is the entry that makes an unseen content a seen one; nil for any other content.
func (b *book) seenEntry(of Identity) *entry {
	whole := b.unseenWhole(of)
	if whole == "" {
		return nil
	}
	return &entry{kind: kindSeen, content: b.list(of), whole: whole}
}

// learn notes that fingerprints are those of an account's content.
func (b *book) learn(e *entry, id string) {
	if e.content != "" {
		b.content[e.content] = id
	}
	if e.whole != "" {
		b.content[e.whole] = id
		if e.content == "" {
			b.unseen[e.whole] = true
		} else {
			delete(b.unseen, e.whole)
		}
	}
}

// holder is the account that knows one of the entry's fingerprints, nil if none does.
func (b *book) holder(e *entry) *Dataset {
	for _, print := range []string{e.content, e.whole} {
		if id, known := b.content[print]; known {
			return b.home[id]
		}
	}
	return nil
}

func (b *book) dataset(id string) (*Dataset, error) {
	if d := b.home[id]; d != nil {
		return d, nil
	}
	return nil, &UnknownError{"data set", id}
}

func (b *book) charge(id string) (*Charge, error) {
	if d := b.paidBy[id]; d != nil {
		return &d.Charges[b.place[id]], nil
	}
	return nil, &UnknownError{"charge", id}
}

// apply adds one entry, and its text. If it does not follow from what is there it is an
// error, and nothing changes.
func (b *book) apply(e *entry, text string) error {
	next, err := b.plan(e)
	if err == nil {
		next()
		b.grown(e, text)
	}
	return err
}

// grown notes that the list has one entry more.
func (b *book) grown(e *entry, text string) {
	b.length, b.last, b.version = b.length+1, text, e.version
}

// digestsFollow checks that the digests of an entry come in as the package's section on what a
// file is recognised by says that they do.
func (b *book) digestsFollow(e *entry) error {
	if e.version < listVersion {
		if b.version >= listVersion {
			return &DamageError{
				Where: "an entry",
				What:  "was written by an earlier program than the entry before it",
			}
		}
		return nil
	}
	if e.whole != "" && (e.content == "" || !b.unseen[e.whole] || b.content[e.content] != "") {
		return &DamageError{
			Where: "an entry",
			What:  "has the second digest of a content that has no first one, or two",
		}
	}
	return nil
}

// plan checks an entry and returns what carries it out.
func (b *book) plan(e *entry) (func(), error) {
	if (e.kind == kindBegin) != (b.length == 0) {
		return nil, &DamageError{
			Where: "an entry",
			What:  "is out of place: the first one, and no other, begins a ledger",
		}
	}
	if err := b.digestsFollow(e); err != nil {
		return nil, err
	}
	switch e.kind {
	case kindBegin:
		return func() { b.key = e.key }, nil
	case kindDataset:
		if b.home[e.dataset] != nil {
			return nil, &ChargeConflictError{ID: e.dataset, What: "data sets"}
		}
		if known := b.holder(e); known != nil {
			return nil, &KnownError{ID: known.ID, Name: known.Name}
		}
		return func() {
			d := &Dataset{ID: e.dataset, Name: e.name, Created: e.time, Budget: e.budget}
			b.sets = append(b.sets, d)
			b.home[d.ID] = d
			b.learn(e, d.ID)
		}, nil
	case kindBudget:
		d, err := b.dataset(e.dataset)
		if err != nil {
			return nil, err
		}
		if len(d.Charges) > 0 && d.Budget != nil {
			return nil, &FixedError{*d.Budget}
		}
		if err := d.suits(*e.budget); err != nil {
			return nil, err // charges from a file
		}
		return func() { d.Budget, d.spending = e.budget, nil }, nil
	case kindReserve:
		d, err := b.dataset(e.dataset)
		if err != nil {
			return nil, err
		}
		if b.paidBy[e.charge] != nil {
			return nil, &ChargeConflictError{ID: e.charge, What: "reservations"}
		}
		if d.Budget != nil && e.event.Neighbours() != d.Budget.Adjacency {
			return nil, &ChargeConflictError{
				ID: e.charge, What: "neighbours, its own and its budget's",
			}
		}
		return func() {
			b.paidBy[e.charge], b.place[e.charge] = d, len(d.Charges)
			d.Charges = append(d.Charges, Charge{
				ID: e.charge, Event: e.event, Purpose: e.purpose, Time: e.time,
				State: Reserved, Opening: d.nothingReleased(),
			})
		}, nil
	case kindCommit:
		c, err := b.charge(e.charge)
		if err != nil {
			return nil, err
		}
		if c.State == Committed && c.Digest != e.digest && !c.told {
			return nil, &ChargeConflictError{ID: c.ID, What: "releases"}
		}
		if !c.keeps(e.release) {
			return nil, otherEvent(c.ID)
		}
		return func() {
			before := c.Digest
			c.State, c.Digest, c.kept, c.told = Committed, e.digest, e.release, false
			if before != c.Digest {
				b.disowned(before, c.ID)
			}
			b.released(c)
		}, nil
	case kindSame:
		return b.planSame(e)
	case kindSeen:
		return func() { b.learn(e, b.content[e.whole]) }, nil
	case kindMerge:
		return b.planMerge(e)
	}
	return nil, &DamageError{Where: "an entry", What: "is of the unknown kind " + e.kind}
}

// released notes which charge paid for a release: the first that did, and one that
// was committed here before one that came with a file, which may say anything.
func (b *book) released(c *Charge) {
	if c.Digest == "" {
		return
	}
	first, err := b.charge(b.digests[c.Digest])
	if err == nil && first.Digest == c.Digest && (c.FromFile() || !first.FromFile()) {
		return
	}
	b.digests[c.Digest] = c.ID
}

// disowned notes that a charge did not pay for a release, as a file had it; another
// may have.
func (b *book) disowned(digest, charge string) {
	if digest == "" || b.digests[digest] != charge {
		return
	}
	delete(b.digests, digest)
	for _, d := range b.sets {
		for i := range d.Charges {
			if d.Charges[i].Digest == digest {
				b.released(&d.Charges[i])
			}
		}
	}
}

// planSame makes a content that of a data set; an account that the content had
// before is put together with it.
func (b *book) planSame(e *entry) (func(), error) {
	d, err := b.dataset(e.dataset)
	if err != nil {
		return nil, err
	}
	before := b.holder(e)
	if before == nil || before == d {
		return func() { b.learn(e, d.ID) }, nil
	}
	joined, _, err := join(d, before, e.smaller)
	if err != nil {
		return nil, err
	}
	return func() {
		b.replace(&merged{joined, []*Dataset{d, before}})
		b.learn(e, joined.ID)
	}, nil
}

// replace puts each account in the place of the first of those here that it takes the place of, and
// drops the others; one that takes no other's place is added.
func (b *book) replace(all ...*merged) {
	instead := map[*Dataset]*Dataset{}
	for _, m := range all {
		for i, old := range m.old {
			if instead[old] = nil; i == 0 {
				instead[old] = m.set
			}
		}
	}
	sets := make([]*Dataset, 0, len(b.sets)+len(all))
	for _, d := range b.sets {
		if joined, replaced := instead[d]; !replaced {
			sets = append(sets, d)
		} else if joined != nil {
			sets = append(sets, joined)
		}
	}
	b.sets = sets
	for _, m := range all {
		joined := m.set
		if len(m.old) == 0 {
			b.sets = append(b.sets, joined)
		}
		for _, id := range append([]string{joined.ID}, joined.Also...) {
			b.home[id] = joined
		}
		for i := range joined.Charges {
			id := joined.Charges[i].ID
			b.paidBy[id], b.place[id] = joined, i
			b.released(&joined.Charges[i])
		}
	}
}

// planMerge takes in the accounts of a file.
func (b *book) planMerge(e *entry) (func(), error) {
	joined, _, err := b.merged(e.sets, e.smaller)
	if err != nil {
		return nil, err
	}
	return func() { b.replace(joined...) }, nil
}

type merged struct {
	set *Dataset
	old []*Dataset // accounts here that it takes the place of
}

// merged puts each account together with those here that have an ID in common
// with it, and with others of the file that do.
func (b *book) merged(theirs []*Dataset, smaller bool) ([]*merged, Merged, error) {
	var out []*merged
	var total Merged
	taken := map[*Dataset]*merged{} // accounts here
	owner := map[string]bool{}      // charges of the file
	ids := map[string]bool{}        // of the file
	for _, their := range theirs {
		var m *merged
		var old []*Dataset
		for _, id := range append([]string{their.ID}, their.Also...) {
			if ids[id] {
				return nil, total, &DamageError{
					Where: "the file",
					What:  "has two accounts of the data set " + strconv.Quote(their.Name),
				}
			}
			ids[id] = true
			here := b.home[id]
			if other := taken[here]; here != nil && other != nil {
				if m != nil && m != other {
					return nil, total, &DamageError{
						Where: "the file",
						What: "tells apart accounts that it says are the same, of the data set " + strconv.Quote(
							their.Name,
						),
					}
				}
				m = other
			} else if here != nil && !slices.Contains(old, here) {
				old = append(old, here)
			}
		}
		if m == nil {
			m = &merged{}
			out = append(out, m)
		}
		for _, here := range old {
			taken[here] = m
		}
		m.old = append(m.old, old...)
		for _, c := range their.Charges {
			home := b.paidBy[c.ID]
			if owner[c.ID] || home != nil && taken[home] != m {
				return nil, total, &ChargeConflictError{ID: c.ID, What: "data sets"}
			}
			owner[c.ID] = true
		}
		if m.set == nil && len(old) == 0 {
			m.set = their.copy()
			total.Datasets++
			total.Added += len(their.Charges)
			continue
		}
		before := m.set
		if before == nil {
			before, m.set = old[0], old[0]
			old = old[1:]
		}
		for _, here := range append(old[:len(old):len(old)], their) {
			next, what, err := join(m.set, here, smaller)
			if err != nil {
				return nil, total, err
			}
			m.set = next
			if here == their {
				total.Added += what.Added
				total.Committed += what.Committed
			}
		}
		total.Changed = total.Changed || len(m.set.Also) > len(before.Also)
		if m.set.Budget != nil && (before.Budget == nil || *before.Budget != *m.set.Budget) {
			total.Budgets++
		}
	}
	total.Changed = total.Changed || total.Datasets+total.Added+total.Committed+total.Budgets > 0
	return out, total, nil
}
