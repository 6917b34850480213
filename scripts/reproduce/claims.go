package main

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"cloister/core/lab"
)

// tolerance is how far a mean accuracy may be from the paper's and still count
// as reproduced.
const tolerance = 0.006

// slack is how far our default may be below a dishonest method and the claim
// that it is never far below still stand.
const slack = 0.003

// verdict of a claim.
type verdict string

const (
	holds    verdict = "holds"
	fails    verdict = "does not hold"
	unknown  verdict = "not run"
	explains verdict = "explained"
)

// comparison is a published number beside ours.
type comparison struct {
	lab.Published
	Ours    lab.Mean
	Verdict verdict
	Text    string
}

// compare sets every published accuracy that was run beside ours.
func compare(summaries []lab.Summary) []comparison {
	var out []comparison
	for _, p := range lab.PublishedAccuracies() {
		for _, s := range summaries {
			if s.Set != p.Set || s.Method != p.Method || s.Epsilon != p.Epsilon {
				continue
			}
			c := comparison{Published: p, Ours: s.Accuracy, Verdict: holds, Text: "within 0.6 points"}
			if math.Abs(s.Accuracy.Value-p.Accuracy) > tolerance {
				c.Verdict, c.Text = fails, "more than 0.6 points away"
				if why := explanation(p, s.Accuracy.Value-p.Accuracy); why != "" {
					c.Verdict, c.Text = explains, why
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// paperSplit is 1.96 standard errors of an accuracy near 83 % on the paper's
// 9,045 test records.
const paperSplit = 0.0077

// explanation says why a number of ours is not the paper's, where we know; ""
// where we do not.
func explanation(p lab.Published, difference float64) string {
	switch {
	case p.Set == "synthetic-l":
		return "explained: not their file, which is not published, but one made by the same recipe; what can be compared is the order of the methods"
	case math.Abs(difference) <= tolerance+paperSplit:
		return "explained: all trials of the paper that share one split share its luck, which for 9,045 test records is ±0.77 points; here every trial has its own"
	case p.Method == "dpsgd-honest" && difference > 0:
		return "better than the paper's, and not because it pays less: at ε = 0.1 the noise multiplier is 69.7 here, 66.8 by the theorem as published with scores for free, and 22.1 without tuning; the paper prints neither its noise nor the rates that won"
	}
	return ""
}

// rivals are what our default is to beat without tuning anything.
var rivals = []string{"dpsgd-dishonest-pld", "dpgd-momentum"}

// duel is our default against a rival, on one set at one ε.
type duel struct {
	Set, Rival string
	Epsilon    float64

	// Lead is the mean, over trials, of our accuracy less the rival's on the
	// same split; the rival's point of its grid is the one that is best on the
	// test records, on average over the trials.
	Lead lab.Mean

	// Fair is the same with the rival's point picked, for each trial, by the
	// other trials: without the luck of the best of many noisy means.
	Fair lab.Mean
}

// duels pairs the trials of our default with those of each rival.
func duels(results []timed, summaries []lab.Summary) []duel {
	type at struct {
		set, method, setting string
		epsilon              float64
	}
	accuracy := map[at]map[int]float64{}
	for _, r := range results {
		k := at{r.Cell.Set, r.Cell.Method, r.Cell.Setting, r.Cell.Epsilon}
		if accuracy[k] == nil {
			accuracy[k] = map[int]float64{}
		}
		accuracy[k][r.Cell.Trial] = r.Accuracy
	}
	var out []duel
	for _, s := range summaries {
		for _, rival := range rivals {
			if s.Method != rival {
				continue
			}
			ours, theirs := accuracy[at{s.Set, "amp", "", s.Epsilon}], accuracy[at{s.Set, rival, s.Setting, s.Epsilon}]
			var grid []map[int]float64
			for k, byTrial := range accuracy {
				if k.set == s.Set && k.method == rival && k.epsilon == s.Epsilon {
					grid = append(grid, byTrial)
				}
			}
			trials := make([]int, 0, len(ours))
			for trial := range ours {
				if _, ok := theirs[trial]; ok {
					trials = append(trials, trial)
				}
			}
			if len(trials) == 0 {
				continue
			}
			sort.Ints(trials)
			leads := make([]float64, len(trials))
			for i, trial := range trials {
				leads[i] = ours[trial] - theirs[trial]
			}
			out = append(out, duel{s.Set, rival, s.Epsilon, lab.MeanOf(leads), fairLead(trials, ours, grid)})
		}
	}
	return out
}

// fairLead is the mean of our accuracy less that of the point of the grid whose
// mean over the other trials is highest; no trials if there is but one.
func fairLead(trials []int, ours map[int]float64, grid []map[int]float64) lab.Mean {
	if len(trials) < 2 {
		return lab.Mean{}
	}
	leads := make([]float64, len(trials))
	for i, left := range trials {
		best, score := math.Inf(-1), 0.0
		for _, point := range grid {
			sum, n := 0.0, 0
			for _, trial := range trials {
				if a, ok := point[trial]; ok && trial != left {
					sum, n = sum+a, n+1
				}
			}
			a, ok := point[left]
			if mean := sum / float64(n); ok && n == len(trials)-1 && (mean > best || mean == best && a < score) {
				best, score = mean, a
			}
		}
		leads[i] = ours[left] - score
	}
	return lab.MeanOf(leads)
}

// claim is one sentence that is checked.
type claim struct {
	Text    string
	Verdict verdict
	Detail  string
}

// claims checks what is claimed of these results.
func (f findings) claims(summaries []lab.Summary) []claim {
	out := append([]claim{published(compare(summaries))}, aboveRivals(duels(f.results, summaries))...)
	return append(out, f.pathClaims()...)
}

func published(all []comparison) claim {
	c := claim{Text: "Adult, set up as in the paper: every number of its Table 2 within 0.6 points, or explained", Verdict: unknown}
	counts, run := map[verdict]int{}, 0
	for _, p := range all {
		if p.Set == "adult" {
			counts[p.Verdict]++
			run++
		}
	}
	if run == 0 {
		return c
	}
	c.Verdict = holds
	if counts[fails] > 0 {
		c.Verdict = fails
	}
	c.Detail = fmt.Sprintf("%d of %d within 0.6 points, %d explained, %d neither", counts[holds], run, counts[explains], counts[fails])
	return c
}

// aboveRivals checks that our default, untuned, is above each dishonest rival.
func aboveRivals(all []duel) []claim {
	adult := claim{Text: "Adult: our default, nothing tuned, is above DP-SGD and full-batch gradient descent, both tuned for free, at every ε", Verdict: unknown}
	others := claim{Text: "The same on at least three of the other sets", Verdict: unknown}
	never := claim{Text: "On no set and at no ε is it more than 0.3 points below either", Verdict: unknown}

	bySet := map[string][]duel{}
	for _, d := range all {
		bySet[d.Set] = append(bySet[d.Set], d)
	}
	if ds := bySet["adult"]; len(ds) > 0 {
		adult.Verdict = holdsIf(ahead(ds, literal))
		adult.Detail = "smallest lead " + smallest(ds, literal) + "; picked elsewhere, " + smallest(ds, fair)
	}
	var won, wonFairly, run []string
	for _, set := range lab.Sets() {
		if ds := bySet[set.Name]; set.Name != "adult" && len(ds) > 0 {
			run = append(run, set.Title)
			if ahead(ds, literal) {
				won = append(won, set.Title)
			}
			if ahead(ds, fair) {
				wonFairly = append(wonFairly, set.Title)
			}
		}
	}
	if len(run) > 0 {
		others.Detail = fmt.Sprintf("on %d of %d (%s); picked elsewhere, on %d (%s)", len(won), len(run), strings.Join(won, ", "), len(wonFairly), strings.Join(wonFairly, ", "))
		if others.Verdict = holdsIf(len(won) >= 3); len(run) < 3 && len(won) < 3 {
			others.Verdict = unknown
		}
	}
	if len(all) > 0 {
		below, fairly := behind(all, literal), behind(all, fair)
		never.Verdict = holdsIf(len(below) == 0)
		never.Detail = fmt.Sprintf("below in %d of %d comparisons%s; picked elsewhere, in %d%s", len(below), len(all), listed(below), len(fairly), listed(fairly))
	}
	return []claim{adult, others, never}
}

func literal(d duel) lab.Mean { return d.Lead }

// fair is Fair where there were trials enough for it.
func fair(d duel) lab.Mean {
	if d.Fair.Trials == 0 {
		return d.Lead
	}
	return d.Fair
}

func holdsIf(yes bool) verdict {
	if yes {
		return holds
	}
	return fails
}

func ahead(ds []duel, lead func(duel) lab.Mean) bool {
	for _, d := range ds {
		if !(lead(d).Value > 0) {
			return false
		}
	}
	return true
}

func smallest(ds []duel, lead func(duel) lab.Mean) string {
	worst := ds[0]
	for _, d := range ds {
		if lead(d).Value < lead(worst).Value {
			worst = d
		}
	}
	return fmt.Sprintf("%s (%s, ε = %g)", signedPoints(lead(worst)), methodTitle(worst.Rival), worst.Epsilon)
}

// behind lists where a lead is below −0.3 points.
func behind(ds []duel, lead func(duel) lab.Mean) []string {
	var out []string
	for _, d := range ds {
		if lead(d).Value < -slack {
			out = append(out, fmt.Sprintf("%s, %s, ε = %g: %s", setTitle(d.Set), methodTitle(d.Rival), d.Epsilon, signedPoints(lead(d))))
		}
	}
	return out
}

func listed(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return " (" + strings.Join(items, "; ") + ")"
}

func methodTitle(name string) string {
	m, err := lab.FindMethod(name)
	if err != nil {
		return name
	}
	return m.Title
}

func setTitle(name string) string {
	s, err := lab.FindSet(name)
	if err != nil {
		return name
	}
	return s.Title
}

// signedPoints is a difference of accuracies in points, with its half width.
func signedPoints(m lab.Mean) string {
	if math.IsInf(m.HalfWidth, 0) {
		return fmt.Sprintf("%+.2f", 100*m.Value)
	}
	return fmt.Sprintf("%+.2f ± %.2f", 100*m.Value, 100*m.HalfWidth)
}
