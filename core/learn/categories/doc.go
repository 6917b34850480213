// Package categories releases the categories of a column under differential privacy.
// Use it when the author of a schema does not know them.
//
// # The mechanism
//
// In each of k chosen columns the records of each category are counted. A category of n
// records is kept with probability π(n), independently of all others, and the names of
// those that are kept are released in the order of their bytes. Nobody has to list the
// possible categories beforehand. A category that no record has is never released,
// since π(0) = 0. With an (ε′, δ′) of its own for each change of a count,
//
//	π(n+1) = min(e^ε′ π(n) + δ′, 1 − e^−ε′ (1 − π(n) − δ′), 1).
//
// This is the optimal rule of Desfontaines, Voss, Gipson & Mandayam, "Differentially
// private partition selection", PoPETs 2022, Theorem 1: no other rule that sees nothing
// but the count, and is (ε′, δ′)-DP, keeps any category with a larger probability. It
// replaces a noisy histogram with a threshold (Korolova, Kenthapadi, Mishra & Ntoulas
// 2009; Bun, Nissim & Stemmer 2016).
//
// # What it costs
//
// Theorem. Let c = 1 under add/remove and c = 2 under replace-one. The release is
// at most as revealing as the composition of kc mechanisms that are (ε′, δ′)-DP; in
// particular it is (kcε′, kcδ′)-DP.
//
// Proof. A record has at most one category in a column, and none where its value is
// missing. So one record more or less changes at most one count of a column, by 1;
// a record replaced by another changes at most two. Categories are kept
// independently, so the release is a product of one bit a category and column, of
// which at most kc have different laws on two neighbours, those of a count n and of
// n + 1; the rest have equal laws. It remains to see that such a bit is (ε′, δ′)-DP.
// It has two outcomes, so that is, for p = π(n) ≤ q = π(n+1), the four inequalities
//
//	q ≤ e^ε′ p + δ′,   1 − p ≤ e^ε′ (1 − q) + δ′,   p ≤ q,   1 − q ≤ 1 − p,
//
// of which the rule states the first two and gives the others (e^ε′ ≥ 1). A category
// that is in one of two neighbours only has n = 0 in the other and is never kept
// there: the same inequalities with p = 0. Dominating pairs of bits compose (Zhu,
// Dong & Wang 2022, Theorem 10), and sums are an upper bound (Dwork & Roth 2014,
// Theorem B.1). ∎
//
// # Arithmetic
//
// Probabilities are whole multiples of 2^-62, computed in whole numbers: e^ε′ is
// rounded down, e^−ε′ up, δ′ down, and each step of the rule down. So the two
// inequalities hold for the numbers that are used, not only for numbers near them. A
// probability of P·2^-62 is drawn exactly, by comparing P with 62 fair bits. No
// floating-point number reaches the guarantee.
//
// The mechanism never refuses. An empty list is an output too.
package categories
