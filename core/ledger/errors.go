package ledger

import (
	"errors"
	"math"
	"strconv"

	"cloister/core/privacy"
)

// ErrConflict is what a Store's Append returns when others have appended since.
var ErrConflict = errors.New("ledger: others have written in the meantime")

// Shortage says how far a storage failed.
type Shortage string

const (
	Missing Shortage = "missing" // there is no storage here
	Blocked Shortage = "blocked" // another page holds it up
	Full    Shortage = "full"    // no room, or none allowed
	Broken  Shortage = "broken"  // it failed otherwise
)

// StorageError says that the place where a ledger is kept cannot be used.
type StorageError struct {
	Kind  Shortage
	Cause error
}

func (e *StorageError) Error() string {
	text := map[Shortage]string{
		Missing: "there is no place to keep a ledger here (no IndexedDB: a private window, or a browser that forbids it)",
		Blocked: "another tab holds up the ledger's storage: close other tabs of this site",
		Full:    "there is no room left for the ledger: free some space on the disk, or allow this site more",
		Broken:  "the ledger's storage failed",
	}[e.Kind]
	if e.Cause != nil {
		text += " (" + e.Cause.Error() + ")"
	}
	return text
}

func (e *StorageError) Unwrap() error { return e.Cause }

// DamageError says that a ledger, stored or in a file, cannot be understood.
type DamageError struct {
	Where string // "the file", "entry 12"
	What  string // what is wrong there
	Cause error
}

func (e *DamageError) Error() string { return "the ledger cannot be read: " + e.Where + " " + e.What }
func (e *DamageError) Unwrap() error { return e.Cause }

// NewerError says that a ledger was written by a later version.
type NewerError struct {
	Where string
	Found int // 0: it cannot be told which
	Known int
}

func (e *NewerError) Error() string {
	found := "a later version"
	if e.Found > 0 {
		found = "version " + strconv.Itoa(e.Found)
	}
	return e.Where + " is a ledger of " + found + ", and this page knows versions up to " +
		strconv.Itoa(e.Known) +
		": it was written by a newer version. Reload the page, or update it; nothing was changed"
}

// UnknownError names something that the ledger does not have.
type UnknownError struct{ Kind, ID string }

func (e *UnknownError) Error() string {
	return "the ledger has no " + e.Kind + " " + strconv.Quote(e.ID)
}

// KnownError says that a data set with this content has an account already.
type KnownError struct{ ID, Name string }

func (e *KnownError) Error() string {
	return "the ledger knows this content already, as the data set " + strconv.Quote(e.Name)
}

// UntakenError says that it cannot be told whether the ledger knows a content: it has contents
// that it knows by their whole digest alone, and that of this one was not taken. See Identity.
type UntakenError struct{}

func (e *UntakenError) Error() string {
	return "the ledger knows some files by an earlier kind of digest, which was not taken of this " +
		"one: open the file again"
}

// NoBudgetError says that a data set was given no budget yet.
type NoBudgetError struct{ Name string }

func (e *NoBudgetError) Error() string {
	return "the data set " + strconv.Quote(e.Name) + " has no budget yet: set one first"
}

// FixedError says that a budget cannot be set because charges stand under it.
type FixedError struct{ Budget privacy.Guarantee }

func (e *FixedError) Error() string {
	return "the budget is " + describe(e.Budget) +
		" and stays: charges stand under it, and a budget changed in the light of what was released promises nothing"
}

// BudgetConflictError says that two accounts of one data set have different budgets.
type BudgetConflictError struct {
	Name         string
	Here, Theirs privacy.Guarantee
}

func (e *BudgetConflictError) Error() string {
	text := "the two accounts of the data set " + strconv.Quote(e.Name) +
		" have different budgets, " + describe(e.Here) + " and " + describe(e.Theirs)
	if e.Here.Adjacency != e.Theirs.Adjacency {
		return text + ", for different neighbours: they cannot be put together"
	}
	return text + ": to put them together, choose to keep the smaller"
}

// ChargeConflictError says that one charge stands for two different things.
type ChargeConflictError struct{ ID, What string }

func (e *ChargeConflictError) Error() string {
	return "the charge " + strconv.Quote(e.ID) + " has two different " + e.What +
		": one of the two ledgers was changed by hand or is damaged"
}

// ExceededError says that the budget does not afford an event. Nothing was
// charged.
type ExceededError struct {
	Budget privacy.Guarantee
	Spent  float64 // ε, as Dataset.Spent has it
	Closed bool    // the opening charges used the budget up, and nothing can follow them
	Reason error   // why the filter cannot take the event at all; nil if it is too much
}

func (e *ExceededError) Error() string {
	switch {
	case e.Reason != nil:
		return "this cannot be charged after a release, because no filter covers it (" + e.Reason.Error() + ")"
	case e.Closed:
		return "the budget of " + describe(e.Budget) +
			" was spent on what was reserved first, and nothing can follow it"
	}
	return "the budget of " + describe(e.Budget) + " does not afford this: ε = " + AtMost(e.Spent) +
		" of it is spent"
}

func describe(g privacy.Guarantee) string {
	return "ε = " + privacy.Number(g.Epsilon) + ", δ = " + privacy.Number(g.Delta) + " (" +
		g.Adjacency.String() + ")"
}

// AtMost is x with four significant digits, and no less than it is.
func AtMost(x float64) string {
	text := strconv.FormatFloat(x, 'g', 4, 64)
	if short, err := strconv.ParseFloat(text, 64); err != nil || !(short < x) {
		return text
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-3)
	return strconv.FormatFloat(x+unit, 'g', 4, 64) // x is at most half a unit above text
}
