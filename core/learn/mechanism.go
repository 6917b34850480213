package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/adaptive"
	"cloister/core/privacy"
)

// mechanisms lists the mechanisms within an event that give out a vector of
// coefficients, each as often as it is run, in their order; false if there are
// more than a model can have. Beside them an event may hold others, such as
// what a selection scores its candidates by: they make it dearer.
//
// A selection publishes the candidate that scores best, so what it repeats must
// pay for a score beside the candidate: a base that does not is no mechanism here.
//
// A Gaussian mechanism is output perturbation if the model says with which
// regulariser it was made, noisy moments if it says which, and else such another.
//
// Of one of several mechanisms it is the one that the model says; a model that does not say
// it has none.
//
// A test with what follows it, and a promise beside a Gaussian mechanism, are one mechanism
// if the model says what was told besides its coefficients.
func (m Model) mechanisms(event privacy.Event) (found []privacy.Event, ok bool) {
	if base, ok := privacy.Base(event); ok {
		return m.selected(base)
	}
	switch e := event.(type) {
	case privacy.ApproximateMinima, privacy.SubsampledGaussian, privacy.GradientDescent:
		return []privacy.Event{event}, true
	case privacy.ProposeTestRelease:
		if m.Told != nil && m.Told.priced(event) {
			return []privacy.Event{event}, true
		}
	case privacy.Gaussian:
		if m.Lambda > 0 || m.Moments != nil {
			return []privacy.Event{event}, true
		}
	case privacy.OneOf:
		if one, ok := m.candidate(e); ok {
			return m.mechanisms(one)
		}
		return nil, false
	case privacy.Composition:
		if m.Told != nil && m.Told.priced(event) {
			return []privacy.Event{event}, true
		}
		for _, part := range e.Parts {
			inner, ok := m.mechanisms(part.Event)
			if len(inner) > 0 && part.Count > m.fits() {
				return nil, false
			}
			if !ok {
				return nil, false
			}
			if len(inner) == 0 {
				continue // of which there may be 2^53
			}
			for range part.Count {
				if found = append(found, inner...); len(found) > m.fits() {
					return nil, false
				}
			}
		}
	}
	return found, true
}

// selected is mechanisms for what a selection repeats.
func (m Model) selected(base privacy.Event) (found []privacy.Event, ok bool) {
	if found, ok = m.mechanisms(base); ok && len(found) > 0 && !m.scored(base) {
		return nil, false
	}
	return found, ok
}

// scored reports whether the event holds one more mechanism than those that give
// out coefficients.
func (m Model) scored(event privacy.Event) bool {
	composition, ok := event.(privacy.Composition)
	return ok && slices.ContainsFunc(composition.Parts, func(part privacy.Part) bool {
		if part.Count < 1 || free(part.Event) {
			return false
		}
		if _, inner := part.Event.(privacy.Composition); inner {
			return m.scored(part.Event)
		}
		found, ok := m.mechanisms(part.Event)
		return ok && len(found) == 0
	})
}

// free reports whether an event says that it tells nothing at all of the data: what
// costs nothing is no score to choose by. A composition and a selection tell nothing
// if nothing inside them does: how often they run it is drawn without the data.
//
// Only what costs exactly 0 is free, and randomised response whose Truth is the
// float64 nearest to 1/Categories, which is 1/Categories as a file can write it.
// A score that costs very little chooses very badly, but it is one.
func free(event privacy.Event) bool {
	if base, ok := privacy.Base(event); ok {
		return free(base)
	}
	switch e := event.(type) {
	case privacy.ProposeTestRelease:
		return e.Failure == 0 && free(e.Test) && free(e.Release)
	case privacy.OneOf: // the model may say that it was the one
		return slices.ContainsFunc(e.Events, free)
	case privacy.RenyiDP:
		return e.Epsilon == 0
	case privacy.Composition:
		return !slices.ContainsFunc(e.Parts, func(part privacy.Part) bool {
			return part.Count > 0 && !free(part.Event)
		})
	case privacy.RandomisedResponse:
		return e.LogOdds() == 0 || e.Truth == 1/float64(e.Categories)
	case privacy.PureDP:
		return e.Epsilon == 0
	case privacy.ApproximateDP:
		return e.Epsilon == 0 && e.Delta == 0
	case privacy.ZeroConcentrated:
		return e.Rho == 0
	case privacy.SubsampledGaussian:
		return e.Rate == 0 || e.Steps == 0
	case privacy.GradientDescent:
		return len(e.Sigmas) == 0
	}
	return false
}

