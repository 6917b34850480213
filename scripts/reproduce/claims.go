package main

import (
	"fmt"
	"math"
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
	explains verdict = "may be explained"
)

// comparison is a published number beside ours.
type comparison struct {
	lab.Published
	Ours    lab.Mean
	Verdict verdict
	Text    string

	// Whole says that it was run as in the paper: in full, at its δ, and every
	// point of the grid with as many trials or more.
	Whole bool
}

// compare sets every published accuracy that was run beside ours.
func (f findings) compare(summaries []lab.Summary) []comparison {
	var out []comparison
	for _, p := range lab.PublishedAccuracies() {
		for _, s := range summaries {
			if s.Set != p.Set || s.Method != p.Method || s.Epsilon != p.Epsilon {
				continue
			}
			c := comparison{Published: p, Ours: s.Accuracy}
			c.Verdict, c.Text = f.judge(p, s.Accuracy.Value-p.Accuracy)
			c.Whole = f.whole(p)
			out = append(out, c)
		}
	}
	return out
}

// whole reports whether all that a published number is compared with was run.
func (f findings) whole(p lab.Published) bool {
	method, err := lab.FindMethod(p.Method)
	if err != nil || f.plan.Effort != lab.Full || f.plan.Delta != lab.DefaultDelta {
		return false
	}
	trials := map[string]map[int]bool{}
	for _, r := range f.results {
		if c := r.Cell; c.Set == p.Set && c.Method == p.Method && c.Epsilon == p.Epsilon &&
			c.Effort == lab.Full {
			if trials[c.Setting] == nil {
				trials[c.Setting] = map[int]bool{}
			}
			trials[c.Setting][c.Trial] = true
		}
	}
	for _, setting := range method.Settings(lab.Full) {
		if len(trials[setting]) < lab.DefaultTrials {
			return false
		}
	}
	return true
}

// judge compares the size of a difference with what could make it, all computed
// from this run. What is larger is not explained; what is not may be, if the
// assumption in the text is right.
func (f findings) judge(p lab.Published, difference float64) (verdict, string) {
	size := math.Abs(difference)
	if size <= tolerance {
		return holds, "within 0.6 points"
	}
	if n := f.testedOn(p.Set); n > 0 && len(f.redrawn[p.Set].values) == 0 {
		luck := 1.96 * math.Sqrt(p.Accuracy*(1-p.Accuracy)/float64(n))
		if size <= luck {
			return explains, fmt.Sprintf(
				"may be explained, if all of the paper's trials had the same test records, which it does not say: within ±%.2f points, 1.96 standard errors of such an accuracy on one choice of %d test records; with %d independent choices it would be ±%.2f. Here every trial has another",
				100*luck, n, lab.DefaultTrials, 100*luck/math.Sqrt(lab.DefaultTrials),
			)
		}
		return fails, fmt.Sprintf(
			"not reproduced, not explained: more than the ±%.2f points that one choice of %d test records may make",
			100*luck, n,
		)
	}
	if draws := f.redrawn[p.Set]; len(draws.values) > 1 {
		apart := draws.apart()
		text := fmt.Sprintf(
			"the ±%.2f points by which two draws of this set's recipe may differ without privacy (%d draws); the paper's file is not published",
			100*apart, len(draws.values),
		)
		if size <= apart {
			return explains, "may be explained, if the paper's file is such a draw: within " + text
		}
		return fails, "not reproduced, not explained: more than " + text
	}
	return fails, "not reproduced, not explained"
}

// testedOn is how many records a set's results were tested on.
func (f findings) testedOn(set string) int {
	for _, r := range f.results {
		if r.Cell.Set == set {
			return r.Tested
		}
	}
	return 0
}

// claim is one sentence that is checked.
type claim struct {
	Text    string
	Verdict verdict
	Detail  string
	Brief   string // Detail without its lists of sets and comparisons
}

// claims checks what is claimed of these results. A claim about several sets,
// rivals and ε has no verdict until all of them were run in full, but for one
// that speaks of each of them, which the first that was refutes.
func (f findings) claims(summaries []lab.Summary) []claim {
	out := append(
		[]claim{published(f.compare(summaries))},
		aboveRivals(duels(f.results, summaries))...)
	out = append(out, f.pathClaims()...)
	for i := range out {
		if out[i].Brief == "" {
			out[i].Brief = out[i].Detail
		}
	}
	return out
}

func published(all []comparison) claim {
	c := claim{
		Text:    "Adult, set up as in the paper: every number of its Table 2 within 0.6 points, or such that it may be explained",
		Verdict: unknown,
	}
	counts, run, whole, wanted, refuted := map[verdict]int{}, 0, 0, 0, false
	for _, p := range lab.PublishedAccuracies() {
		if p.Set == "adult" {
			wanted++
		}
	}
	for _, p := range all {
		if p.Set == "adult" {
			counts[p.Verdict]++
			run++
			if p.Whole {
				whole++
				refuted = refuted || p.Verdict == fails
			}
		}
	}
	if run == 0 {
		return c
	}
	c.Detail = fmt.Sprintf(
		"%d of %d within 0.6 points, %d may be explained, %d neither", counts[holds], run,
		counts[explains], counts[fails],
	)
	if whole < wanted {
		c.Detail = fmt.Sprintf(
			"only %d of %d numbers were run in full, with %d trials or more: ", whole, wanted,
			lab.DefaultTrials,
		) +
			c.Detail
		if refuted {
			c.Verdict = fails
		}
		return c
	}
	if c.Verdict = holdsIf(counts[fails] == 0); c.Verdict == holds && counts[explains] > 0 {
		c.Verdict = explains
	}
	return c
}

// missing counts the comparisons of a set, or of all sets if it is "", with
// every rival at every ε of the paper that are not there, or not whole.
func missing(all []duel, set string) int {
	whole := map[duel]bool{}
	for _, d := range all {
		if d.Whole {
			whole[duel{Set: d.Set, Rival: d.Rival, Epsilon: d.Epsilon}] = true
		}
	}
	n := 0
	for _, s := range lab.Sets() {
		for _, rival := range rivals {
			for _, epsilon := range lab.Epsilons {
				if (set == "" || s.Name == set) &&
					!whole[duel{Set: s.Name, Rival: rival, Epsilon: epsilon}] {
					n++
				}
			}
		}
	}
	return n
}

// judged gives a claim its verdict if nothing is missing, or one whole comparison refutes it, and
// says what is missing.
func (c *claim) judged(missing int, yes, refuted bool, detail, brief string) {
	c.Detail, c.Brief = detail, brief
	if missing > 0 {
		partly := fmt.Sprintf("%d comparisons were not run in full; of the others: ", missing)
		c.Detail, c.Brief = partly+detail, partly+brief
		if refuted {
			c.Verdict = fails
		}
		return
	}
	c.Verdict = holdsIf(yes)
}

func holdsIf(yes bool) verdict {
	if yes {
		return holds
	}
	return fails
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

// signedPoints is a difference of accuracies in points, with 1.96 standard errors
// of the paired differences.
func signedPoints(m lab.Mean) string {
	if math.IsInf(m.HalfWidth, 0) {
		return fmt.Sprintf("%+.2f", 100*m.Value)
	}
	return fmt.Sprintf("%+.2f ± %.2f", 100*m.Value, 100*m.HalfWidth)
}
