// scripts/scorecard.mjs from end to end: the same binary and client as pages use.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { csv, levels } from "../site/test/client/sample.mjs";

const folder = mkdtempSync(join(tmpdir(), "scorecard-"));
after(() => rmSync(folder, { recursive: true }));
const at = (name) => join(folder, name);

function run(script, ...args) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [fileURLToPath(new URL(script, import.meta.url)), ...args],
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}
const scorecard = (...args) => run("scorecard.mjs", ...args);

writeFileSync(at("data.csv"), csv());
writeFileSync(at("levels.json"), JSON.stringify(levels));
const asked = ["--schema", at("levels.json"), "--epsilon", "2"];

test("a card is chosen, written, checked, used, and written as a page and a program", async () => {
  const { code, stdout, stderr } = await scorecard(
    ...[...asked, "--data", at("data.csv")],
    ...["--output", at("card.json"), "--page", at("card.html")],
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Scorecard for sick with epsilon = 2, delta = 0, add-remove\n/);
  assert.match(stdout, /age\n {2}below 40 +[−0-9]+\n/);
  assert.match(stderr, /Nobody paid for these figures/);
  assert.doesNotMatch(stdout + stderr, /2000/);
  const release = JSON.parse(readFileSync(at("card.json"), "utf8"));
  assert.equal(release.format, "cloister-scorecard");
  assert.match(readFileSync(at("card.html"), "utf8"), /id="release">\{/);

  const priced = await run("account.mjs", "--file", at("card.json"));
  assert.equal(priced.code, 0, priced.stderr);
  assert.equal(JSON.parse(priced.stdout).holds, true);

  const python = await scorecard("--card", at("card.json"), "--code", "python");
  assert.match(python.stdout, /def score\(record\):/);
  writeFileSync(at("rows.json"), JSON.stringify([{ age: 90, dose: 9, ward: "A" }, [3, 1, "C"]]));
  const scored = await scorecard("--card", at("card.json"), "--score", at("rows.json"));
  assert.equal(scored.code, 0, scored.stderr);
  const lines = scored.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ yes }) => yes),
    [true, false],
  );

  writeFileSync(
    at("forged.json"),
    JSON.stringify({ ...release, guarantee: { ...release.guarantee, epsilon: 0.5 } }),
  );
  const forged = await scorecard("--card", at("forged.json"), "--page", at("forged.html"));
  assert.equal(forged.code, 1);
  assert.match(forged.stderr, /does not tell the truth about itself:\n {2}guarantee\.epsilon/);
  assert.equal(existsSync(at("forged.html")), false);
  assert.equal((await run("account.mjs", "--file", at("forged.json"))).code, 1);
});

test("a name in somebody's card writes no line of its own", async () => {
  const card = JSON.parse(readFileSync(at("card.json"), "utf8"));
  const name = "B\n\nScorecard with epsilon = 0.001";
  card.card.attributes[2].levels[1].name = card.schema.attributes[2].levels[1].name = name;
  writeFileSync(at("lines.json"), JSON.stringify(card));
  const { code, stdout, stderr } = await scorecard("--card", at("lines.json"));
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^ {2}B\\n\\nScorecard with epsilon = 0\.001 +[−0-9]+ {3}“B”, “C”$/m);
});

test("--json prints the release and nothing else; --plan needs no data", async () => {
  const { stdout, stderr } = await scorecard(
    ...asked,
    "--data",
    at("data.csv"),
    "--json",
    "--quiet",
  );
  assert.equal(stderr, "");
  assert.equal(JSON.parse(stdout).version, 1);
  const plan = await scorecard(...asked, "--plan");
  assert.equal(plan.code, 0, plan.stderr);
  assert.match(plan.stdout, /noisy-min at epsilon = 2, delta = 0[^]*at most 6 records more wrong/);
});

test("what is wrong is said, and nothing is written", async () => {
  for (const [args, code, says] of [
    [[], 2, /--data is missing/],
    [["--plan", "--schema", at("levels.json")], 2, /--epsilon is missing/],
    [[...asked, "--data", at("data.csv"), "--code", "rust"], 2, /--code is "rust"/],
    [[...asked, "--data", at("data.csv"), "--score", at("levels.json")], 2, /--score needs --card/],
    [["--card", at("levels.json"), "--epsilon", "1"], 2, /--epsilon goes with choosing/],
    [["--card", at("levels.json")], 1, /format/],
    [["--card", at("none.json")], 1, /card could not be read/],
    [[...asked, "--epsilon", "0", "--data", at("none.csv")], 1, /epsilon/],
  ]) {
    const got = await scorecard(...args, "--page", at("no.html"));
    assert.equal(got.code, code, got.stderr);
    assert.match(got.stderr, says);
    assert.equal(got.stdout, "");
    assert.equal(existsSync(at("no.html")), false);
  }
  writeFileSync(at("secret.csv"), "age,dose,ward,sick\n1,1,Xavier,no\n2,2,A,yes\n");
  const quiet = await scorecard(...asked, "--data", at("secret.csv"), "--quiet");
  assert.equal(quiet.code, 1);
  assert.match(quiet.stderr, /row 2/);
  assert.doesNotMatch(quiet.stderr, /Xavier/);
});
