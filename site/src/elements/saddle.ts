// An estimate of δ(ε) from a mechanism's Rényi divergences at some orders: what a curve looks like while a slider moves, until the certified one is there.
//
// With K(t) = t·D_{1+t}, the privacy loss L has the cumulant function K under the measure that it is bounded for, and for any t
//   δ(ε) = E[1 − e^{ε−L}]₊ = e^{K(t)−tε}·E_t[(e^{−tx} − e^{−(1+t)x}); x > 0],  x = L − ε,
// E_t being under the loss tilted by e^{tL}, of mean K′(t) and variance K″(t). Where K′(t) is ε, or near it, x is taken to be normal there (Esscher's method): exact
// for Gaussian mechanisms, and the better the more steps are composed. It is an estimate: divergences that are upper bounds give neither an upper nor a lower one.

import type { RenyiCurve } from "../client/account.ts";

/** Orders at which the divergence is asked for: t = α − 1 from 0.01 to 4000, evenly in log t. */
export const saddleOrders: readonly number[] = Array.from({ length: 36 }, (_, i) => 1 + 0.01 * 4e5 ** (i / 35));

/** log δ at each ε, the larger of the two directions. NaN where the orders do not reach. */
export function saddleLogDelta(renyi: RenyiCurve, epsilons: readonly number[]): number[] {
  const added = cumulants(renyi.order, renyi.added);
  const removed = cumulants(renyi.order, renyi.removed);
  return epsilons.map((epsilon) => Math.max(one(added, epsilon), one(removed, epsilon)));
}

interface Cumulant {
  readonly t: number;
  readonly value: number;
  readonly mean: number;
  readonly variance: number;
}

/** K and its derivatives at the inner orders, from the parabola through three neighbours; K(0) is 0. */
function cumulants(order: ArrayLike<number>, divergence: ArrayLike<number>): Cumulant[] {
  const t = [0, ...Array.from(order, (alpha) => alpha - 1)];
  const k = [0, ...Array.from(order, (alpha, i) => (alpha - 1) * divergence[i]!)];
  const out: Cumulant[] = [];
  for (let i = 1; i + 1 < t.length; i++) {
    const left = (k[i]! - k[i - 1]!) / (t[i]! - t[i - 1]!);
    const right = (k[i + 1]! - k[i]!) / (t[i + 1]! - t[i]!);
    const variance = (2 * (right - left)) / (t[i + 1]! - t[i - 1]!);
    const mean = left + (variance / 2) * (t[i]! - t[i - 1]!);
    if (Number.isFinite(mean) && variance > 0) out.push({ t: t[i]!, value: k[i]!, mean, variance });
  }
  return out;
}

function one(at: readonly Cumulant[], epsilon: number): number {
  let best: Cumulant | undefined;
  let least = Infinity;
  for (const one of at) {
    const off = (one.mean - epsilon) ** 2 / one.variance;
    if (off < least) [best, least] = [one, off];
  }
  // More than three standard deviations from the middle of every tilted loss, nothing normal is left of it.
  if (!best || least > 9) return Number.NaN;
  const { t, value, mean, variance } = best;
  const s = Math.sqrt(variance);
  const m = (mean - epsilon) / s;
  const share = mills(t * s - m) - mills((1 + t) * s - m);
  return Math.min(0, value - t * epsilon - (m * m) / 2 + Math.log(Math.max(share, Number.MIN_VALUE)));
}

/** e^{x²/2}·Φ(−x), to seven digits (the rational approximation of erfc in Numerical Recipes, §6.2). */
function mills(x: number): number {
  if (x < 0) return Math.exp((x * x) / 2) - mills(-x);
  const t = 1 / (1 + x / Math.SQRT2 / 2);
  const c = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277];
  return (t * Math.exp(c.reduceRight((sum, one) => sum * t + one, 0))) / 2;
}
