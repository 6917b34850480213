// Package special holds the numerical functions that privacy accounting rests
// on: tails of the normal distribution that keep their relative accuracy where
// probabilities underflow, sums and differences of exponentials, root finding
// that ends on a chosen side, and quadrature with an error estimate.
//
// Logarithms are natural. Errors are stated as relative errors of the result
// in units of float64 rounding; the tests hold values computed elsewhere with
// 60 digits. The package imports only the standard library's math and errors,
// because the accounting-only WebAssembly binary is bounded in size.
package special
