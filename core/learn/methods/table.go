// Package methods is the one way to choose a private fit by name.
//
// Use it wherever a method is named: by a caller, in a file, on a command line.
// [Choose] takes only what is public: the schema, the loss and the guarantee. It
// returns a fit whose noise is chosen, with its event, how to run it, and how much
// accuracy to expect it to lose. It never sees a record. A program about one learner
// (an experiment, an audit) imports that learner's package instead.
//
// # To add a learner
//
// Write a folder under core/learn with a Fit, and a learn.Method that says what the
// learner can do and chooses its noise. Add the method to [All], and the text that
// pages show to words (words.go). Run `make wire`, which passes both on to the page
// code. If no event of package privacy describes the mechanism, add one; package
// account must price it and learn.Release.Verify must know it.
//
// The test of this package then fits, prices, releases and verifies the learner with
// every label, loss and adjacency that it claims. The test of core/lab/expect checks
// that its trials lose what its fits lose.
package methods

import (
	"slices"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/ops"
	"cloister/core/learn/outpert"
	"cloister/core/learn/outptr"
	"cloister/core/learn/suffstats"
)

// Default is the name of the default method.
const Default = "amp"

// For returns the methods for labels of that kind, in the order of All.
func For(label data.LabelType) []learn.Method {
	return slices.DeleteFunc(All(), func(m learn.Method) bool {
		return !slices.Contains(m.Labels, label)
	})
}

// All returns every method, in the order in which texts name them.
func All() []learn.Method {
	return []learn.Method{
		ofSeveralClassesToo(amp.Learner),
		amp.PaperLearner,
		outpert.Learner,
		dpgd.Learner,
		dpgd.MeanLearner,
		dpsgd.Learner,
		suffstats.Learner,
		ops.TestedLearner,
		ops.FixedLearner,
		outptr.Learner,
	}
}
