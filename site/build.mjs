// Bundles the site into site/dist:
//
//   src/client/index.ts                → client.js          the package, for browsers (ES module)
//   src/client/entry-*.ts              → core.js, …         the same with one binary each, and what
//                                                           they share, part-*.js
//   src/client/node.ts                 → client.node.mjs    the package, for Node
//   src/client/*.ts                    → types/client/*.d.ts
//   src/commands/cloister.mjs          → cloister.mjs       the package's command
//   src/elements/index.ts              → elements.js, elements.classic.js
//   src/elements/elements.css          → elements.css       room for them before they run
//   src/elements/define-fit-demo.ts    → fit-demo.js, fit-demo.classic.js
//   src/elements/my-privacy/define.ts  → my-privacy.js, my-privacy.classic.js
//   src/elements/types/*.d.ts          → types/             the declarations of the elements
//   src/elements/prerender.ts          → prerender.node.mjs draws their pictures for readers without scripts
//   src/pages/<page>/main.ts           → <script>.js        and what esbuild cuts off from it, by the table `sitePages` below
//   src/pages/<page>/<style>.css       → <style>.css
//   src/pages/<page>/index.html        → <page>.html        with what pages.mjs has for all of them
//   src/pages/shell/static/*           → copied
//   LICENSE                            → license.txt        which every page links
//   licences of what is bundled        → notices.txt        by notices.mjs, which every page links too
//   src/pages/docs/main.ts, docs.css   → docs/docs.js, docs/docs.css
//   src/pages/docs/votes.ts, cost.ts   → docs/votes.js, docs/cost.js, of one figure each
//   docs/*.md                          → docs/*.html        by docs/build; its pictures need curves.wasm and prerender.node.mjs
//   src/pages/shell/offline/service-worker.ts → sw.js       knows the pages' files by their hashes, so it comes last
//   test/**/*.test.ts                  → ../build/test      tests of pure functions, for node --test
//                                        integrity.json     hashes of what others' pages name with
//                                        integrity="…"
//
// A module of elements fetches its binary from beside it. Its twin .classic.js has the binary
// inside, for file:// and for hosts that serve scripts alone.
//
// The WebAssembly binaries come from ../build/wasm, where the Makefile makes them. All is built in
// a folder of its own and then put in place, file by file, if everything went well: who reads dist
// meanwhile, or builds it too, never sees half a file. `node build.mjs --watch` writes into dist
// itself, and bundles again when a file changes.

import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { build as buildDocs } from "./docs/build/index.mjs";
import { notices } from "./notices.mjs";
import { whole } from "./pages.mjs";
import { withSection } from "../scripts/kernel/carry.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const source = (...parts) => join(here, "src", ...parts);
const watching = process.argv.includes("--watch");

