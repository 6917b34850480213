// Thesis runs figures 3.1, 3.2 and B.1 of Rachel Redberg's thesis again, and writes them beside
// what independent code measured.
//
//	go run ./scripts/thesis    # a minute
//
// It writes thesis.md, a CSV file and a plot a figure into build/reproduce, or -out. The published
// tables are looked for in ../shared/data, or where CLOISTER_DATA or -data says; those that are
// absent are left out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cloister/core/lab/thesis"
	"cloister/scripts/figures"
)

func main() { figures.Run("thesis", run) }

func run(ctx context.Context, args []string, say io.Writer) error {
	flags, folder, out := figures.Flags("thesis", say)
	if err := flags.Parse(args); err != nil {
		return err
	}
	report, err := figures.New(*out, "thesis.md", "The thesis’ figures, run again")
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return regression(ctx, report, *folder, say) },
		func() error { return teachers(ctx, report, say) },
		func() error { return votes(report, say) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := report.Write(); err != nil {
		return err
	}
	fmt.Fprintln(say, filepath.Join(*out, "thesis.md"), "is written.")
	return nil
}

// tables are those of figure 3.1 that are there.
func tables(folder string, say io.Writer) ([]thesis.Table, error) {
	list := []thesis.Table{
		thesis.MadeUp("made up, 5,000 × 10", 5000, thesis.Even(10)),
		thesis.MadeUp("made up, 20,000 × 20, uneven", 20000, thesis.Uneven(20)),
	}
	for _, published := range []struct {
		files []string
		read  func(...io.Reader) (thesis.Table, error)
	}{
		{[]string{"adult.train.csv", "adult.test.csv"}, thesis.Adult},
		{[]string{"breast_cancer.csv"}, func(files ...io.Reader) (thesis.Table, error) {
			return thesis.Tumours(files[0])
		}},
	} {
		var files []io.Reader
		for _, name := range published.files {
			file, err := os.Open(filepath.Join(folder, name))
			if errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintf(say, "%s is left out: %v\n", name, err)
				break
			}
			if err != nil {
				return nil, err
			}
			defer file.Close()
			files = append(files, file)
		}
		if len(files) < len(published.files) {
			continue
		}
		table, err := published.read(files...)
		if err != nil {
			return nil, err
		}
		list = append(list, table)
	}
	return list, nil
}
