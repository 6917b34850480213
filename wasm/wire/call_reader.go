package wire

type OpenReport struct {
	Release Document `json:"release"`
	Report  Document `json:"report"`
}

// A report that is open, by its number.
type OfReader struct {
	Reader float64 `json:"reader"`
}

type OpenedReport struct {
	OfReader
	ReportFacts
}

// A row of one's own, without its label, and the label; see [BoundFor].
type RowCall struct {
	OfReader

	Row    OwnRow  `json:"row"`
	Label  any     `json:"label,omitempty" ts:"string | number | null"`
	Rho    float64 `json:"rho,omitempty"`
	People float64 `json:"people,omitempty"`
}

type Moves struct {
	Moves []Move `json:"moves"`
}
