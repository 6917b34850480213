// Makes the SIMD kernel: `node scripts/kernel/build.mjs TO` compiles wasm/kernel/c with the clang
// that `npm ci` brings, and writes the module if guard.mjs lets it pass.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { top } from "../check/process.mjs";
import { guard } from "./guard.mjs";

const folder = join(top, "wasm/kernel/c");

/**
 * A sum is in the order in which it is written, with nothing fused. A warning is an error, and so
 * is a variable that would need a stack, which there is none of.
 */
const compile = [
  ...["--target=wasm32", "-msimd128", "-mbulk-memory", "-O3", "-std=c23"],
  ...["-ffreestanding", "-nostdlib", "-ffp-contract=off"],
  ...["-Wall", "-Wextra", "-Werror", "-Wframe-larger-than=0"],
];
const link = [
  ...["--no-entry", "--import-memory", "--strip-all", "--gc-sections"],
  ...["--stack-first", "-z", "stack-size=0"],
];

/** @returns {Promise<Uint8Array>} the module, guarded */
export async function buildKernel() {
  // The compiler is a large module that runs for a second: half of it would go into making it fast.
  setFlagsFromString("--liftoff-only");
  const clang = createRequire(join(top, "site/package.json")).resolve("@yowasp/clang");
  const { commands, runLLVM } = await import(pathToFileURL(clang));
  await runLLVM(null, {}, { fetchProgress: () => {} }); // from the package; otherwise it prints how far it is
  const sources = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const parts = Object.keys(sources).filter((name) => name.endsWith(".c"));
  const whole = { ...sources, "kernel.c": parts.map((name) => `#include "${name}"\n`).join("") };
  const objects = await commands.clang([...compile, "-c", "kernel.c", "-o", "kernel.o"], whole);
  const { "kernel.wasm": file } = await commands["wasm-ld"](
    [...link, "kernel.o", "-o", "kernel.wasm"],
    { "kernel.o": objects["kernel.o"] },
  );
  guard(file);
  return file;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [to] = process.argv.slice(2);
  try {
    const file = await buildKernel();
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, file);
  } catch (error) {
    console.error(`wasm/kernel: ${error.message}`);
    process.exitCode = 1;
  }
}
