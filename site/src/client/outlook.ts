import type { Expectation } from "./types.ts";
import { leastGain, mostly, tooOften, usually } from "./wire/methods.ts";

/**
 * What a fit at one ε buys, beside naming the largest class (or the mean) of every record, which
 * needs none.
 */
export type Outlook = "nothing" | "uncertain" | "something";

/**
 * Says it from trials of medium and of strong signal, as Judge of core/lab/expect does. Use it
 * before a fit is paid for. `at` is the place of its ε among those tried. Null where no noise gives
 * that ε, or nothing was tried.
 */
export function outlook(
  medium: readonly Expectation[],
  strong: readonly Expectation[],
  at = 0,
): Outlook | null {
  const gains = (trials: readonly Expectation[]) =>
    trials.map(({ private: scores, known }) => (scores[at] ?? NaN) - known);
  const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const without = (list: readonly number[]) => mean(list.map((x) => Number(x < leastGain)));
  const gain = mean(gains(strong));
  const few = without(gains(medium));
  if (Number.isNaN(gain + few)) return null;
  if (gain < leastGain || few >= usually) return "nothing";
  if (few >= mostly && without(gains(strong)) >= mostly) return "nothing";
  return few >= tooOften ? "uncertain" : "something";
}
