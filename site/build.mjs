// Bundles the site into site/dist:
//
//   src/client/index.ts   → client.js         the package, for browsers (ES module)
//   src/client/node.ts    → client.node.mjs   the package, for Node (index.ts where there is no node.ts)
//   src/studio/main.ts    → studio.js         the page
//   src/publish/index.ts  → publish.js        what it writes models out with, fetched beside the core
//   src/buying/index.ts   → buying.js         what it buys bounds and categories with, likewise
//   src/expectation/index.ts → expectation.js what it tries out beforehand what privacy costs with, likewise
//   src/afterwards/index.ts → afterwards.js    what can be done with a model once it is fitted, likewise
//   src/studio/studio.css → studio.css
//   src/verifier/main.ts  → verify.js         the page that checks a release
//   src/verifier/verify.css → verify.css
//   src/explorer/main.ts  → explorer.js       the page that compares privacy curves, on curves.wasm
//   src/explorer/explorer.css → explorer.css
//   src/explorer/index.html → explorer.html, with a picture in it for readers without scripts
//   src/reader/main.ts     → reader.js        the page of who reads a privacy report, my-privacy.html, beside reader.wasm
//   src/reader/reader.css  → reader.css
//   src/studio/index.html, src/studio/static/*, src/verifier/index.html (as verify.html), src/reader/index.html (as my-privacy.html) → copied, with what pages.mjs has for all of them
//   src/docs/main.ts      → docs/docs.js      the theme of the documentation, which needs no script otherwise
//   src/docs/docs.css     → docs/docs.css
//   docs/*.md             → docs/*.html       the documentation, by docs/build; needs curves.wasm and prerender.node.mjs for its pictures
//   src/elements/index.ts → elements.js          the elements, for pages of others: a module beside curves.wasm
//                         → elements.classic.js  the same as a classic script with curves.wasm inside, for file:// and hosts that serve scripts alone
//   src/elements/define-fit-demo.ts → fit-demo.js  <private-fit-demo>, beside fit-demo.wasm, and fit-demo.classic.js with it inside
//   src/my-privacy/define.ts → my-privacy.js     <my-privacy>, likewise, beside reader.wasm, and my-privacy.classic.js with it inside
//   src/elements/prerender.ts → prerender.node.mjs  draws their pictures for readers without scripts, for scripts/prerender.mjs
//   src/client/*.ts       → types/client/*.d.ts  the package's declarations
//   src/elements/declared/*.d.ts → types/        the same of the elements
//                           integrity.json       hashes of these, for integrity="…"
//   src/studio/offline/service-worker.ts       → sw.js, which knows the files above by their hashes, so it comes last
//   test/**/*.test.ts     → ../build/test     tests of pure functions, for node --test
//
// The WebAssembly binaries are put beside them by the Makefile. `node build.mjs --watch` rebuilds when a file changes.

import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { build as buildDocs } from "./docs/build/index.mjs";
import { whole } from "./pages.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const dist = join(here, "dist");
const source = (...parts) => join(here, "src", ...parts);
const watching = process.argv.includes("--watch");

const explorerPicture = join(here, "../build/explorer-picture.mjs");
const glue = join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js");

const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const curves = join(dist, "curves.wasm");
const fitDemo = join(dist, "fit-demo.wasm");
const reader = join(dist, "reader.wasm");

/** Go's glue without what nothing here uses: a file system (go-output.ts has what there is of one), functions that are always there, and hooks of Go's own tests. */
function lean(text) {
  const parts = [
    /^\tif \(!globalThis\.fs\) \{\n[^]*?^\t\}\n/m,
    /^\tconst enosys = [^]*?^\t\};\n/m,
    /^\s*\w+\(\) \{ (return -1|throw enosys\(\)); \},\n/gm,
    /^\tif \(!globalThis\.\w+\) \{\n\t\tthrow [^\n]*\n\t\}\n/gm,
    /^\t{3}const testCallExport = [^]*?^\t{3}\}\n/m,
    /^\t{4}_gotest: \{[^]*?^\t{4}\},\n/m,
    /^\t+"debug": [^]*?^\t+\},\n/m,
  ];
  return parts.reduce((rest, part) => {
    if (rest.search(part) < 0) throw new Error(`Go's glue has nothing like ${part}`);
    return rest.replace(part, "");
  }, text);
}

