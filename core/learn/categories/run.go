package categories

import (
	"sort"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Categories are those of one column that were kept, in the order of their bytes.
type Categories struct {
	Column string
	Kept   []string // empty if none was
}

// Release is what may be published.
type Release struct {
	Plan    Plan
	Event   privacy.Event
	Columns []Categories // in the order of the counts' columns
}

// Run releases the categories of columns that were counted. Errors: a
// *privacy.ParameterError for the plan, or the source's. Charge for the plan's event
// before calling, and keep the charge whatever comes back.
func Run(counts *data.TextCounts, plan Plan, source random.Source) (*Release, error) {
	rule, err := plan.rule()
	if err != nil {
		return nil, err
	}
	if len(counts.Columns) != plan.Columns {
		return nil, &privacy.ParameterError{
			Field: "columns",
			Value: strconv.Itoa(plan.Columns),
			Want:  strconv.Itoa(len(counts.Columns)) + ", those that were counted",
		}
	}
	out := &Release{Plan: plan, Event: plan.event()}
	for k, column := range counts.Columns {
		kept, err := sift(counts.Counts[k], rule, source)
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, Categories{column, kept})
	}
	return out, nil
}

// sift keeps each category with the probability that the rule has for its count.
func sift(counts map[string]int64, rule []uint64, source random.Source) ([]string, error) {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names) // neither the order of the file nor that of a map shows
	var kept []string
	for _, name := range names {
		word, err := source.Uint64()
		if err != nil {
			return nil, err
		}
		if word>>2 < rule[min(counts[name], int64(len(rule)-1))] {
			kept = append(kept, name)
		}
	}
	return kept, nil
}
