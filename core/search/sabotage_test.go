//go:build !js

package search

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are faults of a search that would void its theorem.
var sabotages = []audittest.Sabotage{
	// Ties by the order of visits.
	{
		File:    "minimise.go",
		Text:    "if !before && !(equal && d.points.Before(d.best)) {",
		Instead: "if !before && !equal {",
	},
	{
		File:    "minimise.go",
		Text:    "least == best && !d.points.Before(d.best)",
		Instead: "least == best",
	},
	// Nodes left out that may be half a record better.
	{
		File:    "minimise.go",
		Text:    "return least > best ||",
		Instead: "return 2*least > 2*best-d.denominator ||",
		By:      "TestAuditSearchIsEnumeration",
	},
	// A search cut short.
	{
		File:    "minimise.go",
		Text:    "if d.skips(base+t.least[l]+",
		Instead: "if d.found && d.nodes > 100 || d.skips(base+t.least[l]+",
	},
	// A bound that forgets what is to come, or lets it be paid for twice.
	{
		File:    "tables.go",
		Text:    "window, middle := b*t.after, len(t.sums)/2",
		Instead: "window, middle := min(b, b*t.after), len(t.sums)/2",
	},
	{
		File:    "minimise.go",
		Text:    "d.future[k] += slices.Min(costs)",
		Instead: "d.future[k] += slices.Max(costs)",
	},
	{
		File:    "squares.go",
		Text:    "slices.Min(costs[s : s+(d-j)*most+1])",
		Instead: "slices.Max(costs[s : s+(d-j)*most+1])",
	},
	// A sibling's noise that is not kept below the largest; the first of equals.
	{
		File:    "race.go",
		Text:    "r.geometric.AtMost(r.source, n, r.limit(parent, part, owner))",
		Instead: "r.geometric.Maximum(r.source, n)",
	},
	{File: "race.go", Text: "return parent.upper - 1", Instead: "return parent.upper"},
	{
		File:    "race.go",
		Text:    "r.gumbel.Later(r.source, parent.arrival, n)",
		Instead: "r.gumbel.First(r.source, n)",
	},
	{
		File:    "race.go",
		Text:    "r.gumbel.Owner(r.source, counts)",
		Instead: "r.gumbel.Owner(r.source, counts[:1])",
	},
	// Half the noise, and noise of another count of points.
	{
		File:    "perturbation.go",
		Text:    "random.NewGeometric(n.Epsilon,",
		Instead: "random.NewGeometric(2*n.Epsilon,",
	},
	{
		File:    "perturbation.go",
		Text:    "random.NewGumbel(n.Epsilon,",
		Instead: "random.NewGumbel(2*n.Epsilon,",
	},
	{
		File:    "perturbation.go",
		Text:    "uint64(n.Span*n.Denominator)",
		Instead: "uint64(n.Denominator)",
	},
	{
		File:    "minimise.go",
		Text:    "top, err := d.race.start(d.size)",
		Instead: "top, err := d.race.start(max(1, d.size/9))",
	},
}

// Every sabotage is seen by the tests of exactness and of the law, in the form
// that they have in every run of the tests.
func TestAuditSabotagedSearchesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "Audit", sabotages)
}
