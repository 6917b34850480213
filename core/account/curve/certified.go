package curve

import "math"

// What "certified" means, in one place.
//
// A certified δ̂(ε) is a number for which the mechanism that an event describes is
// (ε, δ̂)-DP; a certified ε̂(δ) one for which it is (ε̂, δ)-DP. A certified lower end of
// ε(δ) is a number such that for no ε below it is every mechanism that the event
// describes (ε, δ)-DP; one of δ(ε), such that for no δ below it every such mechanism is
// (ε, δ)-DP. Each holds of the float64 that is returned, not of what it approximates. It
// rests on three things: theorems (theory.md, and the comment of each bound), the gates
// in this file, and an allowance for every rounding between theorem and number.
//
// Gates. Every upper end passes one of the functions below on its way out, in
// whatever package it was computed: closed forms, quadratures and replace-one in
// package objective (RoundUp), inverses here (epsilonAt), Rényi curves (rdp.Curve)
// and their conversions (LogDeltaFromRenyi, package account), selection, loss
// distributions (package pld), the filter's and the odometer's sums, and what the
// ledger admits by them; calibrate and crosscheck ask those. A computation that
// failed comes out as a promise of nothing, δ = 1 and ε = +∞: NaN; probabilities
// that add up to less than 1; an interval without a point in it. The ranges of
// events' parameters (privacy/range.go) keep ratios and their squares within
// float64, so that failures are rare; the gates do not rely on them.
//
// Allowances. Proved: bounded in the comment at the place from the rounding of
// single operations (u = 2^-53; sums, products, quotients and roots are correctly
// rounded). Measured: of functions of package math and of formulas longer than
// that the error was compared with 400-bit arithmetic, and the allowance is at
// least twice the largest that was seen (the part of it that was is in brackets),
// as the tests named Allowance check, and those named RoundedUp of the bound "control".
// Names without a package are of this one and of package objective.
//
//	what rounds                      where                        allowance           how
//	log δ of a closed form           RoundUp                      2^-43 + 2^-49|·|    measured (0.14)
//	e^x, log δ, at the edges         ExpUp, LogDown               2^-51, relative     measured (0.5)
//	ε − c                            Lowered                      2^-51(|ε| + |c|)    proved
//	ε/μ − μ/2                        logGaussianDelta             2^-51(ε/μ + μ/2)    proved
//	D_α of a formula                 RenyiUp                      2^-46, relative     measured (0.02)
//	ratios, limits, √Σμ²             closedForm, Decompose, Floor 2^-51 … 2^-48       proved, log odds measured
//	βR²                              Curvature                    2^-51               proved
//	√2r, ρ, κ and the bracket        softmaxOf                    2^-50, relative     proved
//	quadratures                      integrate                    their own estimate  measured
//	noise of an integrand            special: Adaptive            32 × the estimate   measured (0.45)
//	ε − ε₁ of a grid's points        gridProfile.at               2^-50 of its end    proved
//	the lattice's a, b               Lattice                      2^-40, relative     proved
//	the lower curve                  LowerCurve                   2^-43 + 2^-49|·|    measured
//	Σ and products of D_α            rdp: SumUp, productUp        next float64        proved
//	μ²/2                             rdp: halfSquare              2^-50, relative     proved
//	αε − (α−1)ε − ε                  rdp: logSlack                2^-49(1 + αε)       proved
//	trapezoid sums of D_α            rdp: relativeSlack           1e-12               measured
//	conversions at an order          leastLogDelta, leastEpsilon  2^-48 of terms      proved
//	masses that fail, added to δ     account: converted           2^-40(1 + |·|)      proved
//	ε of a Rényi curve               account: epsilonUpper        2^-40, relative     proved
//	Here + e^ε·There of failures     account: epsilonBetween      2^-48, relative     proved
//	log There + ε                    account: withFailures        2^-50 of terms      proved
//	the same beside a budget         filter: after                2^-48, relative     proved
//	what failures leave of a δ       pld: withoutFailure          2^-50, 2^-48(1 + |·|) e^· proved
//	limits of a filter               filter: New, NewOdometer     1e-12, 2^-48 of terms proved
//	probabilities of a loss          pld: massError               2^-40               proved to 2^-42
//	losses of atoms, bins, points    pld: logDelta, bin, position 2^-53(32 + 4x²), …  proved
//	losses of objective perturbation LossSlack; pld: convex       2^-48(1 + |ω| + 16v²) measured (0.02)
//	prices of selections             selection                    2^-50 … 1e-12       measured
//	chords of convex functions       Chords.At                    2^-48, relative     proved
//	α of a chord's end               rdp: Curve.Chords            next float64        proved
//	mass between grid points         pld: connect                 2^-48 of it         proved
//	mass beyond the grid             pld: upper                   all of it, at +∞    proved
//	entries of the transform         pld: convolve                γ, its comment      proved
//	moments, sums of exponents       pld: newEnd, composedMoment  theirs              proved
//	what wraps, what is beyond       pld: logDeltaLower           Chernoff's bound    proved
//	Σμ² of Gaussians                 pld: directions              (4n + 8)u           proved
//	Σρ of zCDP                       pld: concentrated            (2n + 32)u          proved
//	mass at +∞ of n runs             pld: sumError                2^-40 + 4nu         proved
//	sums of n single runs            pld: basic                   n·2^-42             proved
//	a profile's bends, its envelope  pld: promise.upper, between  2^-50, 2^-49        proved
//	probabilities below 1e-308       pld: logDelta, subnormal     all of it           proved
//	e^x of an interval's ends        pld: DeltaInterval           2^-50, relative     measured (0.19)
//	log of a δ that is asked about   pld: epsilonAt, EpsilonEach  2^-50, relative     measured (0.12)
//	ε ± (a + b) of a lattice         pld: delta, logDeltaAbove    2^-50 … 2^-40       proved
//	ε + a + b, ε − a − b             pld: epsilon, epsilonAbove   2^-50 … 2^-40       proved
//	e^a(δ + e^ε t), e^−b δ − t       pld: delta, logDeltaAbove    2^-40, 2^-48        proved
//	ε/k                              pld: basic                   2^-50, relative     proved
//	1 − e^ε of no run                pld: direction.logDelta      2^-50(1 + |·|)      measured (0.12)
//	the largest loss of a sum        pld: seekLogDelta            2^-40, and 2·cut    proved
//	log of a sampled bin's ratio     pld: subsampled.split        2^-46, relative     measured (0.08)
//	atoms in groups and off grids    pld: staircase, loss.upper   2^-50(8 + |·|)      proved
//	moments in Chernoff's bound      pld: end.chernoff            2^-50(|K| + r|ε|)   proved
//	powers of coefficients           pld: powerError              convolve's comment  proved
//	sums over windows, of sheets     pld: finish, sheet           8n·2^-53, 2^-40     proved
//	floors of profiles               pld: promised                2^-48, relative     proved
//	log δ of zCDP at an order        pld: concentratedProfile     2^-44(1 + |·|)      measured (0.004)
//	aΔ of discrete Laplace           discreteLaplaceProfile       2^-51, 2^-50        proved
//	inverses of bounds               rounded.Inverse              2^-46, relative     measured (0.02)
//	ε of a lower curve               LowerCurve                   2^-47(|ε| + μ²)     proved
//	exponents of control's pieces    roundPiece, parabola, lowest 2^-48 of terms      proved
//	offsets, ends and bends of it    roundSlope, most, leastBend  2^-48 of terms      proved
//	differences of its Ψ             hockey, difference, fall     2^-46, 2^-48 of terms measured (0.13)
//	δ_G that it is not below         begin                        2^-44, relative     measured (0.07)
//	its sums, and best offsets       roundSums                    2^-28, relative     proved
//	its chords, their D_α            logChord, renyi              2^-46, 2^-48 of terms measured (0.13)
//	terms of a sample's δ            posterior: tail, below       2^-46 of terms, r²  measured (0.25)
//	D_α of a sample                  posterior: Renyi             2^-48 of terms      measured (0.12)
//	the shift that D_α leaves        posterior: ShiftAtOrder      2^-46 of terms      measured (0.02)
//	ε left beside a scale, its s²    logscale: given, square      2^-50 of terms      proved
//	e^{−σv}/k of a scale             logscale: given              2^-46 + 2^-52σ|v|   measured (0.34)
//	u + v e^w of a test              tested: over                 2^-49 of terms      measured (0.07)
//	the z of a rare pass             tested: farthest             2^-40               measured (0.006)
//
// Four more lie inside a larger one on the same way, so that nothing would show if they
// were missing: those of account's δ less a mass that fails (2^-50, inside converted's), of
// what failures leave of a δ there (2^-48, inside a conversion's of |log δ| + log α but where
// δ is above 0.96, and there inside the 1e-9 by which its search goes on),
// of EpsilonLower's log δ (2^-51, inside LowerCurve's), and of the loss of an atom in
// pld's lower (2^-50, where a grid point that near was taken before). So do these, by what
// was measured or is counted:
//
//   - pld/sheet.go: what vanishes of coefficients is e^−70, against 400·2^-53 that entries
//     are charged at least, 1e-17 of it; of the 2 before min(off, jumps), half is proved
//     ((K + 1)/4K); γ is 21 times what is seen of impulses (TestAllowanceOfTheFourierTransform).
//   - objective/closed.go: a promise beside Gaussians has (1 + 2^-50)μ once more than the
//     8·2^-53 a part that gaussianRatio adds, of which 0.7 are needed.
//   - objective/softmax_faces.go: 2^-48 of h, 2^-40 of a cell, 2^-38 and 2^-40 of a node are
//     less than its chords and tangents are above what they bound (no sabotage of them shows).
//   - objective/control_search.go: of 2^-28 sums need at most 2^-35 (2^-44 of those that were
//     seen); the rest is for best offsets that are rounded, of which nothing shows.
//   - posterior: of a pair's D, 2^-49 of terms, moves its roots where δ is largest in them; the
//     (1 − 2^-50) of what ε₁ leaves, a(1 + x), and (1 + 2^-50) of log δ are less than RoundUp's.
//   - tested: 2^-42 after the search was before its terms had an allowance each.
//   - logscale: its quadrature's estimate is special.Adaptive's, for 1e-11, or for what noise
//     leaves (its row above): both are added.
//   - objective/convolution.go: tails beyond reach, and panels that are dropped, are e^−84 and
//     at most 1000·e^−38 of an integral, against RoundUp's 2^-43.
//
// A search that gives up is no bound: pld's reaches finds an ε, or says +Inf.
// What mechanisms, solvers, samplers and reports round, sensitivities up and scales down, is
// said with them and is not in this table. Packages learn, its learners, solve, random,
// report and search have a table of sabotages each (TestAuditSabotagedAllowancesAreCaught).
//
// TestEveryAllowanceHasASabotage of package account asks that what each row names is in a
// table of sabotages, and TestSabotagedAllowancesAreCaught leaves these out one by one, or
// turns their sign, as its tables have it, and requires that some test fails. Estimates
// (pld.Estimate) and what only chooses grids, tilts and orders are not certified and
// enter no promise.

