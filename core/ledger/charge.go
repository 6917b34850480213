package ledger

import (
	"time"

	"cloister/core/privacy"
)

// State says how far a charge is.
type State string

const (
	// Reserved: the mechanism may have been run, and nothing that came out was
	// shown. It stays so for ever if the program ended in between: running the
	// mechanism again under the same charge is not offered. Why it ended may have
	// depended on the data and on the noise (a person who watched its progress, a
	// program that ran out of memory), and an output that is drawn anew until a
	// run is let finish has another distribution than the one that was paid for.
	// A refusal may have been shown too, if storing that failed; and the program
	// that reserved may still be at work, in another tab.
	Reserved State = "reserved"

	// Committed: what came out may have been shown.
	Committed State = "committed"
)

// Charge is one event paid for.
type Charge struct {
	ID      string
	Event   privacy.Event
	Purpose string    // what it was for, in the caller's words
	Time    time.Time // of the reservation, by whatever clock there was
	State   State

	// Digest is that of the release (see Digest), empty while the charge is
	// reserved, and for a mechanism that refused: that it did is an output too.
	Digest string

	// Opening: reserved when nothing of the data set had been released; see the
	// package's theorem.
	Opening bool

	kept string // the release, as Digest reads it, if it is kept here
}

// Kept reports whether the release is kept with the charge: see [Ledger.Kept].
func (c *Charge) Kept() bool { return c.kept != "" }

// differs says in what two copies of one charge contradict each other:
// "events", "releases" or nothing.
func (c Charge) differs(other Charge) string {
	switch {
	case canonical(privacy.EncodeEvent(c.Event)) != canonical(privacy.EncodeEvent(other.Event)):
		return "events"
	case c.Digest != "" && other.Digest != "" && c.Digest != other.Digest:
		return "releases"
	}
	return ""
}
