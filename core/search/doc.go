// Package search finds the least of Σ ℓ(w; z) over whole-number points w,
// exactly: the 0/1 loss of scorecards, alone or with a perturbation that makes
// the minimiser private. All its arithmetic is on integers, ties go by a fixed
// public order, and a search is run to its end or fails.
//
// A scorecard has attributes with levels. Every level has a point in
// {−B, …, B}; the score of a record is the sum of the points of its levels, one
// of each attribute, and it says yes where the score is 1 or more. W is the set
// of all points; its size is (2B+1)^d for d levels in all.
//
// # What it is for
//
// [Minimise] with [None] is the plain minimiser, which is not private. With
// [Noise] it is report noisy min over W, that is permute-and-flip (geometric
// noise, on a lattice of losses) or the exponential mechanism (Gumbel noise).
// With [Separable] it is the proximal centre, or any other cost of each level.
//
// # How it works
//
// Branch and bound over the attributes in turn and the levels of each. Below
// every node of the tree lies a part of W, and its least loss is bounded from
// below by letting each cell of the remaining attributes choose the rest of
// its score for itself (tables.go). With [Noise] a node also carries the
// largest noise of the points below it, and children draw theirs given that
// (package random): a node is left out when its bound less its noise cannot
// come before the best point found.
//
// # Theorem
//
// With independent noise on every point, drawn from the top down, the output
// has exactly the law of report noisy min over W, whatever the order of the
// visits, the tree and the bounds, and however these depend on the data, as
// long as the bounds are right.
//
// Proof. The draws made are part of a construction of independent noises on all
// of W: it could be gone on with below every node that was left out. For every
// outcome of the whole construction the search returns the first minimiser of
// loss less noise, because what it leaves out cannot come before. So its law is
// that of the minimiser. ∎ (nonconvex §5.1.)
//
// How long a search takes, how many nodes it visits, and its loss are private:
// [Certificate] is for the data holder alone.
package search
