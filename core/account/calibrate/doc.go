// Package calibrate chooses noise, and everything else that a guarantee decides. Use it
// before a fit. It takes public numbers only, and sees no record.
//
//   - [Minima] chooses λ, σ, τ and the output step of approximate minima perturbation.
//     A field that a request leaves at 0 has a default (defaults.go). The defaults are
//     here and not in the learner (package amp), because the fit of several classes
//     needs them too and imports no learner.
//   - [Gaussian], [SmallestSigma] and [SmallestLambda] solve for one parameter where
//     the profile is a closed form or one integral.
//   - [Solve] finds any one parameter of any event: how much noise, which sampling
//     rate, how many steps. [Descent] and [TunedDescent] ask it for DP-SGD.
//   - [SmallestTau] and [SmallestRegularizer] are the floors that no plan may be below.
//
// Answers are on the safe side and certified. The event is priced once more with the
// chosen parameters, and returned only if it is (ε, δ)-DP.
package calibrate
