/**
 * The SIMD kernel (wasm/kernel), which a program that fits carries in a section of its own module.
 * So it is fetched, checked and kept offline with the program, and needs no file of its own.
 */

/** The section's name; scripts/kernel/carry.mjs writes it. */
const SECTION = "cloister.kernel";

/** Of the kernel: a pass over rows, given where in memory it is described. */
type Pass = (at: number) => number;

/** What a program is instantiated with, and what binds the kernel to it afterwards. */
export interface Binding {
  imports: WebAssembly.ModuleImports;
  bind(memory: WebAssembly.Memory): void;
}

/**
 * The kernel needs the memory of a program, which needs the kernel's functions to begin with: it is
 * given stand-ins. `ready` tells it whether there is a kernel behind them. There is none where the
 * engine has no SIMD; then the program computes by itself.
 */
export function kernelOf(program: WebAssembly.Module): Binding {
  const [section] = WebAssembly.Module.customSections(program, SECTION);
  const kernel =
    section && WebAssembly.validate(section) ? new WebAssembly.Module(section) : undefined;
  let passes: Record<string, Pass> | undefined;
  const imports: WebAssembly.ModuleImports = {};
  for (const { module, name } of WebAssembly.Module.imports(program))
    if (module === "kernel") imports[name] = (at: number) => passes?.[name]?.(at) ?? 0;
  if ("ready" in imports) imports["ready"] = () => Number(passes !== undefined);
  return {
    imports,
    bind(memory) {
      if (kernel)
        passes = new WebAssembly.Instance(kernel, { env: { memory } }).exports as typeof passes;
    },
  };
}
