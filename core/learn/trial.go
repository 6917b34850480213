package learn

import "cloister/core/data"

// Trial says what a fit does to records in so few words that made-up ones can be
// fitted likewise (package expect of the laboratory), to see beforehand what a
// private fit loses: in plain floating point, without lattices and certificates,
// which cost no accuracy to speak of. It is solved, or it is one of Steps, Moments and
// Selection.
type Trial struct {
	Dimension int     // d, the columns, that of the intercept included
	Classes   int     // K of a softmax, fitted at once; 0: each vector is fitted by itself
	Clip      float64 // C, to which the gradient of each record is clipped; +Inf: not

	// Solved: the minimum of Σ ℓ_C + (λ/2)‖θ‖² + bᵀθ, b ~ N(0, σ²I), with
	// N(0, σ_out²I) added, moved to the ball of this radius (0: there is none).
	Lambda, Sigma, Out, Radius float64

	Steps     *TrialSteps     // in the place of what is solved
	Moments   *Moments        // likewise: those of all rows with such noise; no numbers yet
	Selection *TrialSelection // likewise
}

// TrialSelection is the best of K fits by a noisy score, K from the Poisson distribution of
// this mean, each one of Among by chance. If K is 0, all coefficients are 0.
type TrialSelection struct {
	Mean  float64
	Among []Trial
	Sigma float64 // of a score's noise

	// Score is what the records add up to for a model of these vectors.
	Score func(theta [][]float64, records *data.Dataset) int64
}

// TrialSteps is gradient descent with momentum μ from 0: vₜ₊₁ = μvₜ + gₜ,
// θₜ₊₁ = θₜ − ηₜvₜ₊₁, gₜ a sum of clipped gradients of records that each take part
// with probability q, plus N(0, σₜ²I).
type TrialSteps struct {
	Rate     float64   // q
	Sigmas   []float64 // σₜ
	Sizes    []float64 // ηₜ, for sums; as many as Sigmas
	Momentum float64   // μ
	Tail     int       // the fit is the mean of the last so many θ; 0 or 1: the last
	Centring *Centring // of the rows; nil: as they are
}
