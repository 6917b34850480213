// Package cards compares ways to choose a scorecard with privacy, on balanced Adult: it
// runs Figure 1 of Neel, Roth, Vietri & Wu 2019 again. Use it to see how far report noisy
// min (package scorecard) is ahead of the paper's mechanisms (package linear), and where
// private logistic regression with this library's default is ahead of both.
//
// The comment of package scorecard gives the figures and the command. The report of
// scripts/cards has all of them, with run times.
//
// The levels are in adult.json. They were chosen on the test part of Adult, without
// privacy. All records that are fitted or held out here come from the training part.
//
// Noise comes from public seeds, so anybody can compute every number again, and none of the
// noise protects anybody. Only scores are given out, no cards.
package cards
