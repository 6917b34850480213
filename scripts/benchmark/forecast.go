package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"cloister/core/data"
	"cloister/core/lab/expect"
	"cloister/core/learn/methods"
)

// within is how near a forecast has to be, in points.
const within = 5.0

var strengths = []expect.Signal{expect.Weak, expect.Medium, expect.Strong}

// foreseen is what public things say of the fits of a table at one ε.
type foreseen struct {
	buys    expect.Outlook
	lost    [3]float64 // in points, by strength
	gain    [3]float64 // over the majority, likewise
	without [3]float64 // share of trials that gain less than expect.LeastGain
}

// foresee runs so many trials of each strength, told what a benchmark's fits are told: the
// number of records that are trained on, to one digit, and, if shared, the share of the
// rarer of two classes, likewise.
func (t *table) foresee(
	ctx context.Context, epsilons []float64, trials int, shared bool,
) ([]foreseen, error) {
	schema := t.all.Schema
	n := oneDigit(math.Floor(0.8 * float64(t.all.X.Rows())))
	asked := asked(schema, 1, n)
	schema = methods.Rows("", asked)
	asked.Schema = schema
	request := expect.Request{Schema: schema, Records: int(n), Loss: asked.Loss}
	if shared && schema.Label.Type == data.TwoClasses {
		positive := 0.0
		for _, y := range t.all.Y {
			positive += (1 + y) / 2 / float64(len(t.all.Y))
		}
		request.Rarer = oneDigit(math.Min(positive, 1-positive))
	}
	trial, err := methods.Trials("", asked)
	if err != nil {
		return nil, err
	}
	for _, epsilon := range epsilons {
		fit, err := trial(epsilon)
		if err != nil {
			return nil, err
		}
		request.Fits = append(request.Fits, fit)
	}
	out := make([]foreseen, len(epsilons))
	var by [3][]expect.Result
	for s, signal := range strengths {
		request.Signal = signal
		for request.Trial = 1; request.Trial <= trials; request.Trial++ {
			result, err := expect.Run(ctx, request)
			if err != nil {
				return nil, err
			}
			by[s] = append(by[s], result)
			for i := range out {
				lost := math.Max(0, result.Plain-result.Private[i])
				out[i].lost[s] += 100 * lost / float64(trials)
				gain := result.Private[i] - result.Known
				out[i].gain[s] += 100 * gain / float64(trials)
				if gain < expect.LeastGain {
					out[i].without[s] += 1 / float64(trials)
				}
			}
		}
	}
	for i := range out {
		out[i].buys = expect.Judge(by[1], by[2], i)
	}
	return out, nil
}

// tally is how forecasts went, a table at an ε counting one, whatever its fits.
type tally struct {
	cells, near float64                    // near: of medium strength
	at          map[expect.Outlook]float64 // cells
	below       map[expect.Outlook]float64 // shares of fits below the majority, added up
}

func (t *tally) add(f foreseen, fits, base, plain map[int]result) (gain, near, below float64) {
	for split, r := range fits {
		of := 1 / float64(len(fits))
		lost := math.Max(0, plain[split].score-r.score)
		gain += of * (r.score - base[split].score)
		if math.Abs(lost-f.lost[1]) <= within {
			near += of
		}
		if r.score < base[split].score-1e-9 {
			below += of
		}
	}
	t.cells++
	t.near += near
	t.at[f.buys]++
	t.below[f.buys] += below
	return gain, near, below
}

// forecasts writes forecast.md: what was foreseen of each table, beside the results of the
// usual fits that are there. Tables go to the two halves by turns.
func forecasts(
	ctx context.Context, folder string, sets []string, epsilons []float64, trials int,
	results *store,
) error {
	_, _, by := sorted(results.all())
	var b strings.Builder
	b.WriteString("# What was foreseen of private fits\n\nForeseen: weak, medium, strong.\n\n" +
		"| table | half | ε | buys | loses | gains | trials without gain | fits | gained |" +
		" within 5 points | below the majority |\n" +
		"|---|--:|--:|---|---|---|---|--:|--:|--:|--:|\n")
	var halves [2]tally
	for h := range halves {
		halves[h].at = map[expect.Outlook]float64{}
		halves[h].below = map[expect.Outlook]float64{}
	}
	for i, name := range sets {
		t, err := load(name)
		if err != nil {
			return err
		}
		saw, err := t.foresee(ctx, epsilons, trials, true)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for k, epsilon := range epsilons {
			f := by[epsilon][name]
			if len(f[usual]) == 0 {
				continue
			}
			gain, near, below := halves[i%2].add(saw[k], f[usual], f[majority], f[plainly])
			fmt.Fprintf(&b, "| %s | %d | %g | %s | %.1f | %.1f | %.2f | %d | %+.1f | %.0f %% | %.0f %% |\n",
				strings.TrimPrefix(name, "more/"), 1+i%2, epsilon, saw[k].buys, saw[k].lost,
				saw[k].gain, saw[k].without, len(f[usual]), gain, 100*near, 100*below)
		}
	}
	for h, t := range halves {
		fmt.Fprintf(&b, "\nHalf %d: %.1f %% within %g points.\n", h+1, 100*t.near/t.cells, within)
		for _, buys := range []expect.Outlook{
			expect.BuysNothing, expect.BuysUncertain, expect.BuysSomething,
		} {
			fmt.Fprintf(&b, "- %s: %g cells, shares of fits below the majority add up to %.2f.\n",
				buys, t.at[buys], t.below[buys])
		}
	}
	return os.WriteFile(filepath.Join(folder, "forecast.md"), []byte(b.String()), 0o644)
}
