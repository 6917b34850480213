// Reads attributes from their texts. Every error names its attribute and says what would be
// right.

import { survey } from "../client/json-text.ts";

/** An attribute (or a field of the JSON inside) that cannot be used. */
export class AttributeError extends Error {
  override readonly name = "AttributeError";
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
  }
}

/** The JSON inside an element, read. */
export function inside(text: string): unknown {
  const where = "the JSON inside";
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    throw new AttributeError(where, `cannot be read: ${(error as Error).message}`);
  }
  const { twice, beyond } = survey(text);
  if (beyond !== undefined)
    throw new AttributeError(where, `gives ${beyond} a number too large for any program.`);
  if (twice !== undefined)
    throw new AttributeError(
      where,
      `says ${twice} twice: two readers could take it for two things.`,
    );
  return tree;
}

/** One row of an element's table of attributes. */
export interface Attribute {
  readonly name: string;
  /** What it holds. */
  readonly values: string;
  /** What stands in for it; empty where there is nothing. */
  readonly standard: string;
  /** What it does, in a sentence. */
  readonly text: string;
}

/** Those that every element has. */
export const commonAttributes: readonly Attribute[] = [
  {
    name: "state",
    values: "a key",
    standard: "",
    text: "Keeps what the reader chose in the page’s address, after the #, under this key, so that it can be shared.",
  },
  {
    name: "theme",
    values: "light, dark",
    standard: "the page’s",
    text: "Fixes the colours of the lines. Otherwise they follow the page’s color-scheme.",
  },
  {
    name: "wasm",
    values: "a URL",
    standard: "curves.wasm beside the script",
    text: "Where the accountant’s binary is.",
  },
];

export type Get = (name: string) => string | null;

export function numberOf(get: Get, name: string): number | undefined {
  const text = get(name);
  if (text === null) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value))
    throw new AttributeError(name, `is “${text}”: it must be a number, such as 1 or 1e-5.`);
  return value;
}

export function choiceOf<T extends string>(
  get: Get,
  name: string,
  choices: readonly T[],
  standard: T,
): T {
  const text = get(name);
  if (text === null) return standard;
  if (!(choices as readonly string[]).includes(text))
    throw new AttributeError(name, `is “${text}”: it must be one of ${choices.join(", ")}.`);
  return text as T;
}

export function choicesOf<T extends string>(
  get: Get,
  name: string,
  choices: readonly T[],
  standard: readonly T[],
): readonly T[] {
  const text = get(name);
  if (text === null) return standard;
  const given = text.split(/[\s,]+/).filter(Boolean);
  if (given.length === 1 && given[0] === "none") return [];
  for (const one of given) {
    if (!(choices as readonly string[]).includes(one))
      throw new AttributeError(
        name,
        `has “${one}”: it may have ${choices.join(", ")}, or be none.`,
      );
  }
  return given as T[];
}
