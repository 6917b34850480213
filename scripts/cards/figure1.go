package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"cloister/core/lab/cards"
	"cloister/scripts/figures"
)

// drawn are the systems with a line in the plots, which have eight colours. The tables have all.
var drawn = map[string]string{
	"noisy-min":        "report noisy min",
	"centre":           "proximal centre",
	"logistic":         "logistic regression",
	"opdisc-published": "OPDisc as published (false)",
	"opdisc-pure":      "OPDisc, pure ε",
	"rspm-experiment":  "RSPM as run (not private)",
	"rspm-published":   "RSPM as published (false)",
	"rspm-pure":        "RSPM, pure ε",
}

// figure1 is accuracy over ε, and run times.
func figure1(
	ctx context.Context, r *figures.Report, table *cards.Table, epsilons []float64, splits int,
	say io.Writer,
) error {
	n := float64(table.Records())
	c := cards.Comparison{Epsilons: epsilons, Splits: splits, Runs: 1, Delta: 1 / (n * n)}
	fmt.Fprintln(say, "Figure 1: without privacy")
	held, fitted, err := c.WithoutPrivacy(ctx, table)
	if err != nil {
		return err
	}
	r.Section("Figure 1: accuracy over ε", fmt.Sprintf(
		`Share of the held-out records that is right, in %%, the mean of %d runs with its standard
deviation over them; each run draws its negatives and its split anew. Balanced Adult: %.0f records,
four fifths to fit, seven attributes with 23 levels, points −1, 0 and 1. One record added or
removed; δ = 1/n² for those that are not pure. Where a title says that a claim is false or that
there is none, the ε is what the paper prints, for records replaced. The paper's OPDisc has
points up to 4 within a ball, for the same noise; here it has the points of the others. Its
baseline is DP-SGD with settings picked by the test accuracy; ours is what this library does
unless told otherwise. Without privacy the best card gets %.1f %% (%.1f %% of the records that it
was chosen on).`, splits, n, 100*held, 100*fitted))
	rows := [][]string{{
		"system", "epsilon", "accuracy", "deviation", "accuracy_fitted", "median_s", "longest_s",
	}}
	var right, times [][]string
	wrong := figures.Plot{
		Title: "Balanced Adult, 23 levels", X: "ε (smaller is more private)",
		Y: "wrong on held-out records, %", Base: 100 * (1 - held), BaseName: "without privacy",
	}
	clock := figures.Plot{
		Title: "Time of a run", X: "ε (smaller is more private)", Y: "median, s",
	}
	for _, system := range cards.Systems() {
		line, slow := figures.Line{Name: drawn[system.Name]}, figures.Line{Name: drawn[system.Name]}
		accuracy, time := []string{system.Title}, []string{system.Title}
		err := c.Run(ctx, table, system, func(s cards.Score) {
			fmt.Fprintf(say, "Figure 1: %s, ε = %g: %.1f %%\n", system.Name, s.Epsilon, 100*s.Mean())
			median, longest := s.Time()
			accuracy = append(accuracy, fmt.Sprintf("%.1f ± %.1f", 100*s.Mean(), 100*s.Deviation()))
			time = append(time, seconds(median)+" / "+seconds(longest))
			line.Points = append(line.Points, figures.Point{X: s.Epsilon, Y: 100 * (1 - s.Mean())})
			slow.Points = append(slow.Points, figures.Point{X: s.Epsilon, Y: median.Seconds()})
			rows = append(rows, []string{
				system.Name, figures.Number(s.Epsilon), figures.Number(s.Mean()),
				figures.Number(s.Deviation()), figures.Number(s.MeanFitted()),
				figures.Number(median.Seconds()), figures.Number(longest.Seconds()),
			})
		})
		if err != nil {
			return err
		}
		right, times = append(right, accuracy), append(times, time)
		if line.Name != "" {
			wrong.Lines, clock.Lines = append(wrong.Lines, line), append(clock.Lines, slow)
		}
	}
	header := []string{"ε"}
	for _, e := range epsilons {
		header = append(header, figures.Number(e))
	}
	r.Table(header, right)
	r.Plot("figure-1-accuracy.svg", wrong)
	r.Section("Figure 1: run times", `Seconds for a run, median / longest. They are of this machine
and of what else it did. For those that search, the time depends on the noise; the search is exact
in all of them. Regression includes the choice of its noise once for each ε.`)
	r.Table(header, times)
	r.Plot("figure-1-times.svg", clock)
	return r.CSV("figure-1.csv", rows)
}

// small is 500 records to fit.
func small(
	ctx context.Context, r *figures.Report, table *cards.Table, splits int, say io.Writer,
) error {
	const most = 500
	c := cards.Comparison{
		Epsilons: []float64{0.3, 1}, Splits: 10 * splits / 3, Runs: 1, Most: most,
		Delta: 1. / (most * most),
	}
	r.Section("Small data", fmt.Sprintf(
		"As above, with %d records to fit, the mean of %d splits.", most, c.Splits))
	rows := [][]string{{"system", "epsilon", "accuracy", "deviation"}}
	var right [][]string
	for _, system := range cards.Systems() {
		if system.Name != "noisy-min" && system.Name != "logistic" {
			continue
		}
		row := []string{system.Title}
		err := c.Run(ctx, table, system, func(s cards.Score) {
			fmt.Fprintf(say, "Small data: %s, ε = %g: %.1f %%\n", system.Name, s.Epsilon, 100*s.Mean())
			row = append(row, fmt.Sprintf("%.1f ± %.1f", 100*s.Mean(), 100*s.Deviation()))
			rows = append(rows, []string{
				system.Name, figures.Number(s.Epsilon), figures.Number(s.Mean()),
				figures.Number(s.Deviation()),
			})
		})
		if err != nil {
			return err
		}
		right = append(right, row)
	}
	r.Table([]string{"ε", "0.3", "1"}, right)
	return r.CSV("small-data.csv", rows)
}

func seconds(t time.Duration) string { return fmt.Sprintf("%.2g", t.Seconds()) }