// verifyMechanism checks that the event is of a mechanism that fits such a
// model: the price of another one, however true, says nothing of it.
func (r *Release) verifyMechanism(check checker) {
	found, ok := r.Model.mechanisms(r.Event)
	vectors := r.Model.fits()
	if ok && len(found) != vectors {
		ok = false
	}
	good := "The event is of a mechanism that fits such a model."
	if vectors > 1 {
		good = "The event is of " + strconv.Itoa(vectors) +
			" mechanisms that fit such a model, one a class."
	}
	bad := "The event (" + strconv.Quote(r.Event.Mechanism()) +
		") is not of a mechanism that fits such a model, so what it costs says nothing of these coefficients."
	if vectors > 1 {
		bad = "The event (" + strconv.Quote(r.Event.Mechanism()) + ") is not of " +
			strconv.Itoa(vectors) +
			" mechanisms that each fit one of these vectors, so what it costs says nothing of them."
	}
	for _, event := range found {
		if e, minima := event.(privacy.ApproximateMinima); minima && e.Grid == 0 {
			ok, bad = false, "The event describes noise in real numbers; what a computer gives out lies on a lattice, and costs as much."
		}
	}
	if ok && r.Model.ran(r.Event) < r.silent() {
		ok, bad = false, "The selection that the event describes makes no run, but for a probability that δ leaves out anyway, and so has nothing to give out."
	}
	check("mechanism", ok, good, bad)
	if !ok {
		return
	}
	for k, event := range found {
		if slices.IndexFunc(
			found[:k], func(other privacy.Event) bool { return sameEvent(other, event) },
		) < 0 {
			r.verifyFit(event, check)
		}
	}
	r.verifySteps(found, check)
	r.verifyReach(found, check)
	r.verifyNoise(found, check)
	r.verifyGrid(found, check)
	r.verifyRecords(found, check)
}

// verifyRecords says where a number of records may have been used that nobody
// can check: objective perturbation needs none, the others are set by one as a
// rule, and moments need none either. With one record replaced by another it is public.
func (r *Release) verifyRecords(found []privacy.Event, check checker) {
	sets := func(e privacy.Event) bool {
		_, minima := e.(privacy.ApproximateMinima)
		return !minima && r.Model.Moments == nil && r.Model.Told == nil
	}
	if r.Event.Neighbours() == privacy.AddRemove && slices.ContainsFunc(found, sets) {
		check(
			"records", true,
			"Not checked: a mechanism like this is commonly set by about how many records there are. If it was, that number is taken for public knowledge; that it was not counted for this is the word of whoever made the release.",
			"",
		)
	}
}

func sameEvent(a, b privacy.Event) bool {
	return privacy.SameTree(privacy.EncodeEvent(a), privacy.EncodeEvent(b))
}

// verifyFit checks what one mechanism assumes of the model's rows and loss.
func (r *Release) verifyFit(event privacy.Event, check checker) {
	norm := r.Schema.RowNorm()
	if r.Model.Told != nil {
		r.verifyTold(event, check)
		r.verifyTests(event, check)
		return
	}
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		r.verifyObjective(e.Objective, check)
		r.verifyMinimum(check)
	case privacy.SubsampledGaussian:
		// The noise is in units of the threshold.
		check("clip", !math.IsInf(r.Model.Clip, 1), "Each record's gradient is clipped, in whose units the noise is.",
			"The mechanism's noise is in units of the threshold that gradients are clipped to, and none is given.")
	case privacy.GradientDescent:
		r.verifySensitivity(e.Sensitivity, r.Model.lipschitz(norm), e.Adjacency, "one record's gradient", check)
	case privacy.Gaussian:
		if r.Model.Moments != nil {
			r.verifyMoments(e, check)
			return
		}
		r.verifyMinimum(check)
		r.verifySensitivity(
			e.Sensitivity, r.Model.lipschitz(norm)/r.Model.Lambda, e.Adjacency,
			"one record's gradient, divided by the regulariser's strength,", check,
		)
	}
}

// verifyMinimum checks that what is solved for is a minimum: the gradients of a softmax that are
// clipped, those of all classes together, are those of no convex loss. Of other losses the
// clipped gradients are those of a convex one (glm.Clip).
func (r *Release) verifyMinimum(check checker) {
	if !r.Model.joint() {
		return
	}
	length := r.Schema.RowNorm() * r.Model.Loss.MaxSlope()
	check(
		"clip", r.Model.Clip >= length,
		"No gradient of the softmax is clipped, so that what is solved for is a minimum.",
		"Gradients of the softmax can have norm "+short(length)+
			" and are clipped to less, and then they are those of no convex loss: what one record moves the minimum by is not bounded.",
	)
}

// verifySensitivity checks a sum's sensitivity against the longest part of one
// record: that much for one record added, twice for one replaced.
func (r *Release) verifySensitivity(
	stated, one float64, adjacency privacy.Adjacency, what string, check checker,
) {
	if adjacency == privacy.ReplaceOne {
		one *= 2
	}
	check(
		"sensitivity",
		stated >= one,
		"The mechanism's sensitivity is not below what "+what+" can change.",
		"What "+what+" can change is "+short(one)+", more than the sensitivity of "+
			short(stated)+" that the mechanism assumes.",
	)
}

