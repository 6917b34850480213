package scorecard

import (
	"encoding/json"
	"fmt"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Threshold is the least total score at which a card says yes.
const Threshold = 1

// Format and version of the JSON form of a release.
const (
	ReleaseFormat  = "cloister-scorecard"
	ReleaseVersion = 1
)

// Release is what may be published: the card, what was done to the data, and
// what that promises. It holds no number of records, no loss, no time and no
// count of nodes.
type Release struct {
	Library    string
	Schema     *data.CellSchema
	Bound      int     // points are from −Bound to Bound
	Points     [][]int // by attribute and level
	Event      privacy.Event
	Guarantee  privacy.Guarantee
	Covers     bool // false if the guarantee leaves out something, which Caveats says
	Caveats    []string
	FromCounts bool // found on noisy counts: any number of cards costs no more
}

func newRelease(plan Plan, points search.Points) *Release {
	r := &Release{
		Library: privacy.LibraryVersion, Schema: plan.Schema, Bound: plan.Shape.Bound,
		Event: plan.Event, Guarantee: plan.Guarantee,
		Covers: plan.Schema.CoversEverything(), Caveats: plan.Schema.Caveats(),
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

// MarshalJSON writes the card with the names of its levels, so that it can be
// used by hand: by attribute the cut points or the values of each level, and the points.
func (r *Release) MarshalJSON() ([]byte, error) {
	type level struct {
		Name   string   `json:"name"`
		Values []string `json:"values,omitempty"`
		Points int      `json:"points"`
	}
	type attribute struct {
		Name   string    `json:"name"`
		Min    *float64  `json:"min,omitempty"`
		Max    *float64  `json:"max,omitempty"`
		Cuts   []float64 `json:"cuts,omitempty"`
		Levels []level   `json:"levels"`
	}
	var attributes []attribute
	for g := range r.Schema.Attributes {
		a := &r.Schema.Attributes[g]
		names := a.LevelNames()
		if g >= len(r.Points) || len(r.Points[g]) != len(names) {
			return nil, fmt.Errorf(
				"scorecard: attribute %q has %d levels and points for another number", a.Name,
				len(names),
			)
		}
		of := attribute{Name: a.Name, Cuts: a.Cuts}
		if a.Numeric() {
			of.Min, of.Max = &a.Min, &a.Max
		}
		for l, name := range names {
			one := level{Name: name, Points: r.Points[g][l]}
			if !a.Numeric() {
				one.Values = a.Levels[l].Values
			}
			of.Levels = append(of.Levels, one)
		}
		attributes = append(attributes, of)
	}
	return json.Marshal(map[string]any{
		"format": ReleaseFormat, "version": ReleaseVersion, "library": r.Library,
		"attributes": attributes, "bound": r.Bound, "threshold": Threshold,
		"label": map[string]any{
			"name": r.Schema.Label.Name,
			"no":   r.Schema.Label.Negative,
			"yes":  r.Schema.Label.Positive,
		},
		"event": privacy.EncodeEvent(r.Event),
		"guarantee": map[string]any{
			"epsilon":   r.Guarantee.Epsilon,
			"delta":     r.Guarantee.Delta,
			"adjacency": r.Guarantee.Adjacency.String(),
		},
		"covers":      r.Covers,
		"caveats":     append([]string{}, r.Caveats...),
		"from_counts": r.FromCounts,
	})
}
