package resume

import (
	"context"
	"sync"
)

// Each does work for every item, several at a time, until one fails or the
// context ends; it returns that error.
func Each[T any](
	ctx context.Context, items []T, workers int, work func(context.Context, T) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan T)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for item := range queue {
				if err := work(ctx, item); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
deal:
	for _, item := range items {
		select {
		case queue <- item:
		case <-ctx.Done():
			break deal
		}
	}
	close(queue)
	running.Wait()
	return context.Cause(ctx)
}
