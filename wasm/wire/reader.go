package wire

// A row of one's own: its fields by column, the label's among them. null, or a field left out, is a
// missing value.
//
//ts:type Readonly<Record<string, string | number | null>>
type OwnRow map[string]any

type RangeOfLoss struct {
	// In nats.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// A bound on the ex-post loss of one person: by how much, in nats, what came out tells whether
// their row was in the data. It is about this release alone, and holds for the row as it is given
// but for a probability of `rho`.
type PersonalBound struct {
	Rho float64 `json:"rho"`
	// 0: for every row at once.
	People float64 `json:"people"`
	// Of the loss if the row was in the data, and if it was not.
	In  RangeOfLoss `json:"in"`
	Out RangeOfLoss `json:"out"`
	// On the absolute loss, wherever the row is: whoever sees the release is at most e^largest
	// times surer than before.
	Largest float64 `json:"largest"`
	// Parts of the bound: the row's pull on the fit, how badly the model predicts it, the noise
	// added at the end.
	Leverage float64 `json:"leverage"`
	Surprise float64 `json:"surprise"`
	Output   float64 `json:"output"`
	// On the loss by what the report itself released, which comes on top; 0 for a data-independent
	// report.
	Report float64 `json:"report"`
	// Norm of the encoded row, and the largest that there can be.
	Length  float64 `json:"length"`
	Longest float64 `json:"longest"`
	// What the model says of the row: the probability of its label, the value of a numeric one, or
	// whether its label is the likelier.
	Expected struct {
		Probability float64 `json:"probability,omitempty"`
		Value       float64 `json:"value,omitempty"`
		Likely      bool    `json:"likely,omitempty"`
	} `json:"expected,omitempty"`
	// Such a row was left out before the fit, because of this column: nothing was lost, and all
	// bounds are 0.
	LeftOut struct {
		Column string `json:"column"`
		Text   string `json:"text"`
	} `json:"leftOut,omitempty"`
	// Fields that were not used as they stood: beyond the bounds, missing, unknown.
	Notes []struct {
		Feature string `json:"feature"`
		Text    string `json:"text"`
	} `json:"notes"`
}

// What one column does to a bound: the least and the greatest `largest` if it alone were different,
// among the values that were tried.
type Move struct {
	Name string `json:"name"`
	// It is the label.
	Label bool    `json:"label"`
	Tried float64 `json:"tried"`
	Least struct {
		Value string  `json:"value"`
		Bound float64 `json:"bound"`
	} `json:"least"`
	Most struct {
		Value string  `json:"value"`
		Bound float64 `json:"bound"`
	} `json:"most"`
}

// What follows from a release and its report before any row is asked about.
type ReportFacts struct {
	Kind ReportKind `json:"kind"`
	// What the publisher proposes; see [BoundFor].
	Rho    float64 `json:"rho"`
	People float64 `json:"people"`
	// What was promised to everyone, as the release states it.
	Worst struct {
		Epsilon   float64   `json:"epsilon"`
		Delta     float64   `json:"delta"`
		Adjacency Adjacency `json:"adjacency"`
		Covers    bool      `json:"covers"`
		Caveats   []string  `json:"caveats"`
	} `json:"worst"`
	// What the release says that is not true; empty if all that can be checked from the file holds.
	Problems []string `json:"problems"`
	// What the release holds besides the model, and was paid for apart, in plain words: bounds or
	// categories that were bought, an evaluation. No bound has it in it. Empty if there is nothing.
	Besides []string `json:"besides"`
	// What the report's own releases cost everyone at most, and them and the release together
	// (`total`), at the release's δ; Infinity where no bound was found. Not there for a report that
	// released nothing.
	Cost struct {
		Epsilon float64 `json:"epsilon"`
		Total   float64 `json:"total"`
		Delta   float64 `json:"delta"`
	} `json:"cost,omitempty"`
}
