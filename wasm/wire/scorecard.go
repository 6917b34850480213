package wire

import (
	"cloister/core/data"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
)

// What is known of the columns of a scorecard without looking at the file: which attributes it
// has, and into which few levels each is divided. `ParseCellSchema` in `core/data` documents
// every rule. It is part of the release, so it must hold nothing that was read off private data,
// unless its `provenance` says so.
type CardSchema struct {
	Version float64 `json:"version" is:"1"`
	// In the order of the card.
	Attributes []CardAttribute `json:"attributes"`
	// The card says yes for the positive class.
	Label Label `json:"label"`
	// Spellings of a missing value; `["", "?", "NA"]` if left out.
	MissingValues []string `json:"missing_values,omitempty"`
}

type CardAttribute interface{ isCardAttribute() }

func (NumericAttribute) isCardAttribute()     {}
func (CategoricalAttribute) isCardAttribute() {}

// A column of numbers, divided at cut points.
type NumericAttribute struct {
	// As in the file's header.
	Name string `json:"name"`
	Type string `json:"type" is:"numeric"`
	// Public bounds, min < max. A value outside is in the first or the last level.
	Min float64 `json:"min"`
	Max float64 `json:"max"`
	// Between the bounds, growing. A level goes from one cut up to, and not with, the next.
	Cuts []float64 `json:"cuts"`
	// What becomes of a record without a value: an error (the default), or it is left out.
	Missing    string          `json:"missing,omitempty" is:"error|drop"`
	Provenance data.Provenance `json:"provenance" ts:"'public' | 'suggested'"`
	// Why the cut points are public, in the words of whoever declared them.
	Reason string `json:"reason,omitempty"`
}

// A column of texts, put together into levels.
type CategoricalAttribute struct {
	Name string `json:"name"`
	Type string `json:"type" is:"categorical"`
	// At least two.
	Levels []CardLevel `json:"levels"`
	// What becomes of a record without a value: an error (the default), or it is left out.
	Missing string `json:"missing,omitempty" is:"error|drop"`
	// Likewise of a text that no level has.
	Unknown    string          `json:"unknown,omitempty" is:"error|drop"`
	Provenance data.Provenance `json:"provenance" ts:"'public' | 'suggested'"`
	Reason     string          `json:"reason,omitempty"`
}

// A level of texts.
type CardLevel struct {
	// As the card shows it.
	Name string `json:"name"`
	// Texts of the column that it stands for.
	Values []string `json:"values"`
}

// What a purchase with no δ is asked to promise. All of it must be public.
type PureRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// From 2⁻²⁰ to 32. There is no δ: it is 0.
	Epsilon float64 `json:"epsilon"`
}

// What a scorecard is asked to promise, and how it is chosen. All of it must be public.
type ScorecardRequest struct {
	PureRequest

	// B: points are whole numbers from −B to B, B from 1 to 16. Default 1. A search takes many
	// times longer for larger ones.
	Points int `json:"points,omitempty"`
	// How it is chosen. Default `noisy-min`; the other needs ten times the ε for the same errors.
	Mechanism scorecard.Mechanism `json:"mechanism,omitempty"`
	// Noise of `noisy-min`, default `geometric`. With `gumbel` many cards together cost less.
	Noise privacy.NoiseLaw `json:"noise,omitempty"`
}

// What a scorecard is charged for.
type ScorecardEvent interface{ isScorecardEvent() }

func (NoisyMinEvent) isScorecardEvent()        {}
func (ProximalCentreEvent) isScorecardEvent()  {}
func (DiscreteLaplaceEvent) isScorecardEvent() {}
func (CompositionEvent) isScorecardEvent()     {}

// What is planned of a card's schema.
type CellsPlan struct {
	// With every default written out.
	Schema CardSchema `json:"schema"`
	// What it costs, once; δ is 0.
	Epsilon float64 `json:"epsilon"`
	// Combinations of one level of each attribute.
	Cells float64 `json:"cells"`
	// What the guarantee will not cover, in plain sentences.
	Caveats []string `json:"caveats"`
}

// What buying a scorecard would be charged for, and from how many it would be chosen.
type ScorecardPlan struct {
	CellsPlan

	Event ScorecardEvent `json:"event"`
	// Of all attributes together, at most 32.
	Levels float64 `json:"levels"`
	// |W|: how many cards there are.
	Cards float64 `json:"cards"`
	// With probability 95 % the card gets at most so many records more wrong than the best one. Of
	// `noisy-min`.
	Excess float64 `json:"excess,omitempty"`
}

// What a file about the levels of a card says of itself.
type OfCells struct {
	// Version of the library that made it.
	Library   string             `json:"library"`
	Guarantee ScorecardGuarantee `json:"guarantee"`
	// The public schema.
	Schema CardSchema `json:"schema"`
}

