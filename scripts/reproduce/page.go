package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"cloister/core/lab"
)

// page writes what the page of the documentation is drawn from. Its first line says what made
// it: the command, the last commit that changed what is measured, the day, the runs and their
// hours. Sections follow, each with its columns first and an empty line before it. Accuracies and
// leads are in points; a half-width is 1.96 standard errors and empty for one trial.
func (f findings) page(path string) error {
	commit, err := exec.Command(
		"git", "log", "-1", "--abbrev=10", "--format=%h", "--", "core",
	).Output()
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f.pageOf(file, strings.TrimSpace(string(commit)), time.Now()); err != nil {
		return err
	}
	return file.Close()
}

func (f findings) pageOf(out io.Writer, commit string, day time.Time) error {
	f.results = wholeTrials(f.results)
	summaries := lab.Summaries(plain(f.results))
	hours := 0.0
	for _, r := range f.results {
		hours += r.Seconds / 3600
	}
	made := []string{
		"make reproduce", commit, day.Format(time.DateOnly), strconv.Itoa(len(f.results)),
		strconv.Itoa(len(f.paths)), strconv.FormatFloat(hours, 'f', 1, 64),
	}
	w := csv.NewWriter(out)
	for i, section := range [][][]string{
		{{"command", "commit", "day", "runs", "paths", "hours"}, made},
		f.setLines(),
		methodLines(),
		scoreLines(summaries),
		leadLines(duels(f.results, summaries)),
		f.publishedLines(summaries),
		f.riskLines(),
		f.claimLines(summaries),
	} {
		if i > 0 {
			w.Flush()
			fmt.Fprintln(out)
		}
		if err := w.WriteAll(section); err != nil {
			return err
		}
	}
	return nil
}

// wholeTrials leaves out a trial of a method at an ε where a point of the grid has not run: the
// best of fewer points would stand for the best of all.
func wholeTrials(results []timed) []timed {
	trial := func(r timed) lab.Cell {
		c := r.Cell
		c.Setting = ""
		return c
	}
	points := map[lab.Cell]int{}
	for _, r := range results {
		points[trial(r)]++
	}
	return slices.DeleteFunc(slices.Clone(results), func(r timed) bool {
		m, err := lab.FindMethod(r.Cell.Method)
		return err != nil || points[trial(r)] < len(m.Settings(r.Cell.Effort))
	})
}

func (f findings) setLines() [][]string {
	lines := [][]string{{"set", "title", "about", "fitted", "tested", "commoner"}}
	for _, set := range lab.Sets() {
		for _, r := range f.results {
			if r.Cell.Set == set.Name {
				lines = append(lines, []string{
					set.Name, set.Title, set.About, strconv.Itoa(r.Trained),
					strconv.Itoa(r.Tested), points(baselineOf(set.Name, f.results)),
				})
				break
			}
		}
	}
	return lines
}

func methodLines() [][]string {
	lines := [][]string{{"method", "name", "standing", "what"}}
	for _, m := range lab.Methods() {
		lines = append(lines, []string{m.Name, m.Title, string(m.Standing), m.About})
	}
	return lines
}

func scoreLines(summaries []lab.Summary) [][]string {
	lines := [][]string{{"set", "method", "epsilon", "trials", "accuracy", "half"}}
	for _, s := range summaries {
		epsilon := ""
		if !math.IsInf(s.Epsilon, 1) {
			epsilon = short(s.Epsilon)
		}
		lines = append(lines, []string{
			s.Set, s.Method, epsilon, strconv.Itoa(s.Accuracy.Trials), points(s.Accuracy.Value),
			points(s.Accuracy.HalfWidth),
		})
	}
	return lines
}

func leadLines(all []duel) [][]string {
	lines := [][]string{
		{"set", "rival", "epsilon", "trials", "lead", "half", "elsewhere", "elsewhere_half"},
	}
	for _, d := range all {
		fair, half := "", ""
		if d.Fair.Trials > 0 {
			fair, half = points(d.Fair.Value), points(d.Fair.HalfWidth)
		}
		lines = append(lines, []string{
			d.Set, d.Rival, short(d.Epsilon), strconv.Itoa(d.Lead.Trials), points(d.Lead.Value),
			points(d.Lead.HalfWidth), fair, half,
		})
	}
	return lines
}

func (f findings) publishedLines(summaries []lab.Summary) [][]string {
	lines := [][]string{
		{"set", "method", "epsilon", "trials", "paper", "ours", "half", "where", "verdict"},
	}
	for _, c := range f.compare(summaries) {
		lines = append(lines, []string{
			c.Set, c.Method, short(c.Epsilon), strconv.Itoa(c.Ours.Trials), points(c.Accuracy),
			points(c.Ours.Value), points(c.Ours.HalfWidth), c.Where, c.Text,
		})
	}
	return lines
}

func (f findings) riskLines() [][]string {
	lines := [][]string{{
		"set", "epsilon", "repetitions", "schedule", "paper", "ours", "steps", "least", "verdict",
	}}
	for _, r := range f.table() {
		line := func(schedule string, paper, ours, steps float64, text string) []string {
			return []string{
				r.set, short(r.epsilon), strconv.Itoa(r.repetitions), schedule, risk(paper),
				risk(ours), strconv.FormatFloat(steps, 'f', 0, 64), risk(r.least), text,
			}
		}
		lines = append(lines,
			line(lab.PathAdaptive, r.paperAdaptive, r.adaptive.Median, r.adaptiveSteps,
				r.adaptiveText),
			line(r.bestName, r.paperBest, r.best.Median, r.bestSteps, r.constantText),
		)
	}
	return lines
}

func (f findings) claimLines(summaries []lab.Summary) [][]string {
	lines := [][]string{{"claim", "verdict", "detail"}}
	for _, c := range f.claims(summaries) {
		lines = append(lines, []string{c.Text, string(c.Verdict), c.Brief})
	}
	return lines
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
func risk(x float64) string  { return strconv.FormatFloat(x, 'f', 4, 64) }

// points is a part of one in points, nothing if it is not known.
func points(part float64) string {
	if math.IsInf(part, 0) {
		return ""
	}
	return strconv.FormatFloat(100*part, 'f', 2, 64)
}
