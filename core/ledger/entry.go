package ledger

import (
	"encoding/hex"
	"strconv"
	"time"

	"cloister/core/privacy"
)

// Versions of files and of entries. Older ones are brought up to them when they
// are read; newer ones are refused.
const (
	Version      = 1
	entryVersion = 3

	// listVersion is the first version of entries that know contents by their list digest.
	listVersion = 3
)

// Kinds of entries.
const (
	kindBegin   = "begin"   // the key for hashes of contents; the first entry
	kindDataset = "dataset" // a data set, with its content and its budget
	kindBudget  = "budget"  // its budget
	kindReserve = "reserve" // a charge
	kindCommit  = "commit"  // a charge's release
	kindSame    = "same"    // a content is that of a data set
	kindSeen    = "seen"    // the list digest of a content that was known by its whole digest
	kindMerge   = "merge"   // accounts from a file
)

// entry is one line of the ledger. Which fields count depends on the kind.
type entry struct {
	version int // that it was written as, before it was brought up to this one
	kind    string
	key     []byte
	dataset string
	name    string
	content string // fingerprint of the list digest
	whole   string // fingerprint of the whole digest; see Identity
	charge  string
	event   privacy.Event
	purpose string
	digest  string
	release string // as Digest reads it; empty: it is not kept
	budget  *privacy.Guarantee
	time    time.Time
	sets    []*Dataset
	smaller bool
}

// text is the entry as it is stored.
func (e *entry) text() (string, error) {
	tree := map[string]any{"version": entryVersion, "kind": e.kind, "time": timeText(e.time)}
	switch e.kind {
	case kindBegin:
		tree["key"] = hex.EncodeToString(e.key)
	case kindDataset:
		tree["dataset"], tree["name"] = e.dataset, e.name
		e.contentsInto(tree)
		if e.budget != nil {
			tree["budget"] = budgetTree(*e.budget)
		}
	case kindBudget:
		tree["dataset"], tree["budget"] = e.dataset, budgetTree(*e.budget)
	case kindReserve:
		tree["dataset"], tree["charge"], tree["purpose"], tree["event"] = e.dataset, e.charge,
			e.purpose, privacy.EncodeEvent(e.event)
	case kindCommit:
		tree["charge"], tree["digest"] = e.charge, e.digest
		if e.release != "" {
			tree["release"] = e.release
		}
	case kindSame:
		tree["dataset"], tree["smaller"] = e.dataset, e.smaller
		e.contentsInto(tree)
	case kindSeen:
		e.contentsInto(tree)
	case kindMerge:
		tree["datasets"], tree["smaller"] = datasetsTree(e.sets), e.smaller
	}
	text, err := appendJSON(nil, tree)
	return string(text), err
}

// contentsInto notes the fingerprints that there are.
func (e *entry) contentsInto(tree map[string]any) {
	if e.content != "" {
		tree["content"] = e.content
	}
	if e.whole != "" {
		tree["whole"] = e.whole
	}
}

// readEntry is the inverse of text; number counts from 1, for errors.
func readEntry(text string, number int) (*entry, error) {
	where := "entry " + strconv.Itoa(number)
	damaged := func(err error) error {
		return &DamageError{Where: where, What: "is damaged: " + err.Error(), Cause: err}
	}
	tree, err := parseJSON([]byte(text))
	if err != nil {
		return nil, damaged(err)
	}
	version, err := migrate(tree, where, entryVersion, entrySteps)
	if err != nil {
		return nil, err
	}
	f := privacy.NewFields("", tree)
	f.Int("version")
	e := &entry{version: version, kind: f.Text("kind"), time: readTime(f, "time")}
	switch e.kind {
	case kindBegin:
		if e.key, err = hex.DecodeString(f.Text("key")); err != nil || len(e.key) != keyBytes {
			f.Bad("key", strconv.Itoa(keyBytes)+" bytes in hexadecimal")
		}
	case kindDataset:
		e.dataset, e.name = f.Text("dataset"), f.Text("name")
		e.content, e.whole = f.TextOr("content", ""), f.TextOr("whole", "")
		if f.Has("budget") {
			e.budget = validBudget(f)
		}
	case kindBudget:
		e.dataset, e.budget = f.Text("dataset"), validBudget(f)
	case kindReserve:
		e.dataset, e.charge, e.purpose, e.event = f.Text("dataset"), f.Text("charge"), f.Text(
			"purpose",
		), f.Event("event")
	case kindCommit:
		e.charge, e.digest, e.release = f.Text("charge"), f.Text("digest"), f.TextOr("release", "")
	case kindSame:
		e.dataset, e.smaller = f.Text("dataset"), f.Bool("smaller")
		e.content, e.whole = f.TextOr("content", ""), f.TextOr("whole", "")
		if e.content+e.whole == "" {
			f.Bad("content", "a text that is not empty")
		}
	case kindSeen:
		e.content, e.whole = f.Text("content"), f.Text("whole")
	case kindMerge:
		e.sets, e.smaller = readDatasets(f), f.Bool("smaller")
	default:
		f.Bad("kind", "one that this version knows")
	}
	if err := f.Done(); err != nil {
		return nil, damaged(err)
	}
	return e, nil
}

func readTime(f *privacy.Fields, name string) time.Time {
	t, ok := parseTime(f.Text(name))
	if !ok {
		f.Bad(name, "a date and time as in 2006-01-02T15:04:05Z")
	}
	return t
}

func budgetTree(g privacy.Guarantee) map[string]any {
	return map[string]any{"adjacency": g.Adjacency.String(), "epsilon": g.Epsilon, "delta": g.Delta}
}

// ReadBudget reads the field "budget" as it stands.
func ReadBudget(f *privacy.Fields) *privacy.Guarantee {
	inner := privacy.NewFields(f.Path("budget"), f.Any("budget"))
	g := privacy.Guarantee{
		Adjacency: inner.Adjacency(),
		Epsilon:   inner.Number("epsilon"),
		Delta:     inner.Number("delta"),
	}
	if err := inner.Done(); err != nil {
		f.Fail(err)
	}
	return &g
}

// validBudget reads it, and fails unless it is one.
func validBudget(f *privacy.Fields) *privacy.Guarantee {
	g := ReadBudget(f)
	if err := privacy.Within(f.Path("budget"), g.Validate()); err != nil {
		f.Fail(err)
	}
	return g
}
