// The kinds of curves: a mechanism and the proof that prices it. From parameters to the event that
// the accountant is asked about.

import { readable } from "../../chart/numbers.ts";
import type { Bound, Method, PrivacyEvent } from "../../client/types.ts";
import type { ParameterName, Values } from "./parameters.ts";

export const groups = {
  objective: "Objective perturbation",
  gaussian: "One Gaussian mechanism",
  sgd: "DP-SGD",
  descent: "Noisy gradient descent",
  votes: "Votes",
  cards: "Scorecards",
} as const;
export type Group = keyof typeof groups;

/** What the accountant is asked about. */
export interface Priced {
  readonly event: PrivacyEvent;
  readonly bound?: Bound;
  readonly method?: Method;
}

export interface Kind {
  readonly group: Group;
  /** In a list of curves. */
  readonly name: string;
  /** In a menu of its group. */
  readonly choice: string;
  readonly uses: readonly ParameterName[];
  /** What an equal budget may fix, the usual one first. None: it cannot be calibrated. */
  readonly free: readonly ParameterName[];
  /** Not what holds, but what no proof can go below. */
  readonly floor?: boolean;
  /**
   * Not certified: its proof has a gap. It is drawn from its formula, as a Rényi divergence alone.
   */
  readonly estimate?: boolean;
  /** Nothing is known of its Rényi divergence. */
  readonly noRenyi?: boolean;
  /** It says nothing unless λ > β. */
  readonly aboveBeta?: boolean;
  priced(values: Values): Priced;
}

function repeated(event: PrivacyEvent, count: number): PrivacyEvent {
  return count === 1
    ? event
    : { mechanism: "composition", adjacency: event.adjacency, parts: [{ event, count }] };
}

/** By how much one record moves a sum of vectors that are no longer than 1. */
const reach = ({ adjacency }: Pick<Values, "adjacency">): number =>
  adjacency === "replace-one" ? 2 : 1;

/**
 * λ of the limit in which only the noise's part of a bound is left: −log(1 − β/λ) is below 10⁻¹¹
 * there, and bounds round upwards.
 */
const endless = 1e12;

const objective = (
  loss: "logistic" | "rounded-hinge" | "signed" | "glm",
  v: Values,
  lambda = v.lambda,
): PrivacyEvent =>
  repeated(
    {
      mechanism: "objective-perturbation",
      adjacency: v.adjacency,
      loss,
      row_norm: 1,
      lipschitz: 1,
      smoothness: loss === "logistic" ? 0.25 : loss === "rounded-hinge" ? 1 : v.beta,
      lambda,
      sigma: v.sigma,
    },
    v.times,
  );

const gaussian = (v: Values): PrivacyEvent =>
  repeated(
    { mechanism: "gaussian", adjacency: v.adjacency, sensitivity: reach(v), sigma: v.sigma },
    v.times,
  );

/** The same, solved until τ of the gradient is left, and released with noise of its own. */
const minima = (loss: "logistic" | "glm", v: Values): PrivacyEvent =>
  ({
    ...objective(loss, { ...v, times: 1 }),
    mechanism: "approximate-minima-perturbation",
    tau: v.tau,
    sigma_out: v.out,
  }) as PrivacyEvent;

/** The sampling rate of batches of b records out of n, on average. */
const rateOf = (v: Pick<Values, "batch" | "records">): number => Math.min(1, v.batch / v.records);

const sampled = (v: Values): PrivacyEvent => ({
  mechanism: "subsampled-gaussian",
  adjacency: "add-remove",
  rate: v.rate,
  noise_multiplier: v.noise,
  steps: v.steps,
});

export type Schedule = "strong" | "convex" | "constant";

/**
 * Noise of each step of a descent, by Proposition 3 of Fay et al.: geometric for strongly convex
 * losses, falling as 1/t for convex ones.
 */
export function noises(
  schedule: Schedule,
  v: Pick<Values, "start" | "steps" | "condition">,
): number[] {
  const ratio = Math.sqrt(1 - 1 / (2 * v.condition));
  return Array.from(
    { length: v.steps },
    (_, t) =>
      v.start * (schedule === "strong" ? ratio ** t : schedule === "convex" ? 1 / (t + 1) : 1),
  );
}

