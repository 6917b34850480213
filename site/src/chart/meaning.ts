// What (ε, δ) means for one person, in numbers that a person can weigh. All of it follows from
// the definition of differential privacy, so it holds against any attacker, whatever else they
// know.

import type { Adjacency } from "../client/types.ts";
import { count } from "./numbers.ts";

/**
 * The most that an observer's belief that a given person is in the data can be after seeing the
 * release, when it was `prior` before: odds grow by at most e^ε (outcomes that δ allows for aside).
 */
export function posterior(prior: number, epsilon: number): number {
  if (prior <= 0) return 0;
  if (prior >= 1) return 1;
  // prior·e^ε / (1 − prior + prior·e^ε), arranged so that a large ε does not overflow.
  return prior / (prior + (1 - prior) * Math.exp(-epsilon));
}

/**
 * The best true-positive rate of any membership test whose false-positive rate is `fpr`, against an
 * (ε, δ)-DP release: min(δ + e^ε·fpr, 1 − e^{−ε}(1 − δ − fpr), 1), from the two inequalities of the
 * definition applied to the test's set and to its complement (Kairouz, Oh & Viswanath 2015).
 */
export function bestTruePositiveRate(fpr: number, epsilon: number, delta: number): number {
  const direct = delta + Math.exp(Math.min(epsilon, 700)) * fpr;
  const complement = 1 - Math.exp(-epsilon) * (1 - delta - fpr);
  return Math.max(fpr, Math.min(1, direct, complement));
}

/**
 * The same against a whole curve δ(ε), which is sharper: each of its points is a guarantee by
 * itself. `logDelta` holds natural logarithms.
 */
export function bestTruePositiveRateOn(
  fpr: number,
  epsilon: readonly number[],
  logDelta: readonly number[],
): number {
  let best = 1;
  for (let i = 0; i < epsilon.length; i++) {
    const log = logDelta[i];
    if (log === undefined || Number.isNaN(log)) continue;
    best = Math.min(best, bestTruePositiveRate(fpr, epsilon[i]!, Math.exp(Math.min(0, log))));
  }
  return best;
}

/**
 * The false-positive rate at which attacks are compared: one outsider in a hundred is wrongly
 * accused.
 */
export const falsePositives = 0.01;

/**
 * The largest share of the people in the data that any test finds if it wrongly accuses one
 * outsider in a hundred, from the certified curve of the mechanism (upper bounds on δ). Use this
 * figure wherever a page names the best attack. A single (ε, δ) would give another figure, and a
 * larger one.
 */
export function attackFinds(curve: {
  readonly epsilon: readonly number[];
  readonly logDelta: readonly number[];
}): number {
  return bestTruePositiveRateOn(falsePositives, curve.epsilon, curve.logDelta);
}

/** Our own names for ranges of ε, to go beside the number and never in its place. */
export function strength(epsilon: number): string {
  if (epsilon <= 0.2) return "very strong";
  if (epsilon <= 1) return "strong";
  if (epsilon <= 3) return "moderate";
  if (epsilon <= 8) return "weak";
  return "very weak";
}

/** How δ compares with a group of people, and never less than it is: "1 in 100,000". */
export function oneIn(delta: number): string {
  const n = 1 / delta;
  const unit = n >= 100 ? 10 ** (Math.floor(Math.log10(n)) - 1) : 1;
  return `1 in ${count(Math.floor(n / unit + 1e-9) * unit)}`;
}

/** What one person may do to the data, under the promise. */
export const changeOf = (adjacency: Adjacency): string =>
  adjacency === "replace-one"
    ? "replacing any one record by another"
    : "adding or removing any one record";

/** What is said where bounds or categories were bought, at a price of their own; else nothing. */
export const boughtApart = ({ features, label }: Described): readonly string[] =>
  [...features, label].some(({ provenance }) => provenance === "bought")
    ? [
        "Some bounds or categories were bought from the same data, at a price that is not in this epsilon.",
      ]
    : [];

interface Described {
  readonly features: readonly { readonly provenance: string }[];
  readonly label: { readonly provenance: string };
}

/** What stands beside a guarantee that has caveats, where there is no room for them. */
export const leavesOut =
  "That guarantee does not cover everything: the release says what it leaves out.";
