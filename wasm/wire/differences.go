package wire

// What a release's model found: differences between people, each with a limit on its noise. All of
// it follows from the release, so it may be published. Package `core/differences` derives it.
type Differences struct {
	// The largest expected share of wrong signs among those that are `shown`.
	Share float64 `json:"share"`
	// One, or one a class.
	Vectors []DifferencesOfVector `json:"vectors"`
}

type DifferencesOfVector struct {
	// Whose, of several classes.
	Class string `json:"class,omitempty"`
	// The largest limit on the standard error of a number's difference; Infinity where the release
	// does not say enough.
	Limit float64 `json:"limit"`
	// In the schema's order.
	Differences []Difference `json:"differences"`
}

// How far two people are apart on the model's scale who differ in one column: in a number from its
// lower bound to its upper, in a category from the column's reference.
type Difference struct {
	Feature string `json:"feature"`
	// A category, and the one that it is compared with; missing for a number.
	Category  string `json:"category,omitempty"`
	Reference string `json:"reference,omitempty"`
	// A missing value is compared with the reference, or a number in the middle of its bounds.
	Missing bool `json:"missing,omitempty"`

	Estimate float64 `json:"estimate"`
	// An upper limit of its standard error; Infinity where it is not known.
	Error float64 `json:"error"`
	// More than noise: its sign can be relied on, as `share` says.
	Shown bool `json:"shown"`
}
