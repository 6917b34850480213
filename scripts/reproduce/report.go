package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cloister/core/lab"
	"cloister/core/privacy"
)

// selection says what was chosen by looking at the sets that are reported on.
const selection = "Two things were chosen by looking at results on these very sets, and no error bar has them. The constants behind this library's defaults were chosen by test accuracy on Adult, breast cancer and synthetic data (other splits, the same records). " +
	"The seed of Synthetic-L is the one of five whose accuracy without privacy is nearest to what the paper's numbers allow. Both flatter the comparisons below.\n\n"

// report is report.md.
func (f findings) report(summaries []lab.Summary) string {
	plan, results := f.plan, f.results
	var b strings.Builder
	b.WriteString("# The comparisons, run again\n\n")
	seconds := 0.0
	for _, r := range results {
		seconds += r.Seconds
	}
	fmt.Fprintf(
		&b, "Library %s, %s effort, δ = %g, seed %d: %d runs, %s of computing.\n\n",
		privacy.LibraryVersion, plan.Effort, plan.Delta, plan.Seed, len(results), hours(seconds),
	)
	if plan.Effort == lab.Quick {
		b.WriteString(
			"**A quick run**: fewer epochs, coarser grids and fewer trials than the papers'. It shows that everything works, and the rough picture; numbers to quote come from the full run.\n\n",
		)
	}
	b.WriteString(
		"Accuracies are on records that were not fitted to, a fifth of the data; each trial splits them anew, the same way for every method. A number is the mean over trials ± 1.96 standard errors. ",
	)
	b.WriteString(
		"Every method says what its result is worth: **private**, it has the (ε, δ) guarantee, add or remove one record, where n, the number of records, is taken for public by all methods that say so below, as the papers take it: what is set from n is held fixed, and n is not protected; **dishonest**, the noise is that of (ε, δ), but the best point of a grid was picked by the test records, which was not paid for; **not private**.\n\n",
	)
	b.WriteString(selection)

	b.WriteString("## What is claimed\n\n| claim | verdict | |\n|---|---|---|\n")
	for _, c := range f.claims(summaries) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Text, bold(c.Verdict), c.Detail)
	}
	if all := f.compare(summaries); len(all) > 0 {
		b.WriteString(
			"\n## Beside the papers' numbers\n\n| set | method | ε | paper | ours | difference | |\n|---|---|---:|---:|---:|---:|---|\n",
		)
		for _, c := range all {
			fmt.Fprintf(
				&b,
				"| %s | %s | %g | %.2f %% | %s | %+.2f | %s |\n",
				setTitle(c.Set),
				labelled(c.Method),
				c.Epsilon,
				100*c.Accuracy,
				percent(c.Ours),
				100*(c.Ours.Value-c.Accuracy),
				c.Text,
			)
		}
		fmt.Fprintf(&b, "\nThe papers' numbers: %s.\n", strings.Join(sources(all), "; "))
		b.WriteString(
			"Honest DP-SGD is priced by a theorem of this library's own, sharper than the one of Papernot & Steinke 2022 that the paper uses: at the same ε it has less noise than the paper's.\n",
		)
	}
	writeDuels(&b, duels(results, summaries))
	f.writePaths(&b)
	for _, set := range lab.Sets() {
		writeSet(&b, set, results, summaries)
	}
	b.WriteString("\n## The methods\n\n| name | method | | what it does |\n|---|---|---|---|\n")
	for _, m := range lab.Methods() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Title, m.Standing, m.About)
	}
	return b.String()
}

