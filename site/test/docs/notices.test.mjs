// That every work of others which is handed out is named, with its licence.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { modulesOf, notices, packagesOf, programs } from "../../notices.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(join(site, "dist/notices.txt"), "utf8");
const squeezed = (words) => words.replace(/\s+/g, " ");
const said = squeezed(text);

/** What every script that is built reads, bundled once more. */
async function bundled() {
  const pages = readdirSync(join(site, "src/pages"))
    .map((name) => `pages/${name}/main`)
    .filter((path) => existsSync(join(site, "src", `${path}.ts`)));
  const inBrowsers = [
    ...pages,
    "client/index",
    "client/worker",
    "elements/index",
    "elements/define-fit-demo",
    "elements/my-privacy/define",
    "pages/shell/offline/service-worker",
  ];
  const inNode = ["client/node", "elements/prerender", "pages/explorer/picture"];
  const made = [
    ["browser", inBrowsers],
    ["node", inNode],
  ].map(([platform, entries]) =>
    esbuild.build({
      absWorkingDir: site,
      entryPoints: entries.map((path) => `src/${path}.ts`),
      bundle: true,
      write: false,
      metafile: true,
      outdir: "seen",
      format: "esm",
      platform,
      external: ["cloister:*", "node:*"],
      logLevel: "error",
    }),
  );
  return (await Promise.all(made)).flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

test("every package that a script holds is named, with its version and its licence", async () => {
  const packages = packagesOf(await bundled(), site);
  assert.ok(packages.size >= 5, [...packages.keys()].join(", "));
  for (const name of ["lit", "lit-html", "d3-array", "d3-format"])
    assert.ok(packages.has(name), name);
  for (const [name, folder] of packages) {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    assert.ok(text.includes(`\n  ${name} ${version}\n`), name);
    assert.ok(said.includes(squeezed(readFileSync(join(folder, "LICENSE"), "utf8")).trim()), name);
  }
});

test("every module that a binary holds is named, and so is Go", () => {
  const root = join(site, "..");
  const modules = modulesOf(root);
  const names = modules.map(({ name }) => name);
  assert.ok(
    names.includes("gonum.org/v1/gonum") && names.includes("github.com/hack-pad/go-indexeddb"),
    names.join(", "),
  );
  for (const { name, version, folder } of modules) {
    assert.ok(text.includes(`\n  ${name} ${version}\n`), name);
    assert.ok(said.includes(squeezed(readFileSync(join(folder, "LICENSE"), "utf8")).trim()), name);
  }
  assert.ok(
    text.includes(
      `\n  Go: standard library, runtime and wasm_exec.js ${execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim()}\n`,
    ),
  );
  assert.match(text, /Copyright 2009 The Go Authors/);
  assert.match(text, /Moshier/, "what gonum has from others: Cephes");
  // The programs are those that the Makefile compiles.
  const made = /^PROGRAMS := (.*)$/m
    .exec(readFileSync(join(root, "Makefile"), "utf8"))[1]
    .split(" ");
  assert.deepEqual(programs, made);
});

test("a package is known by its folder, also inside another's, and without a licence it is refused", (t) => {
  const inputs = [
    "src/a.ts",
    "node_modules/lit/html.js",
    "node_modules/@lit/reactive-element/x.js",
    "node_modules/a/node_modules/@b/c/d.js",
  ];
  assert.deepEqual(Object.fromEntries(packagesOf(inputs, "/s")), {
    lit: "/s/node_modules/lit",
    "@lit/reactive-element": "/s/node_modules/@lit/reactive-element",
    "@b/c": "/s/node_modules/a/node_modules/@b/c",
  });
  const folder = mkdtempSync(join(tmpdir(), "notices-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "site/node_modules/bare"), { recursive: true });
  writeFileSync(
    join(folder, "site/node_modules/bare/package.json"),
    JSON.stringify({ version: "1.0.0" }),
  );
  for (const name of ["go.mod", "go.sum"])
    writeFileSync(join(folder, name), readFileSync(join(site, "..", name)));
  for (const name of programs) {
    mkdirSync(join(folder, "wasm", name), { recursive: true });
    writeFileSync(join(folder, "wasm", name, "main.go"), "package main\n\nfunc main() {}\n");
  }
  assert.throws(
    () => notices(["node_modules/bare/x.js"], join(folder, "site")),
    /bare has no licence/,
  );
  assert.ok(
    !notices([], join(folder, "site")).includes("gonum"),
    "of what is linked, not of what could be",
  );
});
