package main

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"slices"
	"time"

	"cloister/core/data"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/search"
)

// cardRuns is how many cards are chosen: times vary with the noise.
const cardRuns = 30

// scorecards times the choice of a card at ε = 0.1 on a counted table, and the search without
// privacy for the best card with five points a level. Memory is what a choice allocates, in MB.
func scorecards(figures map[string]float64, table, public string) error {
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	description, err := os.ReadFile(public)
	if err != nil {
		return err
	}
	schema, err := data.ParseCellSchema(description)
	if err != nil {
		return err
	}
	cells, err := data.ReadCells(
		[]data.Part{{Name: table, Reader: bytes.NewReader(text)}}, schema, data.ReadOptions{},
	)
	if err != nil {
		return err
	}
	request := scorecard.Request{Schema: schema, Epsilon: 0.1, Adjacency: privacy.AddRemove}
	plan, err := request.Plan()
	if err != nil {
		return err
	}
	ctx, source := context.Background(), random.Secure()
	free := func(privacy.Event) error { return nil }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	taken, sum := make([]float64, cardRuns), 0.0
	for i := range taken {
		start := time.Now()
		if _, _, err := scorecard.Fit(ctx, cells, plan, source, free, nil); err != nil {
			return err
		}
		taken[i] = float64(time.Since(start)) / float64(time.Millisecond)
		sum += taken[i]
	}
	runtime.ReadMemStats(&after)
	figures["card-mean"], figures["card-longest"] = sum/cardRuns, slices.Max(taken)
	figures["card-memory"] = float64(after.TotalAlloc-before.TotalAlloc) / cardRuns / 1e6

	figures["card-five"], err = median(1, func(int) error {
		_, _, err := search.Minimise(ctx, search.Problem{
			Shape:     search.Shape{Levels: schema.Sizes(), Bound: 2},
			Positives: cells.Positives, Negatives: cells.Negatives,
		}, search.None{}, search.Options{})
		return err
	})
	return err
}
