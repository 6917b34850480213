// A scorecard as a program: what the languages that this machine has compute is what the client
// says, and they refuse what it refuses.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../../src/client/node.ts";
import type { CardSchema, Score } from "../../src/client/types.ts";
import { code } from "../../src/scorecard/code.ts";
import { languages } from "../../src/scorecard/languages.ts";

const client = await load({
  wasmURL: fileURLToPath(new URL("../../../site/dist/cloister.wasm", import.meta.url)),
});
const folder = mkdtempSync(join(tmpdir(), "cloister-card-"));
after(() => {
  client.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const odd = 'the "back\\slash" $`{x}` 100 %s';
const schema: CardSchema = {
  version: 1,
  attributes: [
    {
      name: `age ${odd}`,
      type: "numeric",
      min: -10,
      max: 100,
      cuts: [-1.5, 0.1, 1e-7 + 1, 40],
      provenance: "public",
    },
    {
      name: "ward",
      type: "categorical",
      levels: [
        { name: "one", values: ["A", odd, "__proto__"] },
        { name: "two", values: ["B", "inf", "toString"] },
      ],
      provenance: "public",
    },
  ],
  label: { name: "ill", negative: ["no"], positive: [`yes ${odd}`], provenance: "public" },
  missing_values: ["", "-9"],
};
const fields = schema.attributes.map((a) => a.name);
const good = [
  "-10",
  "-1.5",
  "-1.4999999",
  "0.1",
  ".1",
  "1",
  "40",
  "+40.",
  "4e1",
  " 39.999 ",
  "1e3",
].flatMap((age) => ["A", "B", odd, " inf ", "__proto__", "toString"].map((ward) => [age, ward]));
const refused = [
  ...["", "-9", "inf", "nan", "0x10", "1_000", "1e999", "old", "1,5"].map((age) => [age, "A"]),
  ...["", "C", "a"].map((ward) => ["30", ward]),
];

let expected: Score[];
before(async () => {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = good.flatMap(([age, ward], i) =>
    [0, 1, 2].map((k) => [age!, ward!, (i + k) % 3 ? `yes ${odd}` : "no"]),
  );
  const table = [[...fields, "ill"], ...rows].map((cells) => cells.map(quote).join(",")).join("\n");
  const { release } = await client.scorecard(table, {
    schema,
    adjacency: "add-remove",
    epsilon: 1,
    points: 3,
  });
  // A card by which every level counts, whatever the noise chose.
  release.card.attributes.forEach((a, g) =>
    a.levels.forEach((level, l) => (level.points = g === 0 ? l - 2 : 2 * l - 1)),
  );
  assert.equal((await client.checkScorecard(release)).holds, true);
  for (const language of ["python", "r", "javascript", "go"] as const)
    writeFileSync(join(folder, languages[language].file), code(release, language));
  expected = await client.score(release, good);
  assert.ok(new Set(expected.map((s) => s.score)).size > 4);
  for (const row of refused) await assert.rejects(client.score(release, [row]), row.join());
});

const answered = (answers: (Score | null)[]) => {
  assert.deepEqual(answers.slice(0, good.length), expected);
  assert.deepEqual(
    answers.slice(good.length),
    refused.map(() => null),
  );
};

function has(command: string, argument = "--version"): boolean {
  return spawnSync(command, [argument]).status === 0;
}

test("Python", { skip: !has("python3") && "no python3 here" }, () => {
  const main = `
import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
import card
names, rows = json.load(sys.stdin)
def answer(row):
    try:
        return card.score(dict(zip(names, row)))
    except ValueError:
        return None
print(json.dumps([answer(row) for row in rows]))`;
  const input = JSON.stringify([fields, [...good, ...refused]]);
  answered(JSON.parse(execFileSync("python3", ["-c", main], { input, encoding: "utf8" })));
});

test("JavaScript", async () => {
  const { score } = (await import(join(folder, languages.javascript.file))) as {
    score: (record: object) => Score;
  };
  answered(
    [...good, ...refused].map((row) => {
      try {
        return score(Object.fromEntries(row.map((text, i) => [fields[i], text])));
      } catch {
        return null;
      }
    }),
  );
});

test("Go", { skip: !has("go", "version") && "no go here" }, () => {
  const path = join(folder, languages.go.file);
  execFileSync("go", ["vet", path], {
    stdio: "pipe",
    env: { ...process.env, GOFLAGS: "-mod=mod" },
  });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const input = [fields, ...good, ...refused].map((cells) => cells.map(quote).join(",")).join("\n");
  const { stdout, status } = spawnSync("go", ["run", path], { input, encoding: "utf8" });
  assert.equal(status, 1, "some records cannot be scored");
  answered(
    stdout
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as { Score: number; Yes: boolean; Label: string; Error?: string },
      )
      .map((a) => (a.Error === undefined ? { score: a.Score, yes: a.Yes, label: a.Label } : null)),
  );
});

test("R", { skip: !has("Rscript") && "no Rscript here" }, () => {
  const list = [...good, ...refused].map(
    (row) =>
      `list(${row.map((text, i) => `${JSON.stringify(fields[i])} = ${JSON.stringify(text)}`).join(", ")})`,
  );
  writeFileSync(
    join(folder, "main.R"),
    `source(${JSON.stringify(join(folder, languages.r.file))}, encoding = "UTF-8")
for (row in list(${list.join(", ")})) cat(tryCatch({ s <- score_one(row); paste(s$score, s$yes) }, error = function(e) "null"), "\\n")`,
  );
  const lines = execFileSync("Rscript", [join(folder, "main.R")], { encoding: "utf8" });
  assert.deepEqual(lines.trim().split(/\s*\n/), [
    ...expected.map((s) => `${s.score} ${s.yes ? "TRUE" : "FALSE"}`),
    ...refused.map(() => "null"),
  ]);
});
