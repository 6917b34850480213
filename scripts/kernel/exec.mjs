// Runs a Go program compiled to js/wasm in Node, with the kernel bound. Use it with `go test -exec`
// for packages that import wasm/kernel; wasm_exec_node.js of Go's is for all others.
//
//   GOOS=js GOARCH=wasm go test -exec "node $PWD/scripts/kernel/exec.mjs" ./wasm/kernel

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { top } from "../check/process.mjs";
import { bound } from "./bound.mjs";

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

const [program, kernel] = await Promise.all(
  [path, join(top, "build/kernel.wasm")].map((file) => WebAssembly.compile(readFileSync(file))),
);
const instance = await bound(program, kernel, go.importObject);
process.on("exit", (code) => {
  // Nothing is left to wait for, and the program has not ended: it says what it waits for.
  if (code !== 0 || go.exited) return;
  go._pendingEvent = { id: 0 };
  go._resume();
});
await go.run(instance);
