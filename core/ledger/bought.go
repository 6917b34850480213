package ledger

import (
	"context"
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// UnderpricedError says that a charge is stated to have cost less than it did.
type UnderpricedError struct {
	Charge         string
	Epsilon, Delta float64 // as stated
}

func (e *UnderpricedError) Error() string {
	return "the schema says that something in it was bought by the charge " +
		strconv.Quote(e.Charge) + " at ε = " + privacy.Number(e.Epsilon) + " and δ = " +
		privacy.Number(e.Delta) + ", and by this ledger that charge cost more: take the schema as " +
		"it was saved after the purchase, or state what was paid"
}

// CheckBought returns an *UnderpricedError if a charge is here that is not proved to cost at most
// (ε, δ), but for their last digits. Check what a schema says of its purchases before a fit: the
// schema may come from a file that somebody changed, and the release says it again. Of a charge
// that is not here nothing is known, and nothing is returned.
func (l *Ledger) CheckBought(
	ctx context.Context, charge string, epsilon, delta float64,
) error {
	return l.view(ctx, func(b *book) error {
		c, err := b.charge(charge)
		if err != nil {
			return nil
		}
		const digits = 1 + 0x1p-30
		if costsAtMost(c.Event, epsilon*digits, delta*digits) {
			return nil
		}
		return &UnderpricedError{Charge: charge, Epsilon: epsilon, Delta: delta}
	})
}

// costsAtMost reports whether an event is proved to be (ε, δ)-differentially private: n of one
// kind by basic composition, as bounds and categories are bought, or as any event is priced.
func costsAtMost(event privacy.Event, epsilon, delta float64) bool {
	if all, ok := event.(privacy.Composition); ok && len(all.Parts) == 1 && all.Parts[0].Count > 0 {
		n := float64(all.Parts[0].Count)
		if costsAtMost(all.Parts[0].Event, epsilon/n, delta/n) {
			return true
		}
	}
	price, err := account.Of(event, account.Auto, pld.Options{})
	most := math.Max(math.Log(delta), -math.MaxFloat64) // of δ = 0
	return err == nil && price.LogDeltaUpper(epsilon) <= most
}
