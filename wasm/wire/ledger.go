package wire

import (
	"cloister/core/ledger"
)

// One event paid for. A charge is never taken back.
type LedgerCharge struct {
	ID    string       `json:"id"`
	Event PrivacyEvent `json:"event"`
	// What it was for: `fit`, `evaluate`, `bounds`, `categories`, `report`, `scorecard`, `cells`,
	// `scorecard.evaluate`.
	Purpose string `json:"purpose"`
	// By the clock of the machine, for people: `2026-05-04T10:00:00Z`. Nothing depends on it.
	Time string `json:"time"`
	// `reserved`: the program ended before anything was handed out. The charge stands all the same.
	State ledger.State `json:"state"`
	// SHA-256 of the release's canonical JSON; none for a mechanism that refused.
	Digest string `json:"digest,omitempty"`
	// Reserved when nothing of the data set can have been released, in this ledger or in one that a
	// file came from.
	Opening bool `json:"opening"`
	// The release is kept with the charge in this browser: [Ledger.kept] hands it out again.
	Kept bool `json:"kept,omitempty"`
	// That it was made, or committed with this digest, is the word of a file that was imported,
	// which may say anything.
	FromFile bool `json:"fromFile,omitempty"`
}

// What can still be done.
//
//   - `unset`: there is no budget yet.
//   - `open`: `left` can be spent, in whatever portions.
//   - `closed`: what was reserved before the first release used the budget up in a way that nothing
//     can follow.
//   - `exceeded`: accounts were put together that are more than the budget; no promise holds,
//     nothing more is afforded.
type AccountCondition = ledger.Condition

// The account of one data set.
type Account struct {
	ID string `json:"id"`
	// Accounts that were put together with this one, by ID.
	Also      []string         `json:"also,omitempty"`
	Name      string           `json:"name"`
	Created   string           `json:"created"`
	Budget    DatasetBudget    `json:"budget,omitempty"`
	Charges   []LedgerCharge   `json:"charges"`
	Condition AccountCondition `json:"condition"`
	// ε at the budget's δ that the charges amount to, each chosen by whatever was released before
	// it and by nothing else of the data (a privacy filter). With `budget`.
	Spent float64 `json:"spent,omitempty"`
	// What is left of the budget's ε. With `budget`.
	Left float64 `json:"left,omitempty"`
	// Of the budget's δ: what purchases that can fail with some probability, such as that of
	// categories, have for that, all together. With `budget`.
	Aside float64 `json:"aside,omitempty"`
}

// What the charges together cost had all of them been fixed in advance: their composition,
// certified.
type AccountTotal struct {
	Epsilon float64 `json:"epsilon"`
	// No smaller ε could be promised; 0 where the method knows no better.
	EpsilonLower float64 `json:"epsilonLower"`
	Delta        float64 `json:"delta"`
	// Left out where no method prices them: `epsilon` is infinite.
	Method Method `json:"method,omitempty" not:"auto"`
}

// What charging an event would do.
type Affordance interface{ isAffordance() }

func (Afforded) isAffordance()    {}
func (NotAfforded) isAffordance() {}

// The budget affords the event.
type Afforded struct {
	Affords bool `json:"affords" is:"true"`
	// ε that would be spent then.
	Spent float64 `json:"spent"`
	// Nothing could follow.
	Closes bool `json:"closes"`
}

// The budget does not afford the event.
type NotAfforded struct {
	Affords bool   `json:"affords" is:"false"`
	Reason  string `json:"reason"`
}

// What an import changed.
type ImportResult struct {
	Changed bool `json:"changed"`
	// New accounts, new charges, charges that were known as reserved and are committed, accounts
	// with another budget.
	Accounts  float64 `json:"accounts"`
	Added     float64 `json:"added"`
	Committed float64 `json:"committed"`
	Budgets   float64 `json:"budgets"`
}
