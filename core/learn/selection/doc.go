// Package selection chooses a setting of a fit by the records, and pays for the choice. Use
// it where a setting, such as λ or the method, matters a good deal and nothing public says
// which is right. The usual default costs nothing to choose, and a choice leaves about half
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
//
// # What it predicts
//
// Measured against the default that no record decides, it has not paid: on none of ten real
// tables is a choice ahead of it by more than the error of the difference, and on small ones it
// costs much. What the choice takes from each fit is more than what a better setting gives back.
// Records predicted rightly, or for numbers (the last four) the share of the variance explained,
// on test records, in %: δ = 1e-5, add/remove, the number of records told to one digit; the mean
// of 20 seeded 80/20 splits (5 of tables above 6,000 records) and its standard error. The
// candidates are those of [Lambdas] and of [Methods]. The few choices that came to nothing are
// left out.
//
//	table (records, columns)        chosen    ε = 0.5        ε = 1          ε = 4
//	breast cancer (569, 31)         default   90.4 ±  0.5    90.6 ±  0.6    91.9 ±  0.5
//	                                λ         76.9 ±  2.2    84.8 ±  0.8    90.0 ±  0.6
//	                                method    86.6 ±  1.2    88.3 ±  0.6    91.0 ±  0.5
//	early diabetes (251, 32)        default   83.0 ±  1.4    84.8 ±  0.8    87.5 ±  0.9
//	                                λ         65.8 ±  1.7    76.9 ±  2.0    86.7 ±  0.9
//	                                method    70.9 ±  2.5    79.0 ±  1.4    86.0 ±  1.1
//	Titanic (1309, 9)               default   78.3 ±  0.4    79.0 ±  0.4    79.0 ±  0.3
//	                                λ         78.9 ±  0.4    79.0 ±  0.4    79.0 ±  0.4
//	                                method    78.2 ±  0.4    78.8 ±  0.3    79.0 ±  0.3
//	mortgages (2380, 29)            default   88.6 ±  0.3    89.1 ±  0.2    89.8 ±  0.3
//	                                λ         88.0 ±  0.2    88.2 ±  0.2    89.3 ±  0.3
//	                                method    88.0 ±  0.2    88.4 ±  0.2    89.8 ±  0.2
//	free light chain (7874, 11)     default   81.1 ±  0.4    81.3 ±  0.4    81.3 ±  0.2
//	                                λ         79.6 ±  0.5    80.8 ±  0.4    81.2 ±  0.3
//	                                method    80.3 ±  0.4    81.1 ±  0.4    81.3 ±  0.3
//	Adult (45222, 105)              default   83.7 ±  0.2    84.0 ±  0.2    84.7 ±  0.1
//	                                λ         82.9 ±  0.2    83.2 ±  0.2    84.0 ±  0.2
//	                                method    83.1 ±  0.2    83.5 ±  0.2    84.2 ±  0.2
//	tumour radius (569, 30)         default   50.1 ±  5.7    71.5 ±  2.7    92.5 ±  0.5
//	                                λ        -54.2 ± 21.6   -35.5 ± 12.0    42.6 ±  7.0
//	                                method   -53.0 ± 19.2   -11.8 ± 13.6    50.9 ±  7.5
//	body weight (507, 26)           default   68.8 ±  1.8    79.3 ±  1.6    88.7 ±  0.5
//	                                λ         -8.9 ±  8.3    18.5 ±  5.4    48.7 ±  2.7
//	                                method    38.6 ±  4.5    36.0 ±  6.8    68.7 ±  2.9
//	diabetes progression (442, 12)  default   38.2 ±  1.8    42.0 ±  1.3    47.1 ±  1.5
//	                                λ         -0.9 ±  1.7     1.3 ±  1.4    13.2 ±  2.6
//	                                method    -9.7 ±  7.1     6.5 ±  3.6    31.0 ±  3.4
//	weekly wage (28155, 13)         default   28.3 ±  0.6    29.0 ±  0.6    29.6 ±  0.6
//	                                λ         19.4 ±  2.6    24.0 ±  1.2    28.6 ±  0.6
//	                                method    25.9 ±  0.5    28.5 ±  0.9    30.1 ±  0.7
//
// (go run ./scripts/accuracy -method usual -epsilon 0.5,1,4 -splits 20 -data …, and so with
// -method choose-lambda and choose-method; of numbers with -loss squared. Since
// then the default is ahead by more of numbers: its rows are of one scale, see dpgd.MeanDefaults.)
//
// # Rows of a choice
//
// All candidates are fitted to, and scored on, the same rows: those of the schema. Of classes these
// are the rows of the default fit too. Of numbers they are not: a fit by steps alone divides all
// rows by one length (methods.Rows), and its candidate here has clipped ones. Such rows for all
// candidates were behind in body weight up to ε = 1, and level in the rest. 100·R² of a choice of
// the method, 40 splits, and of the default fit, 50 splits (scripts/benchmark):
//
//	                                    ε = 0.5        ε = 1         ε = 4
//	body weight           clipped       22.3 ±  6.2    43.2 ± 3.3    63.8 ± 2.7
//	                      of one scale  −0.3 ± 12.4    17.0 ± 8.4    66.1 ± 4.3
//	                      default       87.8 ±  0.7    92.3 ± 0.3    94.8 ± 0.2
//	diabetes progression  clipped       −5.1 ±  3.4     7.2 ± 2.6    32.4 ± 2.4
//	                      of one scale  −2.6 ±  2.3     3.6 ± 2.3    31.9 ± 2.5
//	                      default       34.5 ±  0.9    44.1 ± 0.7    48.6 ± 0.9
//
// (go run ./scripts/accuracy -method choose-method -loss squared -norm clip -epsilon 0.5,1,4
// -splits 40 -data more/body_weight,more/diabetes_progression, and so with -norm scale.) So for a
// number a choice does not judge the default fit, which was ahead of it at every ε that was tried.
package selection
