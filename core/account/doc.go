// Package account prices private releases: it turns a [privacy.Event] into an
// upper bound on its privacy profile δ(ε), and (ε, δ) into the noise that a
// release needs.
//
//	curve, err := account.Of(event, account.BoundAuto)
//	epsilon, err := account.EpsilonUpper(curve, 1e-5)
//
// Every number that is a promise errs on the safe side and says so in its
// name: DeltaUpper ≥ δ(ε), EpsilonUpper ≥ ε(δ). Formulas are computed to about
// 1e-14 in log δ, quadratures to 2e-13 with their error estimates added, and
// 1e-13 is added once more, so that bounds lie some 1e-12 above what is true and
// never below. A computation that fails gives δ = 1, ε = +∞ or an error. Lower
// bounds ([LowerCurve]) are a type of their own.
//
// For objective perturbation there are several theorems to price by ([Bound]):
// the published ones and the sharper ones of theory §4, which are the default.
// Each is a privacy loss ω(v) of one standard normal variable ([LossFunction]),
// from which the profile, its composition with an output step, and the Rényi
// curve follow; all carry the two directions of add/remove apart.
//
// "Theory §n", here and in other packages, is a section of theory.md beside this
// file: the statements, with their proofs.
//
// The packages below this one do what needs more than one formula: rdp and pld
// compose, selection and filter build on them.
package account
