// Package objective bounds the privacy of objective perturbation and of
// approximate minima perturbation, and has the profiles of the mechanisms whose
// profile is a closed form. Use it to ask for one bound by its theorem; for the
// price of any event by the first method that applies, use package account.
//
//	bound, err := objective.Of(event, objective.BoundAuto)
//	epsilon, err := curve.EpsilonUpper(bound, 1e-5)
//
// Objective perturbation can be priced by several theorems ([Bound]): the published
// ones, and the sharper ones of theory §4, which are the default. Each theorem gives a
// privacy loss ω(v) of one standard normal variable ([LossFunction]). The privacy
// profile, its composition with an output step, and the Rényi curve follow from ω. All
// of them keep the two directions of add/remove apart.
//
// Formulas are computed to about 1e-14 in log δ, and quadratures to 2e-13 with their
// error estimates added. Another 1e-13 is added at the end. So bounds lie some 1e-12
// above the true value and never below it. Lower bounds ([LowerCurve]) are a type of
// their own.
package objective
