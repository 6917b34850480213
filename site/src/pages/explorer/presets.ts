// The figures of the papers, and ours: what is drawn, and in words what the paper's figure shows,
// what this one shows, and where the two differ and why.

import { parameterNames, type ParameterName } from "./parameters.ts";
import { curve, type CurveState, plain, same, type State } from "./state.ts";

export interface Preset {
  readonly id: string;
  readonly group:
    "Cloister" | "Redberg, Koskela & Wang 2023" | "Fay, Magnússon, Sjölund & Johansson";
  readonly name: string;
  readonly title: string;
  /** What the paper's figure shows; none of ours. */
  readonly paper?: string;
  readonly shows: string;
  /** Where this one differs from the paper's, and why. */
  readonly differs?: string;
  readonly state: Partial<Omit<State, "shared" | "curves" | "preset">>;
  readonly shared: Partial<Record<ParameterName, number>>;
  readonly curves: readonly CurveState[];
}

const redberg = "Redberg, Koskela & Wang 2023";
const figureOne = (
  panel: string,
  sigma: number,
  lambda: number,
  span: readonly [number, number],
  low: number,
): Preset => ({
  id: `figure-1-${panel}`,
  group: redberg,
  name: `Figure 1, ${panel}`,
  title: `Bounds on δ(ε), σ = ${sigma}, β = 1, λ = ${lambda}`,
  paper:
    "The paper’s figure compares four curves of one mechanism: the bound of Kifer et al. 2012, Theorem 3.2 (Rényi) and Theorem 3.1 (privacy profile), and the Gaussian mechanism, below which no bound can lie.",
  shows:
    "Here are the same four, and Cloister’s bound for any linear model between Theorem 3.1 and the floor.",
  differs:
    "Theorem 3.2 is converted at the best of all real orders, so it may lie slightly lower than where orders are taken from a grid. Every line is rounded upwards.",
  state: { span, low },
  shared: { sigma, lambda, beta: 1 },
  curves: [
    curve("op.glm", 1),
    curve("op.profile", 2),
    curve("op.rdp", 4),
    curve("op.kifer", 3),
    curve("floor", 5),
  ],
});

const figureThree = (panel: string, sigma: number, lambda: number, seen: string): Preset => ({
  id: `figure-3-${panel}`,
  group: redberg,
  name: `Figure 3${panel}`,
  title: `Rényi divergence, σ = ${sigma}, λ = ${lambda}`,
  paper: `The paper’s figure draws the Rényi divergence of a Gaussian mechanism, of Theorem 3.2, and of its half-normal part alone, for large and small σ and λ. ${seen}`,
  shows:
    "Here are the same three. The distance from the half-normal line to Theorem 3.2 is −log(1 − β/λ) at every order.",
  differs:
    "The paper’s text does not give the σ and λ of its panels; these values are in the regime that it describes. The half-normal line is Theorem 3.2 at λ = 10¹², where that distance is below 10⁻¹¹.",
  state: { view: "rdp", span: [1.02, 500] },
  shared: { sigma, lambda, beta: 1 },
  curves: [curve("op.rdp", 2), curve("op.half", 4), curve("gauss", 1)],
});

const figureFive = (panel: string, sigma: number, rate: number, noise: number): Preset => ({
  id: `figure-5-${panel}`,
  group: redberg,
  name: `Figure 5${panel}`,
  title: `DP-SGD’s leap: q = ${rate}, σ = ${noise}, against σ = ${sigma}`,
  paper:
    "The paper’s figure shows that subsampling helps only at small orders: DP-SGD follows a Gaussian mechanism of small noise ratio, then leaps to the line that sampling does not help, while objective perturbation comes down to the Gaussian line.",
  shows:
    "Here are the same three curves, and where they cross. DP-SGD is one sampled step with the same noise per record as the Gaussian mechanism: q/σ of the one is 1/σ of the other.",
  differs:
    "The paper gives σ and q, but not λ; here it is 20, and β = 1. DP-SGD’s divergence is computed at every real order in both directions, so its leap is no step.",
  state: { view: "rdp", span: [1.05, 50_000] },
  shared: { sigma, lambda: 20, beta: 1, rate, noise, steps: 1 },
  curves: [curve("op.rdp", 2), curve("sgd", 4), curve("gauss", 1)],
});

