import type { Progress } from "../../client/types.ts";

/** Progress, and how many seconds it will take yet, where that can be told. */
export interface Paced extends Progress {
  readonly left?: number;
}

/** A solver takes about seven rounds; each of the last brings at least this much of the way. */
const perRound = 0.15;

/**
 * Estimates how long work will take yet. Reading goes at an even rate, and so do the steps of a
 * descent, which has no target. A solver's rounds take equally long, and bring more of the way the
 * nearer it is; fits one after the other take equally long. Nothing is said before there is
 * something to go by.
 */
export class Pace {
  private phase = "";
  private since = 0;
  private from = 0;
  private round = 0;
  private share = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  with(progress: Progress): Paced {
    const left = this.left(progress);
    return left === undefined ? progress : { ...progress, left };
  }

  private left({ phase, fraction, iteration, target, classes = 1 }: Progress): number | undefined {
    const now = this.now();
    if (phase !== this.phase) {
      [this.phase, this.since, this.from, this.round, this.share] = [
        phase,
        now,
        fraction ?? 0,
        iteration ?? 0,
        fraction ?? 0,
      ];
      return undefined;
    }
    const spent = (now - this.since) / 1000;
    // A search leaves out whole branches: how much is done says nothing of how long the rest takes.
    if (fraction === undefined || spent < 1 || phase === "searching") return undefined;
    if (phase === "solving" && classes === 1 && target !== undefined) {
      const rounds = (iteration ?? 0) - this.round;
      if (rounds < 1) return undefined;
      const brought = Math.max(perRound, (fraction - this.share) / rounds);
      return (spent / rounds) * Math.max(1, (1 - fraction) / brought);
    }
    const done = fraction - this.from;
    // Of several fits, the first says nothing of the others until it is over.
    if (done <= 0 || fraction < (classes > 1 ? 1 / classes : 0.02)) return undefined;
    return (spent * (1 - fraction)) / done;
  }
}

/** "about 20 seconds left", rounded so that it does not flicker; nothing under three seconds. */
export function leftWords(seconds: number | undefined): string {
  if (seconds === undefined || seconds < 3) return "";
  if (seconds < 90)
    return `about ${seconds < 10 ? Math.round(seconds) : 5 * Math.round(seconds / 5)} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? `about ${minutes} minutes left`
    : `about ${Math.round(minutes / 60)} hours left`;
}
