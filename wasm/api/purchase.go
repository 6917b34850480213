package api

import "cloister/core/privacy"

// Purchase is something that costs privacy, asked for and not run yet: all that
// can be checked and chosen from public things has been.
type Purchase struct {
	Event   privacy.Event // what Run does to the data
	Dataset int           // the session's number of the data
	Bought  []Bought      // what the release will say that its schema was bought for

	// Run does it, once. Its reply has what may be published under "release";
	// the rest is for the data holder. Whoever charges for the event does so
	// before, and keeps the charge whatever comes back.
	Run func() (map[string]any, error)
}

// Bought is what a schema says of a purchase: the charge's name, and its ε and δ.
type Bought struct {
	Charge         string
	Epsilon, Delta float64
}

// Prepare reads a request for a purchase.
type Prepare func(call *Call) (*Purchase, error)

// Handler buys without asking anybody: for programs that keep no ledger.
func (prepare Prepare) Handler() Handler {
	return func(call *Call) (map[string]any, error) {
		purchase, err := prepare(call)
		if err != nil {
			return nil, err
		}
		return purchase.Run()
	}
}

// Inner is a call whose parameters are those in the field name, and whose
// progress is this call's.
func (c *Call) Inner(name string) *Call {
	return &Call{Fields: privacy.NewFields("", c.Fields.Any(name)), progress: c.progress}
}
