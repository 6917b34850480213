// A release as a program: what the languages that this machine has compute is what the client predicts, and they refuse what it refuses.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../src/client/node.ts";
import type { AnyLabel, Loss, Release, Schema } from "../../src/client/types.ts";
import { code, type Language, languages } from "../../src/publish/code.ts";

const client = await load({ wasmURL: fileURLToPath(new URL("../../../site/dist/cloister.wasm", import.meta.url)) });
const folder = mkdtempSync(join(tmpdir(), "cloister-code-"));
after(() => {
  client.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const labels: Record<string, AnyLabel> = {
  "two classes": { name: "ill", negative: ["no"], positive: ["yes", "oui “vrai”"], provenance: "public" },
  "several classes": { name: "grade", type: "classes", classes: [["low"], ["mid\\dle"], ["high"]], provenance: "public" },
  "a number": { name: "days", type: "numeric", min: -5, max: 40, provenance: "public" },
};

const schemaOf = (label: AnyLabel, norm: "unit" | "clip", intercept: number): Schema<AnyLabel> => ({
  version: label.type === undefined ? 1 : 2,
  features: [
    { name: "age", type: "numeric", min: -10, max: 90, missing: 40, provenance: "public" },
    { name: 'a "dose", in µg', type: "numeric", min: 0.001, max: 1e6, log: true, missing: "drop", provenance: "public" },
    { name: "ward", type: "categorical", categories: ["A", "B 2", 'Ç\\"π😀'], missing: { category: "B 2" }, unknown: "zero", provenance: "public" },
    { name: "smoker", type: "categorical", categories: ["1", "0"], provenance: "public" },
  ],
  label,
  rows: { norm },
  intercept,
  missing_values: ["", "NA", "-99"],
});

/** A row as text, and the row with values as a program would hand them over. */
const fields = ["age", 'a "dose", in µg', "ward", "smoker"] as const;
const row = (i: number): string[] => [String(-30 + ((i * 37) % 150)), String(((i * 7919) % 1000) / 7), ["A", "B 2", 'Ç\\"π😀'][i % 3]!, i % 5 < 2 ? "1" : "0"];
const odd: string[][] = [
  ["", "1", "A", "1"],
  ["-99", "2.5e3", "NA", "0"],
  [" 33 ", "1e9", "elsewhere", "1"],
  ["-500", "0", "", "0"],
];
const refused: string[][] = [
  ["12", "NA", "A", "1"],
  ["12", "x", "A", "1"],
  ["12", "1", "A", "2"],
  ["12", "1", "A", ""],
];

function table(label: AnyLabel): string {
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

interface Answer {
  margin?: number;
  margins?: number[];
  label?: string;
  probability?: number;
  probabilities?: number[];
  value?: number;
}

/** How each language is run on rows; what it prints is a JSON list, null for a row that it refuses. */
const runners: Partial<Record<Language, { have: [string, string[]]; run: (file: string, rows: string[][]) => string }>> = {
  python: {
    have: ["python3", ["--version"]],
    run(file, rows) {
      const main = `
import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
import ${file.replace(/\.py$/, "")} as model
def answer(row):
    try:
        return model.predict(dict(zip(json.loads(${JSON.stringify(JSON.stringify(fields))}), row)))
    except ValueError:
        return None
print(json.dumps([answer(row) for row in json.load(sys.stdin)]))`;
      return execFileSync("python3", ["-c", main], { input: JSON.stringify(rows), encoding: "utf8" });
    },
  },
  javascript: {
    have: ["node", ["--version"]],
    run(file, rows) {
      const main = `
import { predict } from ${JSON.stringify(join(folder, file))};
const fields = ${JSON.stringify(fields)};
const answer = (row) => { try { return predict(Object.fromEntries(row.map((text, i) => [fields[i], text]))); } catch { return null; } };
console.log(JSON.stringify(${JSON.stringify(rows)}.map(answer)));`;
      return execFileSync("node", ["--input-type=module", "-e", main], { encoding: "utf8" });
    },
  },
  go: {
    have: ["go", ["version"]],
    run(file, rows) {
      const main = `package main

import (
	"encoding/json"
	"os"
)

func main() {
	fields := []string{${fields.map((f) => JSON.stringify(f)).join(", ")}}
	var rows [][]string
	if err := json.NewDecoder(os.Stdin).Decode(&rows); err != nil {
		panic(err)
	}
	var out []any
	for _, row := range rows {
		record := map[string]string{}
		for i, text := range row {
			record[fields[i]] = text
		}
		p, err := Predict(record)
		if err != nil {
			out = append(out, nil)
			continue
		}
		out = append(out, p)
	}
	json.NewEncoder(os.Stdout).Encode(out)
}
`;
      writeFileSync(join(folder, "main.go"), main);
      execFileSync("go", ["vet", join(folder, file), join(folder, "main.go")], { env: { ...process.env, GOFLAGS: "-mod=mod" }, stdio: "pipe" });
      const text = execFileSync("go", ["run", join(folder, file), join(folder, "main.go")], { input: JSON.stringify(rows), encoding: "utf8" });
      const answers = JSON.parse(text) as ({ Margins: number[]; Label?: string; Probabilities?: number[]; Value?: number } | null)[];
      return JSON.stringify(
        answers.map((a) => a && { margins: a.Margins, margin: a.Margins[0], label: a.Label, value: a.Value, probabilities: a.Probabilities, probability: a.Probabilities?.[0] }),
      );
    },
  },
  r: {
    have: ["Rscript", ["--version"]],
    run(file, rows) {
      const list = rows.map((cells) => `list(${cells.map((text, i) => `${JSON.stringify(fields[i])} = ${JSON.stringify(text)}`).join(", ")})`);
      const main = `source(${JSON.stringify(join(folder, file))}, encoding = "UTF-8")
number <- function(x) paste0("[", paste(format(x, digits = 17), collapse = ","), "]")
answer <- function(row) tryCatch({
  p <- predict_one(row)
  margins <- if (is.null(p$margins)) p$margin else p$margins
  parts <- c(paste0('"margins":', number(margins)), if (!is.null(p$label)) paste0('"label":"', gsub("([\\\\\\\\\\"])", "\\\\\\\\\\\\1", p$label), '"'),
    if (!is.null(p$value)) paste0('"value":', format(p$value, digits = 17)), if (!is.null(p$probability)) paste0('"probability":', format(p$probability, digits = 17)),
    if (!is.null(p$probabilities)) paste0('"probabilities":', number(p$probabilities)))
  paste0("{", paste(parts, collapse = ","), "}")
}, error = function(e) "null")
cat("[", paste(sapply(list(${list.join(", ")}), answer), collapse = ","), "]")`;
      writeFileSync(join(folder, "main.R"), main);
      const answers = JSON.parse(execFileSync("Rscript", [join(folder, "main.R")], { encoding: "utf8" })) as (Answer | null)[];
      return JSON.stringify(answers.map((a) => a && { ...a, margin: a.margins![0] }));
    },
  },
};

function has([program, args]: [string, string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

const near = (got: number | undefined, want: number | undefined, what: string): void => {
  assert.ok(got !== undefined && want !== undefined, what);
  assert.ok(Math.abs(got - want) <= 1e-12 * Math.max(1, Math.abs(want)), `${what}: ${got} instead of ${want}`);
};

const cases: [string, Loss | undefined, "unit" | "clip", number][] = [
  ["two classes", undefined, "clip", 0.5],
  ["two classes", "huber", "unit", 1],
  ["two classes", "squared", "clip", 0],
  ["several classes", undefined, "unit", 0.5],
  ["several classes", "huber", "clip", 0.25],
  ["a number", undefined, "clip", 0.5],
];

for (const [name, loss, norm, intercept] of cases) {
  describe(`${name}, ${loss ?? "default loss"}, rows ${norm}, intercept ${intercept}`, async () => {
    const label = labels[name]!;
    const schema = schemaOf(label, norm, intercept);
    const dataset = await client.openDataset(table(label), schema);
    const { release } = await client.fit(dataset, { adjacency: "add-remove", epsilon: 4, delta: 1e-6, ...(loss && { loss }) });
    await dataset.close();
    const rows = [...Array.from({ length: 60 }, (_, i) => row(i * 13 + 1)), ...odd];
    const expected = await client.predict(release, rows);
    for (const cells of refused) await assert.rejects(client.predict(release, [cells]));

    for (const language of Object.keys(languages) as Language[]) {
      const runner = runners[language]!;
      test(languages[language].name, { skip: !has(runner.have) && `no ${runner.have[0]} here` }, () => {
        const file = languages[language].file.replace("model", `model_${cases.findIndex((c) => c[0] === name && c[1] === loss)}`);
        writeFileSync(join(folder, file), code(release as Release<AnyLabel>, language));
        const answers = JSON.parse(runner.run(file, [...rows, ...refused])) as (Answer | null)[];
        assert.deepEqual(answers.slice(rows.length), refused.map(() => null));
        expected.forEach((want, i) => {
          const got = answers[i]!;
          const at = `row ${i}`;
          assert.ok(got, at);
          if ("margins" in want) want.margins.forEach((m, k) => near(got.margins![k], m, `${at}, margin ${k}`));
          else near(got.margin, want.margin, `${at}, margin`);
          if ("label" in want) assert.equal(got.label, want.label, at);
          if ("value" in want) near(got.value, want.value, `${at}, value`);
          if ("probability" in want) near(got.probability, want.probability, `${at}, probability`);
          if ("probabilities" in want) want.probabilities!.forEach((p, k) => near(got.probabilities![k], p, `${at}, probability ${k}`));
        });
      });
    }
  });
}
