// Ledger shows what fits of large files have spent, and takes it to other machines and back.
//
//	go run ./scripts/ledger -ledger FOLDER show            the accounts, and what each has left
//	go run ./scripts/ledger -ledger FOLDER release CHARGE  the release made for a charge, again
//	go run ./scripts/ledger -ledger FOLDER export          all accounts as a file, on standard output
//	go run ./scripts/ledger -ledger FOLDER import FILE     takes such a file in
//
// The folder is that of -ledger of go run ./scripts/fit. The file is that of the studio too, which
// saves one and takes one in: so a budget that is spent in both places is one budget, if the files
// are taken in before anything more is spent.
//
// Exit code: 0 done, 1 refused, 2 the command line is wrong.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"cloister/core/ledger"
	"cloister/core/ledger/folder"
	"cloister/core/privacy"
	"cloister/scripts/fitline"
)

var errUsage = errors.New(
	"ledger: say -ledger FOLDER, and show, release CHARGE, export or import FILE (-help)",
)

func main() {
	switch err := run(context.Background(), os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, line []string, out io.Writer) error {
	flags := flag.NewFlagSet("ledger", flag.ContinueOnError)
	path := flags.String("ledger", "", "the folder of the ledger")
	smaller := flags.Bool(
		"smaller", false, "import: of two budgets for the same people, the smaller one holds",
	)
	if err := flags.Parse(line); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	words := map[string]int{"show": 1, "export": 1, "release": 2, "import": 2}
	if *path == "" || flags.NArg() == 0 || flags.NArg() != words[flags.Arg(0)] {
		return errUsage
	}
	book := ledger.New(folder.New(*path), nil)
	switch what := flags.Arg(1); flags.Arg(0) {
	case "release":
		release, _, err := book.Kept(ctx, what)
		if err != nil {
			return err
		}
		text, err := json.MarshalIndent(release, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s\n", text)
		return err
	case "export":
		file, err := book.Export(ctx)
		if err != nil {
			return err
		}
		_, err = out.Write(file)
		return err
	case "import":
		file, err := os.ReadFile(what)
		if err != nil {
			return err
		}
		merged, err := book.Import(ctx, file, *smaller)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%d new accounts, %d new charges, %d budgets changed\n",
			merged.Datasets, merged.Added, merged.Budgets)
		return err
	}
	return show(ctx, book, out)
}

// show writes a table of the accounts, and one of the charges of each.
func show(ctx context.Context, book *ledger.Ledger, out io.Writer) error {
	sets, err := book.Datasets(ctx)
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		_, err := fmt.Fprintln(out, "no accounts")
		return err
	}
	for _, set := range sets {
		spent, condition, err := set.Spent()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "account %s  %s\n", fitline.Shown(set.ID), fitline.Shown(set.Name))
		if set.Budget == nil {
			fmt.Fprintln(out, "no budget yet")
		} else {
			fmt.Fprintf(out, "ε = %s of %s is spent, at δ = %s under %s (%s)\n",
				ledger.AtMost(spent), privacy.Number(set.Budget.Epsilon),
				privacy.Number(set.Budget.Delta), set.Budget.Adjacency, condition)
		}
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, charge := range set.Charges {
			kept := ""
			if charge.Kept() {
				kept = "release kept"
			}
			fmt.Fprintf(table, "  charge %s\t%s\t%s\t%s\n",
				fitline.Shown(charge.ID), fitline.Shown(charge.Purpose), charge.State, kept)
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}
