// A release as a program: what the languages that this machine has compute is what the client
// predicts, and they refuse what it refuses.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { AnyLabel, Loss, Release } from "../../src/client/types.ts";
import { code, type Language, languages } from "../../src/pages/studio/result/publish/code.ts";
import {
  absent,
  agrees,
  type Answer,
  fields,
  indicated,
  labels,
  odd,
  opened,
  refused,
  row,
  schemaOf,
  table,
} from "./made-up.ts";

const { client, folder } = await opened("code");

/**
 * How each language is run on rows; what it prints is a JSON list, null for a row that it refuses.
 */
type GoAnswer =
  | { Error: string }
  | {
      Margins: number[];
      Label?: string;
      Probabilities?: number[];
      Value?: number;
    };

const runners: Partial<
  Record<
    Language,
    {
      have: [string, string[]];
      run: (file: string, rows: string[][]) => string;
    }
  >
> = {
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
      return execFileSync("python3", ["-c", main], {
        input: JSON.stringify(rows),
        encoding: "utf8",
      });
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
      return execFileSync("node", ["--input-type=module", "-e", main], {
        encoding: "utf8",
      });
    },
  },
  go: {
    have: ["go", ["version"]],
    run(file, rows) {
      const path = join(folder, file);
      execFileSync("go", ["vet", path], {
        env: { ...process.env, GOFLAGS: "-mod=mod" },
        stdio: "pipe",
      });
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const csv = [fields, ...rows].map((cells) => cells.map(quoted).join(",")).join("\n");
      writeFileSync(join(folder, "people.csv"), `\ufeff${csv}\n`);
      // By the name of a file, and by the standard input: as the program says of itself.
      const named = spawnSync("go", ["run", path, join(folder, "people.csv")], {
        encoding: "utf8",
      });
      const piped = spawnSync("go", ["run", path], {
        input: csv,
        encoding: "utf8",
      });
      assert.equal(named.stdout, piped.stdout);
      assert.equal(named.status, 1, "some records cannot be predicted");
      const answers = named.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as GoAnswer)
        .map((answer) => ("Error" in answer ? null : answer));
      return JSON.stringify(
        answers.map(
          (a) =>
            a && {
              margins: a.Margins,
              margin: a.Margins[0],
              label: a.Label,
              value: a.Value,
              probabilities: a.Probabilities,
              probability: a.Probabilities?.[0],
            },
        ),
      );
    },
  },
  r: {
    have: ["Rscript", ["--version"]],
    run(file, rows) {
      const list = rows.map(
        (cells) =>
          `list(${cells.map((text, i) => `${JSON.stringify(fields[i])} = ${JSON.stringify(text)}`).join(", ")})`,
      );
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
      const answers = JSON.parse(
        execFileSync("Rscript", [join(folder, "main.R")], { encoding: "utf8" }),
      ) as (Answer | null)[];
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

const cases: [string, Loss | undefined, "unit" | "clip" | "scale", number, "indicators"?][] = [
  ["two classes", undefined, "clip", 0.5],
  ["two classes", "huber", "unit", 1],
  ["two classes", "squared", "clip", 0],
  ["two classes", "shifted-logistic", "clip", 0.5],
  ["two classes", "weighted-logistic", "clip", 0.5],
  ["several classes", undefined, "unit", 0.5],
  ["several classes", "logistic", "clip", 0.5],
  ["several classes", "huber", "clip", 0.25],
  ["a number", undefined, "clip", 0.5],
  ["two classes", undefined, "unit", 0.5, "indicators"],
  ["a number", undefined, "clip", 0.5, "indicators"],
  ["a number", undefined, "scale", 0.5],
  ["two classes", undefined, "scale", 0.5, "indicators"],
];

for (const [index, [name, loss, norm, intercept, more]] of cases.entries()) {
  describe(`${name}, ${loss ?? "default loss"}, rows ${norm}, intercept ${intercept}${more ? `, ${more}` : ""}`, async () => {
    const label = labels[name]!;
    const plain = schemaOf(label, norm, intercept);
    const schema = more ? indicated(plain) : plain;
    const no = more ? refused.filter((cells) => cells[1] !== "NA") : refused;
    const dataset = await client.openDataset(table(label), schema);
    const { release } = await client.fit(dataset, {
      adjacency: "add-remove",
      epsilon: 4,
      delta: 1e-6,
      ...(loss && { loss }),
      ...(loss === "weighted-logistic" && { positiveWeight: 3 }),
    });
    await dataset.close();
    const rows = [...Array.from({ length: 60 }, (_, i) => row(i * 13 + 1)), ...odd];
    if (more) rows.push(...absent);
    const expected = await client.predict(release, rows);
    for (const cells of no) await assert.rejects(client.predict(release, [cells]));

    for (const language of Object.keys(languages) as Language[]) {
      const runner = runners[language]!;
      test(
        languages[language].name,
        { skip: !has(runner.have) && `no ${runner.have[0]} here` },
        () => {
          const file = languages[language].file.replace("model", `model_${index}`);
          writeFileSync(join(folder, file), code(release as Release<AnyLabel>, language));
          const answers = JSON.parse(runner.run(file, [...rows, ...no])) as (Answer | null)[];
          assert.deepEqual(
            answers.slice(rows.length),
            no.map(() => null),
          );
          agrees(answers, expected);
        },
      );
    }
  });
}
