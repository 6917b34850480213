import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { top } from "../check/process.mjs";
import { brotliSize } from "../check/sizes.mjs";
import { readSections, writeSections } from "../slim-wasm.mjs";
import { carrying } from "./carry.mjs";
import { guard } from "./guard.mjs";

const path = join(top, "build/kernel.wasm");
const kernel = existsSync(path) ? readFileSync(path) : undefined;
const skip = kernel ? false : "the kernel is not built: run make";

/** The kernel with one more section, in its place. */
function withSection(id, body) {
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];
  const sections = readSections(kernel).filter((section) => section.id !== id);
  sections.push({ id, body: Uint8Array.from(body) });
  sections.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return writeSections(kernel.subarray(0, 8), sections);
}

test("the kernel is small, and passes its guard", { skip }, async () => {
  guard(kernel);
  assert.ok((await brotliSize(kernel)) <= 8000);
});

test("a kernel that writes to Go's memory does not pass", { skip }, () => {
  const spoilt = {
    data: withSection(11, [1, 0, 0x41, 0, 0x0b, 1, 7]),
    "start function": withSection(8, [0]),
    elements: withSection(9, [0]),
    "has a memory": withSection(5, [1, 0, 1]),
    "room for a stack": withSection(6, [1, 0x7f, 1, 0x41, 0x80, 8, 0x0b]),
    "other globals": withSection(6, [2, 0x7f, 1, 0x41, 0, 0x0b, 0x7f, 1, 0x41, 0, 0x0b]),
  };
  for (const [what, file] of Object.entries(spoilt))
    assert.throws(() => guard(file), new RegExp(what));
});

test("a kernel that imports more than the memory does not pass", { skip }, () => {
  const text = (name) => [name.length, ...Buffer.from(name)];
  const memory = [...text("env"), ...text("memory"), 2, 0, 0];
  const global = [...text("env"), ...text("base"), 3, 0x7f, 0];
  assert.throws(() => guard(withSection(2, [2, ...memory, ...global])), /imports memory, base/);
});

test("a program carries the kernel, and is the same program", { skip }, () => {
  const program = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const file = carrying(program, kernel);
  const [section] = WebAssembly.Module.customSections(
    new WebAssembly.Module(file),
    "cloister.kernel",
  );
  assert.deepEqual(Buffer.from(section), kernel);
  assert.deepEqual(file.subarray(0, program.length), program);
});
