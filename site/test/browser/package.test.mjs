// What npm would publish, put into a fresh project: used in Node, bundled with esbuild, opened in a
// browser.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { build as vite } from "vite";
import { serve } from "../../../scripts/serve.mjs";
import { launch, open } from "../harness/browser.mjs";
import { csv } from "../client/sample.mjs";
import { test } from "../harness/limited.mjs";
import { settled } from "../harness/pages.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));
const question = `{ event: { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma: 2 }, delta: 1e-5 }`;
let project;

before(() => {
  project = mkdtempSync(join(tmpdir(), "cloister-package-"));
  execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", project],
    { cwd: site, stdio: ["ignore", "ignore", "inherit"] },
  );
  const [tarball] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  writeFileSync(
    join(project, "package.json"),
    '{"name": "fresh", "private": true, "type": "module"}',
  );
  // All that it needs is bundled: nothing else is fetched.
  execFileSync(
    "npm",
    ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", `./${tarball}`],
    { cwd: project, stdio: ["ignore", "ignore", "inherit"] },
  );
});
after(() => rmSync(project, { recursive: true, force: true }));

test("installed, it comes alone, and what it exports imports no other package", async () => {
  const modules = join(project, "node_modules");
  assert.deepEqual(
    readdirSync(modules).filter((name) => !name.startsWith(".")),
    ["cloister"],
  );
  const { exports } = JSON.parse(readFileSync(join(modules, "cloister/package.json"), "utf8"));
  const scripts = Object.values(exports)
    .flatMap((one) => (typeof one === "string" ? [one] : [one.default, one.node?.default]))
    .filter((file) => /\.m?js$/.test(file));
  assert.ok(scripts.length >= 8);
  const { metafile } = await esbuild.build({
    absWorkingDir: join(modules, "cloister"),
    entryPoints: scripts,
    bundle: true,
    format: "esm",
    outdir: "seen",
    write: false,
    metafile: true,
    packages: "external",
    external: ["*.wasm"],
    logLevel: "error",
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.map(({ path }) => path),
  );
  assert.deepEqual(
    [...new Set(imported)].filter((path) => !/^(node:|\.|dist\/)/.test(path)),
    [],
  );
});

test("with it comes its licence", () => {
  const installed = join(project, "node_modules/cloister");
  assert.equal(
    JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).license,
    "Apache-2.0",
  );
  assert.equal(
    readFileSync(join(installed, "LICENSE"), "utf8"),
    readFileSync(join(site, "LICENSE"), "utf8"),
  );
});

test("with it come the notices of the works that it holds parts of", () => {
  const text = readFileSync(join(project, "node_modules/cloister/dist/notices.txt"), "utf8");
  assert.equal(text, readFileSync(join(site, "dist/notices.txt"), "utf8"));
  for (const name of ["Go: standard library", "gonum.org/v1/gonum", "lit-html", "d3-array"])
    assert.ok(text.includes(`\n  ${name}`), name);
});

test("in Node", () => {
  writeFileSync(
    join(project, "use.mjs"),
    `import { load } from "cloister";
    const client = await load({ wasmURL: new URL(import.meta.resolve("cloister/curves.wasm")) });
    console.log((await client.account(${question})).epsilon);
    client.terminate();`,
  );
  assert.ok(
    Math.abs(
      Number(execFileSync("node", ["use.mjs"], { cwd: project, encoding: "utf8" })) - 1.9930914044,
    ) < 1e-9,
  );
});

