// Beam fits a private linear model to a CSV file whose sums an Apache Beam pipeline takes, and
// prints the release. Use it where one machine takes too long to read the file some twenty times
// (go run ./scripts/fit needs no cluster).
//
//	cd scripts/beam
//	go run . -data /shared/big.csv -schema schema.json -epsilon 1 -delta 1e-5 \
//		-folder /shared/sums -journal fit.journal -output release.json
//
// This process, the driver, draws the noise, solves and releases. Each pass over the records is one
// pipeline: its elements are the blocks of the file, each element becomes the sums over that
// block, and the driver adds them in the order of the blocks. So, given the same noise, the release
// is that of a fit in memory, to the last bit, whatever the runner, the number of workers, and
// however often one of them dies. The event, its price and the certificate are those of every
// other fit.
//
// Every worker reads the file by the same path, and writes sums to the folder, which the driver
// reads: both are on storage that all share. The runner is Prism, in this process, unless Beam's
// flags name another.
//
// Whoever operates the cluster must be trusted as the holder of the file is, and with the noise
// too: workers see the records, and the points at which sums are taken, which depend on the noise.
// And their sums must be right: the certificate is computed from them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"cloister/core/learn/passes"
	"cloister/core/random"
	"cloister/scripts/fitline"
)

var (
	asking fitline.Line
	folder = flag.String("folder", "", "folder for sums, on storage that all workers share")
	shares = flag.Int("shares", 0, "how many workers take blocks at once; 0: one a block")
)

func init() { asking.Register(flag.CommandLine) }

func main() {
	flag.Parse()
	beam.Init() // on a worker it does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	if err := asking.Check(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := run(ctx, &asking, random.Secure(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, line *fitline.Line, source random.Source, out io.Writer) error {
	if *folder == "" {
		return errors.New("beam: -folder is missing")
	}
	asked, fit, err := line.Choose()
	if err != nil {
		return err
	}
	reading, err := line.Reading()
	if err != nil {
		return err
	}
	file, err := os.Open(line.Data)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	taker := onBeam{path: line.Data, folder: *folder, shares: *shares}
	options := passes.Options{Reading: reading, Taker: taker.take}
	return line.InPasses(ctx, file, info.Size(), asked, fit, source, options, out, os.Stderr)
}
