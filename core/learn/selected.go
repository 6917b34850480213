package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/account/selection"
	"cloister/core/data"
	"cloister/core/privacy"
)

// Selected is what a private selection gives out beside the coefficients (package
// selection): which candidate made them, and its score. The event pays for both.
type Selected struct {
	// Candidate is its place in the selection's privacy.OneOf, from 0.
	Candidate int

	// Score has noise, as the selection's event says. It is no count of anything: the best of
	// several noisy scores is above the truth as a rule.
	Score int64
}

func (s Selected) tree() map[string]any {
	return map[string]any{"candidate": float64(s.Candidate), "score": float64(s.Score)}
}

func readSelected(f *privacy.Fields) (*Selected, error) {
	s := &Selected{Candidate: f.Int("candidate"), Score: int64(f.Int("score"))}
	return s, f.Done()
}

// candidate is the mechanism that made the coefficients, where one of several was run.
func (m Model) candidate(e privacy.OneOf) (privacy.Event, bool) {
	if m.Selected == nil || m.Selected.Candidate < 0 || m.Selected.Candidate >= len(e.Events) {
		return nil, false
	}
	return e.Events[m.Selected.Candidate], true
}

// verifySelected says which candidate made the model, and checks that the event has it; or that
// nobody can check what a selection, which does not say so, chose by, as no fit here gives out. A
// file cannot show that this one did: but the event pays for whichever did.
//
// The candidates that were not chosen may have been run, too, so that each has to be priced for
// such rows and such a loss. What each was clipped at is not told.
func (r *Release) verifySelected(check checker) {
	if r.Model.Selected == nil {
		if selects(r.Event) {
			check(
				"selected", true,
				"Not checked: by what score the model was chosen. The event says by how much one record changes it, and the file says neither what it is nor from what it was chosen, so that this is the word of whoever made the release.",
				"",
			)
		}
		return
	}
	number := strconv.Itoa(r.Model.Selected.Candidate + 1)
	among, scores, selects := candidates(r.Event)
	_, is := r.Model.candidate(among)
	bad := ""
	most := ScoreSensitivity(r.Schema.Label.Type, r.Event.Neighbours())
	switch {
	case !selects || !is:
		bad = "The model is stated to be candidate " + number +
			" of a private selection, and the event is of none that has it."
	case slices.ContainsFunc(scores, func(event privacy.Event) bool {
		score, ok := event.(privacy.DiscreteGaussian)
		return !ok || score.Sensitivity < most
	}):
		bad = "One record can change the score by " + strconv.Itoa(most) +
			", and the event has no noise that is priced for as much."
	case !r.possibleScore(scores):
		bad = "No records, as many as can be read, and no noise of the score's come to such a score."
	case !r.pricedForAll(among):
		bad = "A candidate that was not chosen gives out another number of vectors, or is priced for shorter rows, another number of columns or another loss than this model has, and it may have been run as well."
	}
	check(
		"selected", bad == "",
		"The event is a private selection from "+strconv.Itoa(len(among.Events))+
			" candidates with a noisy score, and the model is stated to be that of candidate "+
			number+". The price holds whichever it is, if those that were not chosen were clipped as the event says, which the file does not show.",
		bad,
	)
}

// possibleScore reports whether the score is one that a run may have.
//
// Theorem. Of runs whose number has mean μ none has a score within r of 0, but for a chance of
// μ(2r + 1)/(σ√(2π)), and none one beyond NS + uσ, u² = 2·log(2μ·2^100), but for one of 2^-100:
// N is the number of records, each of which adds from −S to S, S that of [ScoreSensitivity] for
// one added, and σ that of the score's noise. A score beyond 2^53 is written as that.
//
// Proof. As for verifyNoise, of each run; and runs add up to μ times as much, whatever their
// number is. The noise is subgaussian with the parameter σ. ∎
func (r *Release) possibleScore(scores []privacy.Event) bool {
	times := math.Max(1, runs(r.Event))
	score := math.Abs(float64(r.Model.Selected.Score))
	least, largest := math.Inf(1), 0.0 // that of whichever is the score
	for _, event := range scores {
		sigma := event.(privacy.DiscreteGaussian).Sigma
		least, largest = math.Min(least, sigma), math.Max(largest, sigma)
	}
	near := times * (2*score + 1) / (least * math.Sqrt(2*math.Pi))
	reach := math.Sqrt(2 * (math.Log(2*times) - math.Log(leastChance)))
	most := calibrate.MostRecords *
		float64(ScoreSensitivity(r.Schema.Label.Type, privacy.AddRemove))
	return score == privacy.LargestCount && most+reach*largest >= score ||
		near >= leastChance && score <= most+reach*largest
}

// runs is how often a selection runs what it selects from, on average; 1 for another event.
func runs(event privacy.Event) float64 {
	switch e := event.(type) {
	case privacy.PoissonSelection:
		return e.Mean
	case privacy.NegativeBinomialSelection:
		return selection.MeanNegativeBinomial(e.Eta, e.Gamma)
	}
	return 1
}

// pricedForAll reports whether each of the candidates gives out as many vectors as the model has,
// and all objective perturbation among them is priced for the model's rows, columns and loss.
func (r *Release) pricedForAll(among privacy.OneOf) bool {
	other := r.Model
	other.Selected, other.Told, other.Lambda = nil, nil, 1 // a λ of output perturbation is not told
	good := !slices.ContainsFunc(among.Events, func(event privacy.Event) bool {
		found, ok := other.mechanisms(event)
		return !ok || len(found) != other.fits()
	})
	privacy.Walk(among, func(event privacy.Event) {
		minima, ok := event.(privacy.ApproximateMinima)
		if !ok {
			return
		}
		o := minima.Objective
		o.Lipschitz, o.Lambda = r.Model.lipschitz(r.Schema.RowNorm()), r.Model.Lambda // not told
		var found Findings
		r.verifyObjective(o, found.checker())
		_, failed := found.Failed()
		good = good && !failed && minima.Grid > 0
	})
	return good
}

// ScoreSensitivity is by how much one record can change the score of a private selection
// (package selection), by the label.
func ScoreSensitivity(label data.LabelType, adjacency privacy.Adjacency) int {
	most := 1
	if label == data.NumericLabel {
		most = FineScore
	}
	if adjacency == privacy.ReplaceOne {
		most *= 2
	}
	return most
}

// FineScore is what a record that is predicted exactly adds to the score where the label is a
// number.
const FineScore = 1000

// candidates are those that the event selects from, and what else is in each of its runs, which is
// the score; false if it is no selection from several.
func candidates(event privacy.Event) (among privacy.OneOf, scores []privacy.Event, ok bool) {
	base, _ := privacy.Base(event)
	scored, _ := base.(privacy.Composition)
	for _, part := range scored.Parts {
		one, is := part.Event.(privacy.OneOf)
		if is && part.Count == 1 && !ok {
			among, ok = one, true
		} else if part.Count > 0 {
			scores = append(scores, part.Event)
		}
	}
	return among, scores, ok && len(scores) > 0
}
