// The expected accuracy of each way to fit, side by side, from the trials on made-up rows so far.

import type { Expectation, Signal } from "../../../client/types.ts";
import { fitMethods } from "../../../client/wire/methods.ts";
import type { Way } from "./choices.ts";
import type { Problem } from "../../shell/problem.ts";

/**
 * By strength of signal; the trials of each are numbered from 1, and of the same number are the
 * same rows, whatever the way.
 */
export type Trials = Readonly<Record<Signal, readonly Expectation[]>>;

export interface Compared {
  /** What the trials are of; those of anything else are forgotten. */
  readonly key: string;
  readonly trials: Readonly<Partial<Record<Way, Trials>>>;
  /**
   * What each would take of what is left of the file's total; null: more than that. Empty where
   * there is no total.
   */
  readonly takes: Readonly<Partial<Record<Way, number | null>>>;
  /** What a choice by the rows leaves of ε to each of its fits. */
  readonly each: Readonly<Partial<Record<Way, number>>>;
  readonly problem: Problem | null;
}

/** How many there are of each way and strength of signal. */
export const compareTrials = 8;

/** In the order in which they are shown. */
export const ways = [...Object.keys(fitMethods), "chooseLambda", "chooseMethod"] as readonly Way[];

/** A share with its spread: a tenth of the trials lie below `low`, a tenth above `high`. */
export interface Spread {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (p: number): number => {
    const at = p * (sorted.length - 1);
    const low = Math.floor(at);
    return (
      sorted[low]! + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)]! - sorted[low]!)
    );
  };
  return { mean: mean(sorted), low: quantile(0.1), high: quantile(0.9) };
}

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;

/** Of a way's private fits; null where no noise gives the ε. */
export const privately = (trials: readonly Expectation[]): Spread | null =>
  spread(trials.flatMap(({ private: [score] }) => score ?? []));
export const plainly = (trials: readonly Expectation[]): Spread | null =>
  spread(trials.map(({ plain }) => plain));

/** By how much the best way is better than the usual one, as a share. */
export interface Gain {
  readonly way: Way;
  readonly gain: number;
}

const fewest = 4;
const least = 0.003;

/**
 * The way that does clearly better than the usual one; null if none does, undefined while too few
 * trials are there. Both are tried on the same rows, so what is looked at is the difference in each
 * trial, over all signals: clear is a mean of three standard errors (there are a handful to choose
 * from), and of 0.3 points.
 */
export function better(known: Compared, usualWay: Way): Gain | null | undefined {
  let best: Gain | null = null;
  let compared = false;
  for (const way of ways) {
    if (way === usualWay) continue;
    const differences = gains(known, way, usualWay);
    if (differences.length < fewest) continue;
    compared = true;
    const gain = mean(differences);
    const error = Math.sqrt(
      differences.reduce((sum, x) => sum + (x - gain) ** 2, 0) /
        (differences.length - 1) /
        differences.length,
    );
    if (gain >= least && gain > 3 * error && gain > (best?.gain ?? 0)) best = { way, gain };
  }
  return compared ? best : undefined;
}

/** By how much a way does better in each trial, over all signals. */
function gains({ trials }: Compared, way: Way, usualWay: Way): number[] {
  const [own, usual] = [trials[way], trials[usualWay]];
  const differences: number[] = [];
  for (
    let trial = 0;
    trial < Math.min(own?.strong.length ?? 0, usual?.strong.length ?? 0);
    trial++
  ) {
    const pairs = (["weak", "medium", "strong"] as const).map(
      (signal) => [own![signal][trial]?.private[0], usual![signal][trial]?.private[0]] as const,
    );
    if (pairs.every(([a, b]) => a != null && b != null))
      differences.push(mean(pairs.map(([a, b]) => a! - b!)));
  }
  return differences;
}

/** The mean of that; null while too few trials are there. */
export function gainOf(known: Compared, way: Way, usualWay: Way): number | null {
  const differences = gains(known, way, usualWay);
  return differences.length < fewest ? null : mean(differences);
}
