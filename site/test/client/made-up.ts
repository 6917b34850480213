// Made-up tables with everything a schema can say of a column, for what is written from a release:
// programs and notebooks. With them, rows to predict, and what an answer has to be.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../src/client/node.ts";
import type { AnyLabel, Client, Prediction, Schema } from "../../src/client/types.ts";

/** Whether this machine has Python. */
export function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** The client of the sources, and a folder for files, until the tests of a file are over. */
export async function opened(name: string): Promise<{ client: Client; folder: string }> {
  const client = await load({
    wasmURL: fileURLToPath(new URL("../../../site/dist/cloister.wasm", import.meta.url)),
  });
  const folder = mkdtempSync(join(tmpdir(), `cloister-${name}-`));
  after(() => {
    client.terminate();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client, folder };
}

export const labels: Record<string, AnyLabel> = {
  "two classes": {
    name: "ill",
    negative: ["no"],
    positive: ["yes", "oui “vrai”"],
    provenance: "public",
  },
  "several classes": {
    name: "grade",
    type: "classes",
    classes: [["low"], ["mid\\dle"], ["high"]],
    provenance: "public",
  },
  "a number": {
    name: "days",
    type: "numeric",
    min: -5,
    max: 40,
    provenance: "public",
  },
};

export const schemaOf = (
  label: AnyLabel,
  norm: "unit" | "clip" | "scale",
  intercept: number,
): Schema<AnyLabel> => ({
  version: norm === "scale" ? 7 : label.type === undefined ? 1 : 2,
  features: [
    {
      name: "age",
      type: "numeric",
      min: -10,
      max: 90,
      missing: 40,
      provenance: "public",
    },
    {
      name: 'a "dose", in µg',
      type: "numeric",
      min: 0.001,
      max: 1e6,
      log: true,
      missing: "drop",
      provenance: "public",
    },
    {
      name: "ward",
      type: "categorical",
      categories: ["A", "B 2", 'Ç\\"π😀'],
      missing: { category: "B 2" },
      unknown: "zero",
      provenance: "public",
    },
    {
      name: "smoker",
      type: "categorical",
      categories: ["1", "0"],
      provenance: "public",
    },
  ],
  label,
  rows: { norm },
  intercept,
  missing_values: ["", "NA", "-99"],
});

/** The same with a column of its own for the missing values of three features. */
export const indicated = (schema: Schema<AnyLabel>): Schema<AnyLabel> => ({
  ...schema,
  version: schema.version === 7 ? 7 : 6,
  features: schema.features.map((f, i) => (i < 3 ? { ...f, missing: "indicator" } : f)),
});

/** A row as text, and the row with values as a program would hand them over. */
export const fields = ["age", 'a "dose", in µg', "ward", "smoker"] as const;
export const row = (i: number): string[] => [
  String(-30 + ((i * 37) % 150)),
  String(((i * 7919) % 1000) / 7),
  ["A", "B 2", 'Ç\\"π😀'][i % 3]!,
  i % 5 < 2 ? "1" : "0",
];
export const odd: string[][] = [
  ["", "1", "A", "1"],
  ["-99", "2.5e3", "NA", "0"],
  [" 33 ", "1e9", "elsewhere", "1"],
  ["-500", "0", "", "0"],
];
export const refused: string[][] = [
  ["12", "NA", "A", "1"],
  ["12", "x", "A", "1"],
  ["12", "1", "A", "2"],
  ["12", "1", "A", ""],
  // Numbers to one language or another, and to the core none.
  ...["0x10", "1_0", "１２", "1e", ".", "Infinity", "1d2", "0b1"].map((age) => [
    age,
    "1",
    "A",
    "1",
  ]),
];

/** Rows that a schema with indicators does not refuse. */
export const absent: string[][] = [
  ["12", "NA", "A", "1"],
  ["", "", "", "0"],
];

export function table(label: AnyLabel): string {
  const value = (i: number): string => {
    const score = ((i * 37) % 150) / 150 + (i % 3) / 3;
    if (label.type === "numeric") return String(score * 20);
    if (label.type === "classes") return label.classes[Math.min(2, Math.floor(score * 1.8))]![0]!;
    return score > 0.8 ? label.positive[0]! : label.negative[0]!;
  };
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = Array.from({ length: 900 }, (_, i) => [...row(i), value(i)].map(cell).join(","));
  return [[...fields, label.name].map(cell).join(","), ...lines].join("\n");
}

/** What a program answers, as JSON. */
export interface Answer {
  margin?: number;
  margins?: number[];
  label?: string;
  probability?: number;
  probabilities?: number[];
  value?: number;
}

const near = (got: number | undefined, want: number | undefined, what: string): void => {
  assert.ok(got !== undefined && want !== undefined, what);
  assert.ok(
    Math.abs(got - want) <= 1e-12 * Math.max(1, Math.abs(want)),
    `${what}: ${got} instead of ${want}`,
  );
};

/** Fails unless the answers are those that the core gave, to twelve digits. */
export function agrees(
  answers: readonly (Answer | null)[],
  expected: readonly Prediction<AnyLabel>[],
): void {
  expected.forEach((want, i) => {
    const got = answers[i]!;
    const at = `row ${i}`;
    assert.ok(got, at);
    if ("margins" in want)
      want.margins.forEach((m, k) => near(got.margins![k], m, `${at}, margin ${k}`));
    else near(got.margin, want.margin, `${at}, margin`);
    if ("label" in want) assert.equal(got.label, want.label, at);
    if ("value" in want) near(got.value, want.value, `${at}, value`);
    if ("probability" in want) near(got.probability, want.probability, `${at}, probability`);
    if ("probabilities" in want)
      want.probabilities!.forEach((p, k) =>
        near(got.probabilities![k], p, `${at}, probability ${k}`),
      );
  });
}