/** Resolves the modules that inlined.d.ts declares. */
const inlined = {
  name: "inlined",
  setup(build) {
    const classic = build.initialOptions.format === "iife";
    for (const [name, file] of [["curves", curves], ["fit-demo", fitDemo], ["reader", reader]]) {
      build.onResolve({ filter: new RegExp(`^cloister:${name}$`) }, () => ({ path: name, namespace: "inlined" }));
      build.onLoad({ filter: new RegExp(`^${name}$`), namespace: "inlined" }, () => ({
        contents: classic && existsSync(file) ? gzipSync(readFileSync(file), { level: 9 }).toString("base64") : "",
        loader: "text",
      }));
    }
    build.onResolve({ filter: /^cloister:glue$/ }, () => ({ path: glue, sideEffects: true }));
    build.onLoad({ filter: /wasm_exec\.js$/ }, () => ({ contents: lean(readFileSync(glue, "utf8")) }));
    build.onResolve({ filter: /^cloister:worker$/ }, () => ({ path: "worker", namespace: "inlined" }));
    build.onLoad({ filter: /^worker$/, namespace: "inlined" }, async () => {
      const result = await esbuild.build({
        ...common,
        entryPoints: [source("client/worker.ts")],
        format: "iife",
        external: ["node:*"],
        write: false,
        metafile: true,
      });
      return {
        contents: result.outputFiles[0].text,
        loader: "text",
        watchFiles: Object.keys(result.metafile.inputs).map((path) => join(here, path)),
      };
    });
  },
};

/** For a page without custom elements: lit's templates alone, without what custom elements are made of (2.5 kB). */
const templates = {
  name: "templates",
  setup(build) {
    build.onResolve({ filter: /^lit$/ }, ({ resolveDir, kind }) => build.resolve("lit/html.js", { resolveDir, kind }));
  },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ["es2022"],
  platform: "browser",
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
  plugins: [inlined],
};

/** What the studio's own page asks of no client, and is spared: experiments. Who begins to call them there takes them off this list. */
const unused = {
  name: "unused",
  setup(build) {
    build.onLoad({ filter: /client\/experiment\.ts$/ }, () => ({ contents: 'export function runExperiment() { throw new Error("This page has no experiments."); }' }));
  },
};

const node = { platform: "node", target: ["node20"] };

/** The elements know which binary they belong to, and take no other. */
const forElements = {
  CLOISTER_VERSION: JSON.stringify(version),
  CLOISTER_CURVES_INTEGRITY: JSON.stringify(existsSync(curves) ? integrity(curves) : ""),
  CLOISTER_FIT_DEMO_INTEGRITY: JSON.stringify(existsSync(fitDemo) ? integrity(fitDemo) : ""),
  CLOISTER_READER_INTEGRITY: JSON.stringify(existsSync(reader) ? integrity(reader) : ""),
};

function integrity(file) {
  return `sha384-${createHash("sha384").update(readFileSync(file)).digest("base64")}`;
}

function bundles() {
  const list = [];
  const add = (from, to, options = {}) => {
    if (existsSync(from)) list.push({ ...common, entryPoints: [from], outfile: to, ...options });
  };
  add(source("client/index.ts"), join(dist, "client.js"));
  add([source("client/node.ts"), source("client/index.ts")].find(existsSync) ?? "", join(dist, "client.node.mjs"), node);
  add(source("studio/main.ts"), join(dist, "studio.js"), { plugins: [inlined, unused] });
  add(source("publish/index.ts"), join(dist, "publish.js"));
  add(source("buying/index.ts"), join(dist, "buying.js"));
  add(source("expectation/index.ts"), join(dist, "expectation.js"));
  add(source("afterwards/index.ts"), join(dist, "afterwards.js"));
  add(source("studio/studio.css"), join(dist, "studio.css"));
  add(source("verifier/main.ts"), join(dist, "verify.js"));
  add(source("verifier/verify.css"), join(dist, "verify.css"));
  add(source("reader/main.ts"), join(dist, "reader.js"), { define: forElements });
  add(source("reader/reader.css"), join(dist, "reader.css"));
  for (const [entry, name] of [["elements/index.ts", "elements"], ["elements/define-fit-demo.ts", "fit-demo"], ["my-privacy/define.ts", "my-privacy"]]) {
    add(source(entry), join(dist, `${name}.js`), { define: forElements });
    // A classic script has no import.meta, and with the binary inside needs none.
    add(source(entry), join(dist, `${name}.classic.js`), { format: "iife", define: { ...forElements, "import.meta.url": "location.href" } });
  }
  add(source("explorer/main.ts"), join(dist, "explorer.js"), { define: forElements, plugins: [inlined, templates] });
  add(source("explorer/explorer.css"), join(dist, "explorer.css"));
  add(source("explorer/picture.ts"), explorerPicture, { ...node, define: forElements });
  add(source("docs/main.ts"), join(dist, "docs/docs.js"));
  add(source("docs/docs.css"), join(dist, "docs/docs.css"));
  add(source("elements/prerender.ts"), join(dist, "prerender.node.mjs"), node);
  const tests = typescriptTests(join(here, "test"));
  if (tests.length > 0) {
    list.push({
      ...common,
      ...node,
      entryPoints: tests,
      outdir: join(here, "../build/test"),
      outbase: join(here, "test"),
      outExtension: { ".js": ".mjs" },
      minify: false,
      sourcemap: "inline",
      packages: "bundle",
    });
  }
  return list;
}

