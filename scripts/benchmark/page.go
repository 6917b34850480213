package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"cloister/core/data"
)

// kinds are what site/docs/build/benchmark.mjs calls labels.
var kinds = map[data.LabelType]string{
	data.TwoClasses: "two", data.SeveralClasses: "several", data.NumericLabel: "number",
}

// drawn writes what the page of the documentation is drawn from: a line a set, method and ε,
// with the mean difference to the oracle of 45 descents over the splits that both have, and to
// the one that is picked on the other half of them. The first line is a comment: what made it,
// and the last commit that changed what is measured.
func drawn(path string, results []result) error {
	commit, err := exec.Command(
		"git", "log", "-1", "--abbrev=10", "--format=%h", "--", "core", "scripts/benchmark",
	).Output()
	if err != nil {
		return err
	}
	lines := [][]string{{
		"set", "label", "rows", "method", "epsilon", "splits", "score", "error", "auc", "less",
		"less_error", "apart", "apart_error",
	}}
	sets, epsilons, by := sorted(results)
	first := math.MaxInt
	for _, r := range results {
		first = min(first, r.split)
	}
	for _, set := range sets {
		t, err := load(set)
		if err != nil {
			return err
		}
		of := []string{
			strings.TrimPrefix(set, "more/"), kinds[t.all.Schema.Label.Type],
			strconv.Itoa(t.all.X.Rows()),
		}
		for _, epsilon := range epsilons {
			lines = append(lines, linesOf(of, by[epsilon][set], epsilon)...)
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintf(file, "# go run ./scripts/benchmark -first %d, commit %s\n", first,
		strings.TrimSpace(string(commit)))
	return csv.NewWriter(file).WriteAll(lines)
}

// linesOf are those of a set at one ε, in the order of the methods' names. One for which
// nothing but the majority and the model without privacy is there has none.
func linesOf(of []string, f figures, epsilon float64) (lines [][]string) {
	two := func(s sample) (mean, err string) {
		if len(s) == 0 {
			return "", ""
		}
		if mean = rounded(s.mean()); len(s) > 1 {
			err = rounded(s.error())
		}
		return mean, err
	}
	private := false
	for _, name := range slices.Sorted(maps.Keys(f)) {
		scores := f.sample(name, scoreOf)
		score, wrong := two(scores)
		auc, _ := two(f.sample(name, aucOf))
		if of[1] != kinds[data.TwoClasses] {
			auc = ""
		}
		less, lessError := two(f.less(name, oracle+descents))
		other, otherError := two(f.less(name, oracle+descents+apart))
		lines = append(lines, append(append([]string{}, of...),
			name, digits(epsilon), strconv.Itoa(len(scores)), score, wrong, auc, less, lessError,
			other, otherError))
		private = private || name != majority && name != plainly
	}
	if !private {
		return nil
	}
	return lines
}

func rounded(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
