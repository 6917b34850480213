// Package differences says what a released model found: differences between people, each
// with a limit on its noise, and which of them are more than noise.
//
// Use it wherever coefficients are shown to a reader. [Of] takes a release and nothing
// else, so whatever it says costs nothing, and may be published.
//
// # The limit
//
// A difference is cᵀθ: for a number the column's own coefficient (‖c‖ = 1), from one end
// of its public bounds to the other; for a category e_k − e_r against the column's
// reference (‖c‖ = √2). A release does not say how many records there were, nor how they
// lie; both are private. So the exact standard error is not known. An upper limit is.
//
// Let θ₀ be what the fit tends to with ever more records and no noise, H₀ = Σf″xxᵀ ⪰ 0
// the curvature of the private records, V the covariance of Σ∇ℓ(θ₀), and V ⪯ aH₀ (below).
//
// Objective perturbation (σ, λ of the event): Σ∇ℓ(θ) + λθ + b = 0, so to first order
// θ − θ₀ has covariance (H₀ + λI)⁻¹(V + σ²I)(H₀ + λI)⁻¹, beside the regulariser's pull
// towards 0. With V ⪯ aH₀ it is a function of H₀ alone, and with h for an eigenvalue
//
//	Var(cᵀθ) ≤ ‖c‖² max_{h≥0} (ah + σ²)/(h + λ)²
//	         = ‖c‖² σ²/λ²                 if 2σ² ≥ aλ (at h = 0: no records there at all),
//	         = ‖c‖² a²/(4(aλ − σ²))       else (at h = λ − 2σ²/a).
//
// What the output step adds, σ_out², is added. The first case is exact, and not of first
// order, for one coordinate: let m(t) be the least of the rest of the objective where
// θ_j = t. m is λ-strongly convex and does not depend on b_j, and m′(θ_j) + b_j = 0. If
// without b_j the coefficient were 0 or less, then m′(0) ≥ 0 and so m′(θ_j) ≥ λθ_j, whence
// P(θ_j ≥ zσ/λ) ≤ P(b_j ≤ −zσ) = Φ(−z), whatever the records are.
//
// Output perturbation (σ of the event, λ of the model): the noise is N(0, σ²I) exactly,
// and sampling adds ah/(h + λ)² ≤ a/(4λ). After a test (package outptr) σ and λ are what the
// release says of it. Of posterior samples and of moments nothing is known.
//
// Noisy steps: a release does not say how long a step was. The library's own plans
// choose it by a public number of records such that the noise of all steps moves a
// coordinate by at most D where nothing holds it: 2 (dpgd.Defaults, dpsgd.Defaults), and of
// dpgd.MeanDefaults 4 for classes, 0.9 for numbers and 1/4 on rows of one scale. A plan is
// known by its T. Let η be the step size of the sum, μ = 0.9 the momentum, and
// t = ηT/(1 − μ), so that tS is how far a constant gradient S moves a coordinate; D = tσ/√T.
// To first order steps on all records are
//
//	vₛ = μvₛ₋₁ + H₀(θₛ₋₁ − θ₀) + g + σnₛ,   θₛ = θₛ₋₁ − ηvₛ,   Cov g = V ⪯ aH₀,   nₛ ~ N(0, I).
//
// Theorem. Let θ̄ be the mean of the last θ, or the last of them, and −ηw_s(u) what a unit of
// gradient in step s adds to it in a coordinate of curvature u/η. Then
//
//	Var(cᵀθ̄) ≤ ‖c‖² max_{u≥0} D²F(u) + a·t·G(u),
//	F(u) = (1 − μ)²/T · Σ w_s(u)²,   G(u) = (1 − μ)/T · u·(Σ w_s(u))².
//
// Proof. θ̄ is linear in g and n, by polynomials of H₀: with W = Σ w_s(ηH₀) its covariance is
// η²σ²Σ w_s(ηH₀)² + η²WVW ⪯ η²σ²Σ w_s(ηH₀)² + aη²WH₀W, a function of H₀ alone, which of an
// eigenvalue u/η is D²F(u) + a·t·G(u). Given u that grows with D. So a plan keeps it whose
// steps are shorter than its D allows, by the largest step. ∎
//
// u is tried up to 2(1 + μ), where steps cease to be stable. F is largest at 0: there the
// mean of the last 60 of 120 steps moves by √0.585·D, and the last of 100 by √0.863·D. Of
// steps on samples, a share q of the records in each, D² is taken for the noise; sampling adds
// at most
//
//	a(1 − e^{−tqh})²/h ≤ 0.41·a·tq,   and what the samples of the steps add, a·t/(2T).
//
// dpgd.MeanDefaults takes its steps on rows that a public centring has scaled
// (learn.PublicCentring), and its coordinates are as many times as long in the model, each by
// its own scale: the limit is too. Centred rows can be longer than R, and of those a is not
// derived where gradients of two classes are clipped. With all numbers at their bounds the limit
// was eight times what came out, or more (TestTheLimitHoldsWhereRowsAreLong), because the noise is
// most of it.
//
// The limit is right for steps as the library chooses them; that a release was made so is
// the word of who made it, as it is that the noise was drawn. Steps of another number or
// of unequal noise are not such: then nothing is known.
//
// The records told, N, must not be far fewer than the n there are. A step on the mean of N
// gradients is r/h at most, h = βR² the largest curvature of a record's loss. r is 3.75 for two
// classes, 7.5 for a softmax and 3.125 for numbers by dpgd.MeanDefaults, and 14 for classes and 3
// for numbers by dpgd.Defaults. On n records u goes up to r·n/N. It passes 2(1 + μ) = 3.8, where
// steps swing without end and the theorem does not hold, from n = 3.8·N/r on, if all rows are of
// length R and in one direction, and of even odds where they are of classes. That is 1.01·N,
// 0.51·N, 1.2·N, 0.27·N and 1.3·N: for a softmax, and for classes by dpgd.Defaults, the theorem
// rests on rows that are not all such, even where N is n. With a tenth of that curvature it is ten
// times as many.
//
// a: where the model is true, V = H₀ for the logistic loss. Clipping at slope s ≥ 1/2
// leaves V ⪯ H₀/s: of a row whose likelier class has the probability p > s, E f′² is
// (1 − p)s² + p(1 − p)² and E f″ is p²(1 − p), the ratio (s² + p(1 − p))/p² is largest at
// p = s, and it is 1/s there. Below 1/2 rows of even odds have no curvature at all, and
// nothing is known. For the squared loss V ⪯ H₀ as labels lie in [−1, 1]; for the Huber
// loss a = 4 is taken. These two only matter where noise is small.
//
// The squared loss, clipped: a = 3. Let a row's label y have any law on [−1, 1], let r = y − m with
// m the row's margin at θ₀, c the slope at which its gradient is clipped, and P = P(|r| ≤ c). So
// f′² = min(r², c²), f″ is 1 where |r| ≤ c and else 0, and the row's gradient is 0 in the mean.
//
// Theorem. E f′² ≤ min(1, c²), so that a = 3 holds where P ≥ min(1, c²)/3. If the law of y has one
// peak (a density that rises up to it and then falls, and nothing at a single value but the peak),
// then P ≥ c/(4 − 2c) for c ≤ 1 and P ≥ 1/2 for c ≥ 1, so that a = 4c − 2c² holds for c ≤ 1, and
// a = 2 for any c.
//
// Proof. m lies in [−1, 1], or all r had one sign. For c ≥ 1 and m ≥ 0 (else turn y round) r is
// clipped below alone, to [−1 − m, 1 − m], and what has mean 0 there has a variance of 1 − m² or
// less. Now let there be one peak, at m or above (else turn y round), A = P(r < −c), B = P(r > c).
// Below the peak the density f rises, so A ≤ (m + 1 − c)₊·f(m − c), and f(m − c) ≤ P/c. As the mean
// is 0, c(A − B) = E[r; |r| ≤ c], so |A − B| ≤ P. If m + c ≥ 1, then B = 0 and A ≤ P: P ≥ 1/2. Else
// m < 1 − c and A ≤ (2 − 2c)₊·P/c, and 1 = A + B + P ≤ 2A + 2P, which is at most P·(4 − 2c)/c for
// c ≤ 1 and 2P for c ≥ 1. ∎
//
// So a = 3 holds for labels with one peak, wherever rows are clipped and however long they are. It
// holds for all others of which a share of min(1, c²)/3 lies within c of what is predicted, for the
// c of each row: for the longest rows c = 1/4 by the plans of noisy steps, and the share is one in
// 48. Labels that are all at their two bounds are not such, and no a is known of them. With 3, a
// coefficient of such by steps had up to 1.02 times the limit, which is level with it within the
// error of 200 fits (TestStepsKeepTheLimit). What is only ever yes or no is to be declared as two
// classes.
//
// Of a loss with a shift h let A and B be a row's slopes for its two labels. Where they have the
// probabilities B/(A + B) and A/(A + B), so that the row's gradient is 0 in the mean, E f′² = AB.
// The shifted logistic loss has E f″ = AB(2 − A − B)/(A + B). A + B is largest at even odds,
// where both are 1/(1 + e^−h): a = e^h. The rounded hinge has E f″ = 1 − 2AB/(A + B). Its slope
// s = 1 − e^−w is concave, so AB and 2AB/(A + B) are largest at even odds: a = s²/(1 − s) at
// w = h. With clipped gradients nothing is known.
//
// The softmax's K vectors come from one mechanism on K·d unknowns. Only their differences
// are of interest: a vector added to all of them changes no probability. So class k is held
// against the others, θ_k − Σ_{j≠k} θ_j/(K − 1), which for two classes is the logistic
// model's vector. Everything above holds for the K·d unknowns together, with ‖c‖² larger by
// the factor 1 + 1/(K − 1). Where the model is true V = H₀, as Σ(p − e_y)(p − e_y)ᵀ ⊗ xxᵀ
// has the mean ΣP ⊗ xxᵀ: a = 1. With clipped gradients nothing is known,
// and so of noisy steps (dpgd.MeanDefaults), which clip at R/2 or less: a row that is of one
// class or of another with even odds has a gradient of √(1/2)·R, and so no curvature between
// the two. Of differences that they found none is shown as more than noise.
//
// # More than noise
//
// Each difference has p = Φ(−|cᵀθ|/s), s its limit: an upper bound of the probability
// that noise and chance carry a difference of the other sign, or of none, so far to this
// side. Those shown as more than noise are the k with the least p, where k is the largest
// number with p₍ₖ₎ ≤ 0.025·k/m, of m differences in all. That is the step-up procedure of
// Benjamini & Hochberg (1995) at level 0.05 on the two-sided 2p. So of those shown, in
// expectation at most 2.5 % have the wrong sign, and at most 5 % are truly 0 (Benjamini &
// Yekutieli 2005, "False discovery rate-adjusted multiple confidence intervals", §4). The
// theorem is for independent noise; here it is nearly that (b has independent
// coordinates, differences of one column share their reference), and s is an upper limit.
// The rule is about signs, not sizes; a difference that is not shown may well be true.
//
// # What it is not
//
// The limit is far above the truth where there are many records: nothing in a release
// tells a category that many have from one that nobody has, and of that one θ is noise
// alone. A bought privacy report tells more (report.Mechanism.Intervals). θ₀ is pulled
// towards 0 by the regulariser, and columns that go together share one effect: then the
// sign of each is less sure than that of both. TestShownSignsAreRight counts it on made-up
// fits.
package differences
