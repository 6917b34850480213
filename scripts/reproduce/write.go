package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"cloister/core/lab"
)

// findings is what was run.
type findings struct {
	plan    lab.Plan
	results []timed
	paths   []lab.PathResult
	least   map[string]float64 // F* by set, λ = tableLambda

	// redrawn has the accuracy without privacy, and redrawnLeast F*, on other
	// draws of the made-up sets whose published numbers are compared.
	redrawn, redrawnLeast map[string]draws

	// firstStep is lab.FirstStep; nil if there is no laboratory to ask.
	firstStep func(lab.Path, float64) (budget, cost float64, err error)
}

// write makes summary.csv, the plots and report.md.
func (f findings) write(folder string, say io.Writer) error {
	summaries := lab.Summaries(plain(f.results))
	if err := writeSummary(filepath.Join(folder, "summary.csv"), summaries); err != nil {
		return err
	}
	files := map[string]string{"report.md": f.report(summaries)}
	for _, set := range lab.Sets() {
		if trials := trialsOf(set.Name, summaries); trials > 0 {
			files[set.Name+".svg"] = plot(set, summaries, baselineOf(set.Name, f.results), trials)
		}
		for _, lambda := range lambdas {
			if all := tracks(f.paths, set.Name, lambda); len(all) > 0 {
				files[pathPlotName(set.Name, lambda)] = pathPlot(set, lambda, all)
			}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(
		say, "%s is written, from %d runs and %d paths.\n", filepath.Join(folder, "report.md"),
		len(f.results), len(f.paths),
	)
	return nil
}

func plain(results []timed) []lab.Result {
	out := make([]lab.Result, len(results))
	for i, r := range results {
		out[i] = r.Result
	}
	return out
}

func writeSummary(path string, summaries []lab.Summary) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := csv.NewWriter(file)
	w.Write(
		[]string{
			"set",
			"method",
			"standing",
			"epsilon",
			"trials",
			"mean_accuracy",
			"half_width_1.96_se",
			"picked_setting",
			"settings_tried",
		},
	)
	for _, s := range summaries {
		w.Write([]string{
			s.Set, s.Method, string(s.Standing), strconv.FormatFloat(
				s.Epsilon, 'g', -1, 64,
			), strconv.Itoa(s.Accuracy.Trials),
			strconv.FormatFloat(
				s.Accuracy.Value, 'f', 6, 64,
			), strconv.FormatFloat(s.Accuracy.HalfWidth, 'f', 6, 64), s.Setting,
			strconv.Itoa(s.Settings),
		})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return file.Close()
}

// baselineOf is the mean share of the commoner label among a set's test
// records, NaN without results.
func baselineOf(set string, results []timed) float64 {
	byTrial := map[int]float64{}
	for _, r := range results {
		if r.Cell.Set == set {
			byTrial[r.Cell.Trial] = r.Baseline
		}
	}
	sum := 0.0
	for _, b := range byTrial {
		sum += b
	}
	if len(byTrial) == 0 {
		return math.NaN()
	}
	return sum / float64(len(byTrial))
}

// trialsOf is the largest number of trials that a method has on a set.
func trialsOf(set string, summaries []lab.Summary) int {
	n := 0
	for _, s := range summaries {
		if s.Set == set {
			n = max(n, s.Accuracy.Trials)
		}
	}
	return n
}
