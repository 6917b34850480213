package ledger

import "cloister/core/privacy"

// Joined says what putting two accounts together changed in the first.
type Joined struct {
	Added     int // charges that were not there
	Committed int // charges that were there, reserved, and are committed now
	Budget    bool
}

// join puts two accounts of one data set together, without loss: the charges of
// both, by ID, in the order of d and then of other; a committed state wins. With
// different budgets it is an error, or, if smaller says so, the smaller ε and
// the smaller δ. Neither account is changed.
//
// Neither of the two knows when the other's charges were made. Unless one of
// them is all there is in both, no charge of the result counts as opening.
func join(d, other *Dataset, smaller bool) (*Dataset, Joined, error) {
	var what Joined
	out := d.copy()
	out.spending = nil
	switch {
	case other.Budget == nil:
	case d.Budget == nil:
		budget := *other.Budget
		out.Budget, what.Budget = &budget, true
	case *d.Budget != *other.Budget:
		if !smaller || d.Budget.Adjacency != other.Budget.Adjacency {
			return nil, what, &BudgetConflictError{
				Name:   d.Name,
				Here:   *d.Budget,
				Theirs: *other.Budget,
			}
		}
		both := privacy.Guarantee{
			Epsilon:   min(d.Budget.Epsilon, other.Budget.Epsilon),
			Delta:     min(d.Budget.Delta, other.Budget.Delta),
			Adjacency: d.Budget.Adjacency,
		}
		what.Budget = both != *d.Budget
		out.Budget = &both
	}

	place := map[string]int{}
	for i, c := range out.Charges {
		place[c.ID] = i
	}
	shared, lacking := 0, false // whether other lacks something of d
	for _, theirs := range other.Charges {
		i, known := place[theirs.ID]
		if !known {
			place[theirs.ID] = len(out.Charges)
			out.Charges = append(out.Charges, theirs)
			what.Added++
			continue
		}
		shared++
		mine := &out.Charges[i]
		if differ := mine.differs(theirs); differ != "" {
			return nil, what, &ChargeConflictError{ID: mine.ID, What: differ}
		}
		switch {
		case mine.State == Reserved && theirs.State == Committed:
			mine.State, mine.Digest, mine.kept = Committed, theirs.Digest, theirs.kept
			mine.told = !mine.elsewhere && theirs.FromFile()
			what.Committed++
		case mine.State == Committed && theirs.State == Reserved:
			lacking = true
		}
		mine.Opening = mine.Opening && theirs.Opening
	}
	lacking = lacking || shared < len(d.Charges)
	if lacking && what.Added+what.Committed > 0 {
		for i := range out.Charges {
			out.Charges[i].Opening = false
		}
	}
	known := map[string]bool{out.ID: true}
	for _, id := range out.Also {
		known[id] = true
	}
	for _, id := range append([]string{other.ID}, other.Also...) {
		if !known[id] {
			known[id] = true
			out.Also = append(out.Also, id)
		}
	}
	if out.Budget != nil {
		if err := out.suits(*out.Budget); err != nil {
			return nil, what, err
		}
	}
	return out, what, nil
}

// suits returns an error unless all charges are under the budget's adjacency.
func (d *Dataset) suits(budget privacy.Guarantee) error {
	for _, c := range d.Charges {
		if c.Event.Neighbours() != budget.Adjacency {
			return &ChargeConflictError{ID: c.ID, What: "neighbours, its own and its budget's"}
		}
	}
	return nil
}
