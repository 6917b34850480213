import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { run, smallEnvironment, top, wasmBuild } from "../check/process.mjs";

const skip = existsSync(join(top, "build/kernel.wasm"))
  ? false
  : "the kernel is not built: run make";

/** What the test of wasm/kernel releases, a line a fit. */
async function released(args, env) {
  const wanted = ["-run", "^TestReleasesOfGivenNoise$", "-v", "-count=1", "./wasm/kernel"];
  const { code, output } = await run("go", ["test", ...args, ...wanted], { env });
  assert.equal(code, 0, output);
  return output.split("\n").filter((line) => line.startsWith("released: "));
}

test(
  "the kernel releases what a native fit does, with the same certificates",
  { skip },
  async () => {
    const natively = await released([], process.env);
    const exec = `node ${join(top, "scripts/kernel/exec.mjs")}`;
    const beside = await released(["-exec", exec], { ...smallEnvironment(), ...wasmBuild });
    assert.ok(natively.length >= 16, natively.join("\n"));
    assert.deepEqual(beside, natively);
  },
);
