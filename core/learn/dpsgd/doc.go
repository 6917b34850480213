// Package dpsgd fits by differentially private stochastic gradient descent
// (Song, Chaudhuri & Sarwate 2013; Bassily, Smith & Thakurta 2014; Abadi et al.
// 2016): noisy sums of clipped gradients over Poisson samples of the records.
//
// # The mechanism
//
// From θ = 0, step t takes a sample B of the records, each with probability q
// and independently of all else, and forms
//
//	ĝ = (Σ_{z∈B} clip(∇ℓ(θ; z)) + noise)/b,   noise ~ N(0, (z_σ C)² I_d),
//
// where clip makes gradients at most C long, z_σ is the noise multiplier and b the
// expected batch, a public number of the plan. The batch that was drawn is
// private: nothing is divided by it. An optimiser turns ĝ into the next θ.
// What is released is the last θ, or a mean of the last few.
//
// The guarantee is that of releasing all noisy sums: the adaptive composition of
// T Poisson-subsampled Gaussian mechanisms ([Plan.Event]) under add/remove.
// Optimiser, learning rate, divisor and mean are post-processing; none of them
// is part of the event. For a GLM loss the gradient of a record is f′(xᵀθ)·x, so
// that clipping is a bound on the number f′ (glm.Clipped).
//
// # Finite precision
//
// The theorems speak of real numbers. Here, given θ, only one thing in a step depends
// on the data: a sum of whole numbers. All arithmetic on it is exact:
//
//   - The sample is exact: package random's PoissonSampler, with q taken for the
//     binary fraction that it is.
//   - A record's clipped gradient is multiplied by s and each of its coordinates
//     rounded to a whole number. Rounding adds at most √d/2 to its norm, all
//     other errors less than 2^-46 of it, so with s = G/C and
//     G = (D − √d/2)(1 − 2^-40) the norm is at most D, whatever θ is. Sums of such
//     vectors are exact in float64: fewer than 2^31 numbers of at most 2^21.
//   - The noise is random.GaussianCells(k), D = 2^k/z_σ: the sum and it are
//     together a function of what the ideal Gaussian mechanism with noise 2^k
//     gives out for a sum of sensitivity D, exactly. Its multiplier is 2^k/D = z_σ.
//
// So the event's price holds as it stands, with the true noise multiplier. Slightly
// more noise pays for the rounding: in units of the gradient its standard deviation is
// z_σ·C·D/G. That exceeds z_σ·C by a relative √d/(2D) or so, D ≥ 2^20: 5e-6 for a
// hundred columns. Everything after that (floats, optimiser, the stop when θ overflows)
// sees the data only through these sums.
//
// The one assumption on floating-point arithmetic is in the second item: that
// slopes are within a relative 2^-47 of what package glm says (which proves
// 2^-49 for its block loop), and never beyond their clipping bound.
//
// # n
//
// Under add/remove the number of records is private, so q, b and T must not depend on
// it. The papers do choose them by n (256/n, 60 epochs of n/256 steps), and so treat n
// as public. [PaperPlan] takes n as an argument, and the caller answers for it: a
// public guess of the right size works as well.
//
// # Tuning
//
// A learning rate that was chosen by looking at the data is an output. [Tuning] pays
// for the choice by private selection. [BestOfGrid] does not, so its type is one that
// no release accepts.
package dpsgd
