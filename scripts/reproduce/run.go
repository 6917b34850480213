package main

import (
	"context"
	"fmt"
	"time"

	"cloister/core/lab"
	"cloister/scripts/resume"
)

// runAll runs the cells whose result is not there yet, several at a time. The
// first error ends it, as does the context; what was finished is kept.
func runAll(
	ctx context.Context, laboratory *lab.Lab, cells []lab.Cell, results *store, workers int,
	p *progress,
) error {
	var todo []lab.Cell
	left := map[kind]int{}
	for _, cell := range cells {
		if !results.Has(cell) {
			todo = append(todo, cell)
			left[kindOf(cell)]++
		}
	}
	p.begin(len(cells)-len(todo), left, workers)
	for _, r := range results.All() {
		p.know(kindOf(r.Cell), r.Seconds)
	}
	defer p.end()
	return resume.Each(ctx, todo, workers, func(ctx context.Context, cell lab.Cell) error {
		begun := time.Now()
		result, err := laboratory.Run(ctx, cell)
		if err != nil {
			return fmt.Errorf(
				"%s on %s, %s ε = %g, trial %d: %w", cell.Method, cell.Set, cell.Setting,
				cell.Epsilon, cell.Trial, err,
			)
		}
		r := timed{Result: result, Seconds: time.Since(begun).Seconds()}
		p.done(kindOf(cell), r.Seconds)
		return results.Add(r)
	})
}

// runPaths is runAll for paths.
func runPaths(
	ctx context.Context, laboratory *lab.Lab, paths []lab.Path, results *pathStore, workers int,
	p *progress,
) error {
	var todo []lab.Path
	left := map[kind]int{}
	for _, path := range paths {
		if !results.Has(path) {
			todo = append(todo, path)
			left[kindOfPath(path)]++
		}
	}
	p.begin(len(paths)-len(todo), left, workers)
	defer p.end()
	return resume.Each(ctx, todo, workers, func(ctx context.Context, path lab.Path) error {
		begun := time.Now()
		result, err := laboratory.Follow(ctx, path)
		if err != nil {
			return fmt.Errorf(
				"%s noise on %s, λ = %g, repetition %d: %w", path.Schedule, path.Set, path.Lambda,
				path.Repetition, err,
			)
		}
		p.done(kindOfPath(path), time.Since(begun).Seconds())
		return results.Add(result)
	})
}
