// Runs a Go program compiled to js/wasm in Node, with the kernel bound. Use it with `go test -exec`
// for packages that import wasm/kernel; wasm_exec_node.js of Go's is for all others.
//
//   GOOS=js GOARCH=wasm go test -exec "node scripts/kernel/exec.mjs" ./wasm/kernel

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { top } from "../check/process.mjs";

const [path, ...args] = process.argv.slice(2);
if (!path) {
  console.error("Usage: node scripts/kernel/exec.mjs PROGRAM.wasm [ARGUMENT…]");
  process.exit(2);
}
const require = createRequire(import.meta.url);
Object.assign(globalThis, { require, fs: require("node:fs"), path: require("node:path") });
require(
  join(execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim(), "lib/wasm/wasm_exec.js"),
);

const go = new globalThis.Go();
go.argv = [path, ...args];
go.env = { TMPDIR: tmpdir(), ...process.env };
go.exit = process.exit;

let kernel;
const program = await WebAssembly.compile(readFileSync(path));
const late = WebAssembly.Module.imports(program)
  .filter(({ module }) => module === "kernel")
  .map(({ name }) => [name, (at) => kernel[name](at)]);
const instance = await WebAssembly.instantiate(program, {
  ...go.importObject,
  kernel: { ...Object.fromEntries(late), ready: () => 1 },
});
const module = await WebAssembly.compile(readFileSync(join(top, "build/kernel.wasm")));
kernel = (await WebAssembly.instantiate(module, { env: { memory: instance.exports.mem } })).exports;
process.on("exit", (code) => {
  // Nothing is left to wait for, and the program has not ended: it says what it waits for.
  if (code !== 0 || go.exited) return;
  go._pendingEvent = { id: 0 };
  go._resume();
});
await go.run(instance);