const built = join(here, "../build");
mkdirSync(built, { recursive: true });
/** Where everything is written, to be put in place at the end. */
const stage = mkdtempSync(join(built, "site-"));
process.on("exit", () => rmSync(stage, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

const finished = join(here, "dist");
const dist = watching ? finished : join(stage, "dist");
const tests = watching ? join(built, "test") : join(stage, "test");
const explorerPicture = join(stage, "explorer-picture.mjs");
const glue = join(
  execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(),
  "lib/wasm/wasm_exec.js",
);

const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const curves = binary("curves", "curves.wasm");
const fitDemo = binary("fitdemo", "fit-demo.wasm");
const reader = binary("reader", "reader.wasm");
binary("cloister", "cloister.wasm");
binary("laboratory", "laboratory.wasm");

/**
 * Puts a binary among what is built, before any script is bundled: the elements hold its hash, and
 * a script that stands alone holds the binary itself. It says its own build, which pages compare
 * with theirs. Returns where it is put.
 */
function binary(program, name) {
  const made = join(built, `wasm/${program}.wasm`);
  if (!existsSync(made)) throw new Error(`${made} is missing: run make, which compiles it first.`);
  mkdirSync(dist, { recursive: true });
  const bytes = readFileSync(made);
  const build = Buffer.from(buildOf(made));
  writeFileSync(join(dist, name), withSection(bytes, "cloister.build", build));
  return join(dist, name);
}

/** What a change of the file changes: a hash, short enough for an address. */
function buildOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
}

/** Resolves the modules that inlined.d.ts declares. */
const inlined = {
  name: "inlined",
  setup(build) {
    const classic = build.initialOptions.format === "iife";
    for (const [name, file] of [
      ["curves", curves],
      ["fit-demo", fitDemo],
      ["reader", reader],
    ]) {
      build.onResolve({ filter: new RegExp(`^cloister:${name}$`) }, () => ({
        path: name,
        namespace: "inlined",
      }));
      build.onLoad({ filter: new RegExp(`^${name}$`), namespace: "inlined" }, () => ({
        contents: classic ? gzipSync(readFileSync(file), { level: 9 }).toString("base64") : "",
        loader: "text",
      }));
    }
    build.onResolve({ filter: /^cloister:glue$/ }, () => ({
      path: glue,
      sideEffects: true,
    }));
    for (const name of ["worker", "compiler"]) {
      build.onResolve({ filter: new RegExp(`^cloister:${name}$`) }, () => ({
        path: name,
        namespace: "inlined",
      }));
      build.onLoad({ filter: new RegExp(`^${name}$`), namespace: "inlined" }, async () => {
        const result = await esbuild.build({
          ...common,
          entryPoints: [source(`client/${name}.ts`)],
          format: "iife",
          external: ["node:*"],
          write: false,
        });
        noted(result);
        return {
          contents: result.outputFiles[0].text,
          loader: "text",
          watchFiles: Object.keys(result.metafile.inputs).map((path) => join(here, path)),
        };
      });
    }
  },
};

/** The files that went into what is handed out, as far as esbuild has said by now. */
const inputs = new Set();
function noted(result) {
  for (const path of Object.keys(result?.metafile?.inputs ?? {})) inputs.add(path);
}

const common = {
  absWorkingDir: here,
  metafile: true,
  bundle: true,
  minify: true,
  target: ["es2022"],
  platform: "browser",
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
  plugins: [inlined],
};

const node = { platform: "node", target: ["node20"] };

/** Elements and pages know which binary they belong to, and take no other. */
const forElements = {
  CLOISTER_VERSION: JSON.stringify(version),
  CLOISTER_CURVES_INTEGRITY: JSON.stringify(integrity(curves)),
  CLOISTER_FIT_DEMO_INTEGRITY: JSON.stringify(integrity(fitDemo)),
  CLOISTER_READER_INTEGRITY: JSON.stringify(integrity(reader)),
};

const forPages = {
  ...forElements,
  CLOISTER_CORE_BUILD: JSON.stringify(buildOf(join(built, "wasm/cloister.wasm"))),
  CLOISTER_READER_BUILD: JSON.stringify(buildOf(join(built, "wasm/reader.wasm"))),
};

function integrity(file) {
  return `sha384-${createHash("sha384").update(readFileSync(file)).digest("base64")}`;
}

/** The pages that compute: the folder under src/pages, and the names of page, script and styles. */
const sitePages = [
  { folder: "studio", html: "index.html", script: "studio", style: "studio" },
  { folder: "verifier", html: "verify.html", script: "verify", style: "verify" },
  { folder: "explorer", html: "explorer.html", script: "explorer", style: "explorer" },
  { folder: "report", html: "my-privacy.html", script: "reader", style: "reader" },
];

/**
 * A page's script. What it imports with import() becomes a file of its own, and so does what the
 * two share. Pages are bundled one by one: esbuild would cut what they share into a dozen small
 * files, of which each page had to fetch most, and some that it does not use.
 */
function pageBundle(folder, script) {
  return {
    ...common,
    entryPoints: [{ in: source("pages", folder, "main.ts"), out: script }],
    outdir: dist,
    // While watching, files keep their names, so nothing is cut off.
    splitting: !watching,
    chunkNames: `${script}-[name]-[hash]`,
    define: forPages,
  };
}

/** The scripts of the package that load one binary each, and the sources they are made from. */
const entries = {
  core: "core",
  accountant: "accountant",
  laboratory: "laboratory",
  "report-reader": "reader",
};

/** The files of each page's script, itself first, from what esbuild says it wrote. */
function scriptsOf(results) {
  const outputs = results.flatMap((result) => Object.keys(result?.metafile?.outputs ?? {}));
  const written = outputs
    .map((path) => basename(path))
    .filter((name) => name.endsWith(".js"))
    .sort();
  const partsOf = (script) => written.filter((name) => name.startsWith(`${script}-`));
  return Object.fromEntries(
    sitePages.map(({ script }) => [script, [`${script}.js`, ...partsOf(script)]]),
  );
}

function bundles() {
  const list = [];
  const add = (from, to, options = {}) => {
    if (existsSync(from)) list.push({ ...common, entryPoints: [from], outfile: to, ...options });
  };
  add(source("client/index.ts"), join(dist, "client.js"));
  // Each binary is named in one file only, which is fetched by who loads that binary.
  list.push({
    ...common,
    entryPoints: Object.entries(entries).map(([out, name]) => ({
      in: source(`client/entry-${name}.ts`),
      out,
    })),
    outdir: dist,
    splitting: !watching,
    chunkNames: "part-[hash]",
  });
  add(
    [source("client/node.ts"), source("client/index.ts")].find(existsSync) ?? "",
    join(dist, "client.node.mjs"),
    node,
  );
  add(source("commands/cloister.mjs"), join(dist, "cloister.mjs"), {
    ...node,
    define: forElements,
  });
  for (const { folder, script, style } of sitePages) {
    list.push(pageBundle(folder, script));
    add(source("pages", folder, `${style}.css`), join(dist, `${style}.css`));
  }
  for (const [entry, name] of [
    ["elements/index.ts", "elements"],
    ["elements/define-fit-demo.ts", "fit-demo"],
    ["elements/my-privacy/define.ts", "my-privacy"],
  ]) {
    add(source(entry), join(dist, `${name}.js`), { define: forElements });
    // A classic script has no import.meta, and with the binary inside needs none.
    add(source(entry), join(dist, `${name}.classic.js`), {
      format: "iife",
      define: { ...forElements, "import.meta.url": "location.href" },
    });
  }
  add(source("elements/elements.css"), join(dist, "elements.css"));
  add(source("pages/explorer/picture.ts"), explorerPicture, { ...node, define: forElements });
  add(source("pages/docs/main.ts"), join(dist, "docs/docs.js"));
  add(source("pages/docs/votes.ts"), join(dist, "docs/votes.js"));
  add(source("pages/docs/cost.ts"), join(dist, "docs/cost.js"), { define: forElements });
  add(source("pages/docs/docs.css"), join(dist, "docs/docs.css"));
  add(source("elements/prerender.ts"), join(dist, "prerender.node.mjs"), node);
  const unitTests = typescriptTests(join(here, "test"));
  if (unitTests.length > 0) {
    list.push({
      ...common,
      ...node,
      entryPoints: unitTests,
      outdir: tests,
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

/**
 * The pages' own files, which the service worker keeps: all pages, with the documentation, its
 * search and what its figures need.
 */
const keptFiles = (scripts) => [
  "theme.js",
  ...sitePages.flatMap(({ html, script, style }) => [html, `${style}.css`, ...scripts[script]]),
  ...["cloister.wasm", "curves.wasm", "elements.js", "reader.wasm", "license.txt", "notices.txt"],
  ...["fit-demo.js", "fit-demo.wasm"],
  ...filesIn(join(dist, "docs"))
    .sort()
    .map((name) => `docs/${name}`),
];

/** What a page of others names with integrity="…". */
function integrityTable() {
  const names = [
    "elements.css",
    "elements.js",
    "elements.classic.js",
    "curves.wasm",
    "fit-demo.js",
    "fit-demo.classic.js",
    "fit-demo.wasm",
    "my-privacy.js",
    "my-privacy.classic.js",
    "reader.wasm",
    "cloister.wasm",
  ].filter((name) => existsSync(join(dist, name)));
  const table = {
    version,
    files: Object.fromEntries(names.map((name) => [name, integrity(join(dist, name))])),
  };
  writeFileSync(join(dist, "integrity.json"), `${JSON.stringify(table, null, 2)}\n`);
}

/**
 * Writes the pages. Each names what its script imports, to be fetched beside it and not after it.
 */
async function writePages(scripts) {
  cpSync(source("pages/shell/static"), dist, { recursive: true });
  cpSync(join(here, "LICENSE"), join(dist, "license.txt"));
  for (const { folder, html, script } of sitePages) {
    const page = whole(
      readFileSync(source("pages", folder, "index.html"), "utf8"),
      html,
      scripts[script].slice(1),
    );
    writeFileSync(
      join(dist, html),
      stamped(folder === "explorer" ? await withPicture(page) : page),
    );
  }
}

/**
 * A page that names its script and its styles by their content too: a browser's cache may have
 * those of an earlier version under the bare names.
 */
function stamped(page) {
  if (watching) return page;
  return page.replace(/(?<=(?:src|href)=")\w+\.(?:js|css)(?=")/g, (name) => {
    return `${name}?v=${buildOf(join(dist, name))}`;
  });
}

/**
 * The explorer's page with its first picture, drawn by the page's own code; without one while its
 * sources are watched.
 */
async function withPicture(page) {
  if (!watching) {
    const { load, firstPicture } = await import(`${pathToFileURL(explorerPicture)}?${Date.now()}`);
    const client = await load({ wasmURL: pathToFileURL(curves) });
    const { svg, says } = await firstPicture(client);
    client.terminate();
    return page.replace("<!-- picture -->", () => svg).replace("<!-- says -->", () => says);
  }
  return page;
}

/**
 * The declarations of the package: what they take in from each other is named as it is called
 * there.
 */
async function types() {
  const folder = join(dist, "types");
  rmSync(folder, { recursive: true, force: true });
  await promisify(execFile)("node", [
    join(here, "node_modules/typescript/bin/tsc"),
    "-p",
    join(here, "tsconfig.types.json"),
    "--outDir",
    folder,
  ]).catch(({ stdout }) => {
    throw new Error(`The package's declarations could not be made:\n${stdout}`);
  });
  // Those of the elements are written by hand, and held to the elements by the types of held.ts.
  for (const name of ["elements", "fit-demo", "my-privacy"])
    cpSync(source(`elements/types/${name}.d.ts`), join(folder, `${name}.d.ts`));
  cpSync(source("client/wasm.d.ts"), join(folder, "wasm.d.ts"));
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(folder, name);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'),
    );
  }
}

/**
 * Hashes the files that the page consists of into the service worker that keeps them: any change of
 * theirs makes another version.
 */
function serviceWorker(scripts) {
  const hash = (algorithm, data) => createHash(algorithm).update(data);
  const files = {};
  for (const path of keptFiles(scripts)) {
    const file = join(dist, path);
    if (existsSync(file))
      files[path] = `sha384-${hash("sha384", readFileSync(file)).digest("base64")}`;
  }
  return esbuild.build({
    ...common,
    entryPoints: [source("pages/shell/offline/service-worker.ts")],
    outfile: join(dist, "sw.js"),
    format: "iife",
    define: {
      CLOISTER_FILES: JSON.stringify(files),
      CLOISTER_VERSION: JSON.stringify(
        hash("sha256", JSON.stringify(files)).digest("hex").slice(0, 16),
      ),
    },
  });
}

/** Every file below a folder, as paths from it; none if it is not there. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true });
  return entries.filter((name) => statSync(join(folder, name)).isFile());
}

/** Makes a folder what another one is: what differs is moved there, the rest is taken away. */
function putInPlace(from, to) {
  const made = filesIn(from);
  for (const name of made) {
    const [source, target] = [join(from, name), join(to, name)];
    if (existsSync(target) && readFileSync(source).equals(readFileSync(target))) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(source, target);
  }
  const kept = new Set(made);
  for (const name of filesIn(to)) if (!kept.has(name)) rmSync(join(to, name), { force: true });
}

copyFileSync(glue, join(dist, "wasm_exec.js"));
if (watching) {
  await writePages(scriptsOf([]));
  rmSync(join(dist, "sw.js"), { force: true }); // it would serve what was built before
  const options = { logLevel: "info" };
  for (const bundle of bundles()) await (await esbuild.context({ ...bundle, ...options })).watch();
} else {
  // esbuild has said what is wrong with a bundle; the others are tried all the same.
  const asked = bundles();
  const results = await Promise.allSettled(asked.map((bundle) => esbuild.build(bundle)));
  const scripts = scriptsOf(results.map(({ value }) => value));
  // Of all but the tests, which nobody is handed.
  for (const [i, { value }] of results.entries()) if (asked[i].outdir !== tests) noted(value);
  writeFileSync(join(dist, "notices.txt"), notices(inputs, here));
  results.push(...(await Promise.allSettled([writePages(scripts), buildDocs(dist), types()])));
  results.push(...(await Promise.allSettled([serviceWorker(scripts)])));
  integrityTable();
  for (const { reason } of results) if (reason && !reason.errors) console.error(reason);
  if (results.some((result) => result.status === "rejected")) {
    process.exitCode = 1;
  } else {
    putInPlace(tests, join(built, "test"));
    putInPlace(dist, finished);
  }
}
