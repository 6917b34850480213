// Package curve holds what all methods of accounting share: an upper bound on a
// privacy profile δ(ε) ([Profile], [Curve]), the ε at a given δ ([EpsilonUpper]),
// the conversion of Rényi divergences into both, and the gates that every promise
// passes on its way out (certified.go). Use it to write a method of accounting, or
// to read a curve; for the price of an event, use package account.
//
// DeltaUpper ≥ δ(ε), EpsilonUpper ≥ ε(δ). A computation that fails gives δ = 1,
// ε = +∞ or an error.
package curve
