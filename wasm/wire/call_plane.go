package wire

// Made-up points of the unit disk, of two classes.
type PlanePoints struct {
	N float64 `json:"n"`
	// Of the classes' centres.
	Separation float64 `json:"separation"`
	Seed       float64 `json:"seed,omitempty"`
}

// [a, b, c, accuracy]: a·x + b·y + c = 0, and the share of new points on their class's side.
type PlaneLine Float64Array

type PlaneAnswer struct {
	// x and y by turns, those of the first class at even places.
	At Float64Array `json:"at"`
	// The line without privacy.
	Plain PlaneLine `json:"plain"`
}

type PlaneFitsRequest struct {
	PlanePoints

	// By the demonstration's own names (core/lab/plane).
	Method    string    `json:"method"`
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Delta     float64   `json:"delta"`
	// Number of the first draw. Default 0.
	First float64 `json:"first,omitempty"`
	Draws float64 `json:"draws"`
}

type PlaneFits struct {
	// One a draw.
	Lines []PlaneLine  `json:"lines"`
	Event PrivacyEvent `json:"event"`
}

// Made-up patients of a hospital (core/lab/clinic).
type ClinicPatients struct {
	N    float64 `json:"n"`
	Seed float64 `json:"seed,omitempty"`
}

// The points of a card, attribute by attribute and level by level, and last the share of new
// patients for whom it is right.
type ClinicCard Float64Array

type ClinicAttribute struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

type ClinicAnswer struct {
	// What the points are for.
	Attributes []ClinicAttribute `json:"attributes"`
	// How many of the patients came back.
	Back float64 `json:"back"`
	// The best card without privacy.
	Plain ClinicCard `json:"plain"`
}

type ClinicCardsRequest struct {
	ClinicPatients

	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	// Number of the first draw. Default 0.
	First float64 `json:"first,omitempty"`
	Draws float64 `json:"draws"`
}

type ClinicCards struct {
	// One a draw.
	Cards []ClinicCard `json:"cards"`
	Event PrivacyEvent `json:"event"`
}
