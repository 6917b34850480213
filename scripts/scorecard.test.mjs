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

test("a name in somebody's card moves no cursor, as JSON neither", async () => {
  const named = async (name, ...asked) => {
    const card = JSON.parse(readFileSync(at("card.json"), "utf8"));
    card.card.attributes[2].levels[1].name = card.schema.attributes[2].levels[1].name = name;
    writeFileSync(at("cursor.json"), JSON.stringify(card, null, 1).replaceAll("\n", "\r\n"));
    const printed = await scorecard("--card", at("cursor.json"), ...asked);
    assert.doesNotMatch(printed.stdout + printed.stderr, /[^\P{Cc}\n]/u);
    return { ...printed, card };
  };
  // The control characters that a name may hold.
  const { code, stdout, stderr, card } = await named("B\r\tJ", "--json");
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), card);
  const shown = await named("B\r\tJ");
  assert.equal(shown.code, 0, shown.stderr);
  // All others are refused, and the refusal prints them as numbers.
  const refused = await named("B\u009b2J", "--json");
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /levels\[1\]\.name is "B\\u009b2J"/);
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

test("a card is evaluated on records that it was not chosen on", async () => {
  writeFileSync(at("others.csv"), csv(4000));
  const evaluate = ["--evaluate", at("others.csv"), "--evaluate-epsilon", "1"];
  const at1 = await scorecard(
    ...["--card", at("card.json"), ...evaluate],
    ...["--output", at("evaluated.json"), "--page", at("evaluated.html")],
  );
  assert.equal(at1.code, 0, at1.stderr);
  assert.match(at1.stdout, /On held-out records, with 1-differential privacy of their own/);
  assert.match(at1.stdout, /Predicted right +\d\d(\.\d)?\s%, \d/);
  assert.match(at1.stdout, /Right where it says “no” +\d/);
  const { version, evaluation } = JSON.parse(readFileSync(at("evaluated.json"), "utf8"));
  assert.deepEqual([version, evaluation.epsilon], [2, 1]);
  const printed = readFileSync(at("evaluated.html"), "utf8");
  assert.match(printed, /How well it does/);
  assert.doesNotMatch(printed, /Nobody paid for that figure/);
  assert.equal((await run("account.mjs", "--file", at("evaluated.json"))).code, 0);
  // What the release says is printed again for nothing.
  const again = await scorecard("--card", at("evaluated.json"));
  assert.match(again.stdout, /On held-out records/);

  const both = await scorecard(...asked, "--data", at("data.csv"), ...evaluate, "--json");
  assert.equal(both.code, 0, both.stderr);
  assert.equal(JSON.parse(both.stdout).evaluation.epsilon, 1);
});

test("noisy cells are bought once, and cards of them cost nothing", async () => {
  const buy = [...asked, "--noisy-cells"];
  const plan = await scorecard(...buy, "--plan");
  assert.match(plan.stdout, /12 combinations of levels[^]*standard deviation of 2\.1/);
  const bought = await scorecard(...buy, "--data", at("data.csv"), "--output", at("cells.json"));
  assert.equal(bought.code, 0, bought.stderr);
  assert.equal(readFileSync(at("cells.json"), "utf8"), bought.stdout);
  const cells = JSON.parse(bought.stdout);
  assert.equal(cells.format, "cloister-noisy-cells");
  assert.equal((await run("account.mjs", "--file", at("cells.json"))).code, 0);

  const best = await scorecard("--cells", at("cells.json"), "--points", "2", "--json");
  assert.equal(best.code, 0, best.stderr);
  assert.match(best.stderr, /By the counts it gets \d+ of \d+ records wrong, give or take 2\.1/);
  const card = JSON.parse(best.stdout);
  assert.deepEqual([card.from_counts, card.card.bound], [true, 2]);
  const few = await scorecard(
    ...["--cells", at("cells.json"), "--attributes", "ward,age", "--output", at("few.json")],
  );
  assert.equal(few.code, 0, few.stderr);
  assert.match(few.stdout, /\nward\n[^]*\nage\n/);
  assert.doesNotMatch(few.stdout, /dose/);
  assert.equal((await scorecard("--card", at("few.json"))).code, 0);

  cells.guarantee.epsilon = 0.5;
  writeFileSync(at("lies.json"), JSON.stringify(cells));
  const lies = await scorecard("--cells", at("lies.json"));
  assert.equal(lies.code, 1);
  assert.match(lies.stderr, /The noisy cells do not tell the truth about themselves:/);
});

test("what is wrong is said, and nothing is written", async () => {
  for (const [args, code, says] of [
    [[], 2, /--data is missing/],
    [["--plan", "--schema", at("levels.json")], 2, /--epsilon is missing/],
    [[...asked, "--data", at("data.csv"), "--code", "rust"], 2, /--code is "rust"/],
    [[...asked, "--data", at("data.csv"), "--score", at("levels.json")], 2, /--score needs --card/],
    [["--card", at("levels.json"), "--epsilon", "1"], 2, /--epsilon does not go with --card/],
    [["--card", at("levels.json"), "--output", at("x")], 2, /--output does not go with --card/],
    [["--cells", at("none.json")], 1, /noisy cells could not be read/],
    [["--cells", at("x"), "--data", at("data.csv")], 2, /--data does not go with --cells/],
    [["--cells", at("card.json")], 1, /format/],
    [[...asked, "--noisy-cells", "--points", "2"], 2, /--points does not go with --noisy-cells/],
    [[...asked, "--attributes", "age"], 2, /--attributes does not go with anything but --cells/],
    [["--card", at("card.json"), "--evaluate", at("data.csv")], 2, /need each other/],
    [
      ["--card", at("card.json"), "--evaluate", at("data.csv"), "--evaluate-epsilon", "0"],
      1,
      /epsilon is 0, and must be a finite number above 0. Nothing was bought/,
    ],
    [["--card", at("levels.json")], 1, /format/],
    [["--card", at("none.json")], 1, /card could not be read/],
    [[...asked, "--epsilon", "0", "--data", at("none.csv")], 1, /epsilon/],
    [[...asked, "--data", at("data.csv"), "--output", at("data.csv")], 2, /--output names a file/],
  ]) {
    const got = await scorecard(...args, "--page", at("no.html"));
    assert.equal(got.code, code, got.stderr);
    assert.match(got.stderr, says);
    assert.equal(got.stdout, "");
    assert.equal(existsSync(at("no.html")), false);
  }
  for (const [page, says] of [
    [at("card.json"), /--page names a file that is read/],
    [at("new"), /--output and --page name one file/],
  ]) {
    const card = page === at("new") ? [...asked, "--data", at("data.csv")] : ["--card", page];
    const got = await scorecard(
      ...card,
      "--page",
      page,
      ...(page === at("new") ? ["--output", page] : []),
    );
    assert.equal(got.code, 2, got.stderr);
    assert.match(got.stderr, says);
  }
  writeFileSync(at("secret.csv"), "age,dose,ward,sick\n1,1,Xavier,no\n2,2,A,yes\n");
  const quiet = await scorecard(...asked, "--data", at("secret.csv"), "--quiet");
  assert.equal(quiet.code, 1);
  assert.match(quiet.stderr, /row 2/);
  assert.doesNotMatch(quiet.stderr, /Xavier/);
});
