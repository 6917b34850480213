// Package pate labels public queries by the votes of many teachers, privately, and more
// cheaply where they agree. Use it where several parties have each trained a model on
// records of their own, and have each said a class for every public query.
//
//	plan, err := pate.Choose(pate.Request{…})       // from public numbers alone
//	answer, err := plan.Labels(source, votes)       // labels, and whether the test passed
//	event := plan.Event()                           // what it costs
//
// # What a record changes
//
// Teachers have disjoint records, and which teacher has a record does not depend on others.
// So a record that is added, removed or replaced alters one teacher, and on each query one
// vote at most; the number of teachers is public, and each votes on every query. All here
// is for that relation. A record that takes another's place must go to the same teacher: if
// what is in a record decides who has it, as its hash would, one replaced alters two teachers,
// and only add/remove is right.
//
// # The release
//
// Of votes n ∈ ℕ^C a query the label is argmax_j n_j + N(0, σ²). Whatever the votes are, T
// queries are a Gaussian mechanism of sensitivity √(2T), with Rényi divergence Tα/σ² at
// order α. Where teachers agree it is far less ([TwoTails]), but how much less is private.
//
// # Theorem
//
// Fix an order α, a budget B and a test (package distance) of noise σ_d and failure δ′,
// before the votes are seen. Let D(X) be the largest k for which the bounds of all queries,
// each with the k votes moved that raise it most, add up to B at most, and −1 if there is
// none. Then |D(X) − D(X′)| ≤ 1 for neighbours, and D(X) = −1 wherever the data-dependent
// divergence exceeds B. Release D with noise; where it passes, the labels with σ, and
// otherwise those with σ₀ = √(Tα/B). That is
//
//	(ε, δ′ + δ₁)-private,   ε = B + α/(2σ_d²) + log(1 − 1/α) − log(αδ₁)/(α − 1).
//
// Proof. Both releases of labels have divergence B at order α, from X, wherever the test is
// right about X, and it is wrong with probability δ′ at most; so it is a
// [privacy.ProposeTestRelease], converted at order α. What is left is that D moves by 1. If
// X′ is X with one teacher altered, what k votes more make of X′ is among what k + 1 make of
// X; so the sum at k for X′ is at most that at k + 1 for X. ∎ (ptr.md §6.3; Papernot et al.
// 2018 and Redberg's thesis, Algorithm 6, publish a smooth sensitivity in its place, which
// costs more everywhere that was tried.)
//
// # Precision
//
// That D moves by 1 must hold for the number that the program computes. So the bounds of
// wrong labels are whole numbers of 2^-60 from a table that falls and is convex to the last
// digit (union.go), the price of each is from a staircase that only rises (envelope.go), and
// the prices of all queries are added in one order, which rounding keeps monotone.
//
// The noise is exact: the lattice cells of ideal Gaussians ([random.GaussianCells]), with
// votes a whole number of cells apart. A label is then a function of the ideal mechanism's
// output, but for two numbers of one cell, which tie; the bounds allow for that.
package pate
