package lab

import (
	"math"
	"sort"
)

// Mean is the mean of several trials and how sure it is.
type Mean struct {
	Trials int
	Value  float64

	// HalfWidth is 1.96 standard errors of the mean: half the width of the
	// papers' error bars. +Inf for one trial.
	HalfWidth float64
}

// MeanOf returns the mean of values, s/√n·1.96 beside it, s the sample standard
// deviation. It panics if there are none.
func MeanOf(values []float64) Mean {
	if len(values) == 0 {
		panic("lab: the mean of nothing")
	}
	n := float64(len(values))
	mean := 0.0
	for _, v := range values {
		mean += v / n
	}
	if len(values) == 1 {
		return Mean{1, mean, math.Inf(1)}
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return Mean{len(values), mean, 1.96 * math.Sqrt(squares/(n-1)/n)}
}

// Summary is a method's result on a set at one ε.
type Summary struct {
	Set, Method string
	Standing    Standing
	Epsilon     float64
	Accuracy    Mean

	// Setting is the point of the grid whose mean test accuracy is highest,
	// for dishonest methods: it is chosen by the test records, and free of
	// charge, which is what is dishonest about them.
	Setting string

	// Settings is how many points of the grid were tried.
	Settings int
}

// Summaries puts results together over trials, in the order of sets and
// methods here and of ε. Where points of a grid differ in their number of
// trials (a run that was interrupted), those with the most are compared. All
// results must be of one δ, seed and effort.
func Summaries(results []Result) []Summary {
	type place struct {
		set, method string
		epsilon     float64
	}
	values := map[place]map[string][]float64{}
	standing := map[place]Standing{}
	for _, r := range results {
		at := place{r.Cell.Set, r.Cell.Method, r.Cell.Epsilon}
		if values[at] == nil {
			values[at] = map[string][]float64{}
		}
		values[at][r.Cell.Setting] = append(values[at][r.Cell.Setting], r.Accuracy)
		standing[at] = r.Standing
	}
	var out []Summary
	for at, settings := range values {
		s := Summary{
			Set:      at.set,
			Method:   at.method,
			Epsilon:  at.epsilon,
			Standing: standing[at],
			Settings: len(settings),
		}
		names := make([]string, 0, len(settings))
		for name := range settings {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			m := MeanOf(settings[name])
			if m.Trials > s.Accuracy.Trials ||
				m.Trials == s.Accuracy.Trials && m.Value > s.Accuracy.Value {
				s.Accuracy, s.Setting = m, name
			}
		}
		out = append(out, s)
	}
	sets, methods := order(
		len(Sets()), func(i int) string { return Sets()[i].Name },
	), order(
		len(Methods()), func(i int) string { return Methods()[i].Name },
	)
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Set != b.Set {
			return sets[a.Set] < sets[b.Set]
		}
		if a.Method != b.Method {
			return methods[a.Method] < methods[b.Method]
		}
		return a.Epsilon < b.Epsilon
	})
	return out
}

func order(n int, name func(int) string) map[string]int {
	out := map[string]int{}
	for i := range n {
		out[name(i)] = i
	}
	return out
}
