// Package ledger keeps what has been spent on a data set, for good. A
// [Dataset] has a budget (ε, δ, adjacency) and charges, each an event of package
// privacy. A charge is reserved before its mechanism is run and committed, with
// the digest of what came out, before that is shown to anybody. It never
// expires: a crash leaves it standing. So at every moment there are at least as
// many charges as releases.
//
// # What is promised
//
// Everything ever released under charges of a data set is together (ε, δ)-DP,
// under its adjacency, for the (ε, δ) of its budget; provided that nothing else
// about the data was let out, that the budget was not chosen in the light of it,
// and that every mechanism is what its event says. The analyst may choose each
// event, and whether to go on, in the light of all releases so far.
//
// Theorem. Call a charge opening if it was reserved before any charge of the
// data set was committed. Let events be charged only while
//
//	(1) all charges together are within the filter of package filter, of which
//	    [SetAside] of δ is for events that fail outright with some probability, or
//	(2) all charges are opening, and their composition has δ(ε) ≤ δ by its
//	    privacy loss distribution (or profile, or Rényi curve: package sharpest).
//
// Then all releases together are (ε, δ)-DP.
//
// Proof. The opening charges are chosen before any output is seen, so they are
// the same whatever the outputs will be. If they are not within the filter they
// are the only charges there will ever be, since (1) can only get further away
// and (2) asks for opening ones: the releases are a composition of mechanisms
// with parameters fixed in advance, which compose by their dominating pairs
// (Zhu, Dong & Wang 2022, Theorem 10), and (2) is the claim. If they are within
// it, then so is every charge after them, whatever the outputs: the condition of
// the filter's theorem (Feldman & Zrnic 2021, Theorem 4.3; see filter.Filter)
// holds on every path. ∎
//
// The composition by privacy loss distribution ([Dataset.Total]) is sharper than
// the filter, but no rule to go on by: to add events while the composition of
// those so far is within the budget (the "natural filter") is not (ε, δ)-DP in
// general when events are chosen in the light of outputs (Regehr et al. 2026,
// arXiv:2602.15815; for trade-off functions arXiv:2602.06756). It holds for a
// list fixed in advance, and so it is reported for what it is: what these
// charges cost had all of them been fixed in advance. [Dataset.Spent] is the same
// by the filter, and what is left is the budget less that. Neither number is a
// guarantee to stop at; the budget is.
//
// Time plays no part in any of this. Clocks are noted for people; what counts is
// the order of entries.
//
// # What it is made of
//
// A release is kept with its charge, in one entry: a charge is committed if and only
// if its release can be handed out again ([Ledger.Kept]), but for releases of more
// than [MaxKept] and for charges that came with a file, which holds none. To show the same release again is post-processing and costs
// nothing; to run the mechanism again would not be the same, and is not offered.
//
// The whole ledger is one append-only list of entries in a [Store]. Every change
// is decided on a list of known length and appended only if the list still has
// it, else decided anew: two writers cannot spend the same money.
//
// A data set is recognised by a keyed hash of its content; see [Content]. The
// key and the hashes are in no export.
package ledger
