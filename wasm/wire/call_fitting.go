package wire

type FitRequest struct {
	Budget
	MethodOptions
	PrivateChoice
	OfDataset

	// Workers that may take sums over rows, by their numbers.
	Workers []float64 `json:"workers,omitempty" ts:"readonly"`
}

type FitReply struct {
	Release     Release[AnyLabel] `json:"release"`
	Diagnostics Diagnostics       `json:"diagnostics"`
}

// A release that a reader has: another version may have written it.
type OfRelease struct {
	Release Document `json:"release"`
}

type EvaluateCall struct {
	OfRelease
	OfDataset
	EvaluationRequest
}

// How the release's model does on the rows, without noise.
type ExactCall struct {
	OfRelease
	OfDataset
}

type EvaluateReply struct {
	Release Release[AnyLabel]      `json:"release"`
	Figures Figures                `json:"figures"`
	Exact   ExactFigures[AnyLabel] `json:"exact"`
}

type BoundsCall struct {
	OfDataset
	BoundsRequest
}

type BoundsReply struct {
	Release BoundsRelease `json:"release"`
}

type BoundsPlanRequest struct {
	BoundsRequest

	// How many.
	Columns float64 `json:"columns"`
}

type CategoriesCall struct {
	OfDataset
	CategoriesRequest
}

type CategoriesReply struct {
	Release CategoriesRelease `json:"release"`
}

type CategoriesPlanRequest struct {
	CategoriesRequest

	// How many.
	Columns float64 `json:"columns"`
}

type ScorecardCall struct {
	OfDataset
	ScorecardRequest
}

type ScorecardReply struct {
	Release     ScorecardRelease     `json:"release"`
	Diagnostics ScorecardDiagnostics `json:"diagnostics"`
}

type CardEvaluateCall struct {
	OfRelease
	OfDataset
	CardEvaluationRequest
}

type CardEvaluateReply struct {
	Release ScorecardRelease `json:"release"`
	Figures Figures          `json:"figures"`
}

type ScorecardPlanRequest struct {
	ScorecardRequest

	Schema Document `json:"schema"`
}

type ScoreCall struct {
	OfRelease

	Rows []Document `json:"rows" ts:"readonly"`
}

type Scores struct {
	Scores []Score `json:"scores"`
}

type NoisyCellsCall struct {
	OfDataset
	NoisyCellsRequest
}

type NoisyCellsReply struct {
	Release NoisyCells `json:"release"`
}

type NoisyCellsPlanRequest struct {
	NoisyCellsRequest

	Schema Document `json:"schema"`
}

type CardOfCellsCall struct {
	OfRelease
	CardQuestion
}

type PredictCall struct {
	OfRelease

	Rows []Document `json:"rows" ts:"readonly"`
}

type Predictions struct {
	Predictions []Prediction[AnyLabel] `json:"predictions"`
}

type RegressCall struct {
	OfRelease
	RegressQuestion
}

type CheckDerivedCall struct {
	OfRelease

	Derived Document `json:"derived"`
}

type DerivedReply struct {
	Derived DerivedModel `json:"derived"`
}

type ChoiceCall struct {
	OfRelease

	Choice Choice `json:"choice,omitempty"`
}

type ChoiceReply struct {
	Release Release[AnyLabel] `json:"release"`
}

type ReportPlanRequest struct {
	OfRelease
	ReportRequest
}

type ReportCall struct {
	OfRelease
	OfDataset
	ReportRequest
}

type ReportReply struct {
	Release PrivacyReport `json:"release"`
}

type InspectCall struct {
	OfRelease

	Report Document `json:"report"`
}

type LossesCall struct {
	OfRelease
	OfDataset

	Report Document `json:"report,omitempty"`
}

// Rows that another worker fits, in blocks, and how: see wasm/api/fitting.
type ShardOpen struct {
	Ends       []float64 `json:"ends"`
	Entries    float64   `json:"entries"`
	Columns    float64   `json:"columns"`
	Sparse     bool      `json:"sparse"`
	Norms      float64   `json:"norms"`
	Classes    float64   `json:"classes"`
	Loss       Loss      `json:"loss,omitempty"`
	HuberWidth float64   `json:"huberWidth,omitempty"`
	Clip       float64   `json:"clip,omitempty"`
}

// The same rows with other labels, or for another loss.
type ShardPose struct {
	Norms      float64 `json:"norms"`
	Classes    float64 `json:"classes"`
	Loss       Loss    `json:"loss,omitempty"`
	HuberWidth float64 `json:"huberWidth,omitempty"`
	Clip       float64 `json:"clip,omitempty"`
}

type ShardFill struct {
	Bytes []byte `json:"bytes"`
}

// A range of a file that a worker reads for another, which has read the beginning.
type ShardRead struct {
	Schema    Document `json:"schema"`
	Names     []string `json:"names"`
	Delimiter string   `json:"delimiter"`
	Dense     bool     `json:"dense"`
	Room      float64  `json:"room"`
	From      float64  `json:"from"`
	To        float64  `json:"to"`
	Size      float64  `json:"size"`
	First     float64  `json:"first"`
	Blocks    float64  `json:"blocks"`
}

// What was found in the range, for `read.join`: numbers as core/data has them.
type ShardFound struct {
	Found []byte `json:"found"`
}

// Rows of a file that a worker keeps for another: how many there may be, and in which blocks.
type ShardKeep struct {
	First   float64 `json:"first"`
	Blocks  float64 `json:"blocks"`
	Columns float64 `json:"columns"`
	Sparse  bool    `json:"sparse"`
	Rows    float64 `json:"rows"`
	Entries float64 `json:"entries"`
}

type ShardRows struct {
	Block float64 `json:"block"`
	Rows  float64 `json:"rows"`
	Bytes []byte  `json:"bytes"`
}

// What sums are to be taken of.
type ShardApply struct {
	Classes    float64 `json:"classes"`
	Class      float64 `json:"class"`
	Loss       Loss    `json:"loss,omitempty"`
	HuberWidth float64 `json:"huberWidth,omitempty"`
	Clip       float64 `json:"clip,omitempty"`
	RowNorm    float64 `json:"rowNorm,omitempty"`
}

// How an evaluation is to count.
type ShardTally struct {
	Release   Release[AnyLabel] `json:"release"`
	Adjacency Adjacency         `json:"adjacency"`
	Epsilon   float64           `json:"epsilon"`
	Bins      float64           `json:"bins"`
	LossBound float64           `json:"lossBound"`
}

// What the exact figures are of.
type ShardExact struct {
	Release Release[AnyLabel] `json:"release"`
}

// With what noise a report is going to be made: standard deviations, as core/report has them.
type ShardReport struct {
	Release  Release[AnyLabel] `json:"release"`
	Gradient float64           `json:"gradient"`
	Hessian  float64           `json:"hessian"`
	Least    float64           `json:"least"`
	Scores   float64           `json:"scores"`
	Rest     bool              `json:"rest"`
}

// What the exact losses are computed from, and the report whose bounds are compared with them.
type ShardLosses struct {
	OfRelease

	Report  Document `json:"report,omitempty"`
	Optimum []byte   `json:"optimum"`
}

type ShardSums struct {
	Theta []byte  `json:"theta"`
	Every float64 `json:"every"`
	Next  float64 `json:"next"`
}

type ShardNumbers struct {
	Numbers []byte `json:"numbers"`
}
