// Package distance tests, privately and without a floating-point number in its answer, how
// far data are from those on which a release would cost too much. Use it in a
// propose-test-release: where the test passes, less noise is drawn; where it fails, the
// noise is what suits all data.
//
// # Theorem
//
// Let D be a whole number of the data that one record changes by 1 at most, with D ≤ −1
// wherever the data are unsound. Release y = D + N, N a discrete Gaussian of parameter σ on
// the whole numbers, and pass where y ≥ k − 1, k the least whole number with
// P[N ≥ k] ≤ δ′. Unsound data then pass with probability δ′ at most, because y ≥ k − 1 asks
// for N ≥ k. y costs what a discrete Gaussian mechanism of sensitivity 1 costs, and whether
// it passes is a function of y. (ptr.md §1.6, after Canonne, Kamath & Steinke 2020.)
//
// A [Margin] bounds a number of the data from one side, in the same way, for a release whose
// noise is chosen by the bound.
package distance
