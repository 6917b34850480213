// Package selection chooses a setting of a fit by the records, and pays for the choice. Use
// it where a setting, such as λ or the method, matters a good deal and nothing public says
// which is right. The usual default costs nothing to choose, and a choice leaves about a third
// of ε to each fit ([Plan.Each]).
//
// # What is run
//
// Candidates are public. [Choose] sets the noise of each so that it alone would have one
// and the same guarantee. Then [Plan.Fit]
//
//	draws K from the Poisson distribution of mean μ;
//	K times: draws a candidate uniformly, fits it, and scores the model on the same records,
//	         with discrete Gaussian noise of its own;
//	gives out the model with the best noisy score, which candidate it is of, and that score.
//
// Ties are broken at random. K and all that the other runs gave out stay secret. With
// probability e^−μ there is no run, and no model ([ErrNoRun]). The charge stays.
//
// # Theorem
//
// Let one run Q be the composition of the worst of the candidates' fits (privacy.OneOf) and
// of the score, a discrete Gaussian mechanism of the score's sensitivity. What is given out
// costs what account prices as privacy.PoissonSelection{Q, μ}.
//
// Proof. Given the candidate, which no record decides, a run is the adaptive composition of
// that candidate's fit and of the score: the score looks at the records once more, through
// the model that the fit gave out. So D_α of a run is at most that of Q's event, whichever
// candidates there are (privacy.OneOf). A run gives out the score by which it is judged. So
// the best of K independent runs is a private selection, and the theorem at
// core/account/selection.Poisson prices it. A fit that refuses or diverges gives out that it
// did, and is below every score: a run with one more output. ∎ (§1.8 of Redberg's thesis,
// Algorithm 5, is the same around candidates that may fail; none here may.)
//
// # Score
//
// Of classes it is the number of records that are predicted rightly, less the number of the
// others; of a number, the sum of 1000·(1 − e²/2), each rounded to a whole number, where e is
// the prediction less the label in units of half the label's range, both within its bounds. A
// record adds −S to S, S = 1 or 1000, computed from that record and the model alone. So
// adding or removing one changes the sum by S at most, and replacing one by 2S. Whole
// numbers are added up, so nothing else rounds.
package selection