/** μ of the Gaussian mechanism that the steps of a descent amount to together. */
export const together = (sigmas: readonly number[]): number =>
  Math.sqrt(sigmas.reduce((sum, sigma) => sum + sigma ** -2, 0));

const descent = (schedule: Schedule, v: Values): PrivacyEvent => ({
  mechanism: "gradient-descent",
  adjacency: v.adjacency,
  sensitivity: reach(v),
  sigmas: noises(schedule, v),
});

const noisyMin = (noise: "geometric" | "gumbel", v: Values): PrivacyEvent =>
  repeated(
    {
      mechanism: "noisy-min",
      adjacency: v.adjacency,
      epsilon: v.card,
      span: reach(v),
      noise,
      ...(noise === "geometric" && { denominator: 64 }),
    },
    v.times,
  );

const onObjective: readonly ParameterName[] = ["sigma", "lambda", "beta", "times"];
const either: readonly ParameterName[] = ["sigma", "lambda"];

export const kinds = {
  "op.logistic": {
    group: "objective",
    name: "Cloister, logistic loss",
    choice: "Cloister’s bound, logistic loss",
    uses: ["sigma", "lambda", "times"],
    free: either,
    priced: (v) => ({ event: objective("logistic", v), bound: "logistic" }),
  },
  "op.control": {
    group: "objective",
    name: "Cloister, control problem",
    choice: "Cloister’s bound by a control problem, logistic loss",
    uses: ["sigma", "lambda", "times"],
    free: either,
    priced: (v) => ({ event: objective("logistic", v), bound: "control" }),
  },
  "op.hinge": {
    group: "objective",
    name: "Cloister, rounded hinge",
    choice: "Cloister’s bound, rounded hinge",
    uses: ["sigma", "lambda", "times"],
    free: either,
    priced: (v) => ({ event: objective("rounded-hinge", v), bound: "rounded-hinge" }),
  },
  "op.softmax": {
    group: "objective",
    name: "Cloister, softmax",
    choice: "Cloister’s bound, softmax of several classes",
    uses: ["sigma", "lambda", "classes"],
    free: either,
    priced: (v) => ({
      event: {
        mechanism: "objective-perturbation",
        adjacency: v.adjacency,
        loss: "softmax",
        row_norm: 1,
        lipschitz: Math.SQRT2,
        smoothness: 0.5,
        lambda: v.lambda,
        sigma: v.sigma,
        classes: v.classes,
      },
      bound: "softmax",
    }),
  },
  "op.rest": {
    group: "objective",
    name: "One class against the rest",
    choice: "Cloister’s bound, a logistic fit for each class",
    uses: ["sigma", "lambda", "classes"],
    free: [],
    priced: (v) => ({
      event: objective("logistic", { ...v, times: v.classes }),
      bound: "control",
    }),
  },
  "op.signed": {
    group: "objective",
    name: "Cloister, slope of one sign",
    choice: "Cloister’s bound, losses whose slope has one sign",
    uses: onObjective,
    free: either,
    priced: (v) => ({ event: objective("signed", v), bound: "signed" }),
  },
  "op.glm": {
    group: "objective",
    name: "Cloister, any linear model",
    choice: "Cloister’s bound, any linear model",
    uses: onObjective,
    free: either,
    priced: (v) => ({ event: objective("glm", v), bound: "glm" }),
  },
  "op.profile": {
    group: "objective",
    aboveBeta: true,
    name: "Theorem 3.1",
    choice: "Redberg et al., Theorem 3.1: privacy profile",
    uses: onObjective,
    free: either,
    priced: (v) => ({ event: objective("glm", v), bound: "profile" }),
  },
  "op.rdp": {
    group: "objective",
    aboveBeta: true,
    name: "Theorem 3.2, Rényi",
    choice: "Redberg et al., Theorem 3.2: Rényi divergence",
    uses: onObjective,
    free: either,
    priced: (v) => ({ event: objective("glm", v), bound: "rdp", method: "rdp" }),
  },
  "op.kifer": {
    group: "objective",
    name: "Kifer et al. 2012",
    choice: "Kifer, Smith & Thakurta 2012",
    uses: onObjective,
    free: ["sigma"],
    noRenyi: true,
    priced: (v) => ({ event: objective("glm", v), bound: "kifer" }),
  },
  "op.smooth": {
    group: "objective",
    aboveBeta: true,
    name: "Theorem E.1, any smooth loss",
    choice: "Redberg et al., Theorem E.1: any smooth loss",
    uses: ["sigma", "lambda", "beta", "dimension"],
    free: either,
    priced: (v) => ({
      event: {
        mechanism: "objective-perturbation",
        adjacency: v.adjacency,
        loss: "smooth",
        lipschitz: 1,
        smoothness: v.beta,
        lambda: v.lambda,
        sigma: v.sigma,
        dimension: v.dimension,
      },
      bound: "rdp",
      method: "rdp",
    }),
  },
  "op.amp": {
    group: "objective",
    name: "Cloister, with the output step",
    choice: "Cloister’s bound, logistic loss, with the output step",
    uses: ["sigma", "lambda", "tau", "out"],
    free: either,
    priced: (v) => ({ event: minima("logistic", v), bound: "logistic" }),
  },
  "op.amp.rdp": {
    group: "objective",
    aboveBeta: true,
    name: "Theorem 4.1, with the output step",
    choice: "Redberg et al., Theorem 4.1: Rényi, with the output step",
    uses: ["sigma", "lambda", "beta", "tau", "out"],
    free: either,
    priced: (v) => ({ event: minima("glm", v), bound: "rdp", method: "rdp" }),
  },
  "op.linear": {
    group: "objective",
    aboveBeta: true,
    name: "Appendix C.1, linearised",
    choice: "Redberg et al., appendix C.1: linearised (an estimate)",
    uses: ["sigma", "lambda", "beta"],
    free: [],
    estimate: true,
    priced: (v) => ({ event: objective("glm", { ...v, times: 1 }), bound: "rdp", method: "rdp" }),
  },
  "op.half": {
    group: "objective",
    name: "Half-normal part",
    choice: "Theorems 3.1 and 3.2 for λ → ∞: the half-normal part",
    uses: ["sigma", "times"],
    free: ["sigma"],
    priced: (v) => ({ event: objective("glm", { ...v, beta: 1 }, endless), bound: "profile" }),
  },
  floor: {
    group: "gaussian",
    name: "No proof can do better",
    choice: "Gaussian mechanism, as the floor of objective perturbation",
    uses: ["sigma", "times"],
    free: ["sigma"],
    floor: true,
    priced: (v) => ({ event: gaussian(v) }),
  },
  gauss: {
    group: "gaussian",
    name: "Gaussian mechanism",
    choice: "Gaussian mechanism, exact",
    uses: ["sigma", "times"],
    free: ["sigma"],
    priced: (v) => ({ event: gaussian(v) }),
  },
  "gauss.rdp": {
    group: "gaussian",
    name: "Gaussian mechanism, Rényi",
    choice: "Gaussian mechanism, by its Rényi divergence",
    uses: ["sigma", "times"],
    free: ["sigma"],
    priced: (v) => ({ event: gaussian(v), method: "rdp" }),
  },
  "gauss.tested": {
    group: "gaussian",
    name: "Gaussian, after a test",
    choice: "Gaussian mechanism, its noise chosen by a test (propose-test-release)",
    uses: ["sigma", "test", "failure"],
    free: [],
    noRenyi: true,
    priced: (v) => ({
      event: {
        mechanism: "propose-test-release",
        adjacency: v.adjacency,
        test: {
          mechanism: "gaussian",
          adjacency: v.adjacency,
          sensitivity: reach(v),
          sigma: v.test,
        },
        release: gaussian({ ...v, times: 1 }),
        failure: v.failure,
      },
    }),
  },
  sgd: {
    group: "sgd",
    name: "DP-SGD",
    choice: "DP-SGD, by its privacy loss distribution",
    uses: ["noise", "rate", "steps"],
    free: ["noise", "steps"],
    priced: (v) => ({ event: sampled(v) }),
  },
  "sgd.batch": {
    group: "sgd",
    name: "DP-SGD, batches of n",
    choice: "DP-SGD, batches of b out of n records",
    uses: ["noise", "batch", "records", "steps"],
    free: ["noise", "steps"],
    priced: (v) => ({ event: sampled({ ...v, rate: rateOf(v) }) }),
  },
  "sgd.rdp": {
    group: "sgd",
    name: "DP-SGD, Rényi",
    choice: "DP-SGD, by its Rényi divergence",
    uses: ["noise", "rate", "steps"],
    free: ["noise"],
    priced: (v) => ({ event: sampled(v), method: "rdp" }),
  },
  "gd.strong": {
    group: "descent",
    name: "Adaptive descent",
    choice: "Fay et al., falling noise for strongly convex losses",
    uses: ["start", "condition", "steps"],
    free: ["start"],
    priced: (v) => ({ event: descent("strong", v) }),
  },
  "gd.convex": {
    group: "descent",
    name: "Adaptive descent, convex",
    choice: "Fay et al., falling noise for convex losses",
    uses: ["start", "steps"],
    free: ["start"],
    priced: (v) => ({ event: descent("convex", v) }),
  },
  "gd.constant": {
    group: "descent",
    name: "Descent, constant noise",
    choice: "Gradient descent, constant noise",
    uses: ["start", "steps"],
    free: ["start"],
    priced: (v) => ({ event: descent("constant", v) }),
  },
  "gd.zcdp": {
    group: "descent",
    name: "Adaptive descent, zCDP",
    choice: "Fay et al., strongly convex, priced as they do (zCDP)",
    uses: ["start", "condition", "steps"],
    free: [],
    priced: (v) => ({
      event: {
        mechanism: "zcdp",
        adjacency: v.adjacency,
        rho: (reach(v) * together(noises("strong", v))) ** 2 / 2,
      },
    }),
  },
  "vote.best": {
    group: "votes",
    name: "The best vote",
    choice: "One vote, the best rule there is",
    uses: ["single", "failure"],
    free: [],
    noRenyi: true,
    priced: (v) => ({
      event: {
        mechanism: "approximate-dp",
        adjacency: v.adjacency,
        epsilon: v.single,
        delta: v.failure,
      },
    }),
  },
  "vote.laplace": {
    group: "votes",
    name: "A vote with Laplace noise",
    choice: "One vote, Laplace noise on both counts",
    uses: ["single"],
    free: [],
    priced: (v) => ({
      event: {
        mechanism: "laplace",
        adjacency: v.adjacency,
        sensitivity: reach(v),
        scale: 1 / v.single,
      },
    }),
  },
  "pate.plain": {
    group: "votes",
    name: "PATE, whatever the votes",
    choice: "PATE, Gaussian noise, whatever the votes are",
    uses: ["votes", "queries"],
    free: [],
    priced: (v) => ({
      event: repeated(
        {
          mechanism: "gaussian",
          adjacency: v.adjacency,
          sensitivity: Math.SQRT2,
          sigma: v.votes,
        },
        v.queries,
      ),
    }),
  },
  "pate.tested": {
    group: "votes",
    name: "PATE, after a test",
    choice: "PATE, after a test of how much the votes agree",
    uses: ["order", "spent", "test", "failure"],
    free: [],
    noRenyi: true,
    priced: (v) => ({
      event: {
        mechanism: "propose-test-release",
        adjacency: v.adjacency,
        test: {
          mechanism: "discrete-gaussian",
          adjacency: v.adjacency,
          sensitivity: 1,
          sigma: v.test,
        },
        release: {
          mechanism: "renyi-dp",
          adjacency: v.adjacency,
          order: v.order,
          epsilon: v.spent,
        },
        failure: v.failure,
      },
    }),
  },
  "card.min": {
    group: "cards",
    name: "Noisy min",
    choice: "A card by noisy min, geometric noise",
    uses: ["card", "times"],
    free: [],
    priced: (v) => ({ event: noisyMin("geometric", v) }),
  },
  "card.gumbel": {
    group: "cards",
    name: "Noisy min, Gumbel",
    choice: "A card by noisy min, Gumbel noise",
    uses: ["card", "times"],
    free: [],
    priced: (v) => ({ event: noisyMin("gumbel", v) }),
  },
  "card.centre": {
    group: "cards",
    name: "Proximal centre",
    choice: "A card by a proximal centre, 23 levels",
    uses: ["card", "times"],
    free: [],
    priced: (v) => ({
      event: repeated(
        {
          mechanism: "proximal-centre",
          adjacency: v.adjacency,
          epsilon: v.card,
          span: reach(v),
          bound: 1,
          dimension: 23,
          denominator: 2048,
        },
        v.times,
      ),
    }),
  },
  "card.cells": {
    group: "cards",
    name: "Noisy cells",
    choice: "Counts of all cells with noise: any number of cards",
    uses: ["cells"],
    free: [],
    // One record that is replaced changes two counts by 1, each at half the price.
    priced: (v) => ({
      event: repeated(
        {
          mechanism: "discrete-laplace",
          adjacency: v.adjacency,
          sensitivity: 1,
          scale: reach(v) / v.cells,
        },
        reach(v),
      ),
    }),
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];
export const kindOf = (name: KindName): Kind => kinds[name];

/** Why a kind is not drawn between neighbours of this sort, for people; undefined if it is. */
export function between(kind: KindName, { adjacency, times }: Values): string | undefined {
  if (adjacency === "add-remove") return undefined;
  const { estimate, group, name, uses } = kindOf(kind);
  if (group === "sgd")
    return "DP-SGD’s samples are priced where a record is added or removed, not where one is replaced.";
  if (estimate || kind === "op.amp")
    return `${name} is drawn here where a record is added or removed, not where one is replaced.`;
  if (kind === "op.rest") return `${name} is drawn here where a record is added or removed.`;
  // It could be priced, but each point takes the accountant many seconds.
  if (group === "objective" && kind !== "op.rdp" && times > 1 && uses.includes("times"))
    return `Where a record is replaced, ${name} is drawn here for one run, and Theorem 3.2 for several.`;
  return undefined;
}

/** Why a kind says nothing of these parameters, for people; undefined if it does. */
export function silent(kind: KindName, { lambda, beta }: Values): string | undefined {
  const { aboveBeta, name } = kindOf(kind);
  return aboveBeta && lambda <= beta
    ? `${name} needs λ > β, and λ is ${readable(lambda)}, β ${readable(beta)}.${kind === "op.smooth" ? "" : " Cloister’s bounds do not."}`
    : undefined;
}

/** The accountant's path to what an equal budget fixes. */
export function solvable(free: ParameterName, times: number): string {
  if (free === "noise") return "noise_multiplier";
  if (free === "start") return "sigmas";
  return times === 1 || free === "steps" ? free : `parts[0].event.${free}`;
}

/**
 * The noise on a sum of gradients over all records that the mechanism amounts to, in units of one
 * record's gradient, if all it releases is put together as well as possible (for DP-SGD: the mean
 * of its steps, each divided by q). To compare methods under one budget; the Gaussian mechanism's
 * own σ is the least there is. NaN for votes and scorecards, whose noise is on counts.
 */
export function noiseOf(kind: KindName, v: Values): number {
  if (kind === "op.rest") return v.sigma; // on each class's own sum
  switch (kindOf(kind).group) {
    case "objective":
    case "gaussian":
      return v.sigma / Math.sqrt(v.times);
    case "sgd":
      return v.noise / ((kind === "sgd.batch" ? rateOf(v) : v.rate) * Math.sqrt(v.steps));
    case "votes":
    case "cards":
      return NaN; // on counts
    case "descent":
      return (
        1 /
        together(
          noises(
            kind === "gd.convex" ? "convex" : kind === "gd.constant" ? "constant" : "strong",
            v,
          ),
        )
      );
  }
}
