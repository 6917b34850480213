// From a curve δ(ε) to the trade-off between an attacker's two errors (f-DP: Dong, Roth & Su 2022,
// Proposition 2.12).

import { bestTruePositiveRateOn } from "../chart/meaning.ts";

/** Rates of false alarms: whole percentages, and finer next to 0, where the lines are steep. */
export const falseAlarms: readonly number[] = [
  0,
  0.0001,
  0.0002,
  0.0005,
  0.001,
  0.002,
  0.003,
  0.005,
  0.0075,
  0.01,
  0.015,
  0.02,
  0.025,
  ...Array.from({ length: 98 }, (_, i) => (i + 3) / 100),
];

/**
 * The least rate of missed members that any test with this rate of false alarms can have, from
 * upper bounds on δ: never above the truth.
 */
export function missedAtLeast(
  falseAlarms: number,
  epsilon: readonly number[],
  logDelta: readonly number[],
): number {
  return 1 - bestTruePositiveRateOn(falseAlarms, epsilon, logDelta);
}

/**
 * The same from lower bounds on δ at ε from 0: never below the truth. Between two points, δ is at
 * least what it is at the right one and e^ε at least what it is at the left one; beyond the last,
 * at least 0.
 */
export function missedAtMost(
  falseAlarms: number,
  epsilon: readonly number[],
  logDeltaLower: readonly number[],
): number {
  let least = 0;
  for (let i = 0; i < epsilon.length; i++) {
    const delta = Math.exp(logDeltaLower[i + 1] ?? -Infinity);
    const growth = Math.exp(epsilon[i]!);
    least = Math.max(least, 1 - delta - growth * falseAlarms, (1 - delta - falseAlarms) / growth);
  }
  return Math.min(1 - falseAlarms, least);
}

/**
 * ε at a δ between evaluated points, from upper bounds on δ: δ is convex in e^ε, so a chord over
 * e^ε lies on or above it, and the ε that is read off the chord is never too small. Infinity where
 * the curve does not come down to that δ.
 */
export function epsilonOnChord(
  epsilon: readonly number[],
  logDelta: readonly number[],
  logTarget: number,
): number {
  const i = logDelta.findIndex((log) => log <= logTarget);
  if (i < 0) return Infinity;
  if (i === 0) return epsilon[0]!;
  const [above, below, target] = [logDelta[i - 1]!, logDelta[i]!, logTarget].map(Math.exp) as [
    number,
    number,
    number,
  ];
  const step = epsilon[i]! - epsilon[i - 1]!;
  const share = (above - target) / (above - below);
  return Number.isFinite(share)
    ? epsilon[i - 1]! + Math.log1p(share * Math.expm1(step))
    : epsilon[i]!;
}
