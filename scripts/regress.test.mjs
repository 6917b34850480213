// scripts/regress.mjs from end to end: one purchase, then models of it without data.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { csv, schema } from "../site/test/client/sample.mjs";

const folder = mkdtempSync(join(tmpdir(), "regress-"));
after(() => rmSync(folder, { recursive: true }));

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const run = (script, ...args) =>
  spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    encoding: "utf8",
  });
const names = schema.features.map((f) => f.name);
const numeric = schema.features.filter((f) => f.type === "numeric").map((f) => f.name);
let release;

before(() => {
  const data = file(
    "data.csv",
    csv(2000).replace(/,(yes|no)$/gm, (_, word) => (word === "yes" ? ",1" : ",0")),
  );
  const label = { name: "sick", type: "numeric", min: 0, max: 1, provenance: "public" };
  const described = file("schema.json", { ...schema, version: 2, label });
  const fit = (method, output) =>
    run(
      "fit.mjs",
      ...["--data", data, "--schema", described, "--epsilon", "4", "--delta", "1e-5"],
      ...["--method", method, "--output", output],
    );
  release = join(folder, "release.json");
  const made = fit("suffstats", release);
  assert.equal(made.status, 0, made.stderr);
  assert.equal(fit("amp", join(folder, "usual.json")).status, 0);
});

const regress = (...args) => run("regress.mjs", "--release", release, ...args);

test("a model is not written over its release", () => {
  const before = readFileSync(release, "utf8");
  const refused = regress("--output", release);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--output names a file that is read/);
  assert.equal(readFileSync(release, "utf8"), before);
});

test("a model is printed for people, with its errors and what it cost", () => {
  const { status, stdout, stderr } = regress("--target", numeric[0]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, new RegExp(`^Linear regression of ${numeric[0]}, from the moments`));
  assert.match(stdout, / {2}cost {7}nothing beyond that\n/);
  assert.match(stdout, /\n {2}records {4}about \d+\n/);
  assert.match(stdout, new RegExp(`\n${numeric[0]} / N = \\(constant`));
  assert.match(stdout, new RegExp(`\n {2}${numeric[1]} +-?[\\d.e-]+ {2}± [\\d.e-]+ +per unit\n`));
  const plain = regress("--no-intercept");
  assert.doesNotMatch(plain.stdout, /±|records {4}/);
});

test("what the release's guarantee leaves out is left out of the model's, and said", () => {
  assert.doesNotMatch(regress().stdout, /does not cover/);
  const [first, ...others] = schema.features;
  const label = { name: "sick", type: "numeric", min: 0, max: 1, provenance: "public" };
  const suggested = { ...first, provenance: "suggested" };
  const features = [suggested, ...others];
  const described = file("suggested.json", { ...schema, version: 2, label, features });
  const output = join(folder, "partly.json");
  const made = run(
    "fit.mjs",
    ...["--data", join(folder, "data.csv"), "--schema", described, "--epsilon", "4"],
    ...["--delta", "1e-5", "--method", "suffstats", "--output", output],
  );
  assert.equal(made.status, 0, made.stderr);
  const { status, stdout, stderr } = run("regress.mjs", "--release", output);
  assert.equal(status, 0, stderr);
  const { caveats } = JSON.parse(readFileSync(output, "utf8")).guarantee;
  assert.equal(caveats.length, 2);
  for (const caveat of caveats) assert.ok(stdout.includes(`\n  ${caveat}\n`), stdout);
});

test("a model is a file that follows from its release, and no other file does", () => {
  const output = join(folder, "derived.json");
  const { stdout } = regress("--json", "--output", output, "--column", names[0], "--ridge", "2");
  assert.equal(readFileSync(output, "utf8"), stdout);
  const derived = JSON.parse(stdout);
  assert.deepEqual([derived.format, derived.ridge], ["cloister-derived", 2]);
  assert.ok(derived.original.every(({ feature }) => feature === names[0]));
  const checked = regress("--check", output);
  assert.equal(checked.status, 0, checked.stderr);
  assert.match(checked.stdout, /follows from the moments/);
  const edited = file("edited.json", {
    ...derived,
    coefficients: derived.coefficients.map((c) => -c),
  });
  const refused = regress("--check", edited);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /does not follow from the release/);
});

test("what cannot be asked is refused, and says why", () => {
  for (const [status, says, ...args] of [
    [1, /target is "nobody", and|target.*"nobody"/, "--target", "nobody"],
    [1, /ridge/, "--ridge", "0"],
    [2, /must be a number/, "--ridge", "much"],
    [2, /--check goes with --release alone/, "--check", "x", "--ridge", "1"],
    [1, /could not be read/, "--check", join(folder, "none.json")],
    [1, /is not JSON/, "--check", file("half.json", "{")],
    [1, /says .*format.* twice/, "--check", file("twice.json", '{"format":"a","format":"b"}')],
  ]) {
    const got = regress(...args);
    assert.equal(got.status, status, `${args}: ${got.stderr}`);
    assert.match(got.stderr, says);
  }
  const usual = run("regress.mjs", "--release", join(folder, "usual.json"));
  assert.equal(usual.status, 1);
  assert.match(usual.stderr, /suffstats/);
  assert.equal(run("regress.mjs").status, 2);
});
