package scorecard

import (
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Threshold is the least total score at which a card says yes.
const Threshold = 1

// Format and version of a release's document.
const (
	ReleaseFormat  = "cloister-scorecard"
	ReleaseVersion = 2
)

// Release is what may be published: the card, what was done to the data, and
// what that promises. It holds no number of records, no loss, no time and no
// count of nodes, but what an evaluation bought with noise.
type Release struct {
	Library string
	Schema  *data.CellSchema
	Bound   int     // points are from −Bound to Bound
	Points  [][]int // by attribute and level
	Event   privacy.Event
	Promise
	FromCounts bool // found on noisy counts: any number of cards costs no more

	// Assessment is how it does on held-out records, with noise, if that was bought; else nil.
	// See Evaluate.
	Assessment *learn.Assessment
}

func newRelease(plan Plan, points search.Points) *Release {
	r := &Release{
		Library: privacy.LibraryVersion, Schema: plan.Schema, Bound: plan.Shape.Bound,
		Event: plan.Event, Promise: promiseOf(plan.Schema, plan.Guarantee),
	}
	for _, n := range plan.Shape.Levels {
		of := make([]int, n)
		for l := range of {
			of[l] = int(points[l])
		}
		r.Points, points = append(r.Points, of), points[n:]
	}
	return r
}

// Score is the total of the points of a record with these levels, and whether it
// is Threshold or more. There must be a level of each attribute.
func (r *Release) Score(levels []int) (score int, yes bool) {
	for g, of := range r.Points {
		score += of[levels[g]]
	}
	return score, score >= Threshold
}

// ScoreRecord is Score for a record, given by the names of the attributes. Errors
// are of type *data.Error.
func (r *Release) ScoreRecord(record map[string]string) (score int, yes bool, err error) {
	levels, err := r.Schema.LevelsOf(record)
	if err != nil {
		return 0, false, err
	}
	score, yes = r.Score(levels)
	return score, yes, nil
}

// Range is the least and the largest total that the card can give.
func (r *Release) Range() (least, largest int) {
	for _, of := range r.Points {
		low, high := of[0], of[0]
		for _, points := range of[1:] {
			low, high = min(low, points), max(high, points)
		}
		least, largest = least+low, largest+high
	}
	return least, largest
}
