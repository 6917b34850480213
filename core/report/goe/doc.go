// Package goe is the distribution of the largest eigenvalue of the Gaussian
// orthogonal ensemble: symmetric d×d matrices with independent entries, N(0, 2)
// on the diagonal and N(0, 1) off it, that is (Z + Zᵀ)/√2 for a Z of independent
// N(0, 1). Its quantiles bound the noise that such a matrix adds to another one
// (thesis, appendix A.4.1).
//
// Chiani (2014, "Distribution of the largest eigenvalue for real Wishart and
// Gaussian random matrices and a simple approximation for the Tracy–Widom
// distribution", Theorem 2) has the ensemble divided by √2: N(0, 1) on the
// diagonal and N(0, 1/2) off it. The thesis defines it as above and reads off
// Chiani's: its F⁻¹(1 − ρ/2) = 12 for d = 50 and ρ = 8.465e-6 is 12√2 ≈ 16.97
// here, and 12 here is exceeded almost surely (the spectrum's edge is 2√50 ≈
// 14.14).
package goe