function typescriptTests(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

function copyStatic() {
  for (const [from, to] of [["studio", "index.html"], ["verifier", "verify.html"], ["reader", "my-privacy.html"]]) {
    const page = source(from, "index.html");
    if (existsSync(page)) writeFileSync(join(dist, to), whole(readFileSync(page, "utf8"), to));
  }
  const folder = source("studio/static");
  if (existsSync(folder)) cpSync(folder, dist, { recursive: true });
}

/** The pages' own files, which the service worker keeps. */
const keptFiles = ["index.html", "theme.js", "studio.css", "studio.js", "publish.js", "buying.js", "expectation.js", "afterwards.js", "cloister.wasm", "verify.html", "verify.css", "verify.js", "explorer.html", "explorer.css", "explorer.js", "curves.wasm", "elements.js", "my-privacy.html", "reader.css", "reader.js", "reader.wasm"];
/** What a page of others names with integrity="…". */
function integrityTable() {
  const names = ["elements.js", "elements.classic.js", "curves.wasm", "fit-demo.js", "fit-demo.classic.js", "fit-demo.wasm", "my-privacy.js", "my-privacy.classic.js", "reader.wasm", "cloister.wasm"].filter((name) => existsSync(join(dist, name)));
  const table = { version, files: Object.fromEntries(names.map((name) => [name, integrity(join(dist, name))])) };
  writeFileSync(join(dist, "integrity.json"), `${JSON.stringify(table, null, 2)}\n`);
}


/** The explorer's page with its first picture, drawn by the page's own code; without one where there is no binary yet. */
async function explorerPage() {
  let page = whole(readFileSync(source("explorer/index.html"), "utf8"), "explorer.html");
  if (!watching && existsSync(curves)) {
    const { load, firstPicture } = await import(`${pathToFileURL(explorerPicture)}?${Date.now()}`);
    const client = await load({ wasmURL: pathToFileURL(curves) });
    const { svg, says } = await firstPicture(client);
    client.terminate();
    page = page.replace("<!-- picture -->", () => svg).replace("<!-- says -->", () => says);
  }
  writeFileSync(join(dist, "explorer.html"), page);
}

/** The declarations of the package: what they take in from each other is named as it is called there. */
async function types() {
  const folder = join(dist, "types");
  rmSync(folder, { recursive: true, force: true });
  await promisify(execFile)("node", [join(here, "node_modules/typescript/bin/tsc"), "-p", join(here, "tsconfig.types.json")]).catch(({ stdout }) => {
    throw new Error(`The package's declarations could not be made:\n${stdout}`);
  });
  // Those of the elements are written by hand, and held to the elements by the types of held.ts.
  for (const name of ["elements", "fit-demo", "my-privacy"]) cpSync(source(`elements/declared/${name}.d.ts`), join(folder, `${name}.d.ts`));
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

/** Hashes the files that the page consists of into the service worker that keeps them: any change of theirs makes another version. */
function serviceWorker() {
  const hash = (algorithm, data) => createHash(algorithm).update(data);
  const files = {};
  for (const path of keptFiles) {
    const file = join(dist, path);
    if (existsSync(file)) files[path] = `sha384-${hash("sha384", readFileSync(file)).digest("base64")}`;
  }
  return esbuild.build({
    ...common,
    entryPoints: [source("studio/offline/service-worker.ts")],
    outfile: join(dist, "sw.js"),
    format: "iife",
    define: {
      CLOISTER_FILES: JSON.stringify(files),
      CLOISTER_VERSION: JSON.stringify(hash("sha256", JSON.stringify(files)).digest("hex").slice(0, 16)),
    },
  });
}

mkdirSync(dist, { recursive: true });
rmSync(join(here, "../build/test"), { recursive: true, force: true });
cpSync(glue, join(dist, "wasm_exec.js"));
copyStatic();
if (watching) {
  await explorerPage();
  rmSync(join(dist, "sw.js"), { force: true }); // it would serve what was built before
  for (const bundle of bundles()) await (await esbuild.context({ ...bundle, logLevel: "info" })).watch();
} else {
  // esbuild has said what is wrong with a bundle; the others are built all the same.
  const results = await Promise.allSettled(bundles().map((bundle) => esbuild.build(bundle)));
  results.push(...(await Promise.allSettled([explorerPage(), buildDocs(dist), types()])));
  results.push(...(await Promise.allSettled([serviceWorker()])));
  integrityTable();
  for (const { reason } of results) if (reason && !reason.errors) console.error(reason);
  if (results.some((result) => result.status === "rejected")) process.exitCode = 1;
}