func (r *Release) verifyObjective(o privacy.ObjectivePerturbation, check checker) {
	norm := r.Schema.RowNorm()
	columns, counted := len(r.Model.Columns)*r.Model.jointVectors(), "columns"
	if r.Model.joint() {
		counted = "coefficients of all classes"
	}
	check(
		"row_norm",
		o.RowNorm >= norm,
		"Rows encoded by the schema are never longer than the mechanism assumes.",
		"Rows encoded by the schema can have norm "+short(norm)+", more than the "+
			privacy.Number(o.RowNorm)+" that the mechanism assumes.",
	)
	check(
		"dimension",
		o.Dimension == columns,
		"The mechanism's dimension is the number of "+counted+".",
		"The mechanism has dimension "+strconv.Itoa(o.Dimension)+", the model "+
			strconv.Itoa(columns)+" "+counted+".",
	)
	if r.Model.joint() || o.Classes != 0 {
		classes := r.Model.Vectors()
		check(
			"classes",
			o.Classes == classes,
			"The mechanism has as many classes as the label.",
			"The mechanism has "+strconv.Itoa(o.Classes)+" classes, the label "+
				strconv.Itoa(classes)+".",
		)
	}
	check(
		"loss",
		Includes(o.Loss, r.Model.Loss.Class()),
		"The model's loss is of the class that the mechanism is priced for.",
		"The model's loss is of the class "+strconv.Quote(string(r.Model.Loss.Class()))+
			", and the mechanism is priced for "+strconv.Quote(string(o.Loss))+".",
	)
	check(
		"smoothness",
		o.Smoothness >= r.Model.Loss.MaxCurvature(),
		"The model's loss is as smooth as the mechanism assumes.",
		"The model's loss has curvature "+privacy.Number(r.Model.Loss.MaxCurvature())+
			", more than the "+privacy.Number(o.Smoothness)+" that the mechanism assumes.",
	)
	length := r.Model.lipschitz(norm)
	check(
		"clip",
		o.Lipschitz >= length,
		"No record's gradient is longer than the mechanism assumes.",
		"A record's gradient can have norm "+short(length)+", more than the "+
			privacy.Number(o.Lipschitz)+" that the mechanism assumes.",
	)
	check(
		"lambda",
		r.Model.Lambda == 0 || r.Model.Lambda == o.Lambda,
		"The regulariser is the mechanism's.",
		"The model says that the regulariser has strength "+privacy.Number(r.Model.Lambda)+
			", the mechanism "+privacy.Number(o.Lambda)+".",
	)
}

// verifyGrid checks that coefficients which a mechanism gives out on a lattice
// that the event names lie on it, and says where none was checked.
func (r *Release) verifyGrid(found []privacy.Event, check checker) {
	if r.Model.Moments != nil {
		check(
			"grid", r.Model.Moments.onLattice(),
			"Every moment is a multiple of the lattice's spacing, and less than 2^53 times it.",
			"A moment is not a multiple of the lattice's spacing, or 2^53 times it and more, so it is not what the mechanism gave out.",
		)
		return
	}
	if r.Model.Told != nil {
		gridClaim(adaptive.OnLattice(r.Model.Coefficients, r.Model.Told.spacing()), check)
		return
	}
	lattices, off := 0, false
	for k, event := range found {
		e, ok := event.(privacy.ApproximateMinima)
		if !ok {
			continue
		}
		lattices++
		off = off || slices.ContainsFunc(r.Model.fitted(k), func(c float64) bool {
			return math.Remainder(c, e.Grid) != 0 || !(math.Abs(c/e.Grid) < exactIntegers)
		})
	}
	if lattices > 0 {
		gridClaim(!off, check)
		return
	}
	check(
		"grid", true,
		"Not checked: the event names no lattice, so that the coefficients lie on the mechanism's is the word of whoever made them.",
		"",
	)
}

func gridClaim(on bool, check checker) {
	check(
		"grid", on,
		"Every coefficient is a multiple of the lattice's spacing, and less than 2^53 times it.",
		"A coefficient is not a multiple of the lattice's spacing, or 2^53 times it and more, so it is not what the mechanism gave out.",
	)
}

// Mechanisms returns the mechanism that gave out each of the model's vectors, in their
// order, or nil where the event has a private selection (what it publishes was chosen by
// a score, so its noise is no longer that of one run) or does not fit the model.
func (r *Release) Mechanisms() []privacy.Event {
	if selects(r.Event) {
		return nil
	}
	found, ok := r.Model.mechanisms(r.Event)
	if !ok || len(found) != r.Model.fits() {
		return nil
	}
	return found
}
