// Package passes fits to files that are larger than memory: the file is read anew for each sum that
// a fit needs, and never held.
//
// Use it natively, for a file of at least data.Large bytes, and for a learner that needs sums
// alone (learn.Chosen.Sums). Given the same noise, what it releases is what a fit of the file in
// memory releases, to the last bit: the same blocks, the same sums, added in the same order. So
// the event, its price and the proof are those of the learner; nothing here draws noise or
// decides what is released.
//
// Who takes the sums is a parameter: [Local] takes them here, on several processors. Another
// machine that has the file can take them as well, by learn.Pass.Of. It must be trusted as the
// holder of the file is: with the records, which it reads, and with each point at which sums are
// taken, which depends on them and on the noise. And what it answers must be right. Wrong sums
// that are finite make a wrong model, and the guarantee does not hold of it, because the
// certificate is computed from them.
package passes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random"
)

// Taker takes the sums of blocks of a file, and calls keep with the numbers of each as soon as it
// has them, one call at a time. It returns once it has all, or with an error; what was kept then
// need not be taken again.
type Taker func(
	ctx context.Context, file *data.Stream, pass learn.Pass, blocks []int,
	keep func(block int, numbers []float64) error,
) error

// Options of a fit. The zero value is usable.
type Options struct {
	// Reading says how the file is read; its sizes count for nothing.
	Reading data.ReadOptions

	// Workers make the first pass, here; 0 stands for 1. It bears on no result.
	Workers int

	// Taker takes the sums; nil stands for Local(1, 0).
	Taker Taker

	// Pay charges for the fit, once the file was read and before any noise is drawn. It returns
	// a receipt, which the journal keeps. A fit that goes on gives it the receipt as paid, and
	// then it charges nothing; paid is "" otherwise. An error ends the fit. Nil: who calls
	// charges.
	Pay func(file *data.Stream, paid string) (receipt string, err error)

	// Journal is the path of a file from which a fit that was killed goes on, when it is begun
	// again, from the last pass that was whole; "" stands for none. It holds the noise and exact
	// sums over the records: it is as secret as they are, and only its owner may read it. A fit
	// that goes on has the noise that it had, so it is one release, which is charged once.
	Journal string

	// Rows is the path of a folder that keeps the rows as the first sums are taken, so that later
	// ones, and a fit that goes on, read rows and parse nothing; "" stands for none. It holds the
	// records: it is as secret as the file, and only its owner may read it. Once publish has
	// returned without an error it is removed. It bears on no result.
	Rows string
}

// Fit runs a chosen fit on the records of the file, of size bytes, with noise from source, and
// hands the model to publish. Once publish has returned without an error, the journal is removed,
// and so are kept rows.
// The question is what the fit was chosen for.
//
// Errors are those of data.OpenStream, of learn.Chosen.Fit and of publish; data.ErrChanged; those
// of this package; of Options.Pay; the context's; and those of files. Charge by Options.Pay, or
// before calling, and keep the charge whatever comes back.
func Fit(
	ctx context.Context, file io.ReaderAt, size int64, question learn.Asked, fit learn.Chosen,
	source random.Source, options Options, publish func(learn.Model) error,
) error {
	switch {
	case !fit.Sums:
		return ErrNeedsRows
	case size < data.Large:
		return ErrSmall
	}
	if options.Taker == nil {
		options.Taker = Local(1, 0)
	}
	var kept *journal
	if options.Journal != "" {
		binding, err := bindingOf(question, fit, size, options.Reading)
		if err != nil {
			return err
		}
		if kept, err = openJournal(options.Journal, binding); err != nil {
			return err
		}
		defer kept.close()
		source = &recorded{journal: kept, source: source}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stream, err := open(cancellable{ctx, file}, size, question.Schema, options, kept)
	if err != nil {
		return err
	}
	rows, err := keepRows(ctx, stream, options.Rows)
	if err != nil {
		return err
	}
	if rows != nil {
		defer rows.close()
	}
	taking := &taking{ctx: ctx, taker: options.Taker, file: stream.File(), journal: kept}
	stream.Take, stream.Failed = taking.take, cancel
	problem := stream.Problem(question.Loss)
	if fit.Check != nil {
		if err := fit.Check(problem); err != nil {
			return err
		}
	}
	if err := pay(stream.File(), options.Pay, kept); err != nil {
		return err
	}
	model, _, err := fit.Fit(ctx, problem, source, learn.Watch{})
	if taking.failed != nil { // whatever the learner made of it
		return taking.failed
	}
	if err != nil {
		return err
	}
	if err := publish(model); err != nil {
		return err
	}
	if rows != nil {
		err = rows.remove()
	}
	if kept != nil {
		err = errors.Join(err, kept.remove())
	}
	return err
}

// keepRows has the file keep its rows in a folder, unless none is named.
func keepRows(ctx context.Context, stream *learn.Stream, folder string) (*rowFolder, error) {
	if folder == "" {
		return nil, nil
	}
	rows, err := openRows(ctx, folder)
	if err != nil {
		return nil, err
	}
	if err := stream.KeepRows(rows, maker); err != nil {
		rows.close()
		return nil, err
	}
	return rows, nil
}

// pay has the fit paid for, unless nobody is to.
func pay(
	file *data.Stream, charge func(*data.Stream, string) (string, error), kept *journal,
) error {
	paid := ""
	if kept != nil {
		text, _, err := kept.value(receiptEntry, nil)
		if err != nil {
			return err
		}
		paid = string(text)
	}
	if charge == nil {
		if paid != "" {
			return ErrPaid
		}
		return nil
	}
	receipt, err := charge(file, paid)
	if err != nil || kept == nil || receipt == paid {
		return err
	}
	return errors.Join(kept.append(receiptEntry, nil, []byte(receipt)), kept.file.Sync())
}

// cancellable is a file that cannot be read any more once the context has ended.
type cancellable struct {
	ctx  context.Context
	file io.ReaderAt
}

// ReadAt implements io.ReaderAt.
func (c cancellable) ReadAt(text []byte, at int64) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.file.ReadAt(text, at)
}

