// For the scripts: a Go program with the kernel beside it, as site/src/client/kernel.ts binds it.

/**
 * It is written to stand alone, so that a page can be given its text.
 *
 * @param {WebAssembly.Module} program
 * @param {WebAssembly.Module} kernel
 * @param {WebAssembly.Imports} imports of Go's glue
 * @returns {Promise<WebAssembly.Instance>} the program, to be run
 */
export async function bound(program, kernel, imports) {
  let passes;
  const late = WebAssembly.Module.imports(program)
    .filter(({ module }) => module === "kernel")
    .map(({ name }) => [name, (at) => passes[name](at)]);
  const instance = await WebAssembly.instantiate(program, {
    ...imports,
    kernel: { ...Object.fromEntries(late), ready: () => 1 },
  });
  const memory = instance.exports.mem;
  passes = (await WebAssembly.instantiate(kernel, { env: { memory } })).exports;
  return instance;
}
