// Package vote names the majority of a vote between two classes, privately. Use it where
// several parties have each said 0 or 1 about a public row, and only the majority's answer
// is to be known.
//
//	rule, err := vote.NewRule(vote.OneVote, privacy.AddRemove, 0.5, 1e-6)
//	labels, err := rule.Labels(source, [][]int{{3, 9}, {12, 0}})
//	event := rule.Event(2)
//
// It always answers. Where the vote is close it answers wrongly with a probability of up
// to ½, and where the gap is wide enough, never: with ε = 0.11 and δ = 1e-6 from a gap of
// 100 on.
//
// # Theorem
//
// Let one record move the gap between the two classes by s at most ([Changes]), and let
// w(t) be the probability of the wrong answer at gap t ≥ 0. Among all (ε, δ)-private ways
// to name the majority,
//
//	w(0) = ½,   w(t) = max{0, e^−ε (w(t−s) − δ)},
//
// and, with s = 2 and an odd number of voters, w(1) = (1 − δ)/(1 + e^ε), is best at every
// gap at once.
//
// Proof. Averaging any way with itself, the classes exchanged, keeps it private and its
// mean error; so let it treat the classes alike. Then w(−t) = 1 − w(t), which gives w(0),
// and w(1) from w(−1). The definition, for the two answers at gaps t − s and t, asks for
// w(t) ≥ e^−ε (w(t−s) − δ) and for 1 − w(t) ≤ e^ε (1 − w(t−s)) + δ. For w(t−s) ≤ ½ the second
// follows from the first, because the difference of the two bounds is
//
//	e^ε − 1 − w(e^ε − e^−ε) + δ(1 − e^−ε) ≥ (e^ε + e^−ε)/2 − 1 ≥ 0.
//
// The bound increases with w(t−s), so by induction nothing private is below w; and w itself
// satisfies all the inequalities, as it falls. ∎ (Redberg's thesis, B.3.1, has two Laplace
// draws and a test in its place; the recursion is ours.)
//
// # Precision
//
// w(t) is a whole number of 2^-64, rounded up at every step from the one before, with e^−ε
// rounded up and δ rounded down. So the inequalities hold for the probabilities that are
// drawn with, exactly, and not for real numbers near them.
package vote
