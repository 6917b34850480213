// The totals that a card can come to, and what it says at each.

import type { ScorecardRelease } from "../client/types.ts";

/** Points as people read them, with a true minus. */
export const points = (n: number): string => String(n).replace("-", "−");

/** The least and the largest total. */
export function rangeOf({ card }: ScorecardRelease): { least: number; largest: number } {
  const sum = (end: (...points: number[]) => number): number =>
    card.attributes.reduce((total, a) => total + end(...a.levels.map((l) => l.points)), 0);
  return { least: sum(Math.min), largest: sum(Math.max) };
}

export interface Total {
  readonly text: string;
  readonly yes: boolean;
}

/** More than these are put together. */
const most = 21;

/**
 * The totals from the least to the largest: one by one, or, of many, two ranges. One answer to
 * everything is one range.
 */
export function totals(release: ScorecardRelease): Total[] {
  const { threshold } = release.card;
  const { least, largest } = rangeOf(release);
  if (largest - least < most)
    return Array.from({ length: largest - least + 1 }, (_, i) => ({
      text: points(least + i),
      yes: least + i >= threshold,
    }));
  const range = (from: number, to: number): Total[] =>
    from > to
      ? []
      : [
          {
            text: from === to ? points(from) : `${points(from)} to ${points(to)}`,
            yes: from >= threshold,
          },
        ];
  return [
    ...range(least, Math.min(largest, threshold - 1)),
    ...range(Math.max(least, threshold), largest),
  ];
}
