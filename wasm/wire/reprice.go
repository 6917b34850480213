package wire

// Whether a document says the truth about itself, from the document alone.
type Checked struct {
	// Whether everything holds that it says and that follows from it.
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

// What a release costs, computed anew from the document alone.
type Repriced struct {
	Checked

	Claimed Guarantee `json:"claimed"`
	// ε at the claimed δ, and δ at the claimed ε, by the claimed bound; Infinity and 1 if it says
	// nothing.
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
	// What the release's evaluation says, if it has one and everything holds.
	Figures Figures `json:"figures,omitempty"`
	// The price by the sharpest bound that applies.
	Best struct {
		// Empty where no bound is about the event.
		Bound   string  `json:"bound" ts:"Bound"`
		Theorem string  `json:"theorem"`
		Epsilon float64 `json:"epsilon"`
		Delta   float64 `json:"delta"`
	} `json:"best"`
}
