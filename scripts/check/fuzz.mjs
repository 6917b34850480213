// Finds the fuzz targets of the core and runs each for a while.

import { run, top } from "./process.mjs";
import { files } from "./tree.mjs";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @returns {{folder: string, name: string}[]} every function FuzzX(f *testing.F) under core and wasm */
export function fuzzTargets() {
  const found = [];
  for (const path of files(top).filter((p) => /^(core|wasm)\/.*_test\.go$/.test(p))) {
    for (const [, name] of readFileSync(join(top, path), "utf8").matchAll(/^func (Fuzz\w+)\(/gm)) found.push({ folder: dirname(path), name });
  }
  return found;
}

/** Fuzzes one target for a duration in Go's notation ("5s", "10m"). */
export async function fuzz({ folder, name }, duration, options = {}) {
  const { code, output } = await run("go", ["test", "-run=^$", `-fuzz=^${name}$`, `-fuzztime=${duration}`, `./${folder}`], options);
  return { ok: code === 0, output };
}
