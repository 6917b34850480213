// What the kernel must not be. It shares the memory of Go's program, which knows nothing of it.

import { readSections } from "../slim-wasm.mjs";

/** Sections that would write into Go's memory or run something by themselves. */
const forbidden = { 5: "a memory", 8: "a start function", 9: "elements", 11: "data" };
/**
 * The globals: one, the stack pointer, a number that begins at 0. Nothing lies below it, so that a
 * function that used a stack would trap.
 */
const GLOBALS = 6;
const NO_STACK = "017f0141000b";

/**
 * Throws an Error unless the module has nothing but functions, and imports nothing but the memory.
 *
 * @param {Uint8Array} file
 */
export function guard(file) {
  for (const { id, body } of readSections(file)) {
    if (id in forbidden) throw new Error(`the kernel has ${forbidden[id]}, and must not`);
    if (id === GLOBALS && Buffer.from(body).toString("hex") !== NO_STACK)
      throw new Error("the kernel has room for a stack, or other globals");
  }
  const module = new WebAssembly.Module(file);
  const imports = WebAssembly.Module.imports(module);
  const memory = ({ module, name, kind }) => `${kind} ${module}.${name}` === "memory env.memory";
  if (imports.length !== 1 || !imports.every(memory))
    throw new Error(
      `the kernel imports ${imports.map(({ name }) => name).join(", ")}, not the memory alone`,
    );
  if (!WebAssembly.Module.exports(module).every(({ kind }) => kind === "function"))
    throw new Error("the kernel exports something that is no function");
}
