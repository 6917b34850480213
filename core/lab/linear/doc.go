// Package linear has the mechanisms of Neel, Roth, Vietri & Wu 2019 ("Differentially private
// objective perturbation: beyond smoothness and convexity"), as published and corrected: a loss
// on a finite set is minimised with a random linear term. Use it to see what their claims are
// worth, beside report noisy min (package search), which is private and loses far less.
//
// # The mechanisms
//
// W is {v₁ < … < v_m}^d, the loss f(w; Z) any sum of losses in [0, 1], φ: W → ℝᵏ the features,
// η noise; the output is the first minimiser of f(w) − ⟨η, φ(w)⟩. Δ, the span, is the most by
// which one record changes the difference of two losses: 1 if it is added or removed, 2 if it is
// replaced (nonconvex §1). [Mechanisms] lists them, each with a Title that says what its claim
// is worth:
//
//   - OPDisc takes the features (w, √(D² − ‖w‖²))/D, unit vectors;
//   - RSPM takes separators, functions into {0, 1} that tell any two w apart;
//   - the paper's experiment takes w itself for separators, which it is not.
//
// # What is known of them
//
// Shift lemma (nonconvex §2.1). If ⟨v_w, φ(w) − φ(u)⟩ ≥ Δ for all u ≠ w, then whatever η makes w
// win on Z, η + v_w makes it win on each neighbour Z'.
//
// Theorem (nonconvex §2.2). Then δ(ε) ≤ E[1 − e^(ε−ω(η))]₊ with ω(η) = sup_w log p(η)/p(η + v_w), p
// the density of η. The supremum is what the paper leaves out: which v_w counts depends on η
// through the winner, and noise that is large in a direction is what makes w in that
// direction win. For OPDisc v_w = cφ(w), c = 2ΔD²/τ², τ the least distance in W; for RSPM
// v_w = Δ(2φ(w) − 1). With Gaussian noise of deviation σ,
//
//	OPDisc  ω = μχ_k + μ²/2,           μ = c/σ   ([SphereDelta])
//	RSPM    ω = Σ (μ|z_i| + μ²/2),     μ = Δ/σ   ([SeparatorsDelta])
//
// and with noise of density ∝ e^(−ε‖η‖₂/c), or e^(−ε‖η‖_∞/Δ), ω ≤ ε by the triangle inequality:
// ε-DP with δ = 0, and less noise besides.
//
// The published σ is a constant where these need the square root of k, and both published theorems
// are false; the tests run the mechanisms on the counterexamples of nonconvex §3. [OPSamp] is
// the paper's other algorithm, as a calculation (nonconvex §9).
//
// Nothing here is private in use: packages above this one draw the noise from public seeds.
package linear
