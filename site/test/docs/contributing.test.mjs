// The examples of docs/contributing.md: each block of code is put where it says, in a copy of the
// tree, which is then compiled, and in Go tested by what holds for all methods and events.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { checkPageImports } from "../../../scripts/check/imports.mjs";
import { fences } from "../../docs/build/markdown.mjs";
import { whole } from "../../pages.mjs";

const top = fileURLToPath(new URL("../../../", import.meta.url));
const text = readFileSync(join(top, "site/docs/contributing.md"), "utf8");

/** Each block with its place: a new file, or before or after the place-th line that fits. */
const blocks = fences(text)
  .map(({ words, content, line }) => {
    const given = Object.fromEntries(
      words.map((word) => [word.split("=")[0], word.slice(word.indexOf("=") + 1)]),
    );
    return { ...given, place: Number(given.place ?? 1), content, line };
  })
  .filter(({ file }) => file !== undefined);

/** A text with a block in it, or an error that names the block whose place is gone. */
function placed(source, { file, before, after, place, content, line }) {
  const lines = source.split("\n");
  const pattern = new RegExp(before ?? after);
  const fits = lines.flatMap((one, i) => (pattern.test(one) ? [i] : []));
  assert.ok(
    fits.length >= place,
    `contributing.md:${line}: ${file} has no line ${place} like ${pattern}`,
  );
  lines.splice(fits[place - 1] + (after ? 1 : 0), 0, content.replace(/\n$/, ""));
  return lines.join("\n");
}

let copy;
before(() => {
  copy = mkdtempSync(join(tmpdir(), "cloister-contributing-"));
  const left = /node_modules|(^|\/)site\/(dist|test)(\/|$)/;
  for (const part of ["go.mod", "go.sum", "core", "wasm", "scripts", "site"]) {
    cpSync(join(top, part), join(copy, part), {
      recursive: true,
      filter: (path) => !left.test(path.slice(top.length)),
    });
  }
  symlinkSync(join(top, "site/node_modules"), join(copy, "site/node_modules"));
  for (const block of blocks) {
    const path = join(copy, block.file);
    const added = block.before ?? block.after;
    if (added === undefined) {
      assert.ok(!existsSync(path), `contributing.md:${block.line}: ${block.file} is there already`);
      mkdirSync(dirname(path), { recursive: true });
    }
    writeFileSync(
      path,
      added === undefined ? block.content : placed(readFileSync(path, "utf8"), block),
    );
  }
});
after(() => rmSync(copy, { recursive: true, force: true }));

/** What a program prints, in the copy; an error with all of it if it fails. */
function run(program, ...args) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: copy, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

test("there are an event, a learner, an element and a page", () => {
  const made = blocks.filter(({ before, after }) => !before && !after).map(({ file }) => file);
  for (const folder of ["core/privacy/", "core/learn/", "site/src/elements/", "site/src/pages/"]) {
    assert.ok(
      made.some((file) => file.startsWith(folder)),
      `nothing new in ${folder}`,
    );
  }
  assert.ok(blocks.length >= 20);
});

test("a block whose place is gone is noticed", () => {
  const block = { file: "a.go", before: "nowhere", place: 1, content: "x\n", line: 7 };
  assert.throws(() => placed("a\nb\n", block), /contributing\.md:7: a\.go has no line 1 like/);
  assert.equal(
    placed("a\nb\na\n", { ...block, before: undefined, after: "a", place: 2 }),
    "a\nb\na\nx\n",
  );
});

test("in Go the event and the learner pass what is asked of all", async () => {
  const files = blocks.map(({ file }) => file).filter((file) => file.endsWith(".go"));
  assert.equal(await run("gofmt", "-l", ...new Set(files)), "");
  await run("go", "build", "-trimpath", "./core/...", "./wasm/api/...", "./wasm/wire");
  const asked = [
    ["Event", "./core/privacy"],
    ["EveryEvent", "./core/account", "./core/account/calibrate", "./core/learn", "./wasm/wire"],
    ["EveryMethodDoesWhatTheTableSays|EachMethodHasWords", "./core/learn/methods"],
  ];
  for (const [name, ...packages] of asked) {
    const said = await run("go", "test", "-trimpath", "-v", "-run", name, ...packages);
    assert.match(said, /^=== RUN /m, `no test is called ${name}`);
  }
});

test("in TypeScript all of it compiles, and each folder imports what it may", async () => {
  await run("go", "run", "-trimpath", "./scripts/wire");
  const types = readFileSync(join(copy, "site/src/client/wire/event.ts"), "utf8");
  assert.match(types, /"noisy-sum"/);
  await run("node", "site/node_modules/typescript/bin/tsc", "--noEmit", "-p", "site");
  // The table of the copy is the one with the page's row.
  const { checkPageImports: checkCopy } = await import(join(copy, "scripts/check/imports.mjs"));
  assert.deepEqual(checkCopy(copy), []);
  assert.ok(
    checkPageImports(copy).some((one) => one.includes("pages/spending")),
    "the row is needed",
  );
});

test("the element and the page are bundled", async () => {
  const place = {
    setup: (build) =>
      build.onResolve({ filter: /^cloister:/ }, ({ path }) => ({ path, external: true })),
    name: "inlined",
  };
  const { outputFiles } = await esbuild.build({
    absWorkingDir: join(copy, "site"),
    entryPoints: ["src/elements/index.ts", "src/pages/spending/main.ts"],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    outdir: "out",
    plugins: [place],
    external: ["node:*"],
    logLevel: "silent",
  });
  assert.ok(outputFiles.some(({ text }) => text.includes('define("epsilon-sentence"')));
  const html = whole(
    readFileSync(join(copy, "site/src/pages/spending/index.html"), "utf8"),
    "spending.html",
  );
  assert.doesNotMatch(html, /<!-- (look|header|opening) -->/);
  const { pages } = await import(join(copy, "site/pages.mjs"));
  assert.ok(pages.some(({ path }) => path === "spending.html"));
  await run("node", "--check", "site/build.mjs");
});
