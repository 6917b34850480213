package api_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/objective"
	"cloister/core/learn"
	"cloister/core/privacy"
)

type object = map[string]any

// inside walks down names of members and places in lists.
func inside(at any, path ...any) any {
	for _, step := range path {
		if k, is := step.(int); is {
			at = at.([]any)[k]
		} else {
			at = at.(object)[step.(string)]
		}
	}
	return at
}

// follow makes a model's coefficients follow from its moments.
func follow(t *testing.T, tree object) {
	t.Helper()
	r, err := learn.ReleaseFromTree(tree)
	require.NoError(t, err)
	spectrum, err := r.Model.Moments.Spectrum()
	require.NoError(t, err)
	r.Model.Coefficients = spectrum.Coefficients(r.Model.Moments.Ridge)
	again, err := r.Tree()
	require.NoError(t, err)
	tree["model"] = again["model"]
}

// One claim of a file is changed, to what no fit does or gives out, and the ε is what the event
// then costs. "" is what is believed: a change that an honest fit may make.
func TestWhatNoFitDoesIsFoundOut(t *testing.T) {
	set := func(name string, to float64, path ...any) func(object) {
		return func(tree object) { inside(tree, path...).(object)[name] = to }
	}
	count := func(to float64, path ...any) func(object) {
		return func(tree object) {
			last := len(path) - 1
			inside(tree["evaluation"], path[:last]...).([]any)[path[last].(int)] = to
		}
	}
	moment := func(to float64, name string, at ...int) func(object) {
		return func(tree object) {
			moments := inside(tree, "model", "moments").(object)
			if len(at) == 0 {
				moments[name] = to
			} else {
				moments[name].([]any)[at[0]] = to
			}
			follow(t, tree)
		}
	}
	off := func(name string, by float64) func(object) {
		return func(tree object) {
			told := inside(tree, "model", "told").(object)
			told[name] = told[name].(float64) * (1 + by)
		}
	}
	// together moves all classes' first coefficients by the same, times the noise in them.
	together := func(times float64) func(object) {
		return func(tree object) {
			r, err := learn.ReleaseFromTree(tree)
			require.NoError(t, err)
			e := r.Event.(privacy.ApproximateMinima)
			by := math.Round(times*e.Objective.Sigma/e.Objective.Lambda/e.Grid) * e.Grid
			for k := range r.Model.Vectors() {
				r.Model.Vector(k)[0] += by
			}
			again, err := r.Tree()
			require.NoError(t, err)
			tree["model"] = again["model"]
		}
	}
	score := func(to float64) func(object) { return set("score", to, "model", "selected") }
	for _, c := range []struct {
		what, file, claim string
		change            func(tree object)
	}{
		// The theorem of objective perturbation needs a convex loss.
		{"a softmax, clipped", "v3-amp-softmax", "clip", set("clip", 0.1, "model")},
		{"a softmax, clipped", "v3-amp-softmax-replace-one", "clip", set("clip", 1.9, "model")},
		{"beyond all gradients", "v3-amp-softmax", "", set("clip", 2.01, "model")},

		// Records cancel in the sum over the classes, in which noise is left.
		{"classes together", "v3-amp-softmax", "reach", together(100)},
		{"classes together", "v3-amp-softmax-replace-one", "reach", together(-100)},
		{"classes together by noise", "v3-amp-softmax", "", together(5)},

		// What one of the runs is scored is a sum over records, with noise.
		{"a score of too many", "v6-chosen-lambda", "selected", score(1e9)},
		{"a score below all", "v6-chosen-lambda", "selected", score(-1e9)},
		{"a score of as many", "v6-chosen-lambda", "", score(0x1p24 + 20)},
		{"a score by noise", "v6-chosen-lambda", "", score(-30)},
		{"a score of no noise", "v6-chosen-lambda", "selected",
			set("sigma", 1e40, "event", "base", "parts", 1, "event")},
		{"a score of some noise", "v6-chosen-lambda", "",
			set("sigma", 1e10, "event", "base", "parts", 1, "event")},

		// Bits below the lattice of a test's noise have none.
		{"an eigenvalue off its lattice", "v5-ops-ptr", "tests", off("eigenvalue", 1e-12)},
		{"a radius off its lattice", "v5-ops-ptr", "tests", off("log_radius", -1e-12)},
		{"an eigenvalue off its lattice", "v5-outptr", "tests", off("eigenvalue", 1e-12)},

		// What is told and the noise cost no more than is paid for, to the last digits.
		{"a radius that is more", "v5-ops-ptr", "told", off("log_radius", 1e-12)},
		{"less noise in a sample", "v5-ops-ptr", "told", off("gamma", 1e-10)},
		{"less noise in a sample", "v5-ops", "told", off("gamma", 1e-10)},
		{"more noise by rounding", "v5-ops", "", off("gamma", -0x1p-50)},

		// Moments are sums of squares, of so many records as their intercept has it.
		{"a square below 0", "v4-suffstats", "noise", moment(-1e4, "square")},
		{"below 0 by noise", "v4-suffstats", "", moment(-10, "square")},
		{"more than of all records", "v4-suffstats", "noise", moment(2000, "square")},
		{"a column of nothing", "v4-suffstats", "noise", moment(-1e3, "matrix", 0)},
		{"a column of more", "v4-suffstats", "noise", moment(1e4, "matrix", 5)},
		{"products above the squares", "v4-suffstats", "noise", moment(1e4, "matrix", 3)},
		{"with the label too", "v4-suffstats", "noise", moment(1e3, "vector", 1)},
		{"too many records", "v4-suffstats", "noise", moment(0x1p25, "matrix", 14)},
		{"as many as there can be", "v4-suffstats", "", moment(0x1p24, "matrix", 14)},

		// A weight is free to choose; the loss that has one is counted by class.
		{"another weight", "v2-amp-weighted", "", set("positive_weight", 9.0, "model")},
		{"nobody is found", "v2-amp-weighted-evaluated", "evaluation_numbers",
			count(-1e4, "cells", 1, 0)},
		// Nobody is in two wards at once, and no entry of a row is below 0 or above 1.
		{"in two wards", "v4-suffstats", "noise", moment(60, "matrix", 8)},
		{"in two wards by noise", "v4-suffstats", "", moment(25, "matrix", 8)},
		{"missing and in a ward", "v4-suffstats-indicators", "noise", moment(60, "matrix", 25)},
		{"a product below 0", "v4-suffstats", "noise", moment(-60, "matrix", 1)},
		{"an age above 1", "v4-suffstats", "noise", moment(150, "matrix", 0)},
		{"labels above 1", "v4-suffstats", "noise", moment(120, "vector", 0)},

		// No records come to the lattice's end, beyond which nothing would be known.
		{"at the lattice's end", "v4-suffstats", "noise", moment((1<<53-1)*0x1p-26, "square")},

		// Records are counted from 0 on, and none adds more than 1.
		{"nobody is wrong", "v2-amp-evaluated", "evaluation_numbers", count(-1e4, "cells", 1, 0)},
		{"nor far below 0", "v2-amp-evaluated", "", count(-5, "cells", 1, 0)},
		{"more than can be read", "v2-amp-evaluated", "evaluation_numbers", count(1e8, "cells", 1, 0)},
		{"the loss of more records", "v2-amp-evaluated", "evaluation_numbers", count(1e6, "sums", 0)},
		{"a loss below 0", "v2-amp-evaluated", "evaluation_numbers", count(-1e4, "sums", 0)},
		{"labels above their bounds", "v2-amp-numbers-evaluated", "evaluation_numbers",
			count(1e5, "cells", 1, 1)},
		{"squares above the numbers", "v2-amp-numbers-evaluated", "evaluation_numbers",
			count(1e5, "sums", 0)},
		{"errors of more records", "v2-amp-numbers-evaluated", "evaluation_numbers",
			count(1e5, "sums", 1)},
		{"right more often", "v2-amp-several-classes-evaluated", "evaluation_numbers",
			count(-1e5, "cells", 0, 0)},
	} {
		tree := read(t, filepath.Join(filesFolder, "releases", c.file+".json"))
		c.change(tree)
		r, err := learn.ReleaseFromTree(tree)
		require.NoError(t, err, c.what)
		price, bound, err := r.Price(r.Guarantee.Method, objective.BoundAuto)
		require.NoError(t, err, c.what)
		r.Guarantee.Bound, r.Guarantee.Theorem = bound, learn.Theorem(price.Method, bound)
		epsilon, err := price.EpsilonUpper(r.Guarantee.Delta)
		require.NoError(t, err)
		r.Guarantee.Epsilon = math.Max(epsilon, r.Guarantee.Epsilon/2)
		finding, _ := r.Verify().Failed()
		assert.Equal(t, c.claim, finding.Claim, "%s of %s: %s", c.what, c.file, finding.Text)
	}
}
