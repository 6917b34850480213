package wire

// What is asked of a release's moments; all of it is optional.
type RegressQuestion struct {
	// The column that is predicted, by its name in the model's `columns`. Default: the label.
	Target string `json:"target,omitempty"`
	// Those that it is predicted from; a feature's name stands for all its categories. Default: all
	// others, but for the other categories of the target's feature.
	Columns []string `json:"columns,omitempty" ts:"readonly"`
	// λ, above 0. Default: from the noise.
	Ridge float64 `json:"ridge,omitempty"`
	// Default true. Without it there are no standard errors, and no `r_squared`.
	Intercept bool `json:"intercept,omitempty"`
}

// A model that was computed from a release's moments, as it may be published beside it: package
// `core/derived` says what is in it. It costs nothing beyond what the release promises.
type DerivedModel struct {
	Format  string  `json:"format" is:"cloister-derived"`
	Version float64 `json:"version" is:"1"`
	Library string  `json:"library"`
	// Which release it was computed from.
	Release   string `json:"release"`
	Statement string `json:"statement"`
	// Name of the column that is predicted, and whether it is the label.
	Target string `json:"target"`
	Label  bool   `json:"label"`
	// What a unit of the target is: as of a coefficient.
	TargetUnit   string  `json:"target_unit" is:"1|category|missing|log1p(x - offset)"`
	TargetOffset float64 `json:"target_offset,omitempty"`
	Ridge        float64 `json:"ridge"`
	// Names of the design matrix' columns; the intercept, if there is one, last.
	Columns []string `json:"columns"`
	// On the scale of the design matrix, one a column.
	Coefficients []float64 `json:"coefficients"`
	// Their standard errors.
	Errors []float64 `json:"errors,omitempty"`
	// In the units of the file: a record has (constant + Σ coefficient·x)/N + intercept, which is
	// the label, or the value of the target's column divided by N (`Units` in core/learn).
	Original         []DerivedCoefficient `json:"original"`
	OriginalConstant float64              `json:"original_constant"`
	Intercept        float64              `json:"intercept"`
	InterceptError   float64              `json:"intercept_error,omitempty"`
	// Estimates: of how many records there are, and of the share of the target's variance explained
	// on them, which noise may move below 0 or above 1.
	Records  float64 `json:"records,omitempty"`
	RSquared float64 `json:"r_squared,omitempty"`
}

type DerivedCoefficient struct {
	OriginalCoefficient

	// Its standard error.
	Error float64 `json:"error,omitempty"`
}
