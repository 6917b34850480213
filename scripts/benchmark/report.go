package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cloister/core/learn/methods"
)

// leastWay is the way from the majority to the model without privacy below which a share
// of it says nothing, in points.
const leastWay = 2.0

// figures are a table's results by method, at one ε, by split.
type figures map[string]map[int]result

// write makes report.md and table.csv of the results.
func write(folder string, results []result) error {
	sets, epsilons, by := sorted(results)
	lines := [][]string{{
		"set", "method", "epsilon", "splits", "score", "error", "auc", "share", "auc_share",
	}}
	var b strings.Builder
	b.WriteString("# Private fits of real tables\n\n")
	b.WriteString("Mean test accuracy in % (of a number 100·R²) ± its standard error over splits, which the noise is in. δ = 1e-5, add/remove.\n")
	for _, epsilon := range epsilons {
		var names []string
		for _, set := range sets {
			for name := range by[epsilon][set] {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "\n## ε = %g\n\n| table | %s |\n|---|%s\n", epsilon,
			strings.Join(names, " | "), strings.Repeat("--:|", len(names)))
		for _, set := range sets {
			f := by[epsilon][set]
			fmt.Fprintf(&b, "| %s |", strings.TrimPrefix(set, "more/"))
			for _, name := range names {
				s := f.sample(name, scoreOf)
				if len(s) == 0 {
					b.WriteString(" – |")
					continue
				}
				fmt.Fprintf(&b, " %.1f ± %.1f |", s.mean(), s.error())
				share, area := f.shares(name)
				lines = append(lines, []string{
					set, name, digits(epsilon), strconv.Itoa(len(s)), digits(s.mean()),
					digits(s.error()), digits(f.sample(name, aucOf).mean()), digits(share),
					digits(area),
				})
			}
			b.WriteString("\n")
		}
		b.WriteString(summary(by[epsilon], sets, names))
	}
	if err := os.WriteFile(filepath.Join(folder, "report.md"), []byte(b.String()), 0o644); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(folder, "table.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	return csv.NewWriter(file).WriteAll(lines)
}

// summary compares the methods on all sets that have them: the mean share of the way, and
// the differences to the default and to the better known oracle.
func summary(by map[string]figures, sets, names []string) string {
	var b strings.Builder
	b.WriteString("\n| method | share of the way | AUC’s | less the default, points | worst set" +
		" | less the oracle of 45 descents | worst set | within an error" +
		" | less that picked on other splits | worst set |\n" +
		"|---|--:|--:|--:|---|--:|---|--:|--:|---|\n")
	for _, name := range names {
		if name == majority || name == plainly {
			continue
		}
		var share, area sample
		for _, set := range sets {
			f := by[set]
			if s, a := f.shares(name); len(f[name]) > 0 {
				share, area = share.with(s), area.with(a)
			}
		}
		of := differences(by, sets, name, methods.Default)
		best := differences(by, sets, name, oracle+descents)
		other := differences(by, sets, name, oracle+descents+apart)
		fmt.Fprintf(&b, "| %s | %.1f (%d) | %.1f (%d) | %s | %s | %s | %s | %.0f %% | %s | %s |\n",
			name, share.mean(), len(share), area.mean(), len(area), of.mean, of.worst, best.mean,
			best.worst, 100*best.within, other.mean, other.worst)
	}
	return b.String()
}

// compared is how a method differs from another over sets.
type compared struct {
	mean, worst string
	within      float64 // share of sets where it is not behind by more than the standard error
}

func differences(by map[string]figures, sets []string, name, than string) compared {
	var means sample
	variance, worst, where, within := 0.0, math.Inf(1), "–", 0.0
	for _, set := range sets {
		d := by[set].less(name, than)
		if len(d) == 0 {
			continue
		}
		mean, e := d.mean(), d.error()
		if means = append(means, mean); !math.IsNaN(e) {
			variance += e * e
		}
		if mean < worst {
			worst = mean
			where = fmt.Sprintf("%s %+.1f", strings.TrimPrefix(set, "more/"), mean)
		}
		if mean >= 0 || mean >= -e {
			within++
		}
	}
	n := float64(len(means))
	return compared{
		mean: fmt.Sprintf(
			"%+.1f ± %.1f (%d)", means.mean(), math.Sqrt(variance)/n, len(means),
		),
		worst: where, within: within / n,
	}
}

func scoreOf(r result) float64 { return r.score }
func aucOf(r result) float64   { return r.auc }

// sample is a figure by split.
func (f figures) sample(name string, of func(result) float64) sample {
	var out sample
	for _, r := range f[name] {
		out = append(out, of(r))
	}
	return out
}

// less is the difference of two methods on the splits that both have.
func (f figures) less(name, than string) sample {
	var out sample
	for split, r := range f[name] {
		if other, ok := f[than][split]; ok {
			out = append(out, r.score-other.score)
		}
	}
	return out
}

// shares are how much of the way from knowing nothing to the model without privacy the
// method goes, in %, by score and by AUC; NaN where that way is short.
func (f figures) shares(name string) (score, auc float64) {
	of := func(from float64, figure func(result) float64) float64 {
		way := f.sample(plainly, figure).mean() - from
		if !(way >= leastWay) {
			return math.NaN()
		}
		return 100 * (f.sample(name, figure).mean() - from) / way
	}
	return of(f.sample(majority, scoreOf).mean(), scoreOf), of(50, aucOf)
}

// sorted are the sets and ε that there are, and the results by both. What spends nothing
// stands at every ε.
func sorted(results []result) (
	sets []string, epsilons []float64, by map[float64]map[string]figures,
) {
	by = map[float64]map[string]figures{}
	for _, r := range results {
		if !slices.Contains(sets, r.set) {
			sets = append(sets, r.set)
		}
		if r.epsilon > 0 && by[r.epsilon] == nil {
			epsilons, by[r.epsilon] = append(epsilons, r.epsilon), map[string]figures{}
		}
	}
	slices.Sort(sets)
	slices.Sort(epsilons)
	for _, r := range results {
		for _, epsilon := range epsilons {
			if r.epsilon != 0 && r.epsilon != epsilon {
				continue
			}
			at := by[epsilon]
			if at[r.set] == nil {
				at[r.set] = figures{}
			}
			if at[r.set][r.method] == nil {
				at[r.set][r.method] = map[int]result{}
			}
			at[r.set][r.method][r.split] = r
		}
	}
	return sets, epsilons, by
}

// sample is a list of figures.
type sample []float64

// with adds a figure that is a number.
func (s sample) with(x float64) sample {
	if math.IsNaN(x) {
		return s
	}
	return append(s, x)
}

func (s sample) mean() float64 {
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}

// error is the standard error of the mean; NaN of less than two.
func (s sample) error() float64 {
	sum, mean := 0.0, s.mean()
	for _, x := range s {
		sum += (x - mean) * (x - mean)
	}
	n := float64(len(s))
	return math.Sqrt(sum / (n - 1) / n)
}

func digits(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
