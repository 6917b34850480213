// Package account prices private releases. Use it to learn what an event costs:
//
//	price, err := account.Of(event, account.Auto, pld.Options{})
//	epsilon, err := price.EpsilonUpper(1e-5)
//
// [Of] with [Auto] prices an event by the first of these that applies: its privacy
// profile in closed form or as one integral (package objective), its privacy loss
// distribution (package pld), its Rényi curve (package rdp). Where report noisy min with
// Gumbel noise is composed, it is the sharper of the last two at δ = 1e-6. Private
// selection has only a Rényi curve (package selection), but for Liu–Talwar selection,
// which is priced by its (ε, δ) promise. To choose noise for a guarantee, use package
// calibrate, which checks its choice with this package.
//
// Every number that is a promise errs on the safe side and says so in its name:
// EpsilonUpper ≥ ε(δ), LogDeltaUpper ≥ log δ(ε). A computation that fails gives δ = 1,
// ε = +∞ or an error. The file certified.go of package curve says what makes a number
// certified, and which allowances for rounding are proved and which are measured. Lower
// bounds are types of their own.
//
// The packages below this one, from the bottom upwards:
//
//	curve       profiles δ(ε), their inverses, Rényi conversions, the gates of promises
//	objective   bounds of objective perturbation and approximate minima; closed forms
//	selection   what choosing among the runs of a mechanism costs
//	rdp, pld    composition: Rényi curves, and privacy loss distributions
//	filter      what a budget still affords, each event chosen in the light of the last
//	posterior   one sample from linear regression's posterior, by leverage and residual
//	logscale    noise whose scale is released first
//	tested      Rényi divergence of a test and what it releases, its failures included
//
// and those above it:
//
//	calibrate   the choice of noise
//	crosscheck  the methods side by side, in search of a contradiction
//
// "Theory §n", here and in other packages, is a section of theory.md beside this
// file: the statements, with their proofs.
package account
