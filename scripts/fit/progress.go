package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/passes"
)

// progress reads a file and tells how often it was read.
type progress struct {
	file io.ReaderAt
	size int64
	told io.Writer

	mutex sync.Mutex
	read  int64
	shown int64 // tenths of passes
}

// ReadAt implements io.ReaderAt.
func (p *progress) ReadAt(text []byte, at int64) (int, error) {
	n, err := p.file.ReadAt(text, at)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.read += int64(n)
	if tenths := 10 * p.read / p.size; tenths > p.shown {
		p.shown = tenths
		fmt.Fprintf(p.told, "the file was read %d.%d times\n", tenths/10, tenths%10)
	}
	return n, err
}

// timed takes sums, and tells how long each pass over kept rows has taken.
func timed(taker passes.Taker, told io.Writer) passes.Taker {
	taken := 0
	return func(
		ctx context.Context, file *data.Stream, pass learn.Pass, blocks []int,
		keep func(block int, numbers []float64) error,
	) error {
		start := time.Now()
		if err := taker(ctx, file, pass, blocks, keep); err != nil {
			return err
		}
		taken++
		fmt.Fprintf(
			told, "sums %d, of %d blocks, took %.1f s\n", taken, len(blocks),
			time.Since(start).Seconds(),
		)
		return nil
	}
}
