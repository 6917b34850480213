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

// write makes summary.csv, the plots and report.md of results.
func write(o options, results []timed, say io.Writer) error {
	summaries := lab.Summaries(plain(results))
	if err := writeSummary(filepath.Join(o.out, "summary.csv"), summaries); err != nil {
		return err
	}
	for _, set := range lab.Sets() {
		if base, trials := baselineOf(set.Name, results), trialsOf(set.Name, summaries); trials > 0 {
			if err := os.WriteFile(filepath.Join(o.out, set.Name+".svg"), []byte(plot(set, summaries, base, trials)), 0o644); err != nil {
				return err
			}
		}
	}
	path := filepath.Join(o.out, "report.md")
	if err := os.WriteFile(path, []byte(report(o.plan, results, summaries)), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(say, "%s is written, from %d runs.\n", path, len(results))
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
	w.Write([]string{"set", "method", "standing", "epsilon", "trials", "mean_accuracy", "half_width_1.96_se", "picked_setting", "settings_tried"})
	for _, s := range summaries {
		w.Write([]string{
			s.Set, s.Method, string(s.Standing), strconv.FormatFloat(s.Epsilon, 'g', -1, 64), strconv.Itoa(s.Accuracy.Trials),
			strconv.FormatFloat(s.Accuracy.Value, 'f', 6, 64), strconv.FormatFloat(s.Accuracy.HalfWidth, 'f', 6, 64), s.Setting, strconv.Itoa(s.Settings),
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
