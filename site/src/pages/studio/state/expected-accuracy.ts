// How much accuracy privacy is expected to cost, from the trials on made-up rows so far. It
// depends only on the description of the columns, the budget and a number of rows that the person
// enters.

import type { AnySchema, Expectation, Signal } from "../../../client/types.ts";
import type { FieldError } from "../draft/check.ts";
import { parseNumber } from "../draft/number.ts";
import type { Problem } from "../../shell/problem.ts";
import type { Way } from "./choices.ts";
import type { Compared } from "./compared.ts";

/** Trials with one number of rows. */
export interface Run {
  readonly records: number;
  readonly trials: Readonly<Record<Signal, readonly Expectation[]>>;
}

export interface AccuracyState {
  /**
   * About how many rows there are, as it is typed; empty where nothing was said of it. It is never
   * taken from a file.
   */
  readonly records: string;
  /** About what share of them is in the rarer of two classes; likewise. */
  readonly rarer: string;
  /** What the trials are of; those of anything else are forgotten. */
  readonly key: string;
  /** The way to fit that they are of, as it is chosen. */
  readonly way: Way | "usual";
  readonly epsilons: readonly number[];
  /** One for the number of rows that was said, or one for each of {@link sizes}. */
  readonly runs: readonly Run[];
  readonly problem: Problem | null;
  /** Other ways to fit; null before anybody asked. */
  readonly compared: Compared | null;
}

export const signals: readonly Signal[] = ["medium", "weak", "strong"];

/**
 * The sizes tried side by side if no number of rows is given: the loss in accuracy depends on it
 * most.
 */
export const sizes: readonly number[] = [300, 3_000, 30_000];

export const noTrials: Run["trials"] = { weak: [], medium: [], strong: [] };

export const firstAccuracy: AccuracyState = {
  records: "",
  rarer: "",
  key: "",
  way: "usual",
  epsilons: [],
  runs: [],
  problem: null,
  compared: null,
};

/** Those of the page's slider: in between it is interpolated. */
const grid: readonly number[] = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The values of ε that are tried: the slider's, and the chosen one where it lies beyond. */
export function triedEpsilons(chosen: number): readonly number[] {
  if (chosen < grid[0]!) return [chosen, ...grid];
  return chosen > grid.at(-1)! ? [...grid, chosen] : grid;
}

export function checkRecords(text: string): {
  readonly records: number | null;
  readonly errors: readonly FieldError[];
} {
  const records = parseNumber(text.replaceAll(/(\d)[, \u00a0](?=\d{3})/g, "$1"));
  if (records !== null && records >= 10 && records <= 1e9)
    return { records: Math.round(records), errors: [] };
  if (text.trim() === "")
    return {
      records: null,
      errors: [
        {
          field: "records",
          message: "Enter about how many rows there are, as is publicly known, such as 10,000.",
        },
      ],
    };
  return {
    records: null,
    errors: [
      { field: "records", message: "Enter a number from 10 to 1,000,000,000, such as 10,000." },
    ],
  };
}

/** A share from what is typed, "8 %" or "0.08"; undefined where nothing is, null for no share. */
export function checkRarer(text: string): number | null | undefined {
  if (text.trim() === "") return undefined;
  const [, digits = "", percent] = /^\s*([^%]*?)\s*(%?)\s*$/.exec(text) ?? [];
  const share = (parseNumber(digits) ?? NaN) / (percent ? 100 : 1);
  return share > 0 && share <= 0.5 ? share : null;
}

/** The share that the trials of a fit are told of, where there are two classes and it was said. */
export function rarerOf(
  { schema }: { readonly schema: AnySchema },
  { rarer }: AccuracyState,
): { readonly rarer?: number } {
  const share = (schema.label.type ?? "two") === "two" ? checkRarer(rarer) : null;
  return share ? { rarer: share } : {};
}

/** The numbers of rows that are to be tried; none for one that cannot be. */
export function triedSizes(text: string): readonly number[] {
  if (text.trim() === "") return sizes;
  const { records } = checkRecords(text);
  return records === null ? [] : [records];
}

/** Points lost, out of 100, at one ε. */
export interface Loss {
  readonly mean: number;
  /** A tenth of the trials lose less than `low`, a tenth more than `high`. */
  readonly low: number;
  readonly high: number;
}

/** A signal's loss at each tried ε; null where it cannot be computed or was not tried yet. */
export function losses(
  { epsilons }: AccuracyState,
  { trials }: Run,
  signal: Signal,
): readonly (Loss | null)[] {
  return epsilons.map((_, i) => {
    const lost = trials[signal]
      .flatMap(({ plain, private: scores }) =>
        scores[i] == null ? [] : [Math.max(0, 100 * (plain - scores[i]))],
      )
      .sort((a, b) => a - b);
    if (lost.length === 0) return null;
    return {
      mean: lost.reduce((sum, x) => sum + x, 0) / lost.length,
      low: quantile(lost, 0.1),
      high: quantile(lost, 0.9),
    };
  });
}

/** The places of an ε's neighbours, and how far it is from the first to the second, over log ε. */
export function between(
  epsilons: readonly number[],
  epsilon: number,
): readonly [number, number, number] {
  const right = epsilons.findIndex((e) => e >= epsilon);
  const left = epsilons[right] === epsilon ? right : right - 1;
  const [low, high] = [epsilons[left] ?? NaN, epsilons[right] ?? NaN];
  return [left, right, left === right ? 0 : Math.log(epsilon / low) / Math.log(high / low)];
}

/** The same at any ε in their range, on a line between its neighbours over log ε. */
export function lossAt(
  epsilons: readonly number[],
  list: readonly (Loss | null)[],
  epsilon: number,
): Loss | null {
  const [before, after, t] = between(epsilons, epsilon);
  const [left, right] = [list[before], list[after]];
  if (!left || !right) return null;
  const on = (of: keyof Loss) => left[of] + t * (right[of] - left[of]);
  return { mean: on("mean"), low: on("low"), high: on("high") };
}

/**
 * The range that is said of a loss at one ε, from what the trials of each strength lost; null until
 * all of them were tried. Real tables vary more than made-up ones, so it goes from half of the
 * least `low`, less a point, to twice the largest `high`, and two points. Of 15 real tables 96 %
 * of the fits lost so much (of several classes 99 %), and of 9 others 77 % (84 %). Half and twice
 * were chosen after all of these had been seen, so neither figure is a blind confirmation.
 * scripts/benchmark -forecast measures them.
 */
export function rangeOf(
  of: readonly (Loss | null | undefined)[],
): readonly [number, number] | null {
  const list = of.filter((loss) => loss != null);
  if (list.length < signals.length) return null;
  const low = Math.min(...list.map((loss) => loss.low));
  const high = Math.max(...list.map((loss) => loss.high));
  return [Math.max(0, low / 2 - 1), Math.min(100, 2 * high + 2)];
}

function quantile(sorted: readonly number[], p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low]! + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)]! - sorted[low]!);
}
