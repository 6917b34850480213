package wire

import (
	"slices"

	"cloister/core/lab"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
)

// Values are the texts of types whose values are no constants of a Go type of their own.
var Values = map[string][]string{
	"Adjacency":      names(learn.AllAdjacencies, privacy.Adjacency.String),
	"FitMethod":      names(methods.All(), func(m learn.Method) string { return m.Name }),
	"Loss":           slices.Concat(learn.AllLosses, []string{learn.SoftmaxLoss}, learn.TwoClassLosses),
	"MethodStanding": {string(lab.Private), string(lab.Dishonest), string(lab.NotPrivate)},
	"ReportKind":     {"data-independent", "data-dependent", "adaptive"},
}

func names[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = name(item)
	}
	return out
}
