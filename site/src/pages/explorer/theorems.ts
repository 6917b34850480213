// The theorem behind each kind of curve, in words: its statement, its assumptions, and where its
// proof is. The library's own text, with all proofs, is core/account/theory.md; section numbers
// refer to it.

import type { Group, KindName } from "./mechanisms.ts";

export interface Theorem {
  readonly title: string;
  readonly statement: readonly string[];
  readonly assumes: readonly string[];
  readonly source: string;
  /** Where the documentation proves it. */
  readonly proof?: string;
  readonly remark?: string;
}

const wider =
  "Where a record is replaced, the sum changes by 2 at most: 2/σ stands where 1/σ does.";

/** What becomes of the theorems of a group where a record is replaced. */
export const replaced: Readonly<Partial<Record<Group, string>>> = {
  objective:
    "To replace a record, pass through the data set with neither record: δ(ε) ≤ δ₊(ε₁) + exp(ε₁)·δ₋(ε − ε₁) at the best ε₁, where δ₊ is the cost of adding a record and δ₋ that of removing one. Or pass through the data set with both records, with δ₊ and δ₋ exchanged. Rényi divergences go the same two ways by Hölder’s inequality (core/account/theory.md §4.5).",
  gaussian: wider,
  descent: wider,
};

const cardPublic = "The attributes and their levels are public.";

const objective = [
  "A linear model: the loss of a record is f(xᵀθ; y), f convex and twice differentiable in its first argument.",
  "No row is longer than 1, no slope |f′|·‖x‖ larger than 1, and 0 ≤ f″ ≤ β.",
  "Noise b from N(0, σ²I) is added to the objective Σ ℓ + (λ/2)‖θ‖², a sum over records, and its exact minimiser is released.",
];
const delta =
  "G(ε; μ) is the Gaussian mechanism’s own δ, Φ(−ε/μ + μ/2) − exp(ε)·Φ(−ε/μ − μ/2), with μ = 1/σ.";
const redberg = "Redberg, Koskela & Wang 2023";

const gaussian: Theorem = {
  title: "The Gaussian mechanism",
  statement: [
    "A vector that one record changes by at most 1 is released with noise N(0, σ²I). With μ = 1/σ its profile is exactly δ(ε) = Φ(−ε/μ + μ/2) − exp(ε)·Φ(−ε/μ − μ/2).",
    "k of them, chosen one after the other, are one with μ = √k/σ.",
  ],
  assumes: [],
  source: "Balle & Wang 2018, Theorem 8; composition: Dong, Roth & Su 2022.",
};

const descent: Theorem = {
  title: "Gradient descent with a noise for each step",
  statement: [
    "Step t releases a sum of clipped gradients with noise N(0, σₜ²I), and may depend on all steps before. Together they are exactly one Gaussian mechanism with μ² = Σ 1/σₜ².",
    "Fay et al. choose σₜ so that each step’s noise falls with the gradient: for strongly convex losses as the power t/2 of 1 − 1/(2κ), for convex ones as 1/t.",
  ],
  assumes: [
    "Every record’s gradient has length 1 at most (by clipping).",
    "The schedule is fixed before any data is seen.",
  ],
  source:
    "Price: Dong, Roth & Su 2022, Balle & Wang 2018. Schedule: Fay, Magnússon, Sjölund & Johansson, Proposition 3.",
};

const sampled: Theorem = {
  title: "DP-SGD, by its privacy loss distribution",
  statement: [
    "Each of T steps draws every record with probability q and releases the sum of the drawn gradients with noise N(0, σ²I). For either direction a pair of distributions dominates all neighbours; their privacy losses are composed numerically.",
    "What is drawn is the certified upper end; the lower end, closer than the line is wide, is in the CSV file.",
  ],
  assumes: [
    "Every record’s gradient has length 1 at most (by clipping).",
    "Samples are Poisson: records are drawn independently, anew in each step. Shuffled batches of a fixed size are another mechanism.",
  ],
  source: "Zhu, Dong & Wang 2022 (dominating pairs); Doroshenko et al. 2022 (connecting the dots).",
};

