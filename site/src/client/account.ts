import type { Adjacency, Bound, Guarantee, PrivacyEvent } from "./event.ts";

/**
 * How an event is priced.
 *
 * - `auto`: the first of the others that applies.
 * - `closed`: the event's own privacy profile, in closed form or as one integral.
 * - `pld`: its privacy loss distribution, between certified ends.
 * - `rdp`: its Rényi curve, converted at the best order. All that private selection has.
 */
export type Method = "auto" | "closed" | "pld" | "rdp";

/**
 * A curve beside the asked one: a bound by name, or what no proof can beat. `rdp`
 * of an event that no bound is about is its Rényi curve, converted.
 */
export type ComparisonName = Bound | "gaussian-lower";

/** Where a curve is drawn: evenly spaced, or at given points (nats). */
export type Epsilons = { from: number; to: number; points: number } | readonly number[] | Float64Array;

/**
 * What to account for. Give one or more of `epsilon` (answered by δ), `delta`
 * (answered by ε), `curve` (answered by δ at every ε) and `orders`.
 */
export interface AccountDescription {
  event: PrivacyEvent;
  /** Default `auto`. */
  method?: Method;
  /** Which proof prices objective perturbation. Default `auto`. */
  bound?: Bound;
  /** Relative width of certified intervals of ε, 1e-5 to 0.1; default 1e-3. For `auto` and `pld`. */
  accuracy?: number;
  epsilon?: number;
  delta?: number;
  curve?: Epsilons;
  /** More curves of the same event, at the same points. Needs `curve`. */
  compare?: readonly ComparisonName[];
  /** Rényi orders α ≥ 1 to list the divergence's bound at. Needs `method: "rdp"`. */
  orders?: readonly number[] | Float64Array;
}

/** δ̂(ε) at every ε. Upper bounds never lie below the true δ, lower ones never above. */
export interface PrivacyCurve {
  name: ComparisonName;
  theorem: string;
  side: "upper" | "lower";
  epsilon: Float64Array;
  /** At most 1. Where δ is below 5e-324 an upper bound says that, a lower one 0; `logDelta` has it still. */
  delta: Float64Array;
  /** Natural logarithm of δ. */
  logDelta: Float64Array;
  /** Certified lower ends, where the method has them (`pld`): no smaller δ could be promised. */
  deltaLower?: Float64Array;
  logDeltaLower?: Float64Array;
}

/** Upper bounds on the Rényi divergence at each order, in nats; Infinity where there is none. */
export interface RenyiCurve {
  order: Float64Array;
  /** Of the output with a record against the output without it; the two are alike for replace-one. */
  added: Float64Array;
  removed: Float64Array;
}

export interface AccountResult {
  adjacency: Adjacency;
  /** The one that was used, never `auto`. */
  method: Exclude<Method, "auto">;
  bound: Bound;
  theorem: string;
  /** Present if `delta` was asked: the event is (epsilon, delta)-DP. May be Infinity. */
  epsilon?: number;
  /** Beside `epsilon` where the method is `pld`: no smaller ε could be promised. */
  epsilonLower?: number;
  /** Present if `epsilon` was asked: the event is (epsilon, delta)-DP. */
  delta?: number;
  deltaLower?: number;
  /** Natural logarithm of `delta`. */
  logDelta?: number;
  logDeltaLower?: number;
  curve?: PrivacyCurve;
  /**
   * In the order asked. A bound that does not apply to the event at all (kifer
   * for a Gaussian mechanism, say) is left out and named in `inapplicable`.
   */
  comparisons?: PrivacyCurve[];
  inapplicable?: { name: ComparisonName; message: string }[];
  /** Present if `orders` were asked. */
  renyi?: RenyiCurve;
}

/** The same questions, answered quickly and without a promise: for dragging a slider. */
export interface EstimateDescription {
  event: PrivacyEvent;
  bound?: Bound;
  /** Of the interval that stands in where the quick way does not settle. */
  accuracy?: number;
  epsilon?: number;
  delta?: number;
  curve?: Epsilons;
}

