// Package plane fits lines to made-up points of the plane, with the learners that fit
// people's files. Pages use it to show what happens when a reader moves ε.
//
//	p, err := plane.New(ctx, plane.Points{Count: 1000, Separation: 2, Seed: 1})
//	lines, err := p.Fits(ctx, plane.Request{Method: plane.Objective, Guarantee: g, Draws: 20})
//
// # The points
//
// Two classes, as many of each (of an odd number, one more of the first): two
// normal distributions of unit variance whose means lie Separation apart. The
// plane is scaled so that the unit disk reaches three standard deviations beyond
// either mean; a point outside is moved to its edge. That disk is the public
// bound on the length of a row. The line that separates the classes best goes
// through the middle, and errs for Φ(−Separation/2) of them.
//
// # What this package is not for
//
// The noise comes from streams that anybody can draw again (package seeded), and the
// lines are fits, unlike the laboratory's scores. So the package takes no data set. It
// takes a few numbers and makes up the points itself. Its results can never become a
// release.
package plane