// CertifiedLogDelta is the gate for an upper end of log δ. NaN and −Inf give 0,
// that is δ = 1: −Inf is an underflow on the way, since a δ of 0 is said with
// −MaxFloat64, which whoever knows that δ is 0 says outright. A number above 0
// gives 0.
func CertifiedLogDelta(computed float64) float64 {
	if Failed(computed) || computed > 0 {
		return 0
	}
	return computed
}

// CertifiedEpsilon is the gate for an upper end of ε: NaN and what is below 0
// give +Inf.
func CertifiedEpsilon(computed float64) float64 {
	if !(computed >= 0) {
		return math.Inf(1)
	}
	return computed
}

// CertifiedRenyi is the gate for an upper end of a Rényi divergence: NaN and
// what is below 0 give +Inf. A divergence is never below 0, so that a bound
// which is shows a computation that lost all its digits.
func CertifiedRenyi(computed float64) float64 { return CertifiedEpsilon(computed) }

// CertifiedEpsilons is the gate for an interval of ε. One that is empty, or has
// an end that is no number, gives all there is: from 0 to +Inf.
func CertifiedEpsilons(lower, upper float64) (float64, float64) {
	if !(lower >= 0 && lower <= upper) {
		return 0, math.Inf(1)
	}
	return lower, upper
}

