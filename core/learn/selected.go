package learn

import (
	"strconv"

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

// verifySelected says which candidate made the model, and checks that the event has it. A
// file cannot show that this one did: but the event pays for whichever did.
func (r *Release) verifySelected(check checker) {
	if r.Model.Selected == nil {
		return
	}
	among, selects := candidates(r.Event)
	_, is := r.Model.candidate(among)
	check(
		"selected", selects && is,
		"The event is a private selection from "+strconv.Itoa(len(among.Events))+
			" candidates with a noisy score, and the model is stated to be that of candidate "+
			strconv.Itoa(r.Model.Selected.Candidate+1)+". The price holds whichever it is.",
		"The model is stated to be candidate "+strconv.Itoa(r.Model.Selected.Candidate+1)+
			" of a private selection, and the event is of none that has it.",
	)
}

// candidates are those that the event selects from; false if it is no selection from several.
func candidates(event privacy.Event) (privacy.OneOf, bool) {
	base, _ := privacy.Base(event)
	if scored, ok := base.(privacy.Composition); ok {
		for _, part := range scored.Parts {
			if among, ok := part.Event.(privacy.OneOf); ok && part.Count == 1 {
				return among, true
			}
		}
	}
	return privacy.OneOf{}, false
}
