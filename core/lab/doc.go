// Package lab reruns the comparisons of the papers: methods of fitting, on data
// sets, over ε, with trials that differ in how the records are split and in the
// noise.
//
//	l := lab.New(files)                       // files: where the published data sets' text comes from
//	result, err := l.Run(ctx, lab.Cell{Set: "adult", Method: "amp", Epsilon: 1, Delta: 1e-5, Trial: 3})
//
// A Cell says everything a result depends on, so a result can be had again, on
// any machine, to a relative 1e-9 or so of whatever real numbers are in it; an
// accuracy, being a count, comes out the same but for the rare record that lies
// on the border.
//
// # What this package is not for
//
// The laboratory's noise is drawn from streams that anybody can draw again
// (package seeded). That is right for experiments on data that are public and
// wrong for everything else, so no model leaves this package: its results are
// scores. The scores of an experiment on private data are as private as the
// data.
//
// # Standing
//
// Every method says what its result on public data is worth ([Standing]):
// private, with the guarantee of its ε and δ if its noise were secret; dishonest, where something was chosen by looking at
// the data (usually at the test accuracy itself) and not paid for; or not
// private at all. Tables, plots and files carry it.
package lab