/** What the installed command does in the fresh project: its exit code, what it printed where. */
function cloister(...args) {
  const bin = join(project, "node_modules/.bin/cloister");
  const { status, stdout, stderr } = spawnSync(bin, args, {
    cwd: project,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

test("from a terminal, its command suggests a schema, fits, and checks the release", () => {
  writeFileSync(join(project, "patients.csv"), csv(200));
  const data = ["--data", "patients.csv"];
  const suggested = cloister("fit", ...data, "--suggest-schema", "--label", "sick");
  assert.equal(suggested.code, 0, suggested.stderr);
  writeFileSync(join(project, "schema.json"), suggested.stdout);

  const budget = ["--epsilon", "2", "--delta", "1e-5"];
  const fitted = cloister(
    "fit",
    ...data,
    "--schema",
    "schema.json",
    ...budget,
    "--look",
    "all",
    "--json",
  );
  assert.equal(fitted.code, 0, fitted.stderr);
  assert.equal(JSON.parse(fitted.stdout).format, "cloister-release");
  assert.match(fitted.stderr, /records used {7}200\n/, "what is private is on the other stream");
  writeFileSync(join(project, "release.json"), fitted.stdout);

  const ask = ["--offline", "cloister", "account", "--file", "release.json"];
  const checked = execFileSync("npx", ask, { cwd: project, encoding: "utf8" });
  assert.equal(JSON.parse(checked).holds, true);
});

test("the command's help names it as it was called, and what it does not know is refused", () => {
  for (const name of ["fit", "regress", "account"]) {
    const { code, stdout } = cloister(name, "--help");
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`Usage: npx cloister ${name} `), stdout.split("\n")[0]);
    assert.doesNotMatch(stdout, /scripts\//);
    assert.match(cloister("--help").stdout, new RegExp(`^ {2}${name} `, "m"));
  }
  const { version } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
  assert.deepEqual(cloister("--version"), {
    code: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
  for (const [args, says] of [
    [[], /Say what to do/],
    [["guess"], /no command "guess"/],
    [["toString"], /no command/],
    [["fit"], /--data is missing/],
  ]) {
    const { code, stdout, stderr } = cloister(...args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, says);
  }
});

test("in TypeScript, by either way to find modules", () => {
  // In Node it knows files on disk, for browsers it knows the seal.
  for (const [resolution, module, own] of [
    ["nodenext", "nodenext", "fileSource"],
    ["bundler", "esnext", "seal"],
  ]) {
    const use = (
      field,
    ) => `import { load, loadAccountant, fitMethods, ${own}, type Accountant, type Laboratory, type Release } from "cloister";
      const accountant: Accountant = await loadAccountant();
      // @ts-expect-error an accountant fits nothing
      export const fit = accountant.fit;
      export const laboratory: Laboratory | undefined = undefined;
      export const title: string = fitMethods.amp.title;
      const client = await load();
      const { epsilon } = await client.account(${question.replace("sensitivity", field)});
      export const found: [number | undefined, Release["format"] | undefined] = [epsilon, undefined];
      import { PrivacyCurve } from "cloister/elements";
      import { PrivateFitDemo, PrivateScorecardDemo } from "cloister/fit-demo";
      import { MyPrivacy } from "cloister/my-privacy";
      export const shown: (number | undefined)[] = [...(document.querySelector("privacy-curve")?.epsilons ?? [])];
      export const versions: string[] = [PrivacyCurve.version, PrivateFitDemo.version, PrivateScorecardDemo.version, String(MyPrivacy)];
      export const own = ${own};
      import { load as loadCore } from "cloister/core";
      import { loadAccountant as loadSmall } from "cloister/accountant";
      import { loadLaboratory } from "cloister/laboratory";
      import { loadReader, myPrivacy } from "cloister/reader";
      export const loads = [loadCore, loadSmall, loadLaboratory, loadReader, myPrivacy] as const;
      import wasm from "cloister/curves.wasm";
      export const place: string = wasm;
      // @ts-expect-error a binary is a place, not its bytes
      export const bytes: Uint8Array = wasm;`;
    const check = () =>
      execFileSync(
        "node",
        [
          join(site, "node_modules/typescript/bin/tsc"),
          "--noEmit",
          "--strict",
          "--module",
          module,
          "--moduleResolution",
          resolution,
          "--target",
          "es2022",
          "--lib",
          "es2023,dom",
          "use.ts",
        ],
        { cwd: project, encoding: "utf8", stdio: "pipe" },
      );
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
  await esbuild.build({
    absWorkingDir: project,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    target: "es2022",
    outdir: out,
    loader: { ".wasm": "file" },
    logLevel: "error",
  });
  writeFileSync(join(out, "index.html"), html);
  await works(out);
});

/** Has Vite bundle the page in a folder, into "out" beside it. */
const bundled = (root) =>
  vite({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: "out",
      target: "es2022",
      minify: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: Infinity,
    },
  });

test("bundled with Vite, the same page", async () => {
  const root = join(project, "vite");
  mkdirSync(root);
  writeFileSync(join(root, "main.js"), program("cloister/curves.wasm?url"));
  writeFileSync(join(root, "index.html"), html);
  // The binaries that `load` would take by itself are left where they are: this page names its own.
  await bundled(root);
  await works(join(root, "out"));
});

/** What Vite writes for a page that loads by one of the entries: binaries, by what they are. */
async function emitted(entry, name) {
  const root = join(project, `one-${entry}`);
  mkdirSync(root);
  writeFileSync(
    join(root, "main.js"),
    `import { ${name} } from "cloister/${entry}"; window.client = await ${name}();`,
  );
  writeFileSync(join(root, "index.html"), html);
  await bundled(root);
  return readdirSync(join(root, "out/assets"))
    .filter((file) => file.endsWith(".wasm"))
    .map((file) => file.replace(/-.*/, ""));
}

test("a bundler that uses one way to load emits one binary, and that one loads", async () => {
  assert.deepEqual(await emitted("core", "load"), ["cloister"]);
  assert.deepEqual(await emitted("reader", "loadReader"), ["reader"]);
  assert.deepEqual(await emitted("laboratory", "loadLaboratory"), ["laboratory"]);
  assert.deepEqual(await emitted("accountant", "loadAccountant"), ["curves"]);
  const server = await serve({ root: join(project, "one-accountant/out") });
  const browser = await launch();
  try {
    const { page, close } = await open(browser);
    await page.goto(server.url);
    await page.waitForFunction(() => window.client !== undefined);
    const epsilon = await page.evaluate(
      `window.client.account(${question}).then((a) => a.epsilon)`,
    );
    assert.ok(Math.abs(epsilon - 1.9930914044) < 1e-9);
    await close();
  } finally {
    await browser.close();
    await server.close();
  }
});

test("what is installed is what is exported, and no page of the site", () => {
  const dist = join(project, "node_modules/cloister/dist");
  const names = readdirSync(dist);
  for (const page of ["index.html", "studio.js", "docs", "sw.js", "explorer.js"])
    assert.ok(!names.includes(page), page);
  const { exports } = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8"));
  const files = JSON.stringify(exports).match(/\.\/dist\/[^"]+/g);
  for (const file of files) assert.ok(existsSync(join(dist, "..", file)), file);
});