// open makes the first pass, unless the journal has what it found.
func open(
	file io.ReaderAt, size int64, schema *data.Schema, options Options, kept *journal,
) (*learn.Stream, error) {
	if kept == nil {
		return learn.OpenStream(file, size, schema, options.Reading, options.Workers)
	}
	if index, ok, err := kept.index(); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return learn.ResumeStream(file, schema, index)
	}
	stream, err := learn.OpenStream(file, size, schema, options.Reading, options.Workers)
	if err != nil {
		return nil, err
	}
	return stream, kept.keepIndex(stream.File().Index())
}

// taking takes sums, those that are in the journal from there.
type taking struct {
	ctx     context.Context
	taker   Taker
	file    *data.Stream
	journal *journal // nil: none
	failed  error    // the first
}

// take is learn.Stream's.
func (t *taking) take(pass learn.Pass, blocks []int) ([][]float64, error) {
	out, err := t.sums(pass, blocks)
	if t.failed == nil {
		t.failed = err
	}
	return out, err
}

func (t *taking) sums(pass learn.Pass, blocks []int) ([][]float64, error) {
	if t.ctx.Err() != nil {
		return nil, context.Cause(t.ctx)
	}
	wanted := pass.Next.Numbers(t.file.Schema().Dimension())
	all, keys := map[int][]float64{}, map[int][]byte{}
	var missing []int
	for _, block := range blocks {
		if t.journal != nil {
			key, err := keyOfSum(pass, block)
			if err != nil {
				return nil, err
			}
			keys[block] = key
			numbers, ok, err := t.journal.sums(key)
			if err != nil {
				return nil, err
			}
			if ok {
				all[block] = numbers
				continue
			}
		}
		missing = append(missing, block)
	}
	keep := func(block int, numbers []float64) error {
		if len(numbers) != wanted || !slices.Contains(missing, block) {
			return fmt.Errorf("%w: block %d has %d of %d", errSums, block, len(numbers), wanted)
		}
		all[block] = numbers
		if t.journal == nil {
			return nil
		}
		return t.journal.keepSums(keys[block], numbers)
	}
	if len(missing) > 0 {
		if err := t.taker(t.ctx, t.file, pass, missing, keep); err != nil {
			return nil, err
		}
	}
	out := make([][]float64, len(blocks))
	for i, block := range blocks {
		if out[i] = all[block]; len(out[i]) != wanted {
			return nil, fmt.Errorf("%w: block %d has none", errSums, block)
		}
	}
	return out, nil
}

// Local takes the sums here, of so many blocks at once. About pieceRows rows of each are in memory;
// 0 stands for 8,192. Neither bears on the result.
func Local(workers, pieceRows int) Taker {
	if pieceRows <= 0 {
		pieceRows = defaultPieceRows
	}
	return func(
		ctx context.Context, file *data.Stream, pass learn.Pass, blocks []int,
		keep func(block int, numbers []float64) error,
	) error {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		next := make(chan int, len(blocks))
		for _, block := range blocks {
			next <- block
		}
		close(next)
		var keeping sync.Mutex
		var running sync.WaitGroup
		for range min(max(1, workers), len(blocks)) {
			running.Go(func() {
				for block := range next {
					if ctx.Err() != nil {
						return
					}
					numbers, err := pass.Of(file, block, pieceRows)
					if err == nil {
						keeping.Lock()
						err = keep(block, numbers)
						keeping.Unlock()
					}
					if err != nil {
						cancel(err)
						return
					}
				}
			})
		}
		running.Wait()
		return context.Cause(ctx)
	}
}

const defaultPieceRows = 8192
