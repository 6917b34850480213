// Package special holds the numerical functions that privacy accounting needs. Use it
// where the standard library would lose digits: for tails of the normal distribution,
// which keep their relative accuracy where probabilities underflow; for sums and
// differences of exponentials; for roots that must lie on a chosen side; and for
// integrals with an error estimate.
//
// Logarithms are natural. Errors are stated as relative errors of the result, in units
// of float64 rounding. The tests compare with values that were computed elsewhere with
// 60 digits. The package imports only the standard library's math and errors, because
// the size of the accounting-only WebAssembly binary is bounded.
package special
