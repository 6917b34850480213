import assert from "node:assert/strict";
import test from "node:test";
import { pack } from "./pack-wasm.mjs";

const unsigned = (n) => (n < 128 ? [n] : [(n % 128) | 128, ...unsigned(Math.floor(n / 128))]);
const signed = (n) => (n < 64 ? [n] : [(n % 128) | 128, ...signed(Math.floor(n / 128))]);
const section = (id, body) => [id, ...unsigned(body.length), ...body];

/** A module with a memory of 4 pages, exported as "m", and the given data. */
function moduleOf(segments) {
  const data = segments.flatMap(([address, ...bytes]) => [0, 0x41, ...signed(address), 0x0b, ...unsigned(bytes.length), ...bytes]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(5, [1, 0, 4]),
    ...section(7, [1, 1, 0x6d, 2, 0]),
    ...section(11, [...unsigned(segments.length), ...data]),
  ]);
}

async function memoryOf(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  return new Uint8Array(instance.exports.m.buffer);
}

test("the memory is the same, from fewer segments", async () => {
  const segments = [
    [200000, 9, 8, 7],
    [0, 1, 2, 3],
    [10, 4],
    [63, 5],
    [64, 6],
    [5000, 7, 7],
    [262143, 255],
  ];
  const before = moduleOf(segments);
  const after = pack(before);
  assert.deepEqual(await memoryOf(after), await memoryOf(before));
  assert.equal(WebAssembly.validate(after), true);
  // 0 to 5002 is one run; 200000 and 262143 lie more than 64 KiB away, or less.
  const again = pack(after);
  assert.deepEqual(again, after, "packing twice changes nothing");
  assert.ok(after.length > before.length);
});

test("a module without data is left as it is", () => {
  const bare = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(5, [1, 0, 1])]);
  assert.deepEqual(new Uint8Array(pack(bare)), bare);
});

test("what it cannot join safely it refuses", () => {
  assert.throws(() => pack(moduleOf([[0, 1, 2], [1, 3]])), /overlap/);
  const passive = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(11, [1, 1, 1, 5])]);
  assert.throws(() => pack(passive), /constant address/);
  assert.throws(() => pack(moduleOf([[0, 1, 2]]).subarray(0, -4)), /too early/);
});
