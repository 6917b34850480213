package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"cloister/core/lab"
)

// runAll runs the cells whose result is not there yet, several at a time. The
// first error ends it, as does the context; what was finished is kept.
func runAll(ctx context.Context, laboratory *lab.Lab, cells []lab.Cell, results *store, workers int, p *progress) error {
	var todo []lab.Cell
	for _, cell := range cells {
		if !results.Has(cell) {
			todo = append(todo, cell)
		}
	}
	p.begin(len(cells)-len(todo), todo, results.All(), workers)
	defer p.end()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan lab.Cell)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for cell := range queue {
				begun := time.Now()
				result, err := laboratory.Run(ctx, cell)
				if err != nil {
					cancel(fmt.Errorf("%s on %s, ε = %g, trial %d: %w", cell.Method, cell.Set, cell.Epsilon, cell.Trial, err))
					return
				}
				r := timed{Result: result, Seconds: time.Since(begun).Seconds()}
				if err := results.Add(r); err != nil {
					cancel(err)
					return
				}
				p.done(r)
			}
		})
	}
deal:
	for _, cell := range todo {
		select {
		case queue <- cell:
		case <-ctx.Done():
			break deal
		}
	}
	close(queue)
	running.Wait()
	return context.Cause(ctx)
}
