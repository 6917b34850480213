// Package expect estimates how much accuracy a private fit will lose, before any record
// is read. It fits made-up records with and without noise.
//
// All inputs are public: the schema, roughly how many records there will be, and the
// parameters of the fit. The package takes no data set, so nothing here can depend on
// one. The results are scores. No model leaves, because anybody can draw the noise
// again (package seeded).
//
// # The population
//
// A schema says what values there can be, not how often they occur. Each trial
// draws a population of its own:
//
//   - Features share causes u ~ N(0, I): one, or with several classes one for each class. Behind
//     feature k is t = ρ·v·u + √(1 − ρ²)·e, with v a unit vector of its own, drawn uniformly,
//     e ~ N(0, 1), and ρ = 0.7 (with several classes 0.85). A number's place between its bounds, on
//     a scale from 0 to 1, is m + 0.15·t moved into them, m uniform between 0.3 and 0.7. The
//     shares of a feature's categories are drawn uniformly; its category is the one whose share
//     Φ(t) falls into.
//   - A score z adds up what each feature says. It has mean 0 and variance 1 among 2,000 records. A
//     number says its distance from m; a category, the t of its middle plus a draw from N(0, 1).
//     The weight of a feature is v's component for the score, times √K with K classes so that its
//     variance is 1, plus a draw from N(0, 1). Of two classes a number's weight is that draw alone,
//     and so explains half as much of z as a category's.
//     With v in it, what many numbers share nearly is the score, and is found with hardly any
//     budget. Real tables of measurements are not so: what tells two classes apart is often how
//     numbers differ that mostly move together.
//   - Two classes: P(y = 1) = 1/(1 + e^{−sz−a}). a is 0; if the share of the rarer class is
//     declared, a gives that share. Several classes: each has a score, and P(k) is in proportion
//     to e^{s·z_k}. A number: its place between its bounds, from −1 to 1, is N(z√q/3, (1 − q)/9),
//     so that z explains the part q of its variance.
//
// Nobody knows beforehand how strong the signal is, so there are three strengths
// ([Signal]). Linear effects suit a linear model best. So the package reports the
// difference that privacy makes, not how good a model will be.
//
// # The comparison
//
// The private fit (learn.Trial) does what the real one does, with its parameters, in
// plain floating point: it minimises Σ ℓ_L + (λ/2)‖θ‖² + bᵀθ and adds noise to
// that, or it takes noisy steps, or it solves noisy moments, or it is the best of several by
// a noisy score on the same records. The other minimises Σ ℓ + (λ/2)‖θ‖² over
// the same records, with the best of λ = 0.01, 0.1 and 1. Both are scored on fresh
// records by what can be expected under the population's own probabilities.
//
// If n records would take too long to fit, m of them stand for all, each counted n/m
// times: (n/m) Σ ℓ + (λ/2)‖θ‖² + bᵀθ has the minimum of Σ ℓ + (m/n)((λ/2)‖θ‖² + bᵀθ).
// Both fits then share the error of having seen only m records. Their difference, which
// is about λ and b, is that of n. A step on samples takes enough of the m to have the
// sampling error of a step on n.
package expect
