package fitting

import (
	"context"
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/report"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// histogramBins is how many bins the losses are counted in.
const histogramBins = 32

// losses answers {release, dataset, report?}: what the release cost each of the
// records of the dataset that it was fitted to, exactly; and, by the report that
// costs nothing and by the one given, what they would be told. All of it is for the
// data holder alone. It is about absolute losses, in nats:
//
//	losses     one a record, in their order
//	summary    mean, median, p90, p99, largest
//	histogram  {high, counts}: of bins of one width from 0 to high
//	bounds     for each report its kind, the summary of its bounds, their counts
//	           in the same bins, and how many records' losses are above them
func (s *Session) losses(call *api.Call) (map[string]any, error) {
	f := call.Fields
	release, m, err := reportable(f)
	if err != nil || release == nil {
		return nil, err
	}
	id := f.Int("dataset")
	if _, err := s.schemaOf(id); err != nil {
		return nil, err
	}
	params := map[string]any{}
	if f.Has("report") {
		params["report"] = f.Any("report")
	}
	reports, err := reportsFor(release, params["report"])
	if err != nil {
		return nil, err
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	b, err := s.noise(id, release)
	if err != nil {
		return nil, err
	}
	defer clear(b)
	optimum, err := s.optimum(id, release, m, b)
	if err != nil {
		return nil, err
	}
	defer optimum.Clear()
	numbers := optimum.Numbers()
	defer clear(numbers)
	params["optimum"] = solve.Bytes(numbers)
	blocks, err := s.byBlock(id, release, question{
		method: "shard.losses", params: params, count: costs(release, optimum, reports),
		perRow: 1 + len(reports),
	})
	if err != nil {
		return nil, err
	}
	lists := make([][]float64, 1+len(reports))
	for _, numbers := range blocks {
		rows := len(numbers) / len(lists)
		for k := range lists {
			lists[k] = append(lists[k], numbers[k*rows:(k+1)*rows]...)
		}
	}
	exact, bounds := lists[0], lists[1:]
	high := math.Max(release.Guarantee.Epsilon, slices.Max(append(exact, 0)))
	for _, b := range bounds {
		high = math.Max(high, slices.Max(append(b, 0)))
	}
	told := make([]any, len(reports))
	for k, r := range reports {
		above := 0
		for i, bound := range bounds[k] {
			if exact[i] > bound {
				above++
			}
		}
		told[k] = map[string]any{
			"kind":    r.Kind(),
			"rho":     r.Rho,
			"summary": summary(bounds[k]),
			"counts":  counts(bounds[k], high),
			"above":   above,
		}
	}
	return map[string]any{
		"losses": exact, "summary": summary(exact),
		"histogram": map[string]any{"high": high, "counts": counts(exact, high)},
		"bounds":    told,
	}, nil
}

// reportsFor are the report of a release that costs nothing and, unless it is nil, the one given.
func reportsFor(release *learn.Release, given any) ([]*report.Report, error) {
	free, err := report.New(release, report.Published{}, defaultRho, report.Scope{People: 1})
	if err != nil || given == nil {
		return []*report.Report{free}, err
	}
	r, err := openReport(given, release)
	return []*report.Report{free, r}, err
}

// optimum is report.FindOptimum of a data set.
func (s *Session) optimum(
	id int, release *learn.Release, m report.Mechanism, b []float64,
) (*report.Optimum, error) {
	ctx, loss := context.Background(), release.Model.Loss
	if c := s.parted[id]; c != nil {
		ctx, done := c.fitting()
		optimum, err := report.FindOptimum(ctx, m, c.problem(loss), b)
		return optimum, done(err)
	}
	d, err := s.rowsOf(id)
	if err != nil {
		return nil, err
	}
	return report.FindOptimum(ctx, m, learn.Problem{Data: d, Loss: loss}, b)
}

// costs returns, of each block, what the release cost each record, without its sign, and then what
// each report tells them, if they are among those that the release was made from.
func costs(release *learn.Release, optimum *report.Optimum, reports []*report.Report) blockwise {
	return func(d *data.Dataset) ([][]float64, error) {
		losses := optimum.Losses(d)
		for i, loss := range losses {
			losses[i] = math.Abs(loss)
		}
		lists := [][]float64{losses}
		for _, r := range reports {
			bounds, err := boundsOf(release, r, d)
			if err != nil {
				return nil, err
			}
			lists = append(lists, bounds)
		}
		var out [][]float64
		first := 0
		for _, end := range d.BlockEnds() {
			var block []float64
			for _, list := range lists {
				block = append(block, list[first:end]...)
			}
			out, first = append(out, block), end
		}
		return out, nil
	}
}

// lossesShard answers {release, report?, optimum} with costs of the blocks that are kept here. The
// optimum is as private as the noise of the fit, and nothing is kept of it.
func (s *Session) lossesShard(call *api.Call) (map[string]any, error) {
	f := call.Fields
	var given any
	if f.Has("report") {
		given = f.Any("report")
	}
	bytes, _ := f.Any("optimum").([]byte)
	defer clear(bytes)
	return s.countShard(call, func(release *learn.Release) (blockwise, error) {
		m, err := report.MechanismOf(release)
		if err != nil {
			return nil, err
		}
		optimum := report.OptimumFrom(m, solve.Floats(bytes))
		if optimum == nil {
			f.Bad("optimum", "that of the release")
			return nil, f.Done()
		}
		reports, err := reportsFor(release, given)
		return costs(release, optimum, reports), err
	})
}

// boundsOf is what a report tells each record of a dataset, if it is among those
// that the release was made from.
func boundsOf(release *learn.Release, r *report.Report, dataset *data.Dataset) ([]float64, error) {
	reader, err := report.Open(release, r)
	if err != nil {
		return nil, err
	}
	out := make([]float64, dataset.X.Rows())
	for i := range out {
		bound, err := reader.Row(dataset.X.Row(i), dataset.Y[i])
		if err != nil {
			return nil, err
		}
		out[i] = bound.In.Largest()
	}
	return out, nil
}

func summary(x []float64) map[string]any {
	sum := 0.0
	order := make([]int, len(x))
	for i, v := range x {
		sum += v
		order[i] = int(math.Float64bits(v)) // in the order of the numbers, which are not negative
	}
	slices.Sort(order)
	at := func(share float64) float64 {
		if len(order) == 0 {
			return 0
		}
		return math.Float64frombits(uint64(order[int(share*float64(len(order)-1))]))
	}
	return map[string]any{
		"mean":    sum / math.Max(1, float64(len(x))),
		"median":  at(0.5),
		"p90":     at(0.9),
		"p99":     at(0.99),
		"largest": at(1),
	}
}

func counts(x []float64, high float64) []any {
	tally := make([]int, histogramBins)
	for _, v := range x {
		tally[min(int(v/high*histogramBins), histogramBins-1)]++
	}
	out := make([]any, histogramBins)
	for k, n := range tally {
		out[k] = n
	}
	return out
}
