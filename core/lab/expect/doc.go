// Package expect says what a private fit can be expected to lose, before a
// record is read: by fitting made-up records with and without noise.
//
// What goes in is public: the schema, roughly how many records there will be,
// the parameters of the fit. No data set can be handed over, so nothing here
// can depend on one. What comes out are scores; no model leaves, because the
// noise is one that anybody can draw again (package seeded).
//
// # The population
//
// A schema says what values there can be, not how often they occur. Each trial
// draws a population of its own:
//
//   - Features are independent of each other. A number's place between its
//     bounds, 0 to 1, is N(m, 0.15²) moved into them, m uniform between 0.3 and
//     0.7; the shares of a feature's categories are uniform among all shares.
//   - A score z of mean 0 and variance 1 adds up what each feature says: of a
//     number its distance from m, of a category a draw from N(0, 1); each
//     feature's weight is a draw from N(0, 1).
//   - Two classes: P(y = 1) = 1/(1 + e^{−sz}). Several: each has a score, and
//     P(k) is in proportion to e^{s·z_k}. A number: its place between its bounds,
//     −1 to 1, is N(z√q/3, (1 − q)/9), so that z explains the part q of its variance.
//
// How strong the signal is nobody knows beforehand, so there are three
// ([Signal]). That features are independent and effects linear is what a linear
// model likes best; what is reported is the difference that privacy makes, not
// how good a model will be.
//
// # The comparison
//
// The private fit ([Fit]) does what the real one does, with its parameters, in
// plain floating point: it minimises Σ ℓ_L + (λ/2)‖θ‖² + bᵀθ and adds noise to
// that, or it takes noisy steps. The other minimises Σ ℓ + (λ/2)‖θ‖² over
// the same records, with the best of λ = 0.01, 0.1 and 1. Both are scored on fresh
// records by what can be expected under the population's own probabilities.
//
// More records than are quick to fit are stood for by m of them, each counted
// n/m times: (n/m) Σ ℓ + (λ/2)‖θ‖² + bᵀθ has the minimum of Σ ℓ + (m/n)((λ/2)‖θ‖² + bᵀθ).
// Both fits then err by which m records they saw, and the difference, which is
// about λ and b, is that of n. A step on samples takes so many of the m that by
// the choice of them it errs as one of n does.
package expect
