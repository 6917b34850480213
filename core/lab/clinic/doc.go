// Package clinic chooses scorecards for made-up patients, with the search that chooses cards
// for people's files. Pages use it to show what happens to the points when a reader moves ε.
//
//	c, err := clinic.New(ctx, clinic.Patients{Count: 500, Seed: 1})
//	cards, err := c.Cards(ctx, clinic.Request{Guarantee: g, Draws: 20})
//
// # The patients
//
// Who comes back to hospital within a month? Four attributes with ten levels are drawn
// independently, with all levels of an attribute equally likely. Each level has points of
// its own (truth). A patient whose points add up to t comes back with probability 1/(1 +
// e^(1.4(1/2 − t))). So no rule is right more often than the card with these points. How
// often a card is right on new patients is known exactly: it is a sum over the 36 cells.
//
// # What this package is not for
//
// The noise comes from streams that anybody can draw again (package seeded). So the package
// takes no data set: it takes a few numbers and makes the patients up itself. Its results can
// never become a release.
package clinic
