// The table of the tests of what passes for public: no value of it is a part of another, or is
// typed by accident.

import type { Schema, Sentinel } from "../../../src/client/types.ts";
import type { BoughtPart } from "../../../src/pages/studio/draft/draft.ts";

export const column = (name: string, min: number, max: number, log = false) =>
  ({ name, type: "numeric", min, max, log, missing: "drop", provenance: "suggested" }) as const;
const texts = (name: string, ...categories: string[]) =>
  ({
    name,
    type: "categorical",
    categories,
    missing: "drop",
    unknown: "error",
    provenance: "suggested",
  }) as const;

export const file = {
  version: 1,
  features: [
    column("age", -99, 91.75),
    texts("ward", "ward-Ash", "ward-Elm", "ward-Oak"),
    column("weight", 41.5, 999, true),
    texts("smoker", "smokes-Not", "smokes-Much"),
    texts("grade", "611", "622", "633"),
  ],
  label: {
    name: "ill",
    negative: ["ill-Never"],
    positive: ["ill-Often"],
    missing: "drop",
    provenance: "suggested",
  },
  rows: { norm: "clip" },
  intercept: 1,
  missing_values: ["", "?", "NA"],
} as Schema;

export const sentinels: readonly Sentinel[] = [
  { column: "age", value: -99, spellings: ["-99"], share: 0.1, min: 17.25, max: 91.75 },
  { column: "weight", value: 999, spellings: ["999", "999.0"], share: 0.1, min: 41.5, max: 133.5 },
];

export const rows: Readonly<Record<string, readonly string[]>> = {
  age: ["-99", "17.25", "91.75"],
  ward: ["ward-Ash", "ward-Elm", "ward-Oak"],
  weight: ["41.5", "133.5", "999"],
  smoker: ["smokes-Not", "smokes-Much"],
  grade: ["611", "622", "633"],
  ill: ["ill-Never", "ill-Often"],
};
export const hasSpelling = (spelling: string) =>
  sentinels.filter((s) => s.spellings.includes(spelling)).map((s) => s.column);

/** What can be bought of a column, by what it is then. Each is bought under a charge of its own. */
export const prices: Readonly<Record<string, BoughtPart>> = {
  bounds: { charge: "bounds", epsilon: 0.5, min: "15.125", max: "160.125" },
  categories: { charge: "categories", epsilon: 0.5, delta: 1e-9, min: "", max: "", categories: "" },
};
export const boughtBounds = ["15.125", "160.125"];

const same = (a: string, b: string): boolean =>
  a === b || (a.trim() !== "" && b.trim() !== "" && Number(a.replace("−", "-")) === Number(b));

/** Whether it is a value of the rows, or a bound that was bought. */
export const isSecret = (name: string, value: string): boolean =>
  (rows[name] ?? []).some((x) => same(value, x)) || boughtBounds.some((x) => same(value, x));
