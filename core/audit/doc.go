// Package audit attacks a mechanism to see whether it is as private as it promises. Use
// it to run the mechanism itself many times on two made-up neighbours, and to hold what
// an attacker learns from the outputs against the promised privacy profile.
//
//	aim, err := audit.Take(law, promised, audit.Grid(1, 20)) // where to look
//	counts, err := audit.Play(ctx, pair, audit.Around(aim, 0, spread), aim.Rounds, source, nil)
//	points, err := counts.Measure().Against(promised, audit.Grid(1, 20))
//	broken := slices.ContainsFunc(points, audit.Point.Broken)
//
// An audit can only find faults. One that finds none proves nothing: a mechanism may be
// broken in a way that this pair of data sets, or this statistic, does not show.
//
// # What is played
//
// In each round a fair coin chooses one of the two data sets, the mechanism runs on it,
// and a real statistic of what comes out is held against lines that were drawn before.
// Let P and Q be the laws of the statistic on the two data sets, in either order, and S
// the event that it is above one of the lines, or that it is not. By the definition of
// the hockey-stick divergence a mechanism of profile δ has, for every real ε,
//
//	P(S) − e^ε Q(S) ≤ δ(ε).
//
// So lower bounds of the left side are lower bounds of δ. Given the coins, how often S
// happened on either data set are independent binomials. The bounds hold given any
// coins, and so without.
//
//   - One ε, one order and one S are chosen beforehand, where the fault that is looked
//     for shows best ([Aim]). There the difference is bounded as it is, by Cramér's
//     theorem (tail, in cramer.go).
//   - For the rest of the curve there are T lines ([Test].Lines). P(S) is replaced by
//     the lower bound of Clopper & Pearson 1934 and Q(S) by the upper one. With both
//     data sets there are 4T such bounds. The bounds of the complement are those of S.
//
// # Confidence
//
// The bound at the aim is wrong with probability at most FalseAlarm/2, and each of the
// 4T others with FalseAlarm/(8T). By the union bound all hold together with probability
// at least 1 − [FalseAlarm], at every ε at once. So a mechanism that keeps its promise
// is accused with probability at most FalseAlarm in an audit, whatever its laws are and
// however many rounds are played. Two things have to be kept to: the aim, the lines and
// the number of rounds are fixed before the rounds that count (by the plan alone, or by
// runs that do not count, [Place]); and nobody stops for what they see in between.
//
// # How many rounds
//
// [Take] says how many rounds show a given fault with probability [Power]. It is no part
// of the guarantee of the audit. Where little is promised to an attacker, or the promise
// was proved with room to spare, it takes many: half the noise of a mechanism that loses
// ε = 1 at δ = 1e-5 exactly takes 7,000, and for a smaller ε the number grows as
// 1/ε². A fault that leaves the promise true cannot be shown by any number.
package audit
