import assert from "node:assert/strict";
import test from "node:test";
import { leaveOut, signed, unsigned } from "./tables-wasm.mjs";

const ADDRESS = 5000;
const FIRST = 4096;

/** A table of functions whose records have as many streams and tables as given, with what would end it. */
function table(counts) {
  const index = 16;
  const records = [];
  let end = index + 8 * counts.length + 8;
  for (const [streams, tables] of counts) {
    records.push(end);
    end = index + ((end - index + 44 + 4 * (streams + tables) + 7) & ~7);
  }
  const buckets = end + 4;
  const bytes = new Uint8Array(buckets + 20 * 16 * (counts.length - 1) + 5);
  const view = new DataView(bytes.buffer);
  counts.forEach(([streams, tables], i) => {
    view.setUint32(index + 8 * i, FIRST + i, true);
    view.setUint32(index + 8 * i + 4, records[i] - index, true);
    view.setUint32(records[i], FIRST + i, true);
    view.setUint32(records[i] + 16, 123456, true);
    view.setUint32(records[i] + 28, streams, true);
    bytes[records[i] + 43] = tables;
  });
  for (let b = 0; b < 16 * (counts.length - 1); b++) view.setUint32(buckets + 20 * b, b >> 4, true);
  view.setUint32(bytes.length - 5, counts.length - 1, true);
  return { bytes, places: { index, records, buckets, first: FIRST } };
}

/** Memory with the bytes at ADDRESS, after the function has run. */
async function filled(bytes, body) {
  const section = (id, content) => [id, ...unsigned(content.length), ...content];
  const file = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 2]),
    ...section(7, [1, 1, 0x6d, 2, 0]),
    ...section(8, [0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
    ...section(11, [1, 0, 0x41, ...signed(ADDRESS), 0x0b, ...unsigned(bytes.length), ...bytes]),
  ]);
  const { instance } = await WebAssembly.instantiate(file);
  return new Uint8Array(instance.exports.m.buffer);
}

test("what is left out comes back", async () => {
  for (const counts of [[[0, 0]], [[2, 6], [0, 0], [1, 0], [3, 8]], Array.from({ length: 300 }, (_, i) => [i % 3, (i * 7) % 9])]) {
    const { bytes, places } = table(counts);
    const whole = bytes.slice();
    const body = leaveOut(bytes, places)(ADDRESS);
    assert.equal(bytes.slice(places.index, places.records[0]).some((byte) => byte !== 0), false);
    const expected = new Uint8Array(2 * 65536);
    expected.set(whole, ADDRESS);
    assert.deepEqual(await filled(bytes, body), expected);
  }
});

test("a table that would not come back is refused", () => {
  const spoiled = (place) => {
    const { bytes, places } = table([[2, 6], [0, 1], [1, 0]]);
    bytes[place(places)]++;
    return () => leaveOut(bytes, places);
  };
  assert.throws(spoiled(({ index }) => index), /laid out/);
  assert.throws(spoiled(({ records }) => records[1]), /laid out/);
  assert.throws(spoiled(({ records }) => records[1] + 28), /laid out/);
  assert.throws(spoiled(({ buckets }) => buckets + 20 * 17), /of another function/);
  assert.throws(spoiled(({ buckets }) => buckets + 20 * 17 + 19), /more than one/);
});
