package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/passes"
	"cloister/core/random"
)

// run fits and writes the release.
func run(
	ctx context.Context, args arguments, source random.Source, out, told io.Writer,
) error {
	if args.quiet {
		told = io.Discard
	}
	asked, fit, err := args.line.Choose()
	if err != nil {
		return err
	}
	file, err := os.Open(args.line.Data)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size >= data.Large {
		return inPasses(ctx, file, size, args, asked, fit, source, out, told)
	}
	if args.line.Journal != "" || args.rows != "" {
		fmt.Fprintln(
			told, "a file below 16 MiB is fitted at once, and needs no journal and no rows: none is kept",
		)
	}
	return inMemory(ctx, file, args, asked, fit, source, out, told)
}

func inMemory(
	ctx context.Context, file io.Reader, args arguments, asked learn.Asked, fit learn.Chosen,
	source random.Source, out, told io.Writer,
) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	options, err := args.line.Reading()
	if err != nil {
		return err
	}
	options.Size = int64(len(text))
	dataset, err := data.Read(bytes.NewReader(text), asked.Schema, options)
	if err != nil {
		return err
	}
	problem := learn.Problem{Data: dataset, Loss: asked.Loss}
	if fit.Check != nil {
		if err := fit.Check(problem); err != nil {
			return err
		}
	}
	copy := func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	}
	charge, err := args.line.Charge(ctx, copy, asked, fit, "", told)
	if err != nil {
		return err
	}
	model, _, err := fit.Fit(ctx, problem, source, learn.Watch{})
	if err != nil {
		return charge.Failed(ctx, false, err)
	}
	return args.line.Publish(asked, fit, model, charge, out)
}

func inPasses(
	ctx context.Context, file io.ReaderAt, size int64, args arguments, asked learn.Asked,
	fit learn.Chosen, source random.Source, out, told io.Writer,
) error {
	reading, err := args.line.Reading()
	if err != nil {
		return err
	}
	rows, err := pieceRows(args.memory, args.workers, asked.Schema.Dimension())
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(args.memory)
	counted := &progress{file: file, size: size, told: told}
	taker := passes.Local(args.workers, rows)
	if args.rows != "" {
		taker = timed(taker, told)
	}
	return args.line.InPasses(ctx, counted, size, asked, fit, source, passes.Options{
		Reading: reading, Workers: args.workers, Taker: taker, Rows: args.rows,
	}, out, told)
}

// pieceRows is how many rows each worker may hold: half of the memory is for pieces, each of which
// takes three times what its rows take dense; sums, of which there are two a block and one a
// worker, have the rest, but for what Go itself needs.
func pieceRows(memory int64, workers, dimension int) (int, error) {
	d := int64(dimension)
	sums := (2*data.Blocks + int64(workers)) * 8 * d * (d + 3) / 2
	pieces := memory/2 - 1<<25
	rows := pieces / (int64(workers) * 3 * 8 * (d + 1))
	if rows < leastPiece || sums > memory/2 {
		need := 2 * max(sums, leastPiece*int64(workers)*3*8*(d+1)+1<<25)
		return 0, fmt.Errorf(
			"fit: %d columns and %d workers need about %d MiB of memory: see -memory and -workers",
			dimension, workers, need>>20,
		)
	}
	return int(min(rows, mostPiece)), nil
}

const (
	leastPiece = 8 * 1024 // what steps on one row in 64 take at a time
	mostPiece  = 1 << 16
)