/** Estimates, never bounds. A spread is how far two ways of computing one lie apart; nothing is proved of either. */
export interface EstimateResult {
  adjacency: Adjacency;
  /** Present if `delta` was asked. */
  estimatedEpsilon?: number;
  epsilonSpread?: number;
  /** Present if `epsilon` was asked: the natural logarithm of δ. */
  estimatedLogDelta?: number;
  logDeltaSpread?: number;
  curve?: { epsilon: Float64Array; estimatedLogDelta: Float64Array; logDeltaSpread: Float64Array };
}

/** What all methods say of one event: about ε at `delta`, or about log δ at `epsilon`. Give one of the two. */
export interface CheckDescription {
  event: PrivacyEvent;
  bound?: Bound;
  accuracy?: number;
  epsilon?: number;
  delta?: number;
}

/**
 * Upper bounds by every method that can price the event, and the certified
 * interval. If an upper bound were below the lower end, the call would have
 * been rejected with `internal`: the library would be wrong somewhere.
 */
export interface CheckResult {
  adjacency: Adjacency;
  of: "epsilon" | "logDelta";
  closed?: number;
  rdp?: number;
  lower?: number;
  upper?: number;
}

/** Which value of one parameter gives (epsilon, delta)-DP, the rest of the event being what it is. */
export interface SolveDescription {
  /** The parameter itself may be left out where it is one of the event's own fields. */
  event: PrivacyEvent | (Record<string, unknown> & Pick<PrivacyEvent, "mechanism" | "adjacency">);
  /**
   * Path of the parameter in the event: `sigma`, `scale`, `noise_multiplier`,
   * `rate`, `steps`, `lambda`, `truth`, `epsilon`, `rho`, `gamma`, `mean`, `tau`, one of
   * these inside another event (`parts[1].event.sigma`, `base.rate`), or
   * `parts[0].count`. `noise`, for any event, and `sigmas` stand for a factor common
   * to all noise that is given.
   */
  parameter: string;
  epsilon: number;
  delta: number;
  bound?: Bound;
}

export interface SolveResult {
  parameter: string;
  /** On the safe side, to four digits or better: noise rounded up, rates and whole numbers down. */
  value: number;
  /** With that value. Priced again with `accuracy: 1e-4` (1e-5 where `estimatedExcess` is above 1e-3), it has the guarantee. */
  event: PrivacyEvent;
  method: Exclude<Method, "auto">;
  guarantee: Guarantee;
  /** Certified δ of the event at the guarantee's ε; at most the one asked. */
  delta: number;
  /** By how much, relative to `value`, a sharper certificate could at most improve on it, as an estimate. 1: not known. */
  estimatedExcess: number;
}

/** One event, or `count` of it, that may have been chosen in the light of all outputs before it. */
export interface Charge {
  event: PrivacyEvent;
  /** Default 1. */
  count?: number;
}

/** May one more event be afforded, when every event may depend on the outputs before it? */
export interface AffordDescription {
  budget: { adjacency: Adjacency; epsilon: number; delta: number };
  /** The part of δ that is set aside for events which fail outright with some probability ((ε, δ)-DP ones). Default 0. */
  mass?: number;
  charged: readonly Charge[];
  candidate?: Charge;
}

export interface AffordResult {
  adjacency: Adjacency;
  /** What was charged so far amounts to, at the budget's δ. Not a guarantee to stop at: see {@link OdometerDescription}. */
  epsilon: number;
  /** Present if there was a candidate. */
  affords?: boolean;
  /** Present if it is afforded. */
  epsilonAfter?: number;
}

/** What holds, with probability 1 − delta, at every time at once for what was charged so far. */
export interface OdometerDescription {
  adjacency: Adjacency;
  delta: number;
  charged: readonly Charge[];
}

export interface OdometerResult {
  adjacency: Adjacency;
  /** In steps of a factor √2; Infinity beyond the last. */
  epsilon: number;
}
