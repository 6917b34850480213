package wire

type LedgerAccounts struct {
	Accounts []Account `json:"accounts"`
}

// An account by its ID.
type OfAccount struct {
	Account string `json:"account"`
}

type LedgerAccount struct {
	Account Account `json:"account"`
}

type LedgerAccountTotal struct {
	Account Account      `json:"account"`
	Total   AccountTotal `json:"total,omitempty"`
}

type LedgerFound struct {
	Account *Account `json:"account"`
}

type LedgerCreate struct {
	OfDataset

	Name   string        `json:"name"`
	Budget DatasetBudget `json:"budget,omitempty"`
}

type LedgerBudget struct {
	OfAccount

	Budget DatasetBudget `json:"budget"`
}

type LedgerSame struct {
	OfDataset
	OfAccount

	Smaller bool `json:"smaller,omitempty"`
}

type LedgerAfford struct {
	OfAccount

	Event PrivacyEvent `json:"event"`
}

// Something that is bought: a method of [Purchases], with what it is asked.
type LedgerBuy struct {
	Purchase string `json:"purchase" ts:"keyof Purchases"`
	Request  any    `json:"request" ts:"Purchases[keyof Purchases]['params']"`
}

// What the method answers, and the charge.
type LedgerBought struct {
	Release Document     `json:"release"`
	Charge  LedgerCharge `json:"charge"`

	// Of a fit, or of a scorecard.
	Diagnostics AnyDiagnostics `json:"diagnostics,omitempty"`
	// Of an evaluation.
	Figures Figures                `json:"figures,omitempty"`
	Exact   ExactFigures[AnyLabel] `json:"exact,omitempty"`
}

type AnyDiagnostics interface{ isAnyDiagnostics() }

func (Diagnostics) isAnyDiagnostics()          {}
func (ScorecardDiagnostics) isAnyDiagnostics() {}

type LedgerPaid struct {
	Charge LedgerCharge `json:"charge"`
	// The account's ID.
	Account string `json:"account"`
}

// A charge by its ID.
type OfCharge struct {
	Charge string `json:"charge"`
}

type LedgerKept struct {
	Release Document     `json:"release"`
	Charge  LedgerCharge `json:"charge"`
}

// The whole ledger as a file.
type LedgerFile struct {
	Text string `json:"text"`
}

type LedgerImport struct {
	LedgerFile

	Smaller bool `json:"smaller,omitempty"`
}
