// What a made-up table is: a code book, and how a row comes about. The code book's bounds are the
// generator's own limits, so nothing in the schema was read from a row.

import type { AnyLabel, Feature, Schema } from "../../../client/types.ts";
import { type Seeded, seeded } from "./seeded.ts";

interface Entry {
  readonly name: string;
  /** Why everybody may know what it can hold, as the code book says. */
  readonly why: string;
}

export interface NumberEntry extends Entry {
  readonly min: number;
  readonly max: number;
  /** Decimals in the file. */
  readonly digits?: number;
  readonly log?: true;
}

export interface WordEntry extends Entry {
  readonly categories: readonly string[];
}

export type LabelEntry =
  | NumberEntry
  | (Entry & { readonly negative: string; readonly positive: string })
  | (Entry & { readonly classes: readonly string[] });

export interface Table {
  readonly columns: readonly (NumberEntry | WordEntry)[];
  readonly label: LabelEntry;
  /** A row, by column; numbers are rounded and brought between their bounds afterwards. */
  row(random: Seeded): Readonly<Record<string, number | string>>;
}

/** For the rows of a table as it is opened, and for others of the same kind. */
export const seeds = { open: 2024, heldOut: 2025 } as const;

/**
 * A table as pieces of CSV text, about a thousand rows each, so that a caller can breathe between
 * them. The same seed makes the same rows.
 */
export function* csvOf(table: Table, rows: number, seed: number): Generator<string> {
  const random = seeded(seed);
  const entries = [...table.columns, table.label];
  let lines = [entries.map(({ name }) => name).join(",")];
  for (let i = 1; i <= rows; i++) {
    const row = table.row(random);
    lines.push(entries.map((entry) => field(entry, row[entry.name]!)).join(","));
    if (i % 1000 === 0 || i === rows) {
      yield `${lines.join("\r\n")}\r\n`;
      lines = [];
    }
  }
}

function field(entry: WordEntry | LabelEntry, value: number | string): string {
  if (!("min" in entry)) return String(value);
  const { min, max, digits = 0 } = entry;
  return Math.min(max, Math.max(min, Number(value))).toFixed(digits);
}

/** The code book as a schema. */
export function schemaOf({ columns, label }: Table): Schema<AnyLabel> {
  const known = { provenance: "public" } as const;
  return {
    version: "positive" in label ? 1 : 2,
    features: columns.map((c): Feature => {
      const { name } = c;
      return "categories" in c
        ? { name, type: "categorical", categories: [...c.categories], ...known }
        : { name, type: "numeric", min: c.min, max: c.max, ...(c.log && { log: true }), ...known };
    }),
    label: { ...labelOf(label), ...known },
    rows: { norm: "clip" },
    intercept: 0.5,
  };
}

function labelOf(label: LabelEntry) {
  const { name } = label;
  if ("positive" in label) return { name, negative: [label.negative], positive: [label.positive] };
  if ("classes" in label)
    return { name, type: "classes" as const, classes: label.classes.map((one) => [one]) };
  return { name, type: "numeric" as const, min: label.min, max: label.max };
}

/** Why each entry is public, by name. */
export const reasonsOf = ({ columns, label }: Table): ReadonlyMap<string, string> =>
  new Map([...columns, label].map(({ name, why }) => [name, why]));
