// A file and a schema for tests of the client: two features that say something about the label, and
// one that does not. And the published sample, with a person; and an event.

import { readFileSync } from "node:fs";

export const schema = {
  version: 1,
  features: [
    { name: "age", type: "numeric", min: 0, max: 100, provenance: "public" },
    { name: "dose", type: "numeric", min: 0, max: 10, missing: 5, provenance: "public" },
    {
      name: "ward",
      type: "categorical",
      categories: ["A", "B", "C"],
      unknown: "zero",
      missing: "drop",
      provenance: "public",
    },
  ],
  label: { name: "sick", negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "unit" },
  intercept: 1,
};

/** The sample as CSV: the same on every call. */
export function csv(rows = 2000) {
  const lines = ["age,dose,ward,sick"];
  let state = 1;
  const next = (n) => (state = (state * 48271) % 2147483647) % n;
  for (let i = 0; i < rows; i++) {
    const age = next(101);
    const dose = next(101) / 10;
    const ward = "ABC"[next(3)];
    const sick = age + 4 * dose + next(60) > 100 ? "yes" : "no";
    lines.push(`${age},${dose},${ward},${sick}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Levels of the sample's columns, for a scorecard. */
export const levels = {
  version: 1,
  attributes: [
    { name: "age", type: "numeric", min: 0, max: 100, cuts: [40, 70], provenance: "public" },
    { name: "dose", type: "numeric", min: 0, max: 10, cuts: [5], provenance: "public" },
    {
      name: "ward",
      type: "categorical",
      levels: [
        { name: "A", values: ["A"] },
        { name: 'B "or" C', values: ["B", "C"] },
      ],
      provenance: "public",
    },
  ],
  label: { name: "sick", negative: ["no"], positive: ["yes"], provenance: "public" },
};

/** The release and the report that my-privacy.html has as its sample. */
export const published = JSON.parse(
  readFileSync(new URL("../../src/pages/report/sample.json", import.meta.url), "utf8"),
);

/** Nobody, as a row of the published sample. */
export const someone = {
  age: 71,
  sex: "female",
  smoking: "former",
  systolic: 140,
  bmi: 27.5,
  creatinine: 96,
  stays_last_year: 2,
  ward: "cardiology",
  discharged_to: "home",
  readmitted: "no",
};

/**
 * An event that costs what one Gaussian mechanism does at ε = 1: lambda is above R²/(ε + R²/(2σ²))
 * (theory §4.3).
 */
export const objective = {
  mechanism: "objective-perturbation",
  adjacency: "add-remove",
  loss: "logistic",
  row_norm: 1,
  lipschitz: 1,
  smoothness: 0.25,
  lambda: 1,
  sigma: 3.7,
};
