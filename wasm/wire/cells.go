package wire

// How noisy the counts of a scorecard's cells are to be. It must be public.
type NoisyCellsRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// From 2⁻²⁰ to 32. There is no δ: it is 0.
	Epsilon float64 `json:"epsilon"`
}

// The noise on each count.
type NoisyCellsEvent interface{ isNoisyCellsEvent() }

func (DiscreteLaplaceEvent) isNoisyCellsEvent() {}
func (CompositionEvent) isNoisyCellsEvent()     {}

// What buying the counts of all cells would be charged for, and how noisy they would be.
type NoisyCellsPlan struct {
	// With every default written out.
	Schema CardSchema      `json:"schema"`
	Event  NoisyCellsEvent `json:"event"`
	// What it costs, once; δ is 0.
	Epsilon float64 `json:"epsilon"`
	// Combinations of one level of each attribute; two counts for each.
	Cells float64 `json:"cells"`
	// As of [CardOfCells].
	Deviation float64 `json:"deviation"`
	// What the guarantee will not cover, in plain sentences.
	Caveats []string `json:"caveats"`
}

// The counts of all cells of a card's schema, with noise, as they may be published. Any number
// of cards of them costs nothing more.
type NoisyCells struct {
	Format  string  `json:"format" is:"cloister-noisy-cells"`
	Version float64 `json:"version" is:"1"`
	// Version of the library that made it.
	Library   string             `json:"library"`
	Guarantee ScorecardGuarantee `json:"guarantee"`
	// The noise on each count.
	Event  NoisyCellsEvent `json:"event"`
	Counts struct {
		// One for each combination of levels, that of the last attribute running fastest. Some
		// are below 0.
		Positives []float64 `json:"positives"`
		Negatives []float64 `json:"negatives"`
	} `json:"counts"`
	// The public schema.
	Schema CardSchema `json:"schema"`
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
type CheckedNoisyCells struct {
	Holds bool `json:"holds"`
	// Each claim that was checked, in plain sentences.
	Findings []struct {
		Claim string `json:"claim"`
		Holds bool   `json:"holds"`
		Text  string `json:"text"`
	} `json:"findings"`
	// The texts of those that do not hold.
	Problems []string `json:"problems"`
}
