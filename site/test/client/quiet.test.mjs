// What the command line prints: with --quiet nothing that stands in a file of data, and never a
// character that a terminal obeys.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../dist/cloister.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cloister-quiet-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const file = (name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const run = (...args) => spawnSync("node", [command, ...args], { encoding: "utf8" });
const schemaOf = (label) => ({
  version: 1,
  features: [
    { name: "age", type: "numeric", min: 0, max: 120, provenance: "public" },
    { name: "ward", type: "categorical", categories: ["A", "B"], provenance: "public" },
  ],
  label: { name: label, negative: ["no"], positive: ["yes"], provenance: "public" },
  rows: { norm: "clip" },
  intercept: 0.5,
});
const schema = file("schema.json", JSON.stringify(schemaOf("ill")));
const fit = (data, ...more) =>
  run("fit", "--data", data, "--schema", schema, "--epsilon", "1", "--delta", "1e-5", ...more);

const person = /Smith|Poe|HIV|positive|perhaps|1975/;
const tables = {
  "a cell that is no number": 'age,ward,ill\n47,A,no\n"51 Smith",B,yes\n',
  "a cell that is no category": "age,ward,ill\n47,A,no\n51,HIV positive,yes\n",
  "a label": "age,ward,ill\n47,A,no\n51,B,perhaps\n",
  "no header": "Smith,1975,A,no\nPoe,1980,B,yes\nDoe,33,B,yes\n",
  "a name twice": "age,ward,ill,Smith,Smith\n47,A,no,Smith,1975\n",
  "a quote": 'age,ward,ill\n47,A,no\n51,"Smith,yes\n',
  "too few cells": "age,ward,ill\n47,A,no\nSmith,B\n",
};

test("with --quiet an error says nothing that stands in the file", () => {
  let shown = 0;
  for (const [what, text] of Object.entries(tables)) {
    const data = file("data.csv", text);
    for (const header of [[], ["--header", "first"]]) {
      const loud = fit(data, ...header);
      const quiet = fit(data, "--quiet", ...header);
      assert.equal(quiet.status, loud.status, what);
      assert.equal(quiet.stdout, "", what);
      assert.doesNotMatch(quiet.stderr, person, what);
      if (quiet.status !== 0) assert.match(quiet.stderr, /^Error \(/, what);
      if (person.test(loud.stderr)) shown++;
    }
  }
  assert.ok(shown >= 6, "without it, they do");
  const suggested = run(
    "fit",
    "--suggest-schema",
    "--quiet",
    "--data",
    file(
      "data.csv",
      `age,Smith,ill\n${Array.from({ length: 60 }, (_, i) => `${i},Smith ${i},${i % 2 ? "yes" : "no"}`).join("\n")}\n`,
    ),
  );
  assert.equal(suggested.stderr, "");
});

test("what a terminal would obey is printed as its number", () => {
  // The control characters that a name may hold; of the others see below.
  const name = "ill\r\tevil";
  const hostile = file("hostile.json", JSON.stringify(schemaOf(name)));
  const rows = Array.from(
    { length: 400 },
    (_, i) => `${i % 90},${i % 3 ? "A" : "B"},${i % 2 ? "yes" : "no"}`,
  );
  const data = file("data.csv", `age,ward,"${name}"\n${rows.join("\n")}\n`);
  const release = join(folder, "release.json");
  const args = ["--data", data, "--schema", hostile, "--epsilon", "1", "--delta", "1e-5"];
  const obeyed = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;
  const fitted = run("fit", ...args, "--output", release);
  assert.equal(fitted.status, 0, fitted.stderr);
  assert.doesNotMatch(fitted.stdout + fitted.stderr, obeyed);
  const checked = run("account", "--file", release);
  assert.equal(checked.status, 0, checked.stderr);
  assert.doesNotMatch(checked.stdout + checked.stderr, obeyed);
  JSON.parse(checked.stdout);
  // What moves a cursor, or turns the text beside it, is refused, and is not printed as it is.
  for (const bad of ["ill\u001b[2J\u009b1;1Hevil", "ill\u202eevil\u2066\u2028x"]) {
    const schema = file("refused.json", JSON.stringify(schemaOf(bad)));
    const refused = run("fit", ...args.with(3, schema), "--output", release);
    assert.notEqual(refused.status, 0);
    assert.match(refused.stderr, /label\.name/);
    assert.doesNotMatch(refused.stdout + refused.stderr, obeyed);
    // As the name of a field it stands in what says that the file is no release.
    const twice = file("twice.json", `{"${bad}": 1`);
    const odd = run("account", "--file", twice);
    assert.notEqual(odd.status, 0);
    assert.doesNotMatch(odd.stdout + odd.stderr, obeyed);
  }
});