func sources(all []comparison) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range all {
		if text := setTitle(c.Set) + ", " + c.Where; !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// writeDuels prints how far our default is ahead of each rival.
func writeDuels(b *strings.Builder, all []duel) {
	if len(all) == 0 {
		return
	}
	b.WriteString(
		"\n## Our default, untuned, against tuning for free\n\nPoints of accuracy by which it is ahead, on the same splits (negative: behind). " +
			"*Picked here* is the rival's point of its grid that is best on these very test records, on average over the trials. Part of that is luck: the best of many noisy means is too high. " +
			"*Picked elsewhere* takes the luck out: for each trial, the point that is best in all other trials. Both are dishonest; neither was paid for.\n",
	)
	epsilons := epsilonsOf(len(all), func(i int) float64 { return all[i].Epsilon })
	header(b, "set | against | |", epsilons)
	for _, set := range lab.Sets() {
		for _, rival := range rivals {
			for _, row := range []struct {
				name string
				lead func(duel) lab.Mean
			}{
				{"picked here", func(d duel) lab.Mean { return d.Lead }},
				{"picked elsewhere", func(d duel) lab.Mean { return d.Fair }},
			} {
				cells, any := make([]string, len(epsilons)), false
				for i, epsilon := range epsilons {
					for _, d := range all {
						if d.Set == set.Name && d.Rival == rival && d.Epsilon == epsilon &&
							row.lead(d).Trials > 0 {
							cells[i], any = signedPoints(row.lead(d)), true
						}
					}
				}
				if any {
					fmt.Fprintf(
						b, "| %s | %s | %s | %s |\n", set.Title, methodTitle(rival), row.name,
						strings.Join(cells, " | "),
					)
				}
			}
		}
	}
}

// writeSet prints a set's plot and table.
func writeSet(b *strings.Builder, set lab.Set, results []timed, summaries []lab.Summary) {
	lines := seriesOf(set.Name, summaries)
	if len(lines) == 0 {
		return
	}
	tested, trained := 0, 0
	for _, r := range results {
		if r.Cell.Set == set.Name {
			tested, trained = r.Tested, r.Trained
			break
		}
	}
	fmt.Fprintf(
		b,
		"\n## %s\n\n%s Fitted to %d, tested on %d; the commoner label is right %.1f %% of the time.\n\n![Accuracy over ε on %s](%s.svg)\n",
		set.Title, set.About, trained, tested, 100*baselineOf(set.Name, results), set.Title,
		set.Name,
	)
	var private []lab.Summary
	for _, s := range lines {
		for _, p := range s.points {
			if !math.IsInf(p.Epsilon, 1) {
				private = append(private, p)
			}
		}
	}
	epsilons := epsilonsOf(len(private), func(i int) float64 { return private[i].Epsilon })
	header(b, "method | |", epsilons)
	for _, s := range lines {
		cells := make([]string, len(epsilons))
		for _, p := range s.points {
			for i, epsilon := range epsilons {
				if p.Epsilon == epsilon || math.IsInf(p.Epsilon, 1) {
					cells[i] = percent(p.Accuracy)
				}
			}
		}
		fmt.Fprintf(
			b, "| %s | %s | %s |\n", s.method.Title, s.method.Standing, strings.Join(cells, " | "),
		)
	}
}

func epsilonsOf(n int, at func(int) float64) []float64 {
	var points []lab.Summary
	for i := range n {
		points = append(points, lab.Summary{Epsilon: at(i)})
	}
	if n == 0 {
		return nil
	}
	_, out := epsilonScale([]series{{points: points}})
	return out
}

func header(b *strings.Builder, first string, epsilons []float64) {
	fmt.Fprintf(b, "\n| %s", first)
	rule := strings.Repeat("|---", strings.Count(first, "|")) + "|"
	for _, epsilon := range epsilons {
		fmt.Fprintf(b, " ε = %s |", strconv.FormatFloat(epsilon, 'g', -1, 64))
		rule += "---:|"
	}
	b.WriteString("\n" + rule + "\n")
}

// labelled is a method's title with "not private" where that is so; the titles of
// dishonest methods say that themselves.
func labelled(name string) string {
	m, err := lab.FindMethod(name)
	if err != nil {
		return name
	}
	if m.Standing != lab.NotPrivate {
		return m.Title
	}
	return m.Title + " (" + string(m.Standing) + ")"
}

func percent(m lab.Mean) string {
	if math.IsInf(m.HalfWidth, 0) {
		return fmt.Sprintf("%.2f %%", 100*m.Value)
	}
	return fmt.Sprintf("%.2f ± %.2f %%", 100*m.Value, 100*m.HalfWidth)
}

func bold(v verdict) string {
	if v == fails {
		return "**" + string(v) + "**"
	}
	return string(v)
}

func hours(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f seconds", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	}
	return fmt.Sprintf("%.1f hours", seconds/3600)
}