export const theorems: Readonly<Record<KindName, Theorem>> = {
  "op.logistic": {
    title: "Privacy profile for the logistic loss",
    statement: [
      "For the logistic loss the slope and the curvature of a record are tied: with s = |f′|, f″ = s(1 − s). So a record that shifts the noise much adds little curvature. Where it is added, the privacy loss is at most g(v) = max over 0 ≤ a ≤ 1 of a·v/σ + a²/(2σ²) + log(1 + a(1 − a)/λ), v standard normal, and δ(ε) is the mean of [1 − exp(ε − g(v))]₊. Where it is removed, it is a Gaussian privacy loss cut off at 0.",
      "No overhead: if λ ≥ 1/(ε + 1/(2σ²)), then δ(ε) = G(ε; 1/σ), the price of one Gaussian mechanism, whose δ is G(ε; μ) = Φ(−ε/μ + μ/2) − exp(ε)·Φ(−ε/μ − μ/2).",
    ],
    assumes: [
      "The logistic loss, shifted or not, no row longer than 1 (intercept included), nothing clipped below that.",
      "Any λ > 0. The exact minimiser is released; the library’s fit pays for its solver’s last digits in addition.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.3.",
    proof: "docs/bound.html#theorem-3",
  },
  "op.hinge": {
    title: "Privacy profile for the rounded hinge",
    statement: [
      "Of the rounded hinge w − 1 + exp(−w), w = h − y·xᵀθ > 0, else 0, the curvature is 1 − |f′|: it is 0 where the slope is steepest. Where a record is added, the privacy loss is at most g(v) = max over 0 < a ≤ 1 of a·v/σ + a²/(2σ²) + log(1 + (1 − a)/λ), v standard normal, and δ(ε) is the mean of [1 − exp(ε − g(v))]₊. Where it is removed, it is a Gaussian privacy loss cut off at 0.",
      "No overhead: if λ ≥ 1/ε, then δ(ε) = G(ε; 1/σ), the price of one Gaussian mechanism.",
    ],
    assumes: [
      "The rounded hinge with any public h, no row longer than 1 (intercept included), nothing clipped below that.",
      "Any λ > 0. The exact minimiser is released; the library’s fit pays for its solver’s last digits in addition.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.8.",
    proof: "docs/losses.html#theorem-11",
  },
  "op.softmax": {
    title: "Privacy profile for the softmax of several classes",
    statement: [
      "One fit of K classes has a vector of coefficients for each, every one with its own noise. With M the largest of the K − 1 differences of a wrong class’s noise and the right one’s, the privacy loss where a record is removed is that of M alone, cut off at 0; where it is added, λ may cost something besides.",
      "For K = 2 and λ ≥ 2/(ε + 1/σ²) it is one Gaussian mechanism of sensitivity √2. For K ≥ 3 it is not, at any λ that does not grow with ε: each wrong class has a tail of its own.",
    ],
    assumes: [
      "The softmax loss, no row longer than 1 (intercept included), nothing clipped below that.",
      "Any λ > 0. The exact minimiser is released; the library’s fit pays for its solver’s last digits in addition.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.7.",
  },
  "op.rest": {
    title: "One class against the rest",
    statement: [
      "K logistic fits, each of one class against all others, from the same records: K mechanisms with the profile of §4.6, composed numerically with certified ends.",
    ],
    assumes: [
      "The logistic loss, no row longer than 1 (intercept included), nothing clipped below that.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.3 and §4.4.",
    proof: "docs/bound.html#theorem-3",
  },
  "op.signed": {
    title: "Privacy profile for slopes of one sign",
    statement: [
      "If the label fixes the sign of the slope f′, the Gaussian part of the privacy loss is a Gaussian loss cut off at 0 instead of a half-normal one. With c′ = log(1 + β/λ) where a record is added, and 0 where it is removed: δ(ε) = G(ε − c′; μ) if ε ≥ c′, else 1 − 2exp(ε − c′)·Φ(−μ/2).",
      delta,
    ],
    assumes: [
      ...objective,
      "Given y, f′ never changes its sign: logistic loss and Huber’s support vector machine; not squared error.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.2.",
    proof: "docs/bound.html#theorem-2",
  },
  "op.control": {
    title: "Privacy profile by a control problem",
    statement: [
      "As the noise moves along a record’s row, the record’s slope a falls from 1 to 0, at a rate of at most a(1 − a)/λ. δ(ε) is at most the largest hockey-stick divergence over all ways in which it can fall. The bound on that is certified, and within a few percent of what explicit data cost.",
      delta,
    ],
    assumes: [
      ...objective,
      "Logistic loss; the proof holds for every loss whose slope keeps its sign.",
    ],
    source: "Cloister’s source, core/account/theory.md §4.6.",
    proof: "docs/bound.html#control",
    remark:
      "It is sharper than the bound for the logistic loss wherever λ is less than what makes that one free; from about two thirds of that on it costs next to nothing.",
  },
  "op.glm": {
    title: "Privacy profile for any linear model",
    statement: [
      "Theorem 3.1 with its constant c = −log(1 − β/λ) replaced by c′ = log(1 + β/λ) where a record is added, and by 0 where it is removed.",
      "c′ is smaller than c, and needs no λ > β: the determinant of the Hessian with the record is that without it times 1 + f″·xᵀH⁻¹x, and xᵀH⁻¹x lies between 0 and 1/λ.",
    ],
    assumes: objective,
    source: "Cloister’s source, core/account/theory.md §4.1.",
    proof: "docs/bound.html#theorem-1",
  },
  "op.profile": {
    title: "Theorem 3.1: privacy profile",
    statement: [
      "With c = −log(1 − β/λ) and ε̂ = ε − c − μ²/2: δ(ε) = 2 G(ε − c; μ) if ε̂ ≥ 0, else (1 − exp ε̂) + exp ε̂ · 2 G(μ²/2; μ).",
      delta,
    ],
    assumes: [...objective, "λ > β."],
    source: `${redberg}, Theorem 3.1; core/account/theory.md §3.`,
    remark:
      "In the second case the order is exp(μ²/2); some copies of the paper print exp(L²/σ²), with which it would be no bound. Run several times, the losses are composed numerically, with certified ends.",
  },
  "op.rdp": {
    title: "Theorem 3.2: Rényi divergence",
    statement: [
      "For every order α > 1 the divergence is at most −log(1 − β/λ) + μ²/2 + log(2·exp((α−1)²μ²/2)·Φ((α−1)μ))/(α − 1), with μ = 1/σ. Runs add up. δ(ε) is what the best real order implies.",
    ],
    assumes: [...objective, "λ > β."],
    source: `${redberg}, Theorem 3.2. Conversion: Canonne, Kamath & Steinke 2020, Proposition 12.`,
  },
  "op.kifer": {
    title: "Kifer, Smith & Thakurta 2012",
    statement: [
      "(ε, δ)-differential privacy holds if λ ≥ 2β/ε and σ ≥ √(8 log(2/δ) + 4ε)/ε. Read as a curve: at each ε the least δ for which both hold; 1 where ε < 2β/λ.",
    ],
    assumes: objective,
    source: `Kifer, Smith & Thakurta 2012, as Theorem 2.8 of ${redberg} states it.`,
    remark:
      "The original does not ask for a linear model; its proof needs one (appendix E of Redberg et al.).",
  },
  "op.smooth": {
    title: "Theorem E.1: any smooth loss",
    statement: [
      "Without a linear model the noise may point anywhere, and the number of coefficients d enters: the divergence of order α is at most −d log(1 − β/λ) + 1/(2σ²) + log E[exp((α−1)Z/σ)]/(α − 1), Z the length of a standard normal vector of d coordinates.",
    ],
    assumes: [
      "Every record’s loss is convex, its gradient no longer than 1, its Hessian’s eigenvalues at most β, and λ > β.",
      "The exact minimiser is released.",
    ],
    source: `${redberg}, Theorem E.1, corrected: some copies print L/(2σ²) for L²/(2σ²).`,
  },
  "op.amp": {
    title: "The output step, with the bound for the logistic loss",
    statement: [
      "A solver stops before the minimiser. Once ‖∇J(θ) + b‖ ≤ τ is certified, θ lies within τ/λ of it, and is released with noise N(0, σ_out²I): objective perturbation followed by a Gaussian mechanism of sensitivity 2τ/λ, so of μ_out = 2τ/(λσ_out). A normal privacy loss of mean μ_out²/2 and variance μ_out² is convolved with that of the bound.",
    ],
    assumes: [
      "The logistic loss, no row longer than 1 (intercept included), nothing clipped below that.",
      "τ is certified. The lattice on which the library draws its noise costs too little to be seen, and is left out here.",
    ],
    source: `${redberg}, Algorithm 1; core/account/theory.md §2 and §4.3.`,
  },
  "op.amp.rdp": {
    title: "Theorem 4.1: Rényi divergence, with the output step",
    statement: [
      "Theorem 3.2’s divergence plus α·μ_out²/2, the Gaussian mechanism’s, with μ_out = 2τ/(λσ_out).",
    ],
    assumes: [
      ...objective.slice(0, 2),
      "The objective’s gradient is certified to be no longer than τ, and θ is released with noise N(0, σ_out²I).",
      "λ > β.",
    ],
    source: `${redberg}, Theorem 4.1.`,
  },
  "op.linear": {
    title: "Appendix C.1: linearised (an estimate)",
    statement: [
      "For 1/p + 1/q = 1, the divergence of order α is said to be at most −log(1 − β/λ) + μ²/2 + p(α−1)μ²/2 − log(1 − 2q(α−1)β/λ)/(2q(α−1)), at the best q.",
    ],
    assumes: [...objective, "λ > β, and orders small enough that 2q(α−1)β/λ < 1 for some q > 1."],
    source: `${redberg}, appendix C.1, its last step read with the 1/σ² that its exponent had two lines before.`,
    remark:
      "This is not a bound. The proof treats a Hessian at a point between the two minimisers as fixed, but that point depends on the noise. In one dimension the step can be repaired; in more, no repair is known to us. The line is drawn as an estimate, prices nothing, and takes no part in the crossings.",
  },
  "op.half": {
    title: "The half-normal part of Theorems 3.1 and 3.2",
    statement: [
      "Both theorems bound the privacy loss by c + μ²/2 + |N(0, μ²)|. For λ → ∞ the constant c vanishes, and this is what is left: the price of taking an absolute value where the Gaussian mechanism has none.",
    ],
    assumes: objective,
    source: `${redberg}, appendix C.2. Computed as Theorem 3.1 (3.2 for Rényi divergences) at λ = 10¹².`,
  },
  floor: {
    title: "Lemma 3.4: what no proof can go below",
    statement: [
      "For the loss ℓ(θ; x) = xᵀθ objective perturbation releases −(x + b)/λ: it is a Gaussian mechanism. So no bound that holds for all losses with slopes up to 1 can lie below its profile, nor below its Rényi divergence.",
      "For the logistic loss a record far on the wrong side has a slope as near to 1 as one likes, so the floor is its own too.",
      "Where a record is replaced, −x may take the place of x, and the sum moves by 2: the floor’s μ is 2/σ, for the logistic loss of two coefficients or more.",
    ],
    assumes: [],
    source: `${redberg}, Lemma 3.4.`,
    proof: "docs/bound.html#theorem-5",
  },
  gauss: gaussian,
  "gauss.rdp": {
    ...gaussian,
    title: "The Gaussian mechanism, by its Rényi divergence",
    statement: [
      "Its Rényi divergence of order α is α/(2σ²), k times that for k of them. δ(ε) is what the best real order implies: a little more than the exact profile.",
    ],
    source:
      "Mironov 2017, Proposition 7; conversion: Canonne, Kamath & Steinke 2020, Proposition 12.",
  },
  "gauss.tested": {
    title: "Propose, test, release",
    statement: [
      "A test says, with noise N(0, σ_t²) of its own, how much one record can change the answer in these data. By what it says the answer gets the noise that makes it a Gaussian mechanism with μ = 1/σ. The test errs with probability δ′ at most, whatever the data are.",
      "Then δ(ε) = δ′ + G(ε; √(1/σ² + 1/σ_t²)), G the Gaussian mechanism’s own profile. δ′ is added as it is: the good case may carry all of the rest.",
    ],
    assumes: [
      "What the test measures changes by at most 1 if one record does.",
      "Where the test finds nothing good, the answer has the noise that any data need. It is never withheld.",
    ],
    source:
      "Dwork & Lei 2009; Redberg, Zhu & Wang 2023, with one direction of neighbours in place of two.",
    remark: "No line goes below δ′. To the left of where it bends the test costs next to nothing.",
  },
  "vote.best": {
    title: "The best private vote",
    statement: [
      "Two classes, and only the majority is to be known. Of all rules with (ε₀, δ′) there is one that is best at every gap at once: it is wrong with probability ½ at a tie, and where it is w at some gap, it is the larger of 0 and exp(−ε₀)(w − δ′) at a gap of one vote more (of two more, if a vote can change sides).",
      "So from a finite gap on it is never wrong. What it costs is ε₀ with δ′, and the line is what that promise says at other ε.",
    ],
    assumes: ["One voter is added or removed, or one voter’s vote changes."],
    source: "Cloister’s package vote; equal to the best that a linear program finds.",
    proof: "docs/votes.html",
  },
  "vote.laplace": {
    title: "A vote with Laplace noise",
    statement: [
      "Each count gets Laplace noise of scale 1/ε₀, and the larger sum wins. At a gap of t votes it is wrong with probability (2 + ε₀t)·exp(−ε₀t)/4.",
      "It costs no more than one Laplace mechanism does. Its loss does not fall where the gap is wide: it rises to ε₀.",
    ],
    assumes: ["One voter is added or removed, and so changes one count by 1."],
    source: "Redberg’s thesis, B.3.1, with its logarithm put right.",
    proof: "docs/votes.html",
  },
  "pate.plain": {
    title: "PATE, whatever the votes are",
    statement: [
      "Teachers who have disjoint records vote on T public queries. Each count gets noise N(0, σ²), and the class with the largest sum is released. One record alters one teacher, who moves at most one vote a query, so that all of it is exactly one Gaussian mechanism with μ = √(2T)/σ.",
    ],
    assumes: ["One record is added, removed or replaced; the number of teachers is public."],
    source: "Papernot et al. 2018; composition: Dong, Roth & Su 2022.",
    proof: "docs/votes.html",
  },
  "pate.tested": {
    title: "PATE, after a test",
    statement: [
      "D is how many teachers may change their votes before the labels’ Rényi divergence of order α exceeds B. One record moves D by 1 at most. It is released with whole-numbered noise of σ_t, and where it is large enough the labels get the noise asked for; else as much as makes the divergence B on any votes.",
      "Votes on which labels would cost more than B pass with probability δ′ at most. Then δ(ε) is δ′ and the conversion of B + α/(2σ_t²) at order α.",
    ],
    assumes: [
      "One record is added, removed or replaced; the number of teachers is public.",
      "α, B, σ_t and δ′ are fixed before the votes are seen.",
    ],
    source: "Cloister’s package pate, after Papernot et al. 2018 and Redberg’s thesis.",
    proof: "docs/votes.html",
    remark: "Labels come in any case: where teachers disagree they have more noise.",
  },
  "card.min": {
    title: "Report noisy min over all scorecards",
    statement: [
      "Each card’s number of errors gets geometric noise of its own, and the card with the least difference is released. One record changes the errors of all cards the same way, by 0 or 1, so two of them by 1 at most against each other: the choice is ε₀-differentially private, δ = 0. Its law is that of permute-and-flip.",
    ],
    assumes: [cardPublic, "The search runs to its end: the card is the best one exactly."],
    source: "McKenna & Sheldon 2020; the search is Cloister’s package search.",
    proof: "docs/scorecards.html",
  },
  "card.gumbel": {
    title: "Report noisy min with Gumbel noise",
    statement: [
      "The choice is that of the exponential mechanism: ε₀-differentially private, and its privacy loss lies in an interval no longer than ε₀. Therefore it is ε₀²/8-zero-concentrated, and many such choices together cost less than with geometric noise.",
    ],
    assumes: [cardPublic, "The search runs to its end: the card is the best one exactly."],
    source: "Cesar & Rogers 2021: bounded range.",
    proof: "docs/scorecards.html",
  },
  "card.centre": {
    title: "A card by a proximal centre",
    statement: [
      "A random centre draws the card towards itself by a quadratic term, and the card with the least sum is released: ε₀-differentially private, δ = 0. Any exact solver can do it, but it needs ten times the ε of noisy min for the same errors.",
    ],
    assumes: [cardPublic, "The minimiser is exact, in whole numbers."],
    source: "Cloister’s package search.",
    proof: "docs/scorecards.html",
  },
  "card.cells": {
    title: "Noisy cells",
    statement: [
      "Each count of records, by combination of levels and class, gets whole-numbered noise of mass proportional to exp(−ε_c·|k|). A record is in one count, so the counts together are ε_c-differentially private, δ = 0. Where a record is replaced, two counts change by 1, and each has noise of half the rate.",
      "Whatever is done with the counts costs nothing more: they are an output already.",
    ],
    assumes: [cardPublic],
    source: "Dwork, McSherry, Nissim & Smith 2006; Ghosh, Roughgarden & Sundararajan 2009.",
    proof: "docs/scorecards.html",
  },
  sgd: sampled,
  "sgd.batch": {
    ...sampled,
    assumes: [
      ...sampled.assumes,
      "n is public here, because q = b/n is. Where one record is added or removed n itself is private, and q has to be fixed before the data is seen.",
    ],
  },
  "sgd.rdp": {
    ...sampled,
    title: "DP-SGD, by its Rényi divergence",
    statement: [
      "The Rényi divergence of a sampled step is known at every real order, and T steps add up. δ(ε) is what the best order implies: an upper bound, but above the certified interval.",
    ],
    source:
      "Mironov, Talwar & Zhang 2019; conversion: Canonne, Kamath & Steinke 2020, Proposition 12.",
  },
  "gd.strong": descent,
  "gd.convex": descent,
  "gd.constant": {
    ...descent,
    title: "Gradient descent with constant noise",
    statement: [descent.statement[0]!, "Here σₜ is the same in every step, so μ = √T/σ."],
    source: "Dong, Roth & Su 2022; Balle & Wang 2018, Theorem 8.",
  },
  "gd.zcdp": {
    ...descent,
    title: "Gradient descent, priced by concentrated privacy",
    statement: [
      "Each Gaussian step is ρ-zCDP with ρ = 1/(2σₜ²), and the ρ add up. What is drawn holds for every mechanism that is zCDP with the sum, so it lies above the exact price of the same steps.",
    ],
    source:
      "Bun & Steinke 2016; as in Fay et al., Proposition 4, whose conversion ε = ρ + 2√(ρ log(1/δ)) is larger still.",
  },
};
