// Every code sample of the documentation and of the README, run: JavaScript in this process,
// commands in a folder of their own, Go programs in a workspace as the guide makes it. Pieces of
// HTML and what only a page can do run in Chromium: browser/docs.test.mjs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "cloister";
import { fences } from "../../docs/build/markdown.mjs";
import { agrees, parsePairs } from "./expected.mjs";

const top = fileURLToPath(new URL("../../../", import.meta.url));
const folder = join(top, "site/docs");
const files = [
  "README.md",
  "site/README.md",
  "site/src/elements/README.md",
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `site/docs/${name}`),
];
const samples = files
  .flatMap((file) =>
    fences(readFileSync(join(top, file), "utf8")).map((fence) => ({ file, ...fence })),
  )
  // What has a place in the tree is compiled there: contributing.test.mjs.
  .filter(({ words }) => !words.some((word) => word.startsWith("file=")));

/**
 * The treatments that there are; everything else is a sample that nobody runs. Those of "adult" are
 * run by worked-example.test.mjs, what goes with a model that was saved as a program by
 * client/exported-code.test.ts; a text and an entry of a bibliography are copied.
 */
const known = new Set([
  "sh adult",
  "js adult",
  "python",
  "r",
  "js model.mjs",
  "sh model.go",
  "text",
  "bibtex",
  "css",
  "js",
  "js browser",
  "sh",
  "sh workspace",
  "sh elsewhere", // needs a cluster, or room for 20 GB
  "go",
  "go release.json",
  "html",
  "json schema",
  "json card",
]);

let work;
let client;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "cloister-samples-"));
  client = await load();
});
after(() => {
  client?.terminate();
  rmSync(work, { recursive: true, force: true });
});

test("every sample has a treatment", () => {
  for (const { file, language, words, line } of samples)
    assert.ok(
      known.has([language, ...words].join(" ")),
      `${file}:${line}: nothing runs a sample of ${language || "no language"}`,
    );
});

test("a value that is not what is written is noticed", () => {
  for (const [got, written, holds] of [
    [1.9931, "1.993", true],
    [1.9937, "1.993", false],
    [2, "2", true],
    ["yes", '"yes"  a remark', true],
    [[0.7468, 0.774], "[0.747, 0.774]", true],
    [[0.7468, 0.775], "[0.747, 0.774]", false],
    [undefined, "1", false],
  ]) {
    assert.equal(agrees(got, written), holds, `${JSON.stringify(got)} and ${written}`);
  }
});

describe("JavaScript", () => {
  const AsyncFunction = (async () => {}).constructor;
  for (const file of files) {
    const blocks = samples.filter(
      (one) => one.file === file && one.language === "js" && one.words.length === 0,
    );
    if (blocks.length === 0) continue;
    // The blocks of a page are one program. What is taken in twice is named once.
    test(file, async () => {
      const named = new Set();
      const values = { load, ...(await import("cloister")) };
      let checked = 0;
      const check = (got, written, line) => {
        checked++;
        assert.ok(
          agrees(got, written),
          `${file}:${line}: ${JSON.stringify(got)} is not ${written}`,
        );
      };
      const program = blocks
        .flatMap(({ content, line }) =>
          content.split("\n").map((text, i) => {
            const taken = /^import \{ (.*) \} from "cloister";$/.exec(text);
            if (taken) {
              const names = taken[1].split(", ").filter((name) => !named.has(name));
              for (const name of names) {
                assert.ok(name in values, `${file}:${line + i}: the package has no ${name}`);
                named.add(name);
              }
              return names.length > 0 ? `const { ${names.join(", ")} } = cloister;` : "";
            }
            const value = /^(\s*)(.+);\s*\/\/=>\s*(.+)$/.exec(text);
            return value
              ? `${value[1]}check(${value[2]}, ${JSON.stringify(value[3])}, ${line + i});`
              : text;
          }),
        )
        .join("\n");
      await new AsyncFunction("cloister", "check", program)(values, check);
      assert.equal(
        checked,
        blocks.reduce((sum, { content }) => sum + content.split("//=>").length - 1, 0),
      );
    });
  }
});

const ofKind = (kind) =>
  samples.filter(({ language, words }) => [language, ...words].join(" ") === kind);

test("schemas of cards", async () => {
  for (const { file, line, content } of ofKind("json card")) {
    const { caveats } = await client
      .planScorecard({ schema: content, adjacency: "add-remove", epsilon: 1 })
      .catch((error) => assert.fail(`${file}:${line}: ${error.message}`));
    assert.deepEqual(caveats, []);
  }
});

test("schemas", async () => {
  for (const { file, line, content } of ofKind("json schema")) {
    const { suggested } = await client
      .checkSchema(content)
      .catch((error) => assert.fail(`${file}:${line}: ${error.message}`));
    assert.deepEqual(suggested, []);
  }
});

