// Puts the kernel into programs that use it, as a custom section, which an engine leaves alone and
// site/src/client/kernel.ts finds: `node scripts/kernel/carry.mjs KERNEL PROGRAM…`

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { unsigned } from "../slim-wasm.mjs";

const SECTION = "cloister.kernel";
const CUSTOM = 0;

/**
 * @param {Uint8Array} program
 * @param {Uint8Array} kernel
 * @returns {Uint8Array} the program with the kernel at its end
 */
export function carrying(program, kernel) {
  const name = Buffer.from(SECTION);
  const body = Buffer.concat([Uint8Array.from(unsigned(name.length)), name, kernel]);
  return Buffer.concat([program, Uint8Array.of(CUSTOM, ...unsigned(body.length)), body]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [kernel, ...programs] = process.argv.slice(2);
  for (const path of programs)
    writeFileSync(path, carrying(readFileSync(path), readFileSync(kernel)));
}
