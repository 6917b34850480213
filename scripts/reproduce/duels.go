package main

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"cloister/core/lab"
)

// draws is a figure on several draws of a set.
type draws struct{ values []float64 }

// apart is 1.96 standard deviations of the difference of two draws.
func (d draws) apart() float64 {
	return lab.MeanOf(d.values).HalfWidth * math.Sqrt(2*float64(len(d.values)))
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

	// Whole says that it was run in full, with lab.DefaultTrials trials or more,
	// and every point of the rival's grid has each of them.
	Whole bool
}

// duels pairs the trials of our default with those of each rival.
func duels(results []timed, summaries []lab.Summary) []duel {
	type at struct {
		set, method, setting string
		epsilon              float64
	}
	accuracy := map[at]map[int]float64{}
	full := true
	for _, r := range results {
		full = full && r.Cell.Effort == lab.Full
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
			ours, theirs := accuracy[at{s.Set, "amp", "", s.Epsilon}],
				accuracy[at{s.Set, rival, s.Setting, s.Epsilon}]
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
			method, _ := lab.FindMethod(rival)
			whole := full && len(trials) >= lab.DefaultTrials && len(trials) == len(ours) &&
				len(grid) == len(method.Settings(lab.Full))
			for _, point := range grid {
				for _, trial := range trials {
					_, ok := point[trial]
					whole = whole && ok
				}
			}
			out = append(
				out,
				duel{
					s.Set,
					rival,
					s.Epsilon,
					lab.MeanOf(leads),
					fairLead(trials, ours, grid),
					whole,
				},
			)
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
			if mean := sum / float64(n); ok && n == len(trials)-1 &&
				(mean > best || mean == best && a < score) {
				best, score = mean, a
			}
		}
		leads[i] = ours[left] - score
	}
	return lab.MeanOf(leads)
}

// aboveRivals checks that our default, untuned, is above each dishonest rival.
func aboveRivals(all []duel) []claim {
	adult := claim{
		Text:    "Adult: our default, nothing tuned, is above dishonest DP-SGD and dishonest full-batch gradient descent, both tuned for free, at every ε (on the means)",
		Verdict: unknown,
	}
	others := claim{Text: "The same on at least three of the other sets", Verdict: unknown}
	never := claim{
		Text:    "On no set and at no ε is it more than 0.3 points below either (on the means)",
		Verdict: unknown,
	}

	bySet := map[string][]duel{}
	for _, d := range all {
		bySet[d.Set] = append(bySet[d.Set], d)
	}
	if ds := bySet["adult"]; len(ds) > 0 {
		detail := standing(ds, literal) + "; picked elsewhere, " + standing(ds, fair)
		adult.judged(
			missing(all, "adult"), ahead(ds, literal), !ahead(whole(ds), literal), detail, detail,
		)
	}
	var won, wonFairly, run []string
	for _, set := range lab.Sets() {
		if ds := bySet[set.Name]; set.Name != "adult" && len(ds) > 0 {
			run = append(run, set.Title)
			if ahead(ds, literal) {
				won = append(won, set.Title+": "+standing(ds, literal))
			}
			if ahead(ds, fair) {
				wonFairly = append(wonFairly, set.Title+": "+standing(ds, fair))
			}
		}
	}
	if len(run) > 0 {
		others.judged(
			missing(all, "")-missing(all, "adult"),
			len(won) >= 3,
			false,
			fmt.Sprintf(
				"on %d of %d%s; picked elsewhere, on %d%s", len(won), len(run), listed(won),
				len(wonFairly), listed(wonFairly),
			),
			fmt.Sprintf(
				"on %d of %d; picked elsewhere, on %d", len(won), len(run), len(wonFairly),
			),
		)
	}
	if len(all) > 0 {
		below, fairly := behind(all, literal), behind(all, fair)
		never.judged(
			missing(all, ""),
			len(below) == 0,
			len(behind(whole(all), literal)) > 0,
			fmt.Sprintf(
				"below in %d of %d comparisons%s; picked elsewhere, in %d%s; smallest lead %s",
				len(below), len(all), listed(below), len(fairly), listed(fairly),
				smallest(all, literal),
			),
			fmt.Sprintf(
				"below in %d of %d comparisons; picked elsewhere, in %d; smallest lead %s",
				len(below), len(all), len(fairly), smallest(all, literal),
			),
		)
	}
	return []claim{adult, others, never}
}

// standing says in how many comparisons a lead is positive, in how many by more
// than 1.96 paired standard errors, and the smallest with its error.
func standing(ds []duel, lead func(duel) lab.Mean) string {
	above, surely := 0, 0
	for _, d := range ds {
		if m := lead(d); m.Value > 0 {
			above++
			if m.Value > m.HalfWidth {
				surely++
			}
		}
	}
	return fmt.Sprintf(
		"above in %d of %d, in %d by more than its error; smallest lead %s", above, len(ds), surely,
		smallest(ds, lead),
	)
}

// whole are the duels that were run in full.
func whole(ds []duel) []duel {
	return slices.DeleteFunc(slices.Clone(ds), func(d duel) bool { return !d.Whole })
}

func literal(d duel) lab.Mean { return d.Lead }

// fair is Fair where there were trials enough for it.
func fair(d duel) lab.Mean {
	if d.Fair.Trials == 0 {
		return d.Lead
	}
	return d.Fair
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
	return fmt.Sprintf(
		"%s (%s, ε = %g)", signedPoints(lead(worst)), methodTitle(worst.Rival), worst.Epsilon,
	)
}

// behind lists where a lead is below −0.3 points.
func behind(ds []duel, lead func(duel) lab.Mean) []string {
	var out []string
	for _, d := range ds {
		if lead(d).Value < -slack {
			out = append(
				out,
				fmt.Sprintf(
					"%s, %s, ε = %g: %s", setTitle(d.Set), methodTitle(d.Rival), d.Epsilon,
					signedPoints(lead(d)),
				),
			)
		}
	}
	return out
}
