// Package bounds releases bounds of numeric columns under differential privacy. Use it
// when the author of a schema does not know them.
//
// # The mechanism
//
// All finite numbers are divided into bins by public edges ([Binning]). For each
// of k chosen columns the records in each of its B bins are counted, and discrete
// Laplace noise of a whole scale b is added to every count:
//
//	P[noise = z] = (1 − q)/(1 + q)·q^|z|,   q = e^(−1/b).
//
// A bin is seen if its noisy count is at least T. First, outermost seen bins are set
// aside on each side. Together those of one side hold, by their noisy counts, at most
// half of a stated share of the records in all seen bins. The bounds of the column are
// then the lower end of the lowest seen bin that is left, and the upper end of the
// highest.
//
// # What it costs
//
// Theorem. Let c = 1 under add/remove and c = 2 under replace-one. The release is
// (kc/b, 0)-differentially private, and its profile is at most that of kc discrete
// Laplace mechanisms of sensitivity 1 and scale b, composed.
//
// Proof. A record's bin in a column is a function of its own value and of public
// edges; a record with a missing value is in none. So one record more or less
// changes at most one count of a column, by 1; a record replaced by another
// changes at most two, by 1 each, and fewer if both are in one bin or a value is
// missing. The noise of different counts is independent, so the noisy counts are
// a composition of mechanisms of which at most kc see a difference, and that of 1;
// the rest have equal laws. One such mechanism is (1/b, 0)-DP (Ghosh, Roughgarden
// & Sundararajan 2009; it is dominated by the pair of sensitivity 1). Pure
// guarantees add up (Dwork, McSherry, Nissim & Smith 2006) and dominating pairs
// compose (Zhu, Dong & Wang 2022, Theorem 10). T, b and the share are chosen
// without the data, so the bounds are computed from the noisy counts and public
// numbers alone: post-processing. ∎
//
// Noise is drawn by whole-number arithmetic without rounding ([random.DiscreteLaplace])
// and counts are whole, so no floating-point error reaches the guarantee. The mechanism
// never refuses. Noisy counts exist even with no record, with one bin, or with a column
// whose values are all missing. Bounds that were not found are an output.
//
// # What it is good for
//
// Theorem. With T the least whole number ≥ 1 for which kB·q^T/(1 + q) ≤ β, with
// probability at least 1 − 2β over the noise every bin that is seen holds a record,
// and every bin that holds 2T − 1 records or more is seen.
//
// Proof. P[noise ≥ T] = q^T/(1 + q). A bin without a record is seen with that
// probability. A bin of n ≥ 2T − 1 records is not seen if noise ≤ T − 1 − n ≤ −T,
// which by symmetry has no larger one. Add both up over the kB bins. ∎
//
// So, with probability at least 1 − 2β, bounds reach at most to the end of a bin that
// holds a record. With a share of 0, values outside the bounds lie in bins of fewer
// than 2T − 1 records each.
package bounds
