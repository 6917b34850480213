// What a <privacy-budget> holds: a budget, and events that were or may be charged to it. Each may
// be chosen after seeing all outputs before it, so a privacy filter decides what fits.

import type { Adjacency, Charge, PrivacyEvent } from "../client/types.ts";
import type { Accountant, AskOptions } from "../curves/accountant.ts";
import {
  type Attribute,
  AttributeError,
  choiceOf,
  commonAttributes,
  type Get,
  numberOf,
} from "./attributes.ts";
import { described } from "../curves/curve.ts";

export const budgetAttributes: readonly Attribute[] = [
  {
    name: "adjacency",
    values: "add-remove, replace-one",
    standard: "",
    text: "Which data sets are neighbours. It has no default.",
  },
  { name: "epsilon", values: "a number", standard: "", text: "ε of the whole budget." },
  { name: "delta", values: "0 to 1", standard: "1e-5", text: "δ of the whole budget." },
  ...commonAttributes,
];

export interface Item {
  readonly label: string;
  readonly event: PrivacyEvent;
  /** How often it was charged at first. */
  readonly count: number;
}

export interface BudgetSpec {
  readonly budget: {
    readonly adjacency: Adjacency;
    readonly epsilon: number;
    readonly delta: number;
  };
  readonly items: readonly Item[];
}

/** More of one event are not offered. */
export const MOST = 100_000;

export function budgetSpec(get: Get, json: unknown): BudgetSpec {
  if (get("adjacency") === null)
    throw new AttributeError(
      "adjacency",
      "is missing: say add-remove or replace-one, for the price depends on it.",
    );
  const adjacency = choiceOf(get, "adjacency", ["add-remove", "replace-one"], "add-remove");
  const epsilon = numberOf(get, "epsilon");
  if (epsilon === undefined || epsilon <= 0)
    throw new AttributeError("epsilon", "must be a number above 0: how much may be spent in all.");
  const delta = numberOf(get, "delta") ?? 1e-5;
  if (!(delta > 0 && delta < 1))
    throw new AttributeError("delta", `is ${delta}: it must lie between 0 and 1, such as 1e-5.`);
  const where = "the JSON inside";
  if (!Array.isArray(json) || json.length === 0)
    throw new AttributeError(
      where,
      'must be a list of what can be charged: [{"label": …, "event": {…}, "count": 1}, …].',
    );
  const items = json.map((one: unknown, i): Item => {
    const given = one as Partial<Item> | null;
    if (typeof given?.event !== "object" || given.event === null)
      throw new AttributeError(`${where}, [${i}]`, 'needs an "event".');
    const { event, label, count = 0 } = given;
    if (event.adjacency !== adjacency)
      throw new AttributeError(
        `${where}, [${i}].event.adjacency`,
        `is ${event.adjacency === undefined ? "missing" : String(event.adjacency)}, and the budget’s is ${adjacency}: they do not add up.`,
      );
    if (!Number.isInteger(count) || count < 0 || count > MOST)
      throw new AttributeError(
        `${where}, [${i}].count`,
        `must be a whole number from 0 to ${MOST}.`,
      );
    return { event, count, label: typeof label === "string" ? label : described(event) };
  });
  return { budget: { adjacency, epsilon, delta }, items };
}

const chargesOf = (
  spec: BudgetSpec,
  counts: readonly number[],
  upTo = spec.items.length,
): Charge[] =>
  spec.items.flatMap(({ event }, i) =>
    i < upTo && counts[i]! > 0 ? [{ event, count: counts[i]! }] : [],
  );

/**
 * The ε of the first k items with their counts, at the budget's δ; undefined if all together exceed
 * the budget.
 */
export async function spending(
  accountant: Pick<Accountant, "afford">,
  { budget, ...spec }: BudgetSpec,
  counts: readonly number[],
  options: AskOptions,
): Promise<number[] | undefined> {
  // The last is asked as a candidate, so that too much is an answer and no error.
  const charged = chargesOf({ budget, ...spec }, counts);
  const candidate = charged.pop();
  if (candidate && !(await accountant.afford({ budget, charged, candidate }, options)).affords)
    return undefined;
  const after: number[] = [];
  for (let k = 1; k <= spec.items.length; k++) {
    after.push(
      counts[k - 1] === 0
        ? (after[k - 2] ?? 0)
        : (
            await accountant.afford(
              { budget, charged: chargesOf({ budget, ...spec }, counts, k) },
              options,
            )
          ).epsilon,
    );
  }
  return after;
}

/**
 * How many more of one item the budget affords beside everything charged; MOST means that many or
 * more. Stops early when the answer is no longer wanted.
 */
export async function roomFor(
  accountant: Accountant,
  spec: BudgetSpec,
  counts: readonly number[],
  item: number,
  wanted: () => boolean,
): Promise<number> {
  const charged = chargesOf(spec, counts);
  const { event } = spec.items[item]!;
  const fits = async (count: number) =>
    wanted() &&
    ((await accountant.afford({ budget: spec.budget, charged, candidate: { event, count } }))
      .affords ??
      false);
  let [low, high] = [0, 1];
  while (high <= MOST && (await fits(high))) [low, high] = [high, 2 * high];
  while (high - low > 1 && wanted()) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  return Math.min(low, MOST);
}
