// Package posterior prices one sample from the posterior of linear regression: exactly where
// a record's leverage and residual are bounded. Use it for learners that release such a
// sample; it knows no data.
//
// # What is sampled
//
// Rows x with labels y, H = XᵀX + λI, θ_λ = H⁻¹Xᵀy. Released is θ ~ N(θ_λ, (γH)⁻¹), of
// density ∝ exp(−γ/2·(‖y − Xθ‖² + λ‖θ‖²)).
//
// # Theorem (ptr.md §2.2; after Wang, Fienberg & Smola 2015)
//
// For data Z and Z with one record (x, y) more, the likelihood ratio depends on θ through xᵀθ
// only. Let h = xᵀH⁻¹x be the record's leverage and e = y − xᵀθ_λ its residual, both taken in
// the data that the sample is drawn from. The privacy loss is that of
//
//	P = N(0, 1)  against  Q = N(a/(1+κ), 1/(1+κ)),   a = √(γ|κ|)·|e|,
//
// κ = h where the sample is drawn without the record, κ = −h, h < 1, where it is drawn with
// it. Proof. The log-ratio of the densities is γ/2·(y − xᵀθ)² and a constant; under P,
// xᵀθ ~ N(xᵀθ_λ, h/γ), and normalised this is the ratio above. ∎
//
// At fixed κ, δ grows with a for every ε. With e fixed, so that a = √(γ|κ|)·e, it grows with
// |κ| for ε ≥ 0 and |κ| ≤ (1+√5)/2, and the Rényi divergence grows with |κ| always. So bounds
// x ≤ 1 on leverages and ē on residuals bound the loss (Bound, Pair.Renyi): by that of
// κ = x or that of κ = −x, neither of which is always the larger.
//
// A sample has no ρ-zCDP: for κ > 0 the loss has exponential tails. The price that Wang (2018,
// "Revisiting differentially private linear regression") and Redberg's thesis, Theorem 3.6.1,
// print for it is none (TestThePriceOfAPosteriorSampleAsPublishedIsNone of package account).
package posterior
