package ledger

import (
	"time"

	"cloister/core/privacy"
)

// State says how far a charge is.
type State string

const (
	// Reserved: the mechanism may have been run, and no output was shown. If the program
	// ended in between, the charge stays reserved for ever, and the mechanism is not run
	// again under it. The reason why it ended may have depended on the data and on the
	// noise: a person watched its progress, or memory ran out. An output that is redrawn
	// until a run may finish has another distribution than the one that was paid for. A
	// refusal may have been shown too, if storing it failed. And the program that made
	// the reservation may still be running in another tab.
	Reserved State = "reserved"

	// Committed: the output may have been shown.
	Committed State = "committed"
)

// Charge is one event paid for.
type Charge struct {
	ID      string
	Event   privacy.Event
	Purpose string    // what it was for, in the caller's words
	Time    time.Time // of the reservation, by whatever clock there was
	State   State

	// Digest is that of the release (see Digest). It is empty while the charge is
	// reserved, and for a mechanism that refused; a refusal is an output too.
	Digest string

	// Opening: reserved when nothing of the data set had been released; see the
	// package's theorem.
	Opening bool

	// elsewhere: the charge came with a file. Reserved is then what it was when the
	// file was written: the ledger that reserved it may have committed it since, and
	// shown what came out.
	elsewhere bool

	// told: reserved here, and that it was committed, with which digest, is known from
	// a file alone. What is committed here goes before that.
	told bool

	kept string // the release, as Digest reads it, if it is kept here
}

// unreleased reports whether nothing that came out can have been shown, here or
// anywhere.
func (c *Charge) unreleased() bool { return c.State == Reserved && !c.elsewhere }

// FromFile reports whether it is a file's word that the charge was made, or that it was
// committed with this digest: a file may say anything.
func (c *Charge) FromFile() bool { return c.elsewhere || c.told }

// Kept reports whether the release is kept with the charge: see [Ledger.Kept].
func (c *Charge) Kept() bool { return c.kept != "" }

// differs says in what two copies of one charge contradict each other:
// "events", "releases" or nothing. A charge is committed once: a refusal, which
// has no digest, never becomes a release.
func (c Charge) differs(other Charge) string {
	switch {
	case canonical(privacy.EncodeEvent(c.Event)) != canonical(privacy.EncodeEvent(other.Event)):
		return "events"
	case c.State == Committed && other.State == Committed && c.Digest != other.Digest:
		return "releases"
	}
	return ""
}
