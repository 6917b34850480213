package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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

	low, high float64 // the range that the studio says
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
	for i := range out {
		out[i].low = math.Inf(1)
	}
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
		for i := range out {
			var lost []float64
			for _, result := range by[s] {
				lost = append(lost, 100*math.Max(0, result.Plain-result.Private[i]))
			}
			slices.Sort(lost)
			out[i].low = math.Min(out[i].low, quantile(lost, 0.1))
			out[i].high = math.Max(out[i].high, quantile(lost, 0.9))
		}
	}
	for i := range out {
		out[i].low, out[i].high = said(out[i].low, out[i].high)
	}
	for i := range out {
		out[i].buys = expect.Judge(by[1], by[2], i)
	}
	return out, nil
}

// said is the range that the studio says (rangeOf of its expected-accuracy.ts) where the middle
// four fifths of the trials of any strength lost from least to most points.
func said(least, most float64) (low, high float64) {
	return math.Max(0, least/2-1), math.Min(100, 2*most+2)
}

// quantile is that of sorted figures, on the line between the two next to it.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	next := sorted[min(low+1, len(sorted)-1)]
	return sorted[low] + (at-float64(low))*(next-sorted[low])
}

// tally is how forecasts went, a table at an ε counting one, whatever its fits.
type tally struct {
	cells, near, best float64                    // best: near, by the best of all figures
	inside, wide      float64                    // in the range, and how wide that is
	at                map[expect.Outlook]float64 // cells
	below             map[expect.Outlook]float64 // shares of fits below the majority, added up

	// The same of cells that gain less than expect.LeastGain on average: of no others should
	// "nothing" be said.
	without, hopeless map[expect.Outlook]float64
	gained, wrong     float64 // other cells, and of them those of which "nothing" was said
}

func newTally() *tally {
	count := func() map[expect.Outlook]float64 { return map[expect.Outlook]float64{} }
	return &tally{at: count(), below: count(), without: count(), hopeless: count()}
}

// went is how the fits of a table at an ε did.
type went struct {
	gain, near, best, below float64 // gain in points, the others shares of the fits
	inside                  float64 // share of them whose loss is in the range
}

func (f foreseen) against(fits, base, plain map[int]result) (w went) {
	of := 1 / float64(len(fits))
	var all []float64
	for split, r := range fits {
		lost := math.Max(0, plain[split].score-r.score)
		all = append(all, lost)
		w.gain += of * (r.score - base[split].score)
		if math.Abs(lost-f.lost[1]) <= within {
			w.near += of
		}
		if lost >= f.low && lost <= f.high {
			w.inside += of
		}
		if r.score < base[split].score-1e-9 {
			w.below += of
		}
	}
	slices.Sort(all)
	for i, from := range all {
		n := i
		for n < len(all) && all[n] <= from+2*within {
			n++
		}
		w.best = math.Max(w.best, of*float64(n-i))
	}
	return w
}

func (t *tally) add(f foreseen, w went) {
	buys := f.buys
	t.cells++
	t.near += w.near
	t.inside += w.inside
	t.wide += f.high - f.low
	t.best += w.best
	t.at[buys]++
	t.below[buys] += w.below
	if w.gain < 100*expect.LeastGain {
		t.without[buys]++
		t.hopeless[buys] += w.below
		return
	}
	t.gained++
	if buys == expect.BuysNothing {
		t.wrong++
	}
}

func (t *tally) line(name string) string {
	share := func(of map[expect.Outlook]float64) string {
		sum := of[expect.BuysNothing] + of[expect.BuysUncertain] + of[expect.BuysSomething]
		if sum == 0 {
			return "– of 0"
		}
		return fmt.Sprintf("%.0f %% of %.2f", 100*of[expect.BuysNothing]/sum, sum)
	}
	return fmt.Sprintf(
		"| %s | %g | %.1f %% | %.1f %% | %.1f %% | %.1f | %g %g %g | %s | %s | %s | %g of %g |\n",
		name, t.cells, 100*t.near/t.cells, 100*t.best/t.cells, 100*t.inside/t.cells,
		t.wide/t.cells, t.at[expect.BuysNothing],
		t.at[expect.BuysUncertain], t.at[expect.BuysSomething], share(t.below),
		share(t.hopeless), share(t.without), t.wrong, t.gained,
	)
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
		"| table | half | ε | buys | loses | range | gains | trials without gain | fits | gained |" +
		" within 5 points | in the range | below the majority |\n" +
		"|---|--:|--:|---|---|---|---|---|--:|--:|--:|--:|--:|\n")
	tallies := map[string]*tally{}
	var order []string
	for i, name := range sets {
		t, err := load(name)
		if err != nil {
			return err
		}
		saw, err := t.foresee(ctx, epsilons, trials, true)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		half, kind := fmt.Sprintf("half %d", 1+i%2), kinds[t.all.Schema.Label.Type]
		for k, epsilon := range epsilons {
			f := by[epsilon][name]
			if len(f[usual]) == 0 {
				continue
			}
			w := saw[k].against(f[usual], f[majority], f[plainly])
			for _, of := range []string{half, kind, kind + ", " + half, "all"} {
				if tallies[of] == nil {
					tallies[of], order = newTally(), append(order, of)
				}
				tallies[of].add(saw[k], w)
			}
			fmt.Fprintf(&b, "| %s | %d | %g | %s | %.1f | %.1f–%.1f | %.1f | %.2f | %d | %+.1f |"+
				" %.0f %% | %.0f %% | %.0f %% |\n",
				strings.TrimPrefix(name, "more/"), 1+i%2, epsilon, saw[k].buys, saw[k].lost,
				saw[k].low, saw[k].high, saw[k].gain, saw[k].without, len(f[usual]), w.gain,
				100*w.near, 100*w.inside, 100*w.below)
		}
	}
	b.WriteString("\nBest: within 5 points by the one figure that is best for the fits of each table and ε." +
		" Range: from half of what the tenth of 100 trials loses, of any strength, less a point, to" +
		" twice what the ninetieth does, and two points." +
		" Cells: nothing, uncertain, something. Then under “nothing”, of fits below the majority; of" +
		" those in cells that gain less than a point on average; and of these cells. Wrong: cells" +
		" under “nothing” of those that gain a point.\n\n" +
		"| | cells | within 5 points | best | in the range | its points | cells | fits below |" +
		" in cells without gain | cells without gain | wrong |\n" +
		"|---|--:|--:|--:|--:|--:|---|---|---|---|---|\n")
	slices.Sort(order)
	for _, name := range order {
		b.WriteString(tallies[name].line(name))
	}
	return os.WriteFile(filepath.Join(folder, "forecast.md"), []byte(b.String()), 0o644)
}
