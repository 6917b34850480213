package scorecard

import (
	"strconv"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/search"
)

// Verify recomputes everything that the release claims and that follows from the file
// alone. It can say that the parameters have the guarantee; that the card was really
// chosen with them, only whoever made it can.
func (r *Release) Verify() learn.Findings {
	var c claims
	if err := r.Event.Validate(); err != nil {
		c.check("event", err, "")
		return c.Findings
	}
	c.check("event", nil, "Every parameter of the mechanism is in range.")

	shape := search.Shape{Levels: r.Schema.Sizes(), Bound: r.Bound}
	err := shape.Check()
	if err == nil {
		err = r.fits()
	}
	c.check("card_size", err, "The card has as many attributes and levels as were admitted for it.")
	if err != nil {
		return c.Findings
	}
	c.check(
		"card", r.withinBound(),
		"Every level has a whole number of points from −"+strconv.Itoa(r.Bound)+" to "+
			strconv.Itoa(r.Bound)+".",
	)
	c.check("mechanism", r.mechanism(shape), "It gives out such a card, chosen from "+
		strconv.FormatFloat(float64(shape.Size()), 'g', 3, 64)+" cards.")
	c.promise(r.Promise, r.Event, r.Schema, r.priced())
	if r.Assessment != nil {
		evaluated := learn.Release{Model: r.Classifier(), Assessment: r.Assessment}
		found := evaluated.VerifyAssessment()
		if _, failed := found.Failed(); !failed && r.saysElse() {
			found[len(found)-1] = learn.Finding{
				Claim: "evaluation_numbers",
				Text:  "The card says the same of everybody, and the evaluation counts records of which it says something else: it is one of another card.",
			}
		}
		c.Findings = append(c.Findings, found...)
	}
	return c.Findings
}

// saysElse reports whether the evaluation has records that the card says yes to, or no, and there
// are none.
func (r *Release) saysElse() bool {
	least, largest := r.Range()
	return largest < Threshold && !r.Assessment.Nobody(r.Classifier(), 1) ||
		least >= Threshold && !r.Assessment.Nobody(r.Classifier(), 0)
}

// withinBound is an error for points beyond the bound.
func (r *Release) withinBound() error {
	for g, of := range r.Points {
		for l, points := range of {
			if points < -r.Bound || points > r.Bound {
				return &privacy.ParameterError{
					Field: "card.attributes[" + strconv.Itoa(g) + "].levels[" + strconv.Itoa(l) +
						"].points",
					Value: strconv.Itoa(points),
					Want: "a whole number from −" + strconv.Itoa(r.Bound) + " to " +
						strconv.Itoa(r.Bound),
				}
			}
		}
	}
	return nil
}

// mechanism is an error unless the event is of a mechanism that chooses such a card.
// Span is held to the adjacency by the event itself.
func (r *Release) mechanism(shape search.Shape) error {
	if r.FromCounts {
		return countsOf(r.Event, r.Guarantee)
	}
	switch e := r.Event.(type) {
	case privacy.NoisyMin:
		return nil
	case privacy.ProximalCentre:
		if e.Bound != shape.Bound || e.Dimension != shape.Dimension() {
			return &privacy.ParameterError{
				Field: "event.dimension",
				Value: strconv.Itoa(e.Dimension) + ", with bound " + strconv.Itoa(e.Bound),
				Want: strconv.Itoa(shape.Dimension()) + ", with bound " + strconv.Itoa(shape.Bound) +
					", as the card has levels and points",
			}
		}
		return nil
	}
	return &privacy.ParameterError{
		Field: "event.mechanism",
		Value: privacy.Quote(r.Event.Mechanism()),
		Want:  `"noisy-min" or "proximal-centre", which choose cards`,
	}
}

// priced is an error unless the event costs at most what is stated.
func (r *Release) priced() error {
	if r.FromCounts {
		return nil // the event is the one that CountsEvent priced
	}
	if err := kept(r.Event, r.Guarantee); err != nil {
		cost := "what its event costs, which cannot be priced as a choice of a card"
		switch e := r.Event.(type) {
		case privacy.NoisyMin:
			cost = "at least " + privacy.Number(e.Epsilon) + ", what its event costs"
		case privacy.ProximalCentre:
			cost = "at least " + privacy.Number(e.Epsilon) + ", what its event costs"
		}
		return &privacy.ParameterError{
			Field: "guarantee.epsilon", Value: privacy.Number(r.Guarantee.Epsilon), Want: cost,
		}
	}
	return nil
}