export const presets: readonly Preset[] = [
  {
    id: "no-overhead",
    group: "Cloister",
    name: "No overhead",
    title: "Objective perturbation at the price of one Gaussian mechanism",
    shows:
      "Five bounds on the same fit, a logistic regression whose rows have length 1 at most. From ε = 1/λ − 1/(2σ²) on, Cloister’s bound lies on the floor, the thin dashed line: the fit costs what adding its noise to a single sum costs, and no analysis can promise less. The published bounds keep their distance.",
    state: { span: [0, 3], low: -10 },
    shared: {},
    curves: [
      curve("op.logistic", 1),
      curve("op.profile", 2),
      curve("op.rdp", 4),
      curve("op.kifer", 3),
      curve("floor", 5),
    ],
  },
  {
    id: "regulariser",
    group: "Cloister",
    name: "What λ costs",
    title: "ε at δ = 10⁻⁵ against the regulariser",
    shows:
      "A weaker regulariser lets one record move the fit further, so every bound rises to the left. Fits are priced by the control problem. Cloister’s closed bound for the logistic loss meets the floor at λ = 1/(ε + 1/(2σ²)), ε being the floor’s own; the control problem comes within a hair of it from two thirds of that λ on. The bound for slopes of one sign comes near it as λ grows, and those built on the half-normal never do.",
    state: { view: "sweep", over: "lambda", span: [0.3, 30] },
    shared: {},
    curves: [
      curve("op.control", 4),
      curve("op.logistic", 1),
      curve("op.signed", 6),
      curve("op.glm", 3),
      curve("op.profile", 2),
      curve("floor", 5),
    ],
  },
  {
    id: "classes",
    group: "Cloister",
    name: "Several classes",
    title: "ε at δ = 10⁻⁵ against the number of classes",
    shows:
      "The classes of one file by one softmax fit, or by a logistic fit for each class against the rest; every coefficient has the same noise. With two classes both cost what one Gaussian mechanism costs. With ten the softmax costs ε = 1.72 and the ten fits 3.76, with thirty 1.85 and 7.91. The level line is that Gaussian mechanism, of sensitivity √2: what one record can move the sum of all classes’ gradients by. Every further class adds one more tail to it.",
    state: { view: "sweep", over: "classes", span: [2, 30] },
    shared: { lambda: 3 },
    curves: [curve("op.softmax", 1), curve("op.rest", 4), curve("gauss", 6, { sigma: 2.63751 })],
  },
  {
    id: "output-step",
    group: "Cloister",
    name: "What stopping early costs",
    title: "ε at δ = 10⁻⁵ against the noise of the output",
    shows:
      "A solver stops before the minimiser, with up to τ of the gradient left. So the minimum is released with noise σ_out, and that is charged too. With τ = 0.01 and σ_out = 0.15, as in the paper, it adds 0.13 to ε here. With τ = 10⁻⁹, which Newton’s method reaches in a few steps, it adds nothing visible at any of these σ_out. The level lines are the price of the exact minimiser and the floor.",
    state: { view: "sweep", over: "out", span: [0.03, 3] },
    shared: {},
    curves: [
      curve("op.amp", 1),
      curve("op.amp.rdp", 4),
      curve("op.logistic", 6),
      curve("floor", 5),
    ],
  },
  {
    id: "tested",
    group: "Cloister",
    name: "What a test costs",
    title: "Propose, test, release: a Gaussian mechanism whose noise a test chose",
    shows:
      "Some data are far easier than the worst, and a test that may say so lets the same μ be had with less noise. The test has noise of its own and may err with probability δ′. Until a line comes near its δ′ it follows the Gaussian mechanism, a little above it for the test’s own noise; then it levels off, because a failure is added to δ as it is. So δ′ is best a fraction of the δ that is promised: with 10⁻⁶ the test is nearly free at δ = 10⁻⁵, with 10⁻⁴ there is no such promise.",
    state: { span: [0, 2], low: -10 },
    shared: { test: 20 },
    curves: [
      curve("gauss.tested", 1, { failure: 1e-6 }),
      curve("gauss.tested", 2, { failure: 1e-4 }),
      curve("gauss.tested", 4, { failure: 1e-6, test: 6 }),
      curve("gauss", 6),
    ],
  },
  {
    id: "pate",
    group: "Cloister",
    name: "What agreement saves",
    title: "PATE: labels by 400 teachers on 200 queries, noise of 40 votes",
    shows:
      "The same labels, with the same noise on the counts. Whatever the votes are, they cost ε = 1.99 at δ = 10⁻⁵. Where the teachers agree, nearly all of them on every query, a test of how many may change their minds lets them be had for 0.45. The plan of the broken line leaves the labels a larger budget, so that the votes need not agree as much, and costs 1.18. Both level off at their δ′, how often votes pass that should not.",
    state: { span: [0, 2.5], low: -8 },
    shared: {},
    curves: [
      curve("pate.tested", 1, { test: 10.26, failure: 2e-6 }),
      curve("pate.tested", 2, { order: 15, spent: 0.3, test: 5, failure: 2e-6 }),
      curve("pate.plain", 4),
    ],
  },
  {
    id: "vote",
    group: "Cloister",
    name: "One vote",
    title: "One vote between two classes, wrong less than once in 10¹³ at a gap of 100",
    shows:
      "The best rule there is, at ε₀ = 0.11 and δ′ = 10⁻⁶, is never wrong once one class is 100 votes ahead, a voter being the record. Laplace noise on the counts that is wrong so seldom there, in one of 10¹³ votes, takes ε₀ = 0.321. It needs no δ′ for that. At δ′ = 0 the best rule, too, may be wrong at any gap, if ever more seldom.",
    state: { span: [0, 0.5], low: -12 },
    shared: {},
    curves: [
      curve("vote.best", 1, { single: 0.11, failure: 1e-6 }),
      curve("vote.laplace", 4, { single: 0.321 }),
    ],
  },
  {
    id: "cards",
    group: "Cloister",
    name: "How many cards",
    title: "ε at δ = 10⁻⁵ against the number of scorecards of one file",
    shows:
      "A card that is searched for by itself costs ε₀ = 0.1 here, and every further one as much again: ten of them 0.99. With Gumbel noise ten cost 0.62 at this δ, and one as much as before. Noisy cells are bought once, at ε = 1, and then any number of cards is free, so their line is level. Each of those cards is worse, because the noise of all cells is added up in it: noisy cells are for whoever wants to look at many.",
    state: { view: "sweep", over: "times", span: [1, 30] },
    shared: {},
    curves: [curve("card.min", 1), curve("card.gumbel", 2), curve("card.cells", 4)],
  },
  {
    id: "equal-budget",
    group: "Cloister",
    name: "Equal budget",
    title: "Four methods under one promise: ε = 1 at δ = 10⁻⁵",
    shows:
      "Each method has the noise that makes it (1, 10⁻⁵)-private, so all lines meet in one point, and the table says what noise is left to live with. Elsewhere the lines part: promises that are equal at one δ can differ at others. Adaptive descent is exactly a Gaussian mechanism, and so, in its price, is objective perturbation to the right of the first crossing.",
    state: { budget: 1, span: [0, 2.4], low: -14 },
    shared: { rate: 0.02, steps: 500, condition: 100 },
    curves: [
      curve("op.logistic", 1),
      curve("op.profile", 2),
      curve("sgd", 4),
      curve("gd.strong", 3),
      curve("gauss", 6),
    ],
  },
  {
    id: "records",
    group: "Cloister",
    name: "What n buys",
    title: "ε at δ = 10⁻⁵ against the number of records",
    shows:
      "DP-SGD with batches of a fixed size hides a record among all the others that might have been drawn, so its ε falls with n. The ε of objective perturbation does not depend on n, because its noise is on the sum over all records; there more records drown the noise instead. Beyond the crossing, sampling is cheaper in ε. How good either fit is then is another question.",
    state: { view: "sweep", over: "records", span: [1000, 1_000_000], y: "log" },
    shared: { batch: 256, noise: 1, steps: 2000 },
    curves: [curve("op.logistic", 1), curve("sgd.batch", 4), curve("op.profile", 2)],
  },
  {
    id: "attacker",
    group: "Cloister",
    name: "What an attacker can do",
    title: "The trade-off between an attacker’s errors",
    shows:
      "Whoever tries to tell whether one person was in the data errs in two ways. Each line says how many of those who were in must be missed at a given rate of false alarms; the diagonal, one minus the false alarms, is guessing. The same fit looks safer under a sharper proof, because the proof is what excludes attacks.",
    state: { view: "tradeoff" },
    shared: {},
    curves: [
      curve("op.logistic", 1),
      curve("op.profile", 2),
      curve("op.kifer", 3),
      curve("floor", 5),
    ],
  },
  figureOne("left", 5, 20, [0, 3], -12),
  figureOne("right", 10, 5, [0, 2], -12),
  figureThree(
    "a",
    10,
    50,
    "Between its panels c and a, σ grows: the half-normal part comes down to the Gaussian line at larger orders only.",
  ),
  figureThree(
    "b",
    10,
    2,
    "Its panel b has a large σ and a small λ: there the “start-up gap” between Theorem 3.2 and the half-normal part is widest.",
  ),
  figureThree(
    "c",
    1,
    50,
    "Its panel c has a smaller σ and a large λ: Theorem 3.2 and its half-normal part almost agree, and both come down to the Gaussian line early.",
  ),
  figureThree(
    "d",
    1,
    2,
    "Between its panels d and b, σ grows: with the smaller one of d all lines come together at small orders, but for what λ costs.",
  ),
  {
    id: "figure-4",
    group: redberg,
    name: "Figure 4",
    title: "Objective perturbation run k times, σ = 8, β = 1, λ = 10",
    paper:
      "The paper’s figure compares, for one to four runs, δ(ε) from the composed privacy loss of Theorem 3.1 with δ(ε) from Rényi divergences added up.",
    shows:
      "Here are the same eight curves: for every k the composed privacy loss lies below the Rényi bound.",
    differs:
      "The paper composes numerically with a fast Fourier transform; here every point is an upper end that is certified, with a lower end beside it where one is known. The Rényi bounds take the best real order.",
    state: { span: [0, 1.4], low: -15 },
    shared: { sigma: 8, lambda: 10, beta: 1 },
    curves: [1, 2, 4, 6].flatMap((tone, i) => [
      curve("op.profile", tone, { times: i + 1 }),
      curve("op.rdp", tone, { times: i + 1 }),
    ]),
  },
  figureFive("a", 100, 0.1, 10),
  figureFive("b", 40, 0.5, 20),
  {
    id: "schedules",
    group: "Fay, Magnússon, Sjölund & Johansson",
    name: "What a schedule spends",
    title: "ε at δ = 10⁻⁵ against the number of steps",
    paper:
      "The paper (Adaptive Hyperparameter Selection for Differentially Private Gradient Descent) lets the noise of gradient descent fall along a schedule that is fixed before any data is seen; its figures track convergence against the ε spent.",
    shows:
      "Here is the price alone, step by step: with constant noise it grows roughly like √T, with falling noise slowly at first and geometrically in the end.",
    differs:
      "The paper adds up zero-concentrated privacy ρ and converts it. Gaussian steps compose exactly to one Gaussian mechanism, which is the lower of the two adaptive lines. One record here is added or removed, and changes a sum of gradients by 1 at most; the paper replaces one in a mean, which changes it by 2L/N.",
    state: { view: "sweep", over: "steps", span: [1, 1000] },
    shared: { start: 100, condition: 100, steps: 200 },
    curves: [curve("gd.strong", 1), curve("gd.zcdp", 2), curve("gd.constant", 4)],
  },
];

export const defaultPreset = presets[0]!;

export function stateOf(preset: Preset): State {
  const shared = { ...plain.shared };
  for (const name of parameterNames) shared[name] = preset.shared[name] ?? shared[name];
  return { ...plain, ...preset.state, shared, curves: preset.curves, preset: preset.id };
}

/**
 * Whether what a preset compares is another by now: its curves, their parameters, the δ or the
 * budget. Another view of the same, and other axes, are not.
 */
export function changed(state: State, preset: Preset): boolean {
  const { shared, curves, delta, budget } = state;
  const original = stateOf(preset);
  return !same({ ...original, shared, curves, delta, budget }, original);
}

/** What a reader of a preset's title has to know: that it speaks of another comparison or view. */
export function remark(state: State, preset: Preset): string {
  if (changed(state, preset)) return "changed from the original";
  const { view, over } = stateOf(preset);
  return state.view === view && (view !== "sweep" || state.over === over) ? "" : "in another view";
}
