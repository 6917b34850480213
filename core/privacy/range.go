package privacy

import "strconv"

// Ranges of the parameters of events. They are far wider than any data has use
// for, and so narrow that what accounting makes of parameters inside them does
// not overflow or underflow: a ratio of two lengths lies between 1e-100 and
// 1e100, its square between 1e-200 and 1e200, and 2^53 runs of it below 1e216.
// An event outside is refused by Validate, with the field and its range.
const (
	// LeastScale and LargestScale bound every length, noise, regulariser,
	// curvature and mean, in whatever units: sensitivity, sigma, scale, lambda, …
	LeastScale   = 1e-50
	LargestScale = 1e50

	// LeastRho and LargestRho bound ρ of zCDP, which is a square.
	LeastRho   = 1e-100
	LargestRho = 1e100

	// LeastProbability is the least δ, of an event or asked for, cutoff or truth that is
	// not 0.
	LeastProbability = 1e-300

	// LeastEta and LargestEta bound η of the truncated negative binomial law.
	LeastEta   = -1 + 1e-9
	LargestEta = 1e9

	// LargestCount bounds every whole number. Up to it, float64 (and so JSON) holds each
	// one exactly.
	LargestCount = 1 << 53

	// DeepestNesting is how many compositions and selections may stand inside one
	// another. DeepestSelection is how many of them may be selections: each selection
	// prices what is inside it about a hundred times.
	DeepestNesting   = 8
	DeepestSelection = 2
)

// belowOne is the largest float64 below 1.
const belowOne = 1 - 0x1p-53

// checkScale returns a *ParameterError unless LeastScale ≤ x ≤ LargestScale.
func checkScale(field string, x float64) error {
	return checkBetween(field, x, LeastScale, LargestScale)
}

// checkScaleOrZero also takes 0.
func checkScaleOrZero(field string, x float64) error {
	if x == 0 {
		return nil
	}
	return orZero(checkScale(field, x))
}

// checkBetween returns a *ParameterError unless least ≤ x ≤ most.
func checkBetween(field string, x, least, most float64) error {
	if x >= least && x <= most {
		return nil
	}
	return &ParameterError{
		Field: field, Value: Number(x), Want: "a number from " + Number(least) + " to " + Number(most),
	}
}

// checkProbability returns a *ParameterError unless LeastProbability ≤ x < 1.
func checkProbability(field string, x float64) error {
	if x >= LeastProbability && x < 1 {
		return nil
	}
	return &ParameterError{
		Field: field, Value: Number(x), Want: "a number from " + Number(LeastProbability) + " to below 1",
	}
}

// orZero says of an error that 0 would have been right too.
func orZero(err error) error {
	if p, ok := err.(*ParameterError); ok {
		return &ParameterError{Field: p.Field, Value: p.Value, Want: "0, or " + p.Want}
	}
	return err
}

// checkCount returns a *ParameterError unless least ≤ k ≤ LargestCount.
func checkCount(field string, k, least int) error {
	if k >= least && int64(k) <= LargestCount {
		return nil
	}
	return &ParameterError{
		Field: field, Value: strconv.Itoa(k),
		Want: "a whole number from " + strconv.Itoa(least) + " to 2^53",
	}
}

// checkNesting returns a *ParameterError for an event inside too many others.
func checkNesting(event Event) error {
	all, selections := nesting(event, DeepestNesting+1)
	what, most := "", 0
	switch {
	case selections > DeepestSelection:
		what, most = "selections", DeepestSelection
	case all > DeepestNesting:
		what, most = "compositions and selections", DeepestNesting
	default:
		return nil
	}
	return &ParameterError{
		Field: "mechanism", Value: "inside too many others",
		Want: "an event with no more than " + strconv.Itoa(most) + " " + what +
			" inside one another",
	}
}

// nesting counts how many compositions and selections, and how many selections,
// stand inside one another in an event. It looks no deeper than limit.
func nesting(event Event, limit int) (all, selections int) {
	if limit == 0 {
		return 0, 0
	}
	composes := false
	switch event.(type) {
	case Composition, ProposeTestRelease, OneOf:
		composes = true
	}
	_, selects := Base(event)
	if !composes && !selects {
		return 0, 0
	}
	for _, part := range Parts(event) {
		a, s := nesting(part.Event, limit-1)
		all, selections = max(all, a), max(selections, s)
	}
	if selects {
		selections++
	}
	return all + 1, selections
}
