// What npm would publish, put into a fresh project: used in Node, bundled with esbuild, opened in a browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { build as vite } from "vite";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open } from "../harness/browser.mjs";
import { settled } from "../harness/pages.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));
const question = `{ event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 2 }, delta: 1e-5 }`;
let project;

before(() => {
  project = mkdtempSync(join(tmpdir(), "cloister-package-"));
  execFileSync("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", project], { cwd: site, stdio: ["ignore", "ignore", "inherit"] });
  const [tarball] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(project, "package.json"), '{"name": "fresh", "private": true, "type": "module"}');
  // All that it needs is bundled: nothing else is fetched.
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", `./${tarball}`], { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
});
after(() => rmSync(project, { recursive: true, force: true }));

test("installed, it comes alone, and what it exports imports no other package", async () => {
  const modules = join(project, "node_modules");
  assert.deepEqual(readdirSync(modules).filter((name) => !name.startsWith(".")), ["cloister"]);
  const { exports } = JSON.parse(readFileSync(join(modules, "cloister/package.json"), "utf8"));
  const scripts = Object.values(exports).flatMap((one) => (typeof one === "string" ? [one] : [one.default, one.node?.default])).filter((file) => /\.m?js$/.test(file));
  assert.ok(scripts.length >= 8);
  const { metafile } = await esbuild.build({ absWorkingDir: join(modules, "cloister"), entryPoints: scripts, bundle: true, format: "esm", outdir: "seen", write: false, metafile: true, packages: "external", external: ["*.wasm"], logLevel: "error" });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  assert.deepEqual([...new Set(imported)].filter((path) => !/^(node:|\.)/.test(path)), []);
});

test("in Node", () => {
  writeFileSync(
    join(project, "use.mjs"),
    `import { load } from "cloister";
    const client = await load({ wasmURL: new URL(import.meta.resolve("cloister/curves.wasm")) });
    console.log((await client.account(${question})).epsilon);
    client.terminate();`,
  );
  assert.ok(Math.abs(Number(execFileSync("node", ["use.mjs"], { cwd: project, encoding: "utf8" })) - 1.9930914044) < 1e-9);
});

test("in TypeScript, by either way to find modules", () => {
  // In Node it knows files on disk, for browsers it knows the seal.
  for (const [resolution, module, own] of [["nodenext", "nodenext", "fileSource"], ["bundler", "esnext", "seal"]]) {
    const use = (field) => `import { load, ${own}, type Release } from "cloister";
      const client = await load();
      const { epsilon } = await client.account(${question.replace("sensitivity", field)});
      export const found: [number | undefined, Release["format"] | undefined] = [epsilon, undefined];
      import { PrivacyCurve } from "cloister/elements";
      import { PrivateFitDemo } from "cloister/fit-demo";
      import { MyPrivacy } from "cloister/my-privacy";
      export const shown: (number | undefined)[] = [...(document.querySelector("privacy-curve")?.epsilons ?? [])];
      export const versions: string[] = [PrivacyCurve.version, PrivateFitDemo.version, String(MyPrivacy)];
      export const own = ${own};`;
    const check = () => execFileSync("node", [join(site, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--module", module, "--moduleResolution", resolution, "--target", "es2022", "--lib", "es2023,dom", "use.ts"], { cwd: project, encoding: "utf8", stdio: "pipe" });
    writeFileSync(join(project, "use.ts"), use("sensitivity"));
    try {
      check();
    } catch (error) {
      assert.fail(`${resolution}: ${error.stdout}`);
    }
    writeFileSync(join(project, "use.ts"), use("sensitivty"));
    assert.throws(check, ({ stdout }) => /sensitivty/.test(stdout));
  }
});

/** Opens a bundle, and sees the answer and the element come. */
async function works(out) {
  const server = await serve({ root: out });
  const browser = await launch();
  try {
    const { page, quiet, close } = await open(browser);
    await page.goto(server.url);
    await page.waitForFunction(() => window.answer !== undefined);
    assert.ok(Math.abs((await page.evaluate(() => window.answer)) - 1.9930914044) < 1e-9);
    await page.waitForFunction(() => customElements.get("privacy-curve"));
    await settled(page);
    quiet();
    await close();
  } finally {
    await browser.close();
    await server.close();
  }
}

const program = (curves) => `import { load } from "cloister";
  import "cloister/elements";
  import curves from "${curves}";
  document.querySelector("privacy-curve").setAttribute("wasm", curves);
  const client = await load({ wasmURL: new URL(curves, document.baseURI) });
  window.answer = (await client.account(${question})).epsilon;`;
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fresh</title><link rel="icon" href="data:,"></head>
  <body><privacy-curve mechanism="gaussian" adjacency="add-remove" sensitivity="1" sigma="2"></privacy-curve><script type="module" src="main.js"></script></body></html>`;

test("bundled with esbuild, elements and promise API on one page", async () => {
  const out = join(project, "out");
  writeFileSync(join(project, "main.js"), program("cloister/curves.wasm"));
  await esbuild.build({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, format: "esm", target: "es2022", outdir: out, loader: { ".wasm": "file" }, logLevel: "error" });
  writeFileSync(join(out, "index.html"), html);
  await works(out);
});

test("bundled with Vite, the same page", async () => {
  const root = join(project, "vite");
  mkdirSync(root);
  writeFileSync(join(root, "main.js"), program("cloister/curves.wasm?url"));
  writeFileSync(join(root, "index.html"), html);
  // The binaries that `load` would take by itself are left where they are: this page names its own.
  await vite({ root, configFile: false, logLevel: "error", build: { outDir: "out", target: "es2022", minify: false, reportCompressedSize: false, chunkSizeWarningLimit: Infinity } });
  await works(join(root, "out"));
});
