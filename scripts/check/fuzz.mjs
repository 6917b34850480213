// Finds the fuzz targets of the core and runs each for a while.

import { always } from "./gotest.mjs";
import { run, top } from "./process.mjs";
import { files } from "./tree.mjs";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @returns {{folder: string, name: string}[]} every function FuzzX(f *testing.F) under core and
 * wasm
 */
export function fuzzTargets() {
  const found = [];
  for (const path of files(top).filter((p) => /^(core|wasm)\/.*_test\.go$/.test(p))) {
    for (const [, name] of readFileSync(join(top, path), "utf8").matchAll(/^func (Fuzz\w+)\(/gm))
      found.push({ folder: dirname(path), name });
  }
  return found;
}

/**
 * Fuzzes one target for a duration or a number of inputs in Go's notation ("10m", "20000x").
 *
 * When time runs out while an input is being tried, go test can end with "context deadline
 * exceeded" as if that were a failure. A real one names the input that it wrote down, so the
 * deadline alone is none.
 */
export async function fuzz({ folder, name }, duration, options = {}) {
  const { code, output } = await run(
    "go",
    ["test", ...always, "-run=^$", `-fuzz=^${name}$`, `-fuzztime=${duration}`, `./${folder}`],
    options,
  );
  return { ok: code === 0 || outOfTime(output), output };
}

export const outOfTime = (output) =>
  /^\s+context deadline exceeded$/m.test(output) && !/Failing input written to|panic:/.test(output);
