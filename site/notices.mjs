// The notices of others' works that the site and the package hold parts of. They are made from what
// was built, and from the licences that stand beside the sources, so that none can be forgotten: of
// scripts, the packages that esbuild says it read; of binaries, the modules that Go says it linked.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const licence = /^(licen[cs]e|copying|notice|patents|third_party_licenses)\b/i;

/** The programs that are compiled for browsers, as the Makefile names them. */
export const programs = ["cloister", "laboratory", "curves", "reader", "fitdemo"];

/**
 * The packages that a bundle's inputs belong to, by name, each with its folder. Inputs are
 * esbuild's: paths from the site's folder.
 */
export function packagesOf(inputs, site) {
  const found = new Map();
  for (const input of inputs) {
    const [, path, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(input) ?? [];
    if (name !== undefined) found.set(name, join(site, path));
  }
  return found;
}

/**
 * The modules besides this one that are linked into the binaries: path, version and folder of each.
 */
export function modulesOf(root) {
  const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}";
  const env = { ...process.env, GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0" };
  const listed = execFileSync(
    "go",
    ["list", "-deps", "-f", format, ...programs.map((name) => `./wasm/${name}`)],
    { cwd: root, env, encoding: "utf8" },
  );
  return [...new Set(listed.split("\n").filter(Boolean))].sort().map((line) => {
    const [path, version, folder] = line.split("\t");
    return { name: path, version, folder };
  });
}

/** The texts of the licences in a folder, and of what they refer to. */
function textsIn(folder) {
  const files = readdirSync(folder)
    .filter((name) => licence.test(name))
    .map((name) => join(folder, name));
  const all = files.flatMap((file) =>
    statSync(file).isDirectory() ? readdirSync(file).map((name) => join(file, name)) : [file],
  );
  if (all.length === 0)
    throw new Error(`${folder} has no licence: what is taken from it cannot be published.`);
  return all.sort().map((file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim());
}

/** The whole text: of the packages among these inputs, of the modules, and of Go itself. */
export function notices(inputs, site) {
  const root = join(site, "..");
  const scripts = [...packagesOf(inputs, site)].map(([name, folder]) => ({
    name,
    folder,
    version: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version,
  }));
  const goRoot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  const goVersion = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  // A distribution of Go may keep its licence elsewhere than at its root.
  const goFolder =
    [goRoot, join(goRoot, "..", "..", "share", "licenses", "go")].find((folder) =>
      existsSync(join(folder, "LICENSE")),
    ) ?? goRoot;
  const go = {
    name: "Go: standard library, runtime and wasm_exec.js",
    version: goVersion,
    folder: goFolder,
  };
  const works = [go, ...modulesOf(root), ...scripts.sort((a, b) => (a.name < b.name ? -1 : 1))];
  const rule = "=".repeat(100);
  return [
    "Cloister holds parts of the works below: its WebAssembly binaries of those in Go, its scripts of the",
    "others. Each is under its own licence, which follows its name. Cloister's own licence is license.txt.",
    "",
    ...works.map(({ name, version }) => `  ${name} ${version}`),
    "",
    ...works.flatMap(({ name, version, folder }) => [
      rule,
      `${name} ${version}`,
      rule,
      "",
      textsIn(folder).join(`\n\n${"-".repeat(100)}\n\n`),
      "",
    ]),
  ].join("\n");
}
