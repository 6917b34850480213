// How much an attacker can tell, from a curve δ(ε). It has the worst pair of output distributions
// that the curve allows, with and without a person, and the tests between them.
//
// Only likelihood ratios matter to an attacker. So outputs may be drawn on any scale with more
// telling ones further right. Here outputs without the person are standard normal, or Laplace for
// Laplace noise. Then the scale of a Gaussian or a Laplace mechanism is that of its own outputs.

import type { PrivacyEvent } from "../client/types.ts";

/**
 * A test of the worst pair: rates of false alarms and of members found, and the log-likelihood
 * ratio at its threshold.
 */
export interface Cut {
  readonly alarms: number;
  readonly found: number;
  readonly loss: number;
}

/**
 * The corners of the trade-off curve that upper bounds on δ at ε from 0 allow, from no false alarms
 * to nothing but false alarms. Where two of its straight pieces, of slopes e^ε₁ and e^ε₂, meet, the
 * ratio of likelihoods is between the two. The other half is the first one mirrored: both
 * directions are allowed alike.
 */
export function cuts(epsilon: readonly number[], logDelta: readonly number[]): Cut[] {
  const half: Cut[] = [];
  for (let i = 0; i + 1 < epsilon.length; i++) {
    const [delta, next] = [Math.exp(logDelta[i]!), Math.exp(logDelta[i + 1]!)];
    const alarms = (delta - next) / (Math.exp(epsilon[i + 1]!) - Math.exp(epsilon[i]!));
    const found = delta + Math.exp(epsilon[i]!) * alarms;
    if (!(alarms >= 0) || !(found <= 1)) continue;
    half.push({ alarms, found, loss: (epsilon[i]! + epsilon[i + 1]!) / 2 });
  }
  half.reverse();
  const mirrored = half
    .map(({ alarms, found, loss }): Cut => ({ alarms: 1 - found, found: 1 - alarms, loss: -loss }))
    .reverse();
  // Rounding may put a corner out of order by a hair where the curve is straight.
  return [...half, ...mirrored].filter(
    (cut, i, all) => i === 0 || cut.alarms >= all[i - 1]!.alarms,
  );
}

/** The distribution of outputs without the person, and what its scale is. */
export interface Ground {
  density(x: number): number;
  /** Where an output is larger with probability p. */
  upperQuantile(p: number): number;
  readonly title: string;
}

const normal = {
  density: (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI),
  upperQuantile,
};

/** The scale for a mechanism. */
export function groundOf(event: PrivacyEvent): Ground {
  if (event.mechanism === "laplace") {
    return {
      density: (x) => Math.exp(-Math.abs(x)) / 2,
      upperQuantile: (p) => (p < 0.5 ? -Math.log(2 * p) : Math.log(2 * (1 - p))),
      title: "output, in units of b",
    };
  }
  return {
    ...normal,
    title: event.mechanism === "gaussian" ? "output, in units of σ" : "evidence, on a normal scale",
  };
}

/**
 * The probability that an output without the person lies above x, by the inverse of the quantile.
 */
export function alarmsAt(ground: Ground, x: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (ground.upperQuantile(middle) > x) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Where a standard normal variable is larger with probability p: Acklam's rational approximation,
 * relative error under 1.2e-9.
 */
export function upperQuantile(p: number): number {
  if (p <= 0) return Infinity;
  if (p >= 1) return -Infinity;
  if (p > 0.5) return -upperQuantile(1 - p);
  const poly = (c: readonly number[], x: number) => c.reduce((sum, one) => sum * x + one, 0);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return -(
      poly(
        [
          -7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
          4.374664141464968, 2.938163982698783,
        ],
        q,
      ) /
      poly([7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1], q)
    );
  }
  const q = p - 0.5;
  const r = q * q;
  return -(
    (poly(
      [
        -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269,
        -30.66479806614716, 2.506628277459239,
      ],
      r,
    ) *
      q) /
    poly(
      [
        -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
        -13.28068155288572, 1,
      ],
      r,
    )
  );
}

/**
 * The log-likelihood ratio at a place on the scale, between those of the corners on either side.
 */
export function lossAt(places: readonly number[], all: readonly Cut[], x: number): number {
  // Places fall as false alarms grow.
  let i = places.findIndex((place) => place <= x);
  if (i < 0) i = places.length;
  const left = all[i];
  const right = all[i - 1];
  if (!left || !right) return (left ?? right)?.loss ?? 0;
  const [from, to] = [places[i]!, places[i - 1]!];
  return left.loss + (to > from ? (x - from) / (to - from) : 0) * (right.loss - left.loss);
}
