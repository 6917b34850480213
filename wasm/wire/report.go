package wire

// What a report tells of one person's loss.
//
//   - `data-independent`: bounds from the release alone. It costs nothing.
//   - `data-dependent`: closer ones, from the gradient and the Hessian, released with noise. It is
//     bought.
//   - `adaptive`: with the Hessian's smallest eigenvalue too, for fits with little regularisation.
//     It is bought.
type ReportKind string

// What is asked of a report; all of it is public.
type ReportRequest struct {
	Kind ReportKind `json:"kind"`
	// What it may cost; not for `data-independent`.
	Epsilon float64 `json:"epsilon,omitempty"`
	Delta   float64 `json:"delta,omitempty"`
	// Buy with it what standard errors need of a fit whose gradients are clipped, which the usual
	// fit's are.
	Errors bool `json:"errors,omitempty"`
	// Probability that a bound fails, proposed to readers. Default 0.05.
	Rho float64 `json:"rho,omitempty"`
	// For how many people at once; 0 for all records that there can be. Default 1.
	People float64 `json:"people,omitempty"`
}

// A report as it may be published beside its release: `core/report` says what is in it.
type PrivacyReport struct {
	Format  string  `json:"format" is:"cloister-report"`
	Version float64 `json:"version" is:"1|2|3"`
	Library string  `json:"library"`
	// Which release it belongs to.
	Release  string           `json:"release"`
	Kind     ReportKind       `json:"kind"`
	Rho      float64          `json:"rho"`
	People   float64          `json:"people"`
	Event    CompositionEvent `json:"event"`
	Gradient struct {
		Sigma  float64   `json:"sigma"`
		Values []float64 `json:"values"`
	} `json:"gradient,omitempty"`
	// Of a release whose result was moved by noise it is one from below; `rest`, beside `scores`,
	// is what it is short of.
	Hessian struct {
		Sigma  float64   `json:"sigma"`
		Values []float64 `json:"values"`
		Rest   []float64 `json:"rest,omitempty"`
	} `json:"hessian,omitempty"`
	Least struct {
		Sigma float64 `json:"sigma"`
		Value float64 `json:"value"`
	} `json:"least,omitempty"`
	Scores struct {
		Sigma  float64   `json:"sigma"`
		Values []float64 `json:"values"`
	} `json:"scores,omitempty"`
}

// What a coefficient would be without noise and regulariser, in records without end.
type CoefficientInterval struct {
	Estimate float64 `json:"estimate"`
	// Its standard error, the noise that was added for privacy included.
	Error float64 `json:"error"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// What follows from a release and its report alone.
type InspectedReport struct {
	Kind   ReportKind `json:"kind"`
	Rho    float64    `json:"rho"`
	People float64    `json:"people"`
	// What the report cost, at the release's δ; 0 for one that released nothing.
	Epsilon float64 `json:"epsilon"`
	// What the release and the report cost together, at the same δ.
	Total float64 `json:"total"`
	Delta float64 `json:"delta"`
	// One a coefficient, in the order of the model's columns; each holds with probability `level`.
	// null for one that is not told apart from others, as the categories of a column are not from
	// the intercept.
	Intervals []*CoefficientInterval `json:"intervals,omitempty"`
	Level     float64                `json:"level,omitempty"`
	// Why there are none: what was not bought (`scores`), or what the noise hides (`hessian`).
	NoErrors string `json:"noErrors,omitempty" is:"scores|hessian"`
}

type LossSummary struct {
	Mean    float64 `json:"mean"`
	Median  float64 `json:"median"`
	P90     float64 `json:"p90"`
	P99     float64 `json:"p99"`
	Largest float64 `json:"largest"`
}

// *Private, for the data holder alone**: what a release cost each person in the data, exactly.
// Absolute losses, in nats.
type TrueLosses struct {
	// One a record, in the order of the rows that were used.
	Losses  Float64Array `json:"losses"`
	Summary LossSummary  `json:"summary"`
	// Counts in bins of one width from 0 to `high`.
	Histogram struct {
		High   float64   `json:"high"`
		Counts []float64 `json:"counts"`
	} `json:"histogram"`
	// What reports tell these people: first the one that costs nothing, then the one given.
	// `above`: for how many it is too little.
	Bounds []struct {
		Kind    ReportKind  `json:"kind"`
		Rho     float64     `json:"rho"`
		Summary LossSummary `json:"summary"`
		Counts  []float64   `json:"counts"`
		Above   float64     `json:"above"`
	} `json:"bounds"`
}

// What buying a report would be charged for.
type ReportPlan struct {
	Event CompositionEvent `json:"event"`
}
