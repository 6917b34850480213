// Reproduce reruns the papers' comparisons: every method of the laboratory on every data set, at
// several ε, with several trials each. It writes the results beside the papers' numbers.
//
//	go run ./scripts/reproduce            # everything: hours
//	go run ./scripts/reproduce -quick     # minutes
//	go run ./scripts/reproduce -sets adult,iris -methods amp,plain -trials 3
//	go run ./scripts/reproduce -report    # write the report anew from what is there
//
// It writes into build/reproduce (or -out): results.csv, a line a run; and, from
// it, summary.csv, report.md and a plot a data set. Interrupted and started
// again, it goes on where it was: results.csv is only ever appended to, and a
// line counts as long as its data set and method are the ones it was made with.
//
// The published data sets are looked for in ../shared/data, or where
// CLOISTER_DATA or -data says; those that are absent are left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"cloister/core/lab"
	"cloister/scripts/resume"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := reproduce(ctx, os.Args[1:], os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(
			os.Stderr, "Interrupted. What was done is kept: the same command goes on from here.",
		)
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "reproduce:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	plan    lab.Plan
	paths   int // repetitions of the paths
	data    string
	out     string
	workers int
	only    bool   // write the report, run nothing
	page    string // file that the documentation's page is drawn from; none if empty
}

func reproduce(ctx context.Context, args []string, say io.Writer) error {
	o, err := parse(args, say)
	if err != nil {
		return err
	}
	laboratory := lab.New(
		func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(o.data, name)) },
	)
	if o.plan.Sets, err = present(laboratory, o.plan.Sets, say); err != nil {
		return err
	}
	cells, err := o.plan.Cells()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	probes, err := probe(ctx, o.plan.Methods, lab.Probe, o.workers)
	if err != nil {
		return err
	}
	store, err := openStore(filepath.Join(o.out, "results.csv"), probes)
	if err != nil {
		return err
	}
	defer store.Close()
	if store.Stale > 0 {
		fmt.Fprintf(
			say, "%d results are of earlier versions of a data set or a method and are not used.\n",
			store.Stale,
		)
	}
	paths := pathPlan(shared(o.plan.Sets), o.paths, o.plan.Seed)
	var pathProbes map[string]string
	if len(paths) > 0 {
		if pathProbes, err = probe(ctx, lab.PathSchedules(), lab.PathProbe, o.workers); err != nil {
			return err
		}
	}
	pathStore, err := openPaths(filepath.Join(o.out, "paths.csv"), pathProbes)
	if err != nil {
		return err
	}
	defer pathStore.Close()
	if pathStore.Stale > 0 {
		fmt.Fprintf(
			say, "%d paths are of earlier versions, or not whole, and are not used.\n",
			pathStore.Stale,
		)
	}
	var ran error
	if !o.only {
		if ran = runAll(ctx, laboratory, cells, store, o.workers, newProgress(say)); ran == nil &&
			len(paths) > 0 {
			fmt.Fprintln(say, "Paths of gradient descent:")
			ran = runPaths(ctx, laboratory, paths, pathStore, o.workers, newProgress(say))
		}
	}
	if ran != nil && !errors.Is(ran, context.Canceled) {
		return ran
	}
	found := findings{
		plan:      o.plan,
		results:   store.Of(cells),
		paths:     pathStore.Of(paths),
		least:     leastRisks(laboratory, shared(o.plan.Sets), len(paths) > 0),
		firstStep: laboratory.FirstStep,
	}
	if err := found.redraw(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if err := found.write(o.out, say); err != nil {
		return err
	}
	if o.page != "" {
		if err := found.page(o.page); err != nil {
			return err
		}
	}
	return ran
}

