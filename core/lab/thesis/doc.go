// Package thesis runs the comparisons of chapter 3 of Rachel Redberg's thesis again: linear
// regression by posterior samples (figure 3.1), labels by the votes of teachers (3.2), and one
// vote between two classes (B.1). Use it to see which of its systems pays where, beside what this
// project has in their place.
//
// The data of figure 3.1 are published tables, or made up anew; the votes of 3.2 are
// simulated. Noise comes from public seeds, so anybody can compute every number again, and
// none of the noise protects anybody. Only scores are given out, no coefficients or labels.
package thesis