// A scorecard as it may be published. It is written in the oldest version that can say it.
type ScorecardRelease struct {
	OfCells

	Format  string         `json:"format" is:"cloister-scorecard"`
	Version float64        `json:"version" is:"1|2"`
	Event   ScorecardEvent `json:"event"`
	// True if it was found on counts with noise, on which any number of cards costs no more.
	FromCounts bool `json:"from_counts,omitempty"`
	Card       Card `json:"card"`
	// How it does on held-out records, with noise (version 2); see [Client.evaluateScorecard]. In
	// `cells` first the negatives and positives that it says no to, then those that it says yes to.
	Evaluation Evaluation `json:"evaluation,omitempty"`
}

type ScorecardGuarantee struct {
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	// 0: a scorecard is pure.
	Delta float64 `json:"delta"`
	// False if the schema holds unconfirmed suggestions, which the guarantee does not cover.
	Covers bool `json:"covers"`
	// Plain sentences: what the guarantee does not cover.
	Caveats []string `json:"caveats"`
}

// Points to be added up: one of each attribute's levels has to hold.
type Card struct {
	// B: points are from −B to B.
	Bound float64 `json:"bound"`
	// It says yes where the total is this or more: 1.
	Threshold float64 `json:"threshold"`
	// In the order of the schema.
	Attributes []struct {
		Name   string `json:"name"`
		Levels []struct {
			Name   string  `json:"name"`
			Points float64 `json:"points"`
		} `json:"levels"`
	} `json:"attributes"`
}

// **Private**, of the search for a card: for the data holder's eyes only.
type ScorecardDiagnostics struct {
	Records float64 `json:"records"`
	// Left out by the schema's `drop` rules.
	Dropped float64 `json:"dropped"`
	// Records that the card gets wrong.
	Wrong float64 `json:"wrong"`
	// How many partial cards the search looked at.
	Nodes        float64 `json:"nodes"`
	Milliseconds float64 `json:"milliseconds"`
}

// Whether a scorecard says the truth about itself, from the document alone.
type CheckedScorecard struct {
	Checked

	// What its evaluation says, if it has one and everything holds.
	Figures Figures `json:"figures,omitempty"`
	// The least and the largest total that the card can give.
	Least   float64 `json:"least"`
	Largest float64 `json:"largest"`
}

// What a card says of one record.
type Score struct {
	// The total of the points.
	Score float64 `json:"score"`
	// The total is the threshold or more.
	Yes bool `json:"yes"`
	// The class, by its first spelling.
	Label string `json:"label"`
}

// How noisy the counts of a scorecard's cells are to be. It must be public.
type NoisyCellsRequest struct{ PureRequest }

// The noise on each count.
type NoisyCellsEvent interface{ isNoisyCellsEvent() }

func (DiscreteLaplaceEvent) isNoisyCellsEvent() {}
func (CompositionEvent) isNoisyCellsEvent()     {}

// What buying the counts of all cells would be charged for, and how noisy they would be.
type NoisyCellsPlan struct {
	CellsPlan

	// Of each of two counts for each combination.
	Event NoisyCellsEvent `json:"event"`
	// As of [CardOfCells].
	Deviation float64 `json:"deviation"`
}

// The counts of all cells of a card's schema, with noise, as they may be published. Any number
// of cards of them costs nothing more.
type NoisyCells struct {
	OfCells

	Format  string  `json:"format" is:"cloister-noisy-cells"`
	Version float64 `json:"version" is:"1"`
	// The noise on each count.
	Event  NoisyCellsEvent `json:"event"`
	Counts struct {
		// One for each combination of levels, that of the last attribute running fastest. Some
		// are below 0.
		Positives []float64 `json:"positives"`
		Negatives []float64 `json:"negatives"`
	} `json:"counts"`
}

// Which card of noisy cells.
type CardQuestion struct {
	// Names of those it has, in its order. Default: all. What was read off the file cannot be
	// left out.
	Attributes []string `json:"attributes,omitempty" ts:"readonly"`
	// B: points are whole numbers from −B to B, B from 1 to 16. Default 1.
	Points int `json:"points,omitempty"`
	// A card made by hand: the points of each attribute's levels. Left out, the card that gets
	// the fewest records wrong by the counts is searched for.
	Card [][]float64 `json:"card,omitempty" ts:"readonly (readonly number[])[]"`
}

// A card of noisy cells, and what they say of it. All of it may be published.
type CardOfCells struct {
	Release ScorecardRelease `json:"release"`
	// How many records it gets wrong by the noisy counts. Of a card that was chosen by them it is
	// too low on average.
	Wrong float64 `json:"wrong"`
	// How many records there are by the noisy counts.
	Records float64 `json:"records"`
	// Standard deviation of the noise in `wrong`, of a card that was not chosen by the counts;
	// √2 times this in `records`.
	Deviation float64 `json:"deviation"`
}

// Whether noisy cells say the truth about themselves, from the document alone.
type CheckedNoisyCells struct{ Checked }

// What an evaluation of a card is asked to promise the people in the held-out file.
type CardEvaluationRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// Of the evaluation alone; its δ is 0.
	Epsilon float64 `json:"epsilon"`
}
