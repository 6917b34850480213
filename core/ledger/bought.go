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

// NoPurchaseError says that a charge that bounds or categories are stated to come from was made for
// something else.
type NoPurchaseError struct {
	Charge, Purpose string
}

func (e *NoPurchaseError) Error() string {
	return "the schema says that something in it was bought by the charge " +
		strconv.Quote(e.Charge) + ", and by this ledger that charge was for " +
		strconv.Quote(e.Purpose) + ", which gives no bounds or categories: take the schema as it was " +
		"saved after the purchase"
}

// OtherNeighboursError says that a charge was made under other neighbours than those of the budget
// that the next one is charged to: what it cost under these is not known.
type OtherNeighboursError struct {
	Charge       string
	Theirs, Mine privacy.Adjacency
}

func (e *OtherNeighboursError) Error() string {
	return "the schema says that something in it was bought by the charge " +
		strconv.Quote(e.Charge) + ". By this ledger, what that cost holds where " +
		changed(e.Theirs) + ", and the budget of this data set holds where " +
		changed(e.Mine) + ". What both cost together is not known: buy it again under this budget"
}

// changed says in what neighbours differ.
func changed(a privacy.Adjacency) string {
	switch a {
	case privacy.AddRemove:
		return "a record is added or removed"
	case privacy.ReplaceOne:
		return "a record is replaced"
	}
	return a.String()
}

// The purposes of charges that bounds and categories of a schema come from.
const (
	ForBounds     = "bounds"
	ForCategories = "categories"
)

// CheckBought checks what a schema says of a purchase before a fit to the data set: that the charge
// cost at most (ε, δ), but for their last digits. It returns whether the data set's account has the
// charge. If any account of the ledger has it, and it is not for bounds or categories, that is a
// *NoPurchaseError; if it is under other neighbours than the data set's budget, an
// *OtherNeighboursError; if it is not proved to cost at most (ε, δ), an *UnderpricedError.
//
// The check finds mistakes: a schema that was edited by hand, or saved before it was bought for
// again. It does not stop whoever wants to cheat, who writes a charge that no ledger has. What such
// a charge cost, and that it is about these people, is the word of whoever wrote the schema: say so
// to the holder of the data if the account does not have the charge.
func (l *Ledger) CheckBought(
	ctx context.Context, dataset, charge string, epsilon, delta float64,
) (bool, error) {
	var found *Charge
	var budget *privacy.Guarantee
	own := false
	err := l.view(ctx, func(b *book) error {
		d, err := b.dataset(dataset)
		if err != nil {
			return err
		}
		if c, err := b.charge(charge); err == nil {
			copied := *c
			found, own, budget = &copied, b.paidBy[charge] == d, d.Budget
		}
		return nil
	})
	if err != nil || found == nil {
		return false, err
	}
	if found.Purpose != ForBounds && found.Purpose != ForCategories {
		return own, &NoPurchaseError{Charge: charge, Purpose: found.Purpose}
	}
	if theirs := found.Event.Neighbours(); budget != nil && theirs != budget.Adjacency {
		return own, &OtherNeighboursError{charge, theirs, budget.Adjacency}
	}
	const digits = 1 + 0x1p-30
	if !costsAtMost(found.Event, epsilon*digits, delta*digits) {
		return own, &UnderpricedError{Charge: charge, Epsilon: epsilon, Delta: delta}
	}
	return own, nil
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
