// Fit fits a private linear model to a CSV file that may be larger than memory, and prints the
// release. It is `cloister fit` without a browser's limits: use it for files beyond 512 MiB.
//
//	go run ./scripts/fit -data patients.csv -schema schema.json -epsilon 1 -delta 1e-5 > release.json
//	go run ./scripts/fit -data big.csv -schema schema.json -epsilon 1 -delta 1e-5 \
//		-memory 1GiB -journal fit.journal -output release.json
//
// A file of 16 MiB or more is read anew for each sum that the fit needs, some ten to thirty times,
// by several workers, and never held. Memory is bounded by -memory. Given the same noise, the
// release is that of a fit in memory, to the last bit.
//
// With -journal a fit that is killed goes on, when it is started again with the same arguments,
// from the last pass that was whole. The journal holds the noise and exact sums over the records:
// it is as secret as the file, only its owner may read it, and it is removed once the release is
// written. A fit that goes on has the noise that it had, so it is one release, to be charged once.
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

	"cloister/core/data"
	"cloister/core/learn/methods"
	"cloister/core/random"
)

// arguments is what the command line says.
type arguments struct {
	data, schema, output, journal string
	memory                        int64
	workers                       int
	quiet                         bool
	reading                       data.ReadOptions
	asked                         asked
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
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

// parse reads a command line; what is wrong with it is told on the writer too.
func parse(line []string, told io.Writer) (arguments, error) {
	var a arguments
	flags := flag.NewFlagSet("fit", flag.ContinueOnError)
	flags.SetOutput(told)
	flags.StringVar(&a.data, "data", "", "the CSV file")
	flags.StringVar(&a.schema, "schema", "", "the public schema, JSON")
	flags.Float64Var(&a.asked.epsilon, "epsilon", 0, "ε, above 0, in nats")
	flags.Float64Var(&a.asked.delta, "delta", 0, "δ, above 0; well below 1/(number of records)")
	flags.StringVar(&a.asked.adjacency, "adjacency", "add-remove", `or "replace-one"`)
	flags.StringVar(&a.asked.method, "method", methods.Default, "one that needs sums alone")
	flags.Float64Var(&a.asked.records, "records", 0, "about how many, as publicly known")
	flags.StringVar(&a.asked.loss, "loss", "", "the loss; left out, the usual one for the label")
	flags.Float64Var(&a.asked.width, "huber-width", 0, "half-width of the Huber loss (1)")
	flags.StringVar(&a.asked.norm, "norm", "", `"unit" or "clip"; overrides the schema's`)
	flags.StringVar(&a.asked.bound, "bound", "", "which proof prices the fit; left out, the sharpest")
	flags.Float64Var(&a.asked.lambda, "lambda", 0, "strength of the regulariser; 0: chosen")
	flags.Float64Var(&a.asked.radius, "radius", 0, "a public guess of the norm; 0: chosen")
	flags.Float64Var(&a.asked.clip, "clip", 0, "threshold of each gradient; 0: chosen")
	header := flags.String("header", "", `"first" or "none": what the first line is; else judged`)
	delimiter := flags.String("delimiter", "", `between fields: a sign, "tab" or "space"; else found`)
	memory := flags.String("memory", "1GiB", "how much memory to use, about")
	flags.IntVar(&a.workers, "workers", runtime.GOMAXPROCS(0), "blocks read at once")
	flags.StringVar(&a.journal, "journal", "", "file from which a killed fit goes on; secret")
	flags.StringVar(&a.output, "output", "", "file for the release; left out, standard output")
	flags.BoolVar(&a.quiet, "quiet", false, "nothing on standard error but errors")
	if err := flags.Parse(line); err != nil {
		return a, err
	}
	if flags.NArg() > 0 {
		return a, fmt.Errorf("fit: what is %q for? One file, by -data", flags.Arg(0))
	}
	for _, needed := range []struct{ name, value string }{{"data", a.data}, {"schema", a.schema}} {
		if needed.value == "" {
			return a, fmt.Errorf("fit: -%s is missing (-help documents it)", needed.name)
		}
	}
	if a.workers < 1 {
		return a, errors.New("fit: -workers is 1 or more")
	}
	a.reading.Header = data.Header(*header)
	switch a.reading.Header {
	case data.HeaderJudged, data.HeaderFirst, data.HeaderNone:
	default:
		return a, fmt.Errorf("fit: -header is %q: it must be first or none", *header)
	}
	switch {
	case *delimiter == "tab":
		a.reading.Delimiter = '\t'
	case *delimiter == "space":
		a.reading.Delimiter = ' '
	case len(*delimiter) == 1:
		a.reading.Delimiter = (*delimiter)[0]
	case *delimiter != "":
		return a, fmt.Errorf("fit: -delimiter is %q: it must be one sign, tab or space", *delimiter)
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
