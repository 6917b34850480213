// The worked example and the page on coefficients, on the data that they are about: the commands
// are run as they stand there, and what they say of the result is held to it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { fences } from "../../docs/build/markdown.mjs";

const top = fileURLToPath(new URL("../../../", import.meta.url));
const data = process.env.CLOISTER_DATA ?? join(top, "../shared/data");
const [train, heldOut] = ["adult.train.csv", "adult.test.csv"].map((name) => join(data, name));
const skip = ![train, heldOut].every(existsSync) && `${data} has no Adult`;

const place = mkdtempSync(join(tmpdir(), "cloister-worked-example-"));
after(() => rmSync(place, { recursive: true, force: true }));

const pieces = fences(readFileSync(join(top, "site/docs/worked-example.md"), "utf8"));
const commands = pieces.filter(({ language, words }) => language === "sh" && words[0] === "adult");
const [program] = pieces.filter(({ language, words }) => language === "js" && words[0] === "adult");

const run = (command) =>
  execFileSync("bash", ["-ec", command.replaceAll("node scripts/", `node ${top}scripts/`)], {
    cwd: place,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** A fit as the page says, and its coefficients by name. */
function fitted() {
  run(commands[1].content);
  const release = JSON.parse(readFileSync(join(place, "release.json"), "utf8"));
  const { columns, coefficients } = release.model;
  const of = Object.fromEntries(columns.map((name, i) => [name, coefficients[i]]));
  return { release, of, status: (name) => of[`marital-status=${name}`] };
}

test("the worked example", { skip, timeout: 240_000 }, async (t) => {
  assert.equal(commands.length, 2);
  // The files as they are handed out: no line of names; in the second, a remark before the rows.
  const rows = (file) => readFileSync(file, "utf8").split("\n").slice(1).join("\n");
  writeFileSync(join(place, "adult.data"), rows(train));
  writeFileSync(join(place, "adult.test"), `|1x3 Cross validator\n${rows(heldOut)}`);
  const [schema] = pieces.filter(({ language }) => language === "json");
  writeFileSync(join(place, "schema.json"), schema.content);
  run(commands[0].content);
  const fits = [fitted(), fitted(), fitted()];

  await t.test("has as many people as it says", () => {
    const lines = (name) =>
      readFileSync(join(place, name), "utf8")
        .split("\n")
        .filter((line) => line.trim()).length - 1;
    assert.equal(lines("adult.csv"), 32561);
    assert.equal(lines("held-out.csv"), 16281);
  });

  await t.test("predicts as many held-out people right as it says", () => {
    for (const { release } of fits) {
      const { cells } = release.evaluation;
      const sum = (list, of) => list.reduce((total, cell) => total + of(cell), 0);
      const all = sum(cells, ([no, yes]) => no + yes);
      const half = cells.length / 2;
      const right =
        sum(cells.slice(0, half), ([no]) => no) + sum(cells.slice(half), ([, yes]) => yes);
      assert.ok(Math.abs(right / all - 0.83) < 0.015, `${right / all}`);
      const negative = sum(cells, ([no]) => no) / all;
      assert.ok(Math.abs(negative - 0.76) < 0.01, `${negative}`);
    }
  });

  await t.test("has differences of categories that are firm, as the page on them says", () => {
    for (const { of, status } of fits) {
      const difference = status("Married-civ-spouse") - status("Never-married");
      assert.ok(Math.abs(difference - 5) < 0.7, `${difference}`);
      assert.ok(Math.abs(of["education-num"] - 11.3) < 6, `${of["education-num"]}`);
    }
    const page = readFileSync(join(top, "site/docs/coefficients.md"), "utf8");
    const rare = readFileSync(join(place, "adult.csv"), "utf8").match(/, Married-AF-spouse,/g);
    assert.match(page, new RegExp(`answer of ${rare.length} of the 32,561 people`));
    for (const [, never, married, gap] of page.matchAll(
      /^\| \d \| (\S+) \| (\S+) \| (\S+) \|$/gm,
    )) {
      const [a, b, c] = [never, married, gap].map((text) => Number(text.replace("−", "-")));
      assert.ok(Math.abs(b - a - c) < 0.0101 && Math.abs(c - 5) < 0.2, `${a} ${b} ${c}`);
    }
  });

  await t.test("makes a release that tells the truth, by the program on the page", () => {
    let checked = 0;
    const body = program.content.replace(/^(.+);\s*\/\/=>\s*(.+)$/gm, (_, got, want) => {
      checked++;
      return `assert.deepEqual(${got}, ${want});`;
    });
    assert.equal(checked, 5);
    symlinkSync(join(top, "site"), join(place, "site"));
    writeFileSync(
      join(place, "check.mjs"),
      `import assert from "node:assert/strict";\n${body.replace('"cloister"', '"./site/dist/client.node.mjs"')}`,
    );
    execFileSync("node", ["check.mjs"], { cwd: place, stdio: ["ignore", "pipe", "pipe"] });
    const report = JSON.parse(readFileSync(join(place, "report.json"), "utf8"));
    assert.equal(report.format, "cloister-report");
  });
});
