// Benchmark measures what private fits predict on real tables: the default where the number
// of records is public, and the methods, beside the most frequent class (or the mean), a
// linear model without privacy, and two oracles: the best on the test part of 45 descents.
//
//	go run ./scripts/benchmark            # everything: hours
//	go run ./scripts/benchmark -quick     # minutes
//	go run ./scripts/benchmark -data more/wine,breast_cancer -methods amp,steps -epsilon 1
//	go run ./scripts/benchmark -report    # write the tables anew from what is there
//	go run ./scripts/benchmark -page site/docs/benchmark.csv # what the documentation draws
//	go run ./scripts/benchmark -forecast 12 # how well fits that are there were foreseen
//
// It writes into build/benchmark (or -out): results.csv, a line a fit; and from it
// report.md and table.csv. Interrupted and started again, it goes on where it was. It does
// not know that the code has changed since: begin anew with another -out.
//
// Splits are 80/20, seeded 1, 2, … (or -first, …); the noise is the mechanism's own. δ = 1e-5,
// add/remove. Methods that need the number of records are told that of the training part,
// to one digit. The tables are looked for in ../shared/data, or $CLOISTER_DATA.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"cloister/core/data"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/scripts/resume"
	"cloister/scripts/tables"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := benchmark(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "Interrupted: the same command goes on from here.")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

func benchmark(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("benchmark", flag.ContinueOnError)
	names := flags.String("data", "", "tables, comma-separated; all if empty")
	chosen := flags.String(
		"methods", "",
		"methods by name, \"default\", oracles \"gd\", \"sgd\"; if empty all but the slow",
	)
	epsilons := flags.String("epsilon", "0.1,0.25,0.5,1,2,4,8", "values of ε")
	first := flags.Int("first", 1, "seed of the first split")
	splits := flags.Int("splits", 30, "splits of a table below 6,000 rows")
	large := flags.Int("large", 5, "splits of the others")
	quick := flags.Bool("quick", false, "ε = 0.25, 1, 4; 4 splits, 1 of the large; oracles of 9")
	report := flags.Bool("report", false, "write the tables from what is there, and fit nothing")
	out := flags.String("out", filepath.Join("build", "benchmark"), "folder of the results")
	page := flags.String("page", "", "fit nothing, and write what the documentation draws here")
	forecast := flags.Int("forecast", 0, "fit nothing, and write what so many trials foresee")
	workers := flags.Int("workers", runtime.NumCPU(), "fits at a time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *quick {
		*epsilons, *splits, *large = "0.25,1,4", 4, 1
	}
	budgets, err := numbers(*epsilons)
	if err != nil {
		return err
	}
	sets := tables.Names()
	if *names != "" {
		sets = strings.Split(*names, ",")
	}
	if len(sets) == 0 {
		return fmt.Errorf("there are no tables in %s: CLOISTER_DATA says where they are", tables.Folder())
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	results, err := openStore(filepath.Join(*out, "results.csv"))
	if err != nil {
		return err
	}
	defer results.log.Close()
	if *forecast > 0 {
		return forecasts(ctx, *out, sets, budgets, *forecast, results)
	}
	if *page != "" {
		asked := slices.DeleteFunc(slices.Clone(results.all()), func(r result) bool {
			return r.epsilon != 0 && !slices.Contains(budgets, r.epsilon)
		})
		return drawn(*page, withOracles(asked))
	}
	if !*report {
		for _, name := range sets {
			t, err := load(name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			n := *splits
			if t.all.X.Rows() >= 6000 {
				n = *large
			}
			todo := cells(t, ways(t.all.Schema, *chosen, *quick), budgets, *first, n, results)
			fmt.Fprintf(os.Stderr, "%s: %d fits to do\n", name, len(todo))
			err = resume.Each(ctx, todo, *workers, func(ctx context.Context, c cell) error {
				r, err := t.run(ctx, c)
				if err != nil {
					return fmt.Errorf("%s by %s, ε = %g: %w", c.set, c.method, c.epsilon, err)
				}
				return results.add(r)
			})
			if err != nil {
				return err
			}
		}
	}
	return write(*out, withOracles(results.all()))
}

// ways are the methods for the table's label: those chosen, or all but the slow; the points
// of the oracles' grids; and the two that spend nothing.
func ways(schema *data.Schema, chosen string, quick bool) []string {
	out := []string{majority, plainly}
	if chosen == "" || slices.Contains(strings.Split(chosen, ","), usual) {
		out = append(out, usual)
	}
	for _, family := range []string{descents, samples} {
		if chosen != "" && !slices.Contains(strings.Split(chosen, ","), family) {
			continue
		}
		for _, p := range grid(family, schema.Label.Type, quick) {
			out = append(out, p.name())
		}
	}
	for _, m := range methods.For(schema.Label.Type) {
		named := slices.Contains(strings.Split(chosen, ","), m.Name)
		private := methods.CheckAdjacency(m, privacy.AddRemove) == nil
		usually := !methods.WordsOf(m.Name).Slow && m.Name != "amp-paper" && private
		if named || chosen == "" && usually {
			out = append(out, m.Name)
		}
	}
	return out
}

// cells are the fits that are not there yet.
func cells(
	t *table, ways []string, epsilons []float64, first, splits int, have *store,
) []cell {
	var out []cell
	for split := first; split < first+splits; split++ {
		for _, method := range ways {
			at := epsilons
			if method == majority || method == plainly {
				at = []float64{0}
			}
			for _, epsilon := range at {
				c := cell{set: t.name, method: method, epsilon: epsilon, split: split}
				if !have.has(c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

func numbers(text string) ([]float64, error) {
	var out []float64
	for _, part := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
