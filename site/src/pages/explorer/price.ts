// The question to the accountant for one curve of the explorer.

import type { Accountant, AskOptions } from "../../curves/accountant.ts";
import type { Curve } from "../../curves/curve.ts";
import { between, type KindName, kindOf, noiseOf, solvable } from "./mechanisms.ts";
import type { ParameterName, Values } from "./parameters.ts";

/**
 * A curve as the elements' pricing takes it. Throws, for people, where it is not priced between
 * such neighbours.
 */
export function asked(kind: KindName, values: Values): Curve {
  const why = between(kind, values);
  if (why !== undefined) throw Object.assign(new Error(why), { code: "parameter" });
  const { event, bound, method } = kindOf(kind).priced(values);
  return { label: "", event, ...(bound && { bound }), ...(method && { method }) };
}

/** Parameters of a kind as they are, for a key. */
export const keyOf = (kind: KindName, values: Values): string =>
  `${kind} ${kindOf(kind)
    .uses.map((name) => values[name])
    .join(" ")} ${values.adjacency}`;

/** ε at δ; Infinity where there is none. */
export async function epsilonAt(
  accountant: Accountant,
  kind: KindName,
  values: Values,
  delta: number,
  options: AskOptions,
): Promise<number> {
  const { label: _, ...question } = asked(kind, values);
  return (await accountant.account({ ...question, delta }, options)).epsilon ?? Infinity;
}

/** log δ at each ε. */
export async function logDeltas(
  accountant: Accountant,
  kind: KindName,
  values: Values,
  epsilons: readonly number[],
  accuracy: number | undefined,
  options: AskOptions,
): Promise<number[]> {
  const { label: _, ...question } = asked(kind, values);
  const { curve } = await accountant.account(
    {
      ...question,
      curve: epsilons,
      ...(accuracy !== undefined && question.method === undefined && { accuracy }),
    },
    options,
  );
  return Array.from(curve?.logDelta ?? []);
}

/** The larger direction’s Rényi divergence at each order. */
export async function divergences(
  accountant: Accountant,
  kind: KindName,
  values: Values,
  orders: readonly number[],
  options: AskOptions,
): Promise<number[]> {
  const { event, bound } = asked(kind, values);
  if (kindOf(kind).estimate) {
    const { renyi } = await accountant.estimate({ event, method: "rdp", orders }, options);
    return Array.from(renyi?.estimated ?? []);
  }
  const { renyi } = await accountant.account(
    { event, ...(bound && { bound }), method: "rdp", orders },
    options,
  );
  return orders.map((_, i) => (renyi ? Math.max(renyi.added[i]!, renyi.removed[i]!) : Number.NaN));
}

/**
 * The value of one parameter that makes a curve (ε, δ)-differentially private, on the safe side.
 * Rejects, for people, where there is none.
 */
export async function calibrated(
  accountant: Accountant,
  kind: KindName,
  values: Values,
  free: ParameterName,
  epsilon: number,
  delta: number,
  options: AskOptions,
): Promise<number> {
  const { label: _, ...question } = asked(kind, values);
  const { value } = await accountant.solve(
    { ...question, parameter: solvable(free, values.times), epsilon, delta },
    options,
  );
  // Of a descent's noise the accountant solves for a factor.
  return free === "start" ? values.start * value : value;
}

/**
 * An equal budget as it touches a curve: `free` is what it fixes, nothing of a pinned curve;
 * `least` is σ of the Gaussian mechanism that it allows.
 */
export interface Budget {
  readonly epsilon: number;
  readonly free: ParameterName | undefined;
  readonly least: number;
}

/**
 * What the view of a parameter shows at one place: ε, or under a budget the noise, as a multiple of
 * the Gaussian mechanism's own. NaN where there is nothing.
 */
export async function sweptAt(
  accountant: Accountant,
  kind: KindName,
  values: Values,
  budget: Budget | undefined,
  delta: number,
  options: AskOptions,
): Promise<number> {
  try {
    if (!budget) return await epsilonAt(accountant, kind, values, delta, options);
    if (!budget.free) return noiseOf(kind, values) / budget.least;
    const value = await calibrated(
      accountant,
      kind,
      values,
      budget.free,
      budget.epsilon,
      delta,
      options,
    );
    return noiseOf(kind, { ...values, [budget.free]: value }) / budget.least;
  } catch (error) {
    if ((error as { code?: string }).code === "parameter") return Number.NaN;
    throw error;
  }
}
