import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { kernelOf } from "../../src/client/kernel.ts";

const program = (name: string) =>
  new WebAssembly.Module(readFileSync(new URL(`../../../site/dist/${name}`, import.meta.url)));

/** A program that imports `ready` and one pass, and carries these bytes if they are given. */
function carrying(kernel?: number[]): WebAssembly.Module {
  const text = (name: string) => [name.length, ...Buffer.from(name)];
  const section = (id: number, body: number[]) => [id, body.length, ...body];
  const imported = (name: string) => [...text("kernel"), ...text(name), 0, 0];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [1, 0x60, 0, 1, 0x7f]),
      ...section(2, [2, ...imported("ready"), ...imported("certify")]),
      ...(kernel ? section(0, [...text("cloister.kernel"), ...kernel]) : []),
    ]),
  );
}

const call = (binding: ReturnType<typeof kernelOf>, name: string) =>
  (binding.imports[name] as (at: number) => number)(0);

test("a program that fits carries a kernel, whose functions are all that it imports of one", () => {
  for (const name of ["cloister.wasm", "laboratory.wasm"]) {
    const module = program(name);
    const binding = kernelOf(module);
    assert.equal(call(binding, "ready"), 0, "not before it is bound");
    binding.bind(new WebAssembly.Memory({ initial: 1 }));
    assert.equal(call(binding, "ready"), 1);
    const [section] = WebAssembly.Module.customSections(module, "cloister.kernel");
    const passes = WebAssembly.Module.exports(new WebAssembly.Module(section as ArrayBuffer));
    assert.deepEqual(
      Object.keys(binding.imports).sort(),
      [...passes.map((pass) => pass.name), "ready"].sort(),
    );
  }
});

test("other programs ask for none, and carry none", () => {
  for (const name of ["curves.wasm", "reader.wasm"]) {
    assert.deepEqual(kernelOf(program(name)).imports, {});
    assert.equal(WebAssembly.Module.customSections(program(name), "cloister.kernel").length, 0);
  }
});

test("where the engine takes no kernel, or there is none, the program computes by itself", () => {
  const unknown = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x01];
  for (const binding of [kernelOf(carrying()), kernelOf(carrying(unknown))]) {
    binding.bind(new WebAssembly.Memory({ initial: 1 }));
    assert.equal(call(binding, "ready"), 0);
    assert.equal(call(binding, "certify"), 0);
  }
});
