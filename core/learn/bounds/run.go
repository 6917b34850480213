package bounds

import (
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Bounds are those of one column. Min < Max where they were found.
type Bounds struct {
	Column   string
	Found    bool // false: no bin was seen, or none but an outermost one
	Min, Max float64
}

// Release is what may be published.
type Release struct {
	Plan   Plan
	Event  privacy.Event
	Bounds []Bounds // in the order of the histogram's columns
}

// Run releases bounds of the columns of a histogram that was made by Binning, with
// noise from source. Errors: a *privacy.ParameterError for the plan, or the source's.
// Charge for the plan's event before calling, and keep the charge whatever comes back.
func Run(h *data.Histogram, plan Plan, source random.Source) (*Release, error) {
	event, err := plan.Event()
	if err != nil {
		return nil, err
	}
	if len(h.Columns) != plan.Columns {
		return nil, &privacy.ParameterError{
			Field: "columns",
			Value: strconv.Itoa(plan.Columns),
			Want:  strconv.Itoa(len(h.Columns)) + ", those that were counted",
		}
	}
	out := &Release{Plan: plan, Event: event}
	for k, counts := range h.Counts {
		seen, err := noisy(counts, uint64(plan.scale()), source)
		if err != nil {
			return nil, err
		}
		out.Bounds = append(out.Bounds, find(h.Columns[k], seen, plan.Threshold(), plan.Share))
	}
	return out, nil
}

// noisy is counts with noise: all that the rest of the package sees of them.
func noisy(counts []int64, scale uint64, source random.Source) ([]int64, error) {
	out := make([]int64, len(counts))
	for j, n := range counts {
		noise, err := random.DiscreteLaplace(source, scale)
		if err != nil {
			return nil, err
		}
		out[j] = n + noise
	}
	return out, nil
}

// find chooses the bounds of a column from its noisy counts.
func find(column string, noisy []int64, threshold int64, share float64) Bounds {
	low, high, total := -1, -1, 0.0
	for j, n := range noisy {
		if n < threshold {
			continue
		}
		if low < 0 {
			low = j
		}
		high = j
		total += float64(n)
	}
	if low < 0 {
		return Bounds{Column: column}
	}
	low = trimmed(noisy, threshold, low, high, +1, share/2*total)
	high = trimmed(noisy, threshold, high, low, -1, share/2*total)
	out := Bounds{Column: column, Min: lower(low), Max: upper(high)}
	if out.Min == out.Max {
		// Zero alone, which needs an interval around it, or nothing but values
		// beyond the outermost edge, of which no bound is known.
		if low != magnitudes {
			return Bounds{Column: column}
		}
		out.Max = edge(1)
	}
	out.Found = true
	return out
}

// trimmed is the first bin that is seen, from one end to the other, at which
// those before it and itself hold more than most.
func trimmed(noisy []int64, threshold int64, from, to, step int, most float64) int {
	sum := 0.0
	for j := from; j != to; j += step {
		if noisy[j] < threshold {
			continue
		}
		if sum += float64(noisy[j]); sum > most {
			return j
		}
	}
	return to
}