/** What the commands find: a checkout's scripts, built, and somebody's files. */
function checkout() {
  const place = join(work, "checkout");
  mkdirSync(place);
  symlinkSync(join(top, "site"), join(place, "site"));
  const rows = (n, shift) =>
    Array.from(
      { length: n },
      (_, i) =>
        `${20 + ((i + shift) % 70)},${i % 3 ? "medicine" : "surgery"},${((i + shift) * 7919) % 100 < 20 + ((i + shift) % 70) ? "yes" : "no"}\n`,
    ).join("");
  writeFileSync(join(place, "patients.csv"), `age,ward,readmitted\n${rows(3000, 0)}`);
  writeFileSync(join(place, "held-out.csv"), `age,ward,readmitted\n${rows(800, 17)}`);
  writeFileSync(join(place, "levels.json"), ofKind("json card")[0].content);
  writeFileSync(
    join(place, "page.html"),
    '<privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"></privacy-curve>\n',
  );
  return place;
}

describe("commands", () => {
  const targets = new Set(
    [...readFileSync(join(top, "Makefile"), "utf8").matchAll(/^([a-z]+):/gm)].map(
      ([, name]) => name,
    ),
  );
  let place;
  before(() => {
    place = checkout();
    const programs = ["./scripts/fit", "./scripts/ledger"];
    execFileSync("go", ["build", "-o", `${work}/`, ...programs], { cwd: top });
  });
  for (const { file, line, content, words } of samples.filter(
    ({ language, words }) => language === "sh" && words.length === 0,
  )) {
    test(`${file}:${line}`, () => {
      let out = "";
      content.split("\n").forEach((text, i) => {
        if (text.startsWith("#=>")) {
          const got = JSON.parse(out);
          for (const [name, value] of parsePairs(text.slice(3)))
            assert.ok(
              agrees(got[name], value),
              `${file}:${line + i}: ${name} is ${got[name]}, not ${value}`,
            );
          return;
        }
        const command = text.replace(/(^|\s)#\s.*$/, "").trim();
        if (command === "") return;
        // What `make` makes is there, or this test would not run; that there is such a thing is
        // checked.
        const [, target] = /^make(?: ([a-z]+))?/.exec(command) ?? [];
        if (target)
          assert.ok(targets.has(target), `${file}:${line + i}: the Makefile has no ${target}`);
        else
          out = execFileSync(
            "bash",
            [
              "-c",
              command
                .replace(/^node scripts\//, `node ${top}scripts/`)
                .replace(/^npx cloister /, `node ${top}site/dist/cloister.mjs `)
                .replace(/^go run \.\/scripts\/(fit|ledger) /, `${work}/$1 `),
            ],
            { cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
          );
      });
      assert.equal(words.length, 0);
    });
  }
  test("have done what is said of them", () => {
    assert.equal(
      JSON.parse(readFileSync(join(place, "release.json"), "utf8")).format,
      "cloister-release",
    );
    assert.match(readFileSync(join(place, "page.html"), "utf8"), /<svg data-cloister/);
    assert.ok(readdirSync(place).some((name) => /^cloister-\d+\.\d+\.\d+\.tgz$/.test(name)));
  });
});

test("Go programs, in a workspace as the guide makes it", async () => {
  const place = join(work, "go");
  mkdirSync(place);
  symlinkSync(top, join(place, "cloister"));
  const run = (command, args, cwd) =>
    execFileSync(command, args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GOFLAGS: "", GOWORK: "" },
    });
  const [setUp] = samples.filter(
    ({ language, words }) => language === "sh" && words[0] === "workspace",
  );
  // A link is no folder of a workspace: its real place is.
  run("bash", ["-ec", setUp.content.replace(/\.\/cloister\b/, () => top)], place);
  const programs = samples.filter(
    ({ language, words }) => language === "go" && words[0] !== "model.go",
  );
  assert.ok(programs.length >= 3);
  programs.forEach(({ content }, i) => {
    mkdirSync(join(place, `example/program${i}`));
    writeFileSync(join(place, `example/program${i}/main.go`), content);
  });
  mkdirSync(join(place, "bin"));
  run("go", ["build", "-o", join(place, "bin"), "./..."], join(place, "example"));
  assert.equal(run("gofmt", ["-l", "."], join(place, "example")), "");

  const dataset = await client.openDataset("x,y\n1,a\n0,b\n", {
    version: 1,
    features: [{ name: "x", type: "numeric", min: 0, max: 1, provenance: "public" }],
    label: { name: "y", negative: ["a"], positive: ["b"], provenance: "public" },
    rows: { norm: "clip" },
    intercept: 0.5,
  });
  writeFileSync(
    join(place, "release.json"),
    (await client.fit(dataset, { adjacency: "add-remove", epsilon: 1, delta: 1e-5 })).text,
  );
  await dataset.close();

  programs.forEach(({ file, line, content, words }, i) => {
    const want = /\/\/ Output:\n((?:\t*\/\/ .*\n)+)/.exec(content)[1].replace(/^\t*\/\/ /gm, "");
    assert.equal(run(join(place, `bin/program${i}`), words, place), want, `${file}:${line}`);
  });
});
