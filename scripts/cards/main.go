// Cards runs Figure 1 of Neel, Roth, Vietri & Wu 2019 again, accuracy over ε and run times on
// balanced Adult, with this library's own ways beside the paper's.
//
//	go run ./scripts/cards           # 15 runs a point, as in the paper: half an hour
//	go run ./scripts/cards -quick    # 3 runs a point
//
// It writes cards.md, a CSV file and a plot a figure into build/reproduce, or -out. The training
// part of Adult is looked for in ../shared/data, or where CLOISTER_DATA or -data says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cloister/core/lab/cards"
	"cloister/scripts/figures"
)

func main() { figures.Run("cards", run) }

func run(ctx context.Context, args []string, say io.Writer) error {
	flags, folder, out := figures.Flags("cards", say)
	quick := flags.Bool("quick", false, "3 runs a point in place of 15")
	if err := flags.Parse(args); err != nil {
		return err
	}
	file, err := os.Open(filepath.Join(*folder, "adult.train.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(say, "Figure 1 of scorecards is left out:", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	table, err := cards.Adult(file)
	if err != nil {
		return err
	}
	splits := 15
	if *quick {
		splits = 3
	}
	report, err := figures.New(*out, "cards.md", "Scorecards on balanced Adult")
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error {
			epsilons := []float64{0.01, 0.03, 0.1, 0.3, 1, 3}
			return figure1(ctx, report, table, epsilons, splits, say)
		},
		func() error { return small(ctx, report, table, splits, say) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := report.Write(); err != nil {
		return err
	}
	fmt.Fprintln(say, filepath.Join(*out, "cards.md"), "is written.")
	return nil
}
