package fitting

import (
	"context"
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/report"
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
	dataset, err := s.dataset(f)
	if err != nil {
		return nil, err
	}
	reports := []*report.Report{}
	free, err := report.New(release, report.Published{}, defaultRho, report.Scope{People: 1})
	if err != nil {
		return nil, err
	}
	reports = append(reports, free)
	if f.Has("report") {
		r, err := openReport(f.Any("report"), release)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	b, err := s.noise(id, release)
	if err != nil {
		return nil, err
	}
	exact, err := report.Losses(
		context.Background(), m, learn.Problem{Data: dataset, Loss: release.Model.Loss}, b,
	)
	if err != nil {
		return nil, err
	}
	for i, loss := range exact {
		exact[i] = math.Abs(loss)
	}
	high := release.Guarantee.Epsilon
	bounds := make([][]float64, len(reports))
	for k, r := range reports {
		if bounds[k], err = boundsOf(release, r, dataset); err != nil {
			return nil, err
		}
		high = math.Max(high, slices.Max(append(bounds[k], 0)))
	}
	high = math.Max(high, slices.Max(append(exact, 0)))
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
