// Package lab reruns the comparisons of the papers: methods of fitting, on data
// sets, over ε, with trials that differ in how the records are split and in the
// noise.
//
//	l := lab.New(files)                       // files: where the published data sets' text comes from
//	result, err := l.Run(ctx, lab.Cell{Set: "adult", Method: "amp", Epsilon: 1, Delta: 1e-5, Trial: 3})
//
// A Cell holds everything that a result depends on, so anybody can repeat it on any
// machine. Real numbers agree to a relative 1e-9 or so. An accuracy is a count and
// agrees exactly, except for the rare record on the border.
//
// # What this package is not for
//
// The laboratory draws its noise from streams that anybody can draw again (package
// seeded). That is right for experiments on public data and wrong for everything else.
// So no model leaves this package: its results are scores. The scores of an experiment
// on private data are as private as the data.
//
// # Standing
//
// Every method says what its result on public data is worth ([Standing]): private, with
// the guarantee of its ε and δ if its noise were secret; dishonest, if something was
// chosen by looking at the data (usually at the test accuracy itself) and not paid for;
// or not private at all. Tables, plots and files show it.
package lab
