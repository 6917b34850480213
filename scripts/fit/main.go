// Fit fits a private linear model to a CSV file that may be larger than memory, and prints the
// release. It is `cloister fit` without a browser's limits: use it for files beyond 512 MiB.
//
//	go run ./scripts/fit -data patients.csv -schema schema.json -epsilon 1 -delta 1e-5 > release.json
//	go run ./scripts/fit -data big.csv -schema schema.json -epsilon 1 -delta 1e-5 \
//		-memory 1GiB -journal fit.journal -output release.json
//
// A file of 16 MiB or more is read anew for each sum that the fit needs, some twenty to thirty
// times, by several workers, and never held. Memory is bounded by -memory. Given the same noise,
// the release is that of a fit in memory, to the last bit.
//
// With -journal a fit that is killed goes on, when it is started again with the same arguments,
// from the last pass that was whole. The journal holds the noise and exact sums over the records:
// it is as secret as the file, only its owner may read it, and it is removed once the release is
// written. A fit that goes on has the noise that it had, so it is one release, to be charged once.
//
// With -rows folder the table is parsed twice, and later passes read rows that the folder keeps,
// which takes less time. They are the records: as secret as the file, only their owner may
// read them, and they are removed once the release is written.
//
// With -ledger it is charged, before any noise is drawn, to the budget of the people in the table,
// and refused where that does not afford it. Without, note what it costs.
//
// Standard output has the release, which may be published. Standard error has what is for the
// holder of the file alone. Exit code: 0 done, 1 refused, 2 the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"

	"cloister/core/random"
	"cloister/scripts/fitline"
)

// arguments is what the command line says.
type arguments struct {
	line    fitline.Line
	memory  int64
	workers int
	rows    string // folder that keeps rows; "": none are kept
	quiet   bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	args, err := parse(os.Args[1:], os.Stderr)
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(2)
	}
	if err := run(ctx, args, random.Secure(), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// parse reads a command line; the flag package tells of what is wrong with it too.
func parse(line []string, told io.Writer) (arguments, error) {
	var a arguments
	flags := flag.NewFlagSet("fit", flag.ContinueOnError)
	flags.SetOutput(told)
	a.line.Register(flags)
	memory := flags.String("memory", "1GiB", "how much memory to use, about")
	flags.IntVar(&a.workers, "workers", runtime.GOMAXPROCS(0), "blocks read at once")
	flags.StringVar(&a.rows, "rows", "", "folder that keeps the rows, parsed, during the fit; secret")
	flags.BoolVar(&a.quiet, "quiet", false, "nothing on standard error but errors")
	if err := flags.Parse(line); err != nil {
		return a, err
	}
	if err := a.line.Check(flags.Args()); err != nil {
		return a, err
	}
	if a.workers < 1 {
		return a, errors.New("fit: -workers is 1 or more")
	}
	var err error
	a.memory, err = bytesOf(*memory)
	return a, err
}

// bytesOf reads a size such as 512MiB, 2GiB or 1000000000.
func bytesOf(text string) (int64, error) {
	unit := int64(1)
	digits := text
	for name, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if before, ok := strings.CutSuffix(text, name); ok {
			digits, unit = before, bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > (1<<62)/unit {
		return 0, fmt.Errorf("fit: -memory is %q: it must be a size such as 512MiB or 2GiB", text)
	}
	return n * unit, nil
}
