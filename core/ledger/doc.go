// Package ledger records for good what has been spent on a data set. Use it whenever
// several releases come from the same people. A [Dataset] has a budget (ε, δ,
// adjacency) and charges, each an event of package privacy. A charge is reserved before
// its mechanism is run. It is committed, with the digest of the output, before the
// output is shown to anybody. It never expires: after a crash it still counts. So at
// every moment there are at least as many charges as releases.
//
// # What is promised
//
// Everything ever released under charges of a data set is together (ε, δ)-DP, under its
// adjacency, for the (ε, δ) of its budget. This needs four things: nothing else about
// the data was let out, the budget was not chosen by looking at the data, every
// mechanism is what its event says, and nobody but a ledger wrote to the store or into a
// file that was taken in (a file's checksum finds damage, and no change on purpose).
//
// The analyst may choose each event, which releases to show to others, and whether to go
// on, by all releases so far, and by nothing else that came from the data. A choice by
// figures that were not charged, such as accuracy on the data holder's own rows, is a
// look at the data that no charge here covers.
// Package filter has an example in numbers.
//
// Theorem. Call a charge opening if it was reserved before any charge of the
// data set was committed, in this ledger or in another. Let events be charged only while
//
//	(1) all charges together are within the filter of package filter, of which
//	    [SetAside] of δ is for events that fail outright with some probability, or
//	(2) all charges are opening, and their composition has δ(ε) ≤ δ by its
//	    privacy loss distribution (or profile, or Rényi curve: package account).
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
// The composition by privacy loss distribution ([Dataset.Total]) is sharper than the
// filter, but must not decide whether to go on. To add events while the composition of
// those so far is within the budget (the "natural filter") is not (ε, δ)-DP in general
// when events are chosen by outputs (Regehr et al. 2026, arXiv:2602.15815; for
// trade-off functions arXiv:2602.06756). The composition holds for a list fixed in
// advance. So it is reported as what these charges would have cost if all of them had
// been fixed in advance. [Dataset.Spent] is the cost by the filter, and what is left is
// the budget less that. The guarantee is the budget, and neither of these numbers.
//
// A charge from an imported file is spent from then on, whatever the file says of its
// state: the ledger that reserved it may have committed and shown it since. So a charge
// that is reserved here after an imported one is never opening. Charges that were
// opening in their own ledger stay so: they were fixed before anything was released. A
// budget that they use up is closed, not exceeded.
//
// Time plays no part in this. Clock times are noted for people; only the order of
// entries counts.
//
// # What it is made of
//
// A release is kept with its charge, in one entry. A charge is committed if and only if
// its release can be handed out again ([Ledger.Kept]). There are two exceptions:
// releases of more than [MaxKept], and imported charges, because a file holds no
// releases. Showing the same release again is post-processing and costs nothing.
// Running the mechanism again would be another release, and is not offered.
//
// The whole ledger is one append-only list of entries in a [Store]. Every change is
// decided on a list of known length. It is appended only if the list still has that
// length; otherwise it is decided again. So two writers cannot spend the same budget.
//
// # What a file is recognised by
//
// A data set is recognised by a keyed hash of the digest of its content; see [Content].
// No export holds the key or the hashes. There are two kinds of digest ([Identity]):
// entries of versions before 3 have the whole digest, later ones the list digest. So a
// content is in one of four states here:
//
//	unknown  neither of its digests is here
//	unseen   the whole one is here, and not the list one: an earlier program wrote it
//	seen     both are here: it was unseen, and a later program read it
//	listed   the list one alone is here: a later program was the first to read it
//
// It becomes seen when [Ledger.Find] finds it by its whole digest, if there is room to
// note that, and when [Ledger.Same] puts an unseen content to an account. It is never
// forgotten:
//
// A content in any state but unknown is found, or the answer is *[UntakenError], and
// nothing can be opened or charged. For a seen or listed one its list digest is always
// taken. For an unseen one, if the whole digest was taken it is found by that; if not,
// there is an unseen content, this one, and so the answer is *UntakenError.
//
// No content goes back to unknown: no entry takes a hash away, and an account that has
// one stays, or is put together with another that takes its name over.
//
// No content is here twice, by its list digest in one account and by its whole digest,
// unseen, in another. Its list digest comes in by a new account, only if the content is
// unknown by both digests, as above; by "seen", into the account of its whole digest;
// or by "same", which puts the accounts of both together. Its whole digest comes in
// only by entries before version 3. A program that writes those refuses a ledger with
// an entry of version 3, and appends only to a list that it has read to the end, so
// they all come before every list digest. A list where that is not so was damaged, or
// put together from two, and is refused: one with an entry before version 3 after one of
// version 3, and one whose entry of version 3 has the whole digest of a content that is
// not unseen, or has it without the list one.
//
// Once no content is unseen, whole digests are not needed. Two contents that count as
// the same have both digests in common, and two others none, unless SHA-256 has a
// collision.
package ledger
