// Puts the kernel into programs that use it, as a custom section, which an engine leaves alone and
// site/src/client/kernel.ts finds: `node scripts/kernel/carry.mjs KERNEL PROGRAM…`

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { unsigned } from "../slim-wasm.mjs";

const SECTION = "cloister.kernel";
const CUSTOM = 0;

/** The program with the kernel at its end. */
export const carrying = (program, kernel) => withSection(program, SECTION, kernel);

/**
 * @param {Uint8Array} program
 * @param {string} section
 * @param {Uint8Array} content
 * @returns {Uint8Array} the program with a custom section of that name and content at its end
 */
export function withSection(program, section, content) {
  const name = Buffer.from(section);
  const body = Buffer.concat([Uint8Array.from(unsigned(name.length)), name, content]);
  return Buffer.concat([program, Uint8Array.of(CUSTOM, ...unsigned(body.length)), body]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [kernel, ...programs] = process.argv.slice(2);
  for (const path of programs)
    writeFileSync(path, carrying(readFileSync(path), readFileSync(kernel)));
}
