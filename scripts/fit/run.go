package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/learn/passes"
	"cloister/core/privacy"
	"cloister/core/random"
)

// asked is the fit that the command line asks for.
type asked struct {
	epsilon, delta                       float64
	adjacency, method, loss, norm, bound string
	records, width, lambda, radius, clip float64
}

// run fits and writes the release.
func run(
	ctx context.Context, args arguments, source random.Source, out, told io.Writer,
) error {
	if args.quiet {
		told = io.Discard
	}
	text, err := os.ReadFile(args.schema)
	if err != nil {
		return err
	}
	schema, err := data.ParseSchema(text)
	if err != nil {
		return err
	}
	question, err := args.asked.of(schema)
	if err != nil {
		return err
	}
	fit, err := methods.Choose(args.asked.method, question)
	if err != nil {
		return err
	}
	file, err := os.Open(args.data)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}

	var model learn.Model
	if size := info.Size(); size < data.Large {
		model, err = inMemory(ctx, file, size, args, question, fit, source)
	} else {
		model, err = inPasses(ctx, file, size, args, question, fit, source, told)
	}
	if err != nil {
		return err
	}
	release, err := learn.NewRelease(fit.Event, question.Guarantee, fit.Bound, model)
	if err != nil {
		return err
	}
	published, err := json.MarshalIndent(release, "", "  ")
	if err != nil {
		return err
	}
	published = append(published, '\n')
	if args.output == "" {
		_, err = out.Write(published)
	} else {
		err = os.WriteFile(args.output, published, 0o644)
	}
	if err != nil {
		return err
	}
	if args.journal != "" {
		return removed(args.journal)
	}
	return nil
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// of is the question to package methods.
func (a asked) of(schema *data.Schema) (learn.Asked, error) {
	question := learn.Asked{Schema: schema, Records: a.records, Loss: learn.DefaultLoss(&schema.Label)}
	if a.norm != "" {
		schema.Rows.Norm = data.Norm(a.norm)
		if err := schema.Validate(); err != nil {
			return question, err
		}
	}
	if a.loss != "" {
		width := learn.DefaultHuberWidth
		if a.width != 0 {
			width = a.width
		}
		var err error
		if question.Loss, err = learn.ParseLoss(a.loss, width); err != nil {
			return question, err
		}
	}
	adjacency, err := privacy.ParseAdjacency(a.adjacency)
	if err != nil {
		return question, err
	}
	question.Guarantee = privacy.Guarantee{
		Adjacency: adjacency, Epsilon: a.epsilon, Delta: a.delta,
	}
	question.Tuning = learn.Tuning{
		Bound: objective.Bound(a.bound), Clip: a.clip, Lambda: a.lambda, Radius: a.radius,
	}
	return question, question.Guarantee.Validate()
}

func inMemory(
	ctx context.Context, file io.Reader, size int64, args arguments, question learn.Asked,
	fit learn.Chosen, source random.Source,
) (learn.Model, error) {
	options := args.reading
	options.Size = size
	dataset, err := data.Read(file, question.Schema, options)
	if err != nil {
		return learn.Model{}, err
	}
	problem := learn.Problem{Data: dataset, Loss: question.Loss}
	if fit.Check != nil {
		if err := fit.Check(problem); err != nil {
			return learn.Model{}, err
		}
	}
	model, _, err := fit.Fit(ctx, problem, source, learn.Watch{})
	return model, err
}

func inPasses(
	ctx context.Context, file io.ReaderAt, size int64, args arguments, question learn.Asked,
	fit learn.Chosen, source random.Source, told io.Writer,
) (learn.Model, error) {
	rows, err := pieceRows(args.memory, args.workers, question.Schema.Dimension())
	if err != nil {
		return learn.Model{}, err
	}
	debug.SetMemoryLimit(args.memory)
	counted := &progress{file: file, size: size, told: told}
	return passes.Fit(ctx, counted, size, question, fit, source, passes.Options{
		Reading: args.reading, Taker: passes.Local(args.workers, rows), Journal: args.journal,
	})
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
