// Package cards compares ways to choose a scorecard with privacy, on balanced Adult: Figure 1 of
// Neel, Roth, Vietri & Wu 2019 run again. Use it to see what report noisy min (package scorecard)
// has over the paper's mechanisms (package linear), and where private logistic regression by this
// library's own default is ahead.
//
// What the figures are stands in the comment of package scorecard, with the command. The report
// of scripts/cards has them all, with run times.
//
// Levels are in adult.json. They were chosen on the test part of Adult, without privacy; all
// records that are fitted or held out here come from the training part.
//
// Noise comes from public seeds, so every number can be had again, and none of it protects anybody:
// scores are given out, and no card.
package cards
