import type { Expectation } from "./types.ts";
import { leastGain, mostly, tooOften, usually } from "./wire/methods.ts";

/**
 * What a fit at one ε buys, beside naming the largest class (or the mean) of every record, which
 * needs none.
 */
export type Outlook = "nothing" | "uncertain" | "something";

/**
 * Why a fit buys nothing: fits gain too little on average even where columns tell a lot; half of
 * them do, there and where columns tell something; or two thirds do where they tell something,
 * though they gain where they tell a lot.
 */
export type Reason = "strong" | "both" | "medium";

/** What is said of a fit before it is paid for. */
export interface Verdict {
  readonly buys: Outlook;
  /** Null unless it buys nothing. */
  readonly reason: Reason | null;
  /** How many trials gain too little. */
  readonly without: Readonly<Record<"medium" | "strong", number>>;
  /** Mean scores of strong trials: of private fits, and of naming the largest class. */
  readonly end: number;
  readonly known: number;
  /**
   * Where it buys nothing: a fit without privacy gains too little as well, on average. Of medium
   * trials where they are the reason, else of strong ones.
   */
  readonly plainToo: boolean;
  /** Privacy is why: half of those that gain too little would gain enough without it. */
  readonly raise: boolean;
}

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
  return judge(medium, strong, at)?.buys ?? null;
}

/** The same, with all that a text about it says. */
export function judge(
  medium: readonly Expectation[],
  strong: readonly Expectation[],
  at = 0,
): Verdict | null {
  const [some, lot] = [gains(medium, at), gains(strong, at)];
  if (Number.isNaN(some.mean + lot.mean)) return null;
  const share = some.few / medium.length;
  const reason =
    lot.mean < leastGain
      ? "strong"
      : share >= mostly && lot.few / strong.length >= mostly
        ? "both"
        : share >= usually
          ? "medium"
          : null;
  return {
    buys: reason ? "nothing" : share >= tooOften ? "uncertain" : "something",
    reason,
    without: { medium: some.few, strong: lot.few },
    end: lot.known + lot.mean,
    known: lot.known,
    plainToo: (reason === "medium" ? some : lot).plain < leastGain,
    raise: 2 * (some.lost + lot.lost) >= some.few + lot.few,
  };
}

/** Means over trials; how many of them gain too little, and of these without privacy enough. */
function gains(trials: readonly Expectation[], at: number) {
  const mean = (of: (trial: Expectation) => number) =>
    trials.reduce((sum, trial) => sum + of(trial), 0) / trials.length;
  const gain = (trial: Expectation) => (trial.private[at] ?? NaN) - trial.known;
  const plain = (trial: Expectation) => trial.plain - trial.known;
  const few = trials.filter((trial) => gain(trial) < leastGain);
  return {
    mean: mean(gain),
    plain: mean(plain),
    known: mean((trial) => trial.known),
    few: few.length,
    lost: few.filter((trial) => plain(trial) >= leastGain).length,
  };
}
