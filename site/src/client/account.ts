import type { Adjacency, Bound, PricedEvent } from "./event.ts";

/** A curve beside the asked one: a bound by name, or what no proof can beat. */
export type ComparisonName = Bound | "gaussian-lower";

/** Where a curve is drawn: evenly spaced, or at given points (nats). */
export type Epsilons = { from: number; to: number; points: number } | readonly number[] | Float64Array;

/**
 * What to account for. Give one or more of `epsilon` (answered by δ), `delta`
 * (answered by ε) and `curve` (answered by δ at every ε).
 */
export interface AccountDescription {
  event: PricedEvent;
  /** Default `auto`. */
  bound?: Bound;
  epsilon?: number;
  delta?: number;
  curve?: Epsilons;
  /** More curves of the same event, at the same points. Needs `curve`. */
  compare?: readonly ComparisonName[];
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
}

export interface AccountResult {
  adjacency: Adjacency;
  bound: Bound;
  theorem: string;
  /** Present if `delta` was asked: the event is (epsilon, delta)-DP. May be Infinity. */
  epsilon?: number;
  /** Present if `epsilon` was asked: the event is (epsilon, delta)-DP. */
  delta?: number;
  /** Natural logarithm of `delta`. */
  logDelta?: number;
  curve?: PrivacyCurve;
  /**
   * In the order asked. A bound that does not apply to the event at all (kifer
   * for a Gaussian mechanism, say) is left out and named in `inapplicable`.
   */
  comparisons?: PrivacyCurve[];
  inapplicable?: { name: ComparisonName; message: string }[];
}