// parse reads the flags; quick ones first, so that others override them.
func parse(args []string, say io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	flags.SetOutput(say)
	quick := flags.Bool(
		"quick", false, "fewer ε, trials, epochs and points of grids: minutes in place of hours",
	)
	sets := flags.String("sets", "", "data sets, comma-separated; all if empty")
	methods := flags.String("methods", "", "methods, comma-separated; all if empty")
	epsilons := flags.String(
		"epsilon", "", "values of ε, comma-separated; those of the paper if empty",
	)
	trials := flags.Int(
		"trials", 0, "trials; 10, or 3 with -quick, and ten times as many on small sets, if 0",
	)
	flags.IntVar(
		&o.paths, "paths", -1,
		"repetitions of the paths of gradient descent; 120, or 9 with -quick, and none if -methods names some, if -1",
	)
	flags.IntVar(&o.plan.Seed, "seed", 0, "another number draws everything anew")
	flags.Float64Var(&o.plan.Delta, "delta", lab.DefaultDelta, "δ")
	flags.StringVar(&o.data, "data", dataFolder(), "folder of the published data sets")
	flags.StringVar(
		&o.out, "out", "",
		"folder to write into; build/reproduce, or build/reproduce-quick, if empty",
	)
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "runs at a time")
	flags.BoolVar(
		&o.only, "report", false, "run nothing; write the report from the results that are there",
	)
	flags.StringVar(
		&o.page, "page", "", "also write this file, which the documentation's page is drawn from",
	)
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not understood: flags begin with -", flags.Arg(0))
	}
	o.plan.Effort, o.plan.Epsilons, o.plan.Trials = lab.Full, lab.Epsilons, lab.DefaultTrials
	o.plan.SmallTrials = 10 * lab.DefaultTrials
	folder, paths := "reproduce", 120
	if *quick {
		o.plan.Effort, o.plan.Epsilons, o.plan.Trials = lab.Quick, []float64{0.1, 1, 8}, 3
		o.plan.SmallTrials = 30
		folder, paths = "reproduce-quick", 9
		if *sets == "" {
			*sets = quickSets()
		}
	}
	if o.out == "" {
		o.out = filepath.Join("build", folder)
	}
	if *trials != 0 {
		o.plan.Trials, o.plan.SmallTrials = *trials, 0
	}
	if o.paths < 0 {
		o.paths = paths
		if *methods != "" {
			o.paths = 0
		}
	}
	if o.workers < 1 {
		return o, fmt.Errorf("-workers is %d: it must be 1 or more", o.workers)
	}
	if *epsilons != "" {
		o.plan.Epsilons = nil
		for _, text := range strings.Split(*epsilons, ",") {
			epsilon, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				return o, fmt.Errorf("-epsilon: %q is no number", text)
			}
			o.plan.Epsilons = append(o.plan.Epsilons, epsilon)
		}
	}
	var err error
	if o.plan.Sets, err = names(
		*sets, lab.Sets(), func(s lab.Set) string { return s.Name },
		func(n string) error { _, err := lab.FindSet(n); return err },
	); err != nil {
		return o, err
	}
	o.plan.Methods, err = names(
		*methods, lab.Methods(), func(m lab.Method) string { return m.Name },
		func(n string) error { _, err := lab.FindMethod(n); return err },
	)
	return o, err
}

// quickSets are all but the one with thousands of columns, whose fits take long.
func quickSets() string {
	var out []string
	for _, s := range lab.Sets() {
		if s.Name != "synthetic-h" {
			out = append(out, s.Name)
		}
	}
	return strings.Join(out, ",")
}

// names splits a list of names, each of which must exist; all of them if it is
// empty.
func names[T any](
	list string, all []T, name func(T) string, find func(string) error,
) ([]string, error) {
	var out []string
	if list == "" {
		for _, item := range all {
			out = append(out, name(item))
		}
		return out, nil
	}
	for _, item := range strings.Split(list, ",") {
		item = strings.TrimSpace(item)
		if err := find(item); err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}

func dataFolder() string {
	if folder := os.Getenv("CLOISTER_DATA"); folder != "" {
		return folder
	}
	return filepath.Join("..", "shared", "data")
}

// probe asks every method, or schedule, for its probe.
func probe(
	ctx context.Context, names []string, of func(context.Context, string) (string, error),
	workers int,
) (map[string]string, error) {
	out, mu := map[string]string{}, sync.Mutex{}
	return out, resume.Each(ctx, names, workers, func(ctx context.Context, name string) error {
		text, err := of(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		mu.Lock()
		defer mu.Unlock()
		out[name] = text
		return nil
	})
}

// shared are the sets that have paths too.
func shared(sets []string) []string {
	var out []string
	for _, set := range lab.PathSets() {
		if slices.Contains(sets, set) {
			out = append(out, set)
		}
	}
	return out
}

// leastRisks is F* of each set for λ = 0.1, where paths are reported.
func leastRisks(laboratory *lab.Lab, sets []string, wanted bool) map[string]float64 {
	out := map[string]float64{}
	for _, set := range sets {
		if !wanted {
			continue
		}
		if least, err := laboratory.LeastRisk(context.Background(), set, tableLambda); err == nil {
			out[set] = least
		}
	}
	return out
}

// otherDraws is how many other draws of a made-up set are looked at.
const otherDraws = 8

// redraw finds out how much another draw of a made-up set moves the figures that
// are compared with published ones.
func (f *findings) redraw(ctx context.Context) error {
	f.redrawn, f.redrawnLeast = map[string]draws{}, map[string]draws{}
	const accuracies, risks = "synthetic-l", "synthetic-2d"
	if len(f.results) > 0 && slices.Contains(f.plan.Sets, accuracies) {
		values, err := lab.RedrawnAccuracies(ctx, accuracies, otherDraws)
		if err != nil {
			return err
		}
		f.redrawn[accuracies] = draws{values}
	}
	if len(f.paths) > 0 && slices.Contains(f.plan.Sets, risks) {
		values, err := lab.RedrawnLeastRisks(ctx, risks, tableLambda, otherDraws)
		if err != nil {
			return err
		}
		f.redrawnLeast[risks] = draws{values}
	}
	return nil
}

// present leaves out the sets whose files are not there, and says so.
func present(laboratory *lab.Lab, sets []string, say io.Writer) ([]string, error) {
	var out []string
	for _, name := range sets {
		err := laboratory.Check(name)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(say, "%s is left out: %v\n", name, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, nil
}