// CertifiedLogDeltas is the gate for an interval of log δ. One that is empty, or
// has an end that is no number, gives all there is: from −Inf to 0.
func CertifiedLogDeltas(lower, upper float64) (float64, float64) {
	if upper = CertifiedLogDelta(upper); !(lower <= upper) {
		return math.Inf(-1), 0
	}
	return lower, upper
}

// LosesMass reports whether probabilities that are known to sum to 1 were added
// up to less, by more than the allowance for their rounding: some of them were
// lost on the way, and what the rest says of δ is too little. NaN loses mass.
func LosesMass(sum, allowance float64) bool { return !(sum >= 1-allowance) }

// RoundUp turns a computed log δ into an upper bound. The formulas of
// package objective are evaluated to a few units in the last place of log δ and a few
// units in the last place of δ itself, or bounded by their quadrature; 2^-43 in
// the logarithm (1e-13 of δ) and 2^-49 of it cover that many times over.
func RoundUp(logDelta float64) float64 {
	if Failed(logDelta) {
		return CertifiedLogDelta(logDelta)
	}
	return CertifiedLogDelta(
		math.Max(-math.MaxFloat64, logDelta+0x1p-43+0x1p-49*math.Abs(logDelta)),
	)
}

// Failed reports what CertifiedLogDelta takes for a failure.
func Failed(logDelta float64) bool { return math.IsNaN(logDelta) || math.IsInf(logDelta, -1) }

// RenyiUp turns a computed Rényi divergence into an upper bound: the formulas
// are good to a few units in the last place, or bounded by their quadrature.
func RenyiUp(value float64) float64 { return CertifiedRenyi(value * (1 + 0x1p-46)) }

// Lowered returns ε − c, less more than its rounding error: for use where a
// smaller ε is the safe side.
func Lowered(epsilon, c float64) float64 {
	return epsilon - c - 0x1p-51*(math.Abs(epsilon)+math.Abs(c))
}

// ExpUp returns a float64 ≥ e^x, for x ≤ 0: math.Exp errs by less than a unit in
// the last place, and two are added.
func ExpUp(x float64) float64 {
	y := math.Exp(CertifiedLogDelta(x))
	return math.Min(1, y+y*0x1p-51+math.SmallestNonzeroFloat64)
}

// LogDown returns a float64 ≤ log δ: math.Log errs by less than a unit in the
// last place, and two are taken off.
func LogDown(delta float64) float64 {
	x := math.Log(delta)
	return x - 0x1p-51*math.Abs(x)
}
