// What `make lint` checks, in the order of what it costs. Prints a line a check and, for one that
// fails, what it found.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkMap } from "../site/docs/build/map.mjs";
import { checkFormat } from "./check/format.mjs";
import { checkPageImports } from "./check/imports.mjs";
import { run, top, wasmBuild } from "./check/process.mjs";
import { budgets, describe, sizes } from "./check/sizes.mjs";
import { checkTree } from "./check/tree.mjs";

/**
 * A check returns what to say (a line or several) and whether all is well. It is given the sizes,
 * which are packed beside all other checks.
 */
const checks = [
  ["names and words", async () => fromComplaints(checkTree(top))],
  [
    "gofmt",
    async () =>
      fromProgram(await run("gofmt", ["-l", "core", "wasm", "scripts"]), { silent: true }),
  ],
  ["format", async () => fromComplaints(await checkFormat())],
  [
    "declarations in Go, and TypeScript's types of them",
    async () => fromProgram(await run("go", ["run", "./scripts/wire", "-check"])),
  ],
  ["layers", async () => fromProgram(await run("go", ["run", "./scripts/layers"]))],
  ["layers of the page code", async () => fromComplaints(checkPageImports(top))],
  ["the map", async () => fromComplaints(checkMap())],
  [
    "types",
    async () =>
      fromProgram(
        await run("node", ["site/node_modules/typescript/bin/tsc", "--noEmit", "-p", "site"]),
      ),
  ],
  ["vet", async () => fromProgram(await run("go", ["vet", "./..."]))],
  [
    "vet, js/wasm",
    async () =>
      fromProgram(
        await run("go", ["vet", "./wasm/..."], { env: { ...process.env, ...wasmBuild } }),
      ),
  ],
  ["sizes", (measured) => measured],
];

function fromComplaints(complaints) {
  return { ok: complaints.length === 0, say: complaints };
}

/** A program that must end well and, where it is silent when all is well, print nothing. */
function fromProgram({ code, output }, { silent = false } = {}) {
  const say = output.split("\n").filter(Boolean);
  return { ok: code === 0 && !(silent && say.length > 0), say };
}

async function checkSizes(options) {
  const measured = await sizes(join(top, "site/dist"), budgets, options);
  return { ok: measured.every((m) => m.fits), say: measured.map(describe) };
}

/**
 * Runs every check and prints the outcome, a line each.
 * @param {{about?: boolean}} options for the sizes
 */
export async function lint(print = console.log, options = {}) {
  const counts = { passed: 0, failed: 0 };
  const measured = checkSizes(options);
  measured.catch(() => {}); // the last check throws what went wrong
  for (const [name, check] of checks) {
    const { ok, say } = await check(measured);
    counts[ok ? "passed" : "failed"]++;
    print(`${ok ? "ok  " : "FAIL"}  ${name}`);
    for (const line of say) print(`      ${line}`);
  }
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { failed } = await lint();
  if (failed > 0) process.exitCode = 1;
}
