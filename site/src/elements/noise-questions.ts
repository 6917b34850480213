// The questions of a <noise-chooser>: mechanisms with the numbers that decide their price, and
// how the wanted number follows from the others.

import type { PrivacyEvent } from "../client/types.ts";
import type { Accountant, AskOptions } from "../curves/accountant.ts";
import {
  type Attribute,
  AttributeError,
  choiceOf,
  commonAttributes,
  type Get,
  numberOf,
} from "./attributes.ts";

/** One number of a question. */
export interface Quantity {
  /** `epsilon`, `delta`, or a field of the event. */
  readonly name: string;
  readonly label: string;
  readonly standard: number;
  /** Which way is safe: a noise is rounded up, a number of steps down. */
  readonly up: boolean;
  /** It can be looked for. */
  readonly sought: boolean;
}

const guarantee: readonly Quantity[] = [
  { name: "epsilon", label: "ε", standard: 1, up: true, sought: true },
  { name: "delta", label: "δ", standard: 1e-5, up: true, sought: true },
];

const sensitivity: Quantity = {
  name: "sensitivity",
  label: "Δ, the sensitivity",
  standard: 1,
  up: false,
  sought: false,
};

const quantities = {
  gaussian: [
    sensitivity,
    { name: "sigma", label: "σ, the noise", standard: 4, up: true, sought: true },
  ],
  laplace: [
    sensitivity,
    { name: "scale", label: "b, the noise’s scale", standard: 1, up: true, sought: true },
  ],
  "subsampled-gaussian": [
    {
      name: "noise_multiplier",
      label: "σ, the noise multiplier",
      standard: 1,
      up: true,
      sought: true,
    },
    { name: "rate", label: "q, the sampling rate", standard: 0.01, up: false, sought: true },
    { name: "steps", label: "Steps", standard: 1000, up: false, sought: true },
  ],
  "objective-perturbation": [
    { name: "sigma", label: "σ, the noise", standard: 4, up: true, sought: true },
    { name: "lambda", label: "λ, the regulariser", standard: 1, up: true, sought: true },
    { name: "row_norm", label: "R, the longest row", standard: 1, up: false, sought: false },
  ],
} as const satisfies Record<string, readonly Quantity[]>;

type Mechanism = keyof typeof quantities;
const mechanisms = Object.keys(quantities) as Mechanism[];

export const noiseAttributes: readonly Attribute[] = [
  {
    name: "mechanism",
    values: mechanisms.join(", "),
    standard: "gaussian",
    text: "What is to be run.",
  },
  {
    name: "adjacency",
    values: "add-remove, replace-one",
    standard: "",
    text: "Which data sets are neighbours. It has no default.",
  },
  {
    name: "find",
    values: "epsilon, delta, sigma, scale, noise-multiplier, rate, steps, lambda",
    standard: "the noise",
    text: "What is looked for at first; the reader can choose another.",
  },
  { name: "epsilon", values: "a number", standard: "1", text: "ε of the guarantee." },
  { name: "delta", values: "0 to 1", standard: "1e-5", text: "δ of the guarantee." },
  ...[
    ...new Map(
      Object.values(quantities).flatMap((list) =>
        list.map((one: Quantity) => [one.name, one] as const),
      ),
    ).values(),
  ].map(({ name, label, standard }): Attribute => ({
    name: name.replaceAll("_", "-"),
    values: "a number",
    standard: String(standard),
    text: `${label}, at first.`,
  })),
  ...commonAttributes,
];

export interface Question {
  readonly mechanism: Mechanism;
  readonly adjacency: "add-remove" | "replace-one";
  readonly quantities: readonly Quantity[];
  readonly find: string;
  readonly values: Readonly<Record<string, number>>;
}

export function questionOf(get: Get): Question {
  const mechanism = choiceOf(get, "mechanism", mechanisms, "gaussian");
  if (get("adjacency") === null)
    throw new AttributeError(
      "adjacency",
      "is missing: say add-remove or replace-one, for the price depends on it.",
    );
  const adjacency = choiceOf(get, "adjacency", ["add-remove", "replace-one"], "add-remove");
  const list: readonly Quantity[] = [...guarantee, ...quantities[mechanism]];
  const sought = list.filter((one) => one.sought).map((one) => one.name.replaceAll("_", "-"));
  const find = choiceOf(get, "find", sought, sought[2]!).replaceAll("-", "_");
  const values = Object.fromEntries(
    list.map(({ name, standard }) => [name, numberOf(get, name.replaceAll("_", "-")) ?? standard]),
  );
  return { mechanism, adjacency, quantities: list, find, values };
}

/** The event with the numbers in it; the one that is looked for may be left out. */
function eventOf(
  { mechanism, adjacency }: Question,
  values: Readonly<Record<string, number>>,
  without = "",
): PrivacyEvent {
  const event: Record<string, unknown> = { mechanism, adjacency };
  for (const { name } of quantities[mechanism]) if (name !== without) event[name] = values[name];
  // Logistic loss on rows of norm R, without clipping: L = R, β = ¼.
  if (mechanism === "objective-perturbation")
    Object.assign(event, { loss: "logistic", lipschitz: values.row_norm, smoothness: 0.25 });
  return event as unknown as PrivacyEvent;
}

/** What the number that is looked for is found by. */
type Solver = Pick<Accountant, "account" | "solve">;

/** The number that is looked for, in four digits on the safe side. Infinity where no ε holds. */
export async function found(
  accountant: Solver,
  question: Question,
  values: Readonly<Record<string, number>>,
  find: string,
  options: AskOptions,
): Promise<number> {
  const { up } = question.quantities.find(({ name }) => name === find)!;
  return safely(await exactly(accountant, question, values, find, options), up);
}

async function exactly(
  ...[accountant, question, values, find, options]: Parameters<typeof found>
): Promise<number> {
  const { epsilon = Number.NaN, delta = Number.NaN } = values;
  if (find === "epsilon")
    return (
      (await accountant.account({ event: eventOf(question, values), delta }, options)).epsilon ??
      Infinity
    );
  if (find === "delta")
    return (
      (await accountant.account({ event: eventOf(question, values), epsilon }, options)).delta ?? 1
    );
  return (
    await accountant.solve(
      { event: eventOf(question, values, find), parameter: find, epsilon, delta },
      options,
    )
  ).value;
}

/**
 * A number in four digits that promise no more than it does: rounded away from zero, or towards it.
 */
export function safely(value: number, up: boolean): number {
  if (!Number.isFinite(value) || value === 0 || Number.isInteger(value)) return value;
  const near = Number(value.toPrecision(4));
  if (up ? near >= value : near <= value) return near;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 3);
  return Number((near + (up ? unit : -unit)).toPrecision(4));
}
