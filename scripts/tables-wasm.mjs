// Leaves out of a Go program's data what follows from the rest of its table of functions, and has the program work it out when it starts: which function a program
// counter belongs to, where a function's record lies, and the function's number in its record. A sixth of the data of each binary after brotli, and a quarter of
// its length before.
//
// In WebAssembly a function's program counters are its number times 65536 and what follows, so each of the index's buckets of 4096 (runtime/symtab.go, findfunc)
// lies in one function, 16 to a function, and says that number. Records follow each other on boundaries of eight bytes, each as long as its counts say. A table that differs
// from this in one word is refused.

const BUCKET = 20; // bytes: a number, and what to add for each sixteenth of the bucket
const BUCKETS = 16; // to a function
const RECORD = 44;
const COUNT = 28; // where a record says how many streams it has
const TABLES = 43; // and how many tables

/**
 * @param {Uint8Array} bytes initial memory, in which the tables become zeros
 * @param {{ index: number, records: number[], buckets: number, first: number }} tables places in bytes: of the index, of each record in order, of the
 *   buckets; and the number that the index calls the first function
 * @returns {(address: number) => number[]} a WebAssembly function's body, without its length, that fills them in again: given the address of the first byte
 */
export function leaveOut(bytes, { index, records, buckets, first }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = records.length;
  const filled = BUCKETS * (count - 1); // the buckets of the last function, which ends the program, are fewer
  let next = records[0];
  for (let i = 0; i < count; i++) {
    const entry = index + 8 * i;
    const record = records[i];
    if (record !== next || view.getUint32(entry, true) !== first + i || view.getUint32(record, true) !== first + i) {
      throw new Error(`the table of functions is not laid out as it is known to be, at function ${i}`);
    }
    next = index + ((record - index + RECORD + 4 * (view.getUint32(record + COUNT, true) + bytes[record + TABLES]) + 7) & ~7);
    view.setUint32(entry, 0, true);
    view.setUint32(entry + 4, 0, true);
    view.setUint32(record, 0, true);
  }
  for (let b = 0; b < filled; b++) {
    const bucket = buckets + BUCKET * b;
    for (let k = 4; k < BUCKET; k++) {
      if (bytes[bucket + k] !== 0) throw new Error(`bucket ${b} of the program's functions holds more than one`);
    }
    if (view.getUint32(bucket, true) !== Math.floor(b / BUCKETS)) throw new Error(`bucket ${b} of the program's functions is of another function`);
    view.setUint32(bucket, 0, true);
  }
  return (address) => fill({ index: address + index, record: address + records[0], buckets: address + buckets, count, filled, first });
}

const [I, AT] = [0, 1]; // locals: a counter, the address of a record
const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const constant = (value) => [0x41, ...signed(value)];
const load = (offset) => [0x28, 2, ...unsigned(offset)];
const loadByte = (offset) => [0x2d, 0, ...unsigned(offset)];
const store = (offset) => [0x36, 2, ...unsigned(offset)];
const [ADD, SUB, MUL, AND, SHL, SHR, LESS] = [[0x6a], [0x6b], [0x6c], [0x71], [0x74], [0x76], [0x49]];
/** Repeats the instructions while I, which goes up by one, is less than the limit. */
const loop = (limit, ...body) => [0x03, 0x40, ...body.flat(), ...get(I), ...constant(1), ...ADD, 0x22, I, ...constant(limit), ...LESS, 0x0d, 0, 0x0b];

function fill({ index, record, buckets, count, filled, first }) {
  const entry = [...get(I), ...constant(3), ...SHL];
  const number = [...get(I), ...constant(first), ...ADD];
  if (index % 8 !== 0) throw new Error("the index of functions is not on a boundary of eight bytes");
  const records = loop(
    count,
    [...entry, ...number, ...store(index)],
    [...entry, ...get(AT), ...constant(index), ...SUB, ...store(index + 4)],
    [...get(AT), ...number, ...store(0)],
    [...get(AT), ...load(COUNT), ...get(AT), ...loadByte(TABLES), ...ADD, ...constant(2), ...SHL, ...get(AT), ...ADD, ...constant(RECORD + 7), ...ADD, ...constant(-8), ...AND, ...set(AT)],
  );
  const numbers = loop(filled, [...get(I), ...constant(BUCKET), ...MUL, ...get(I), ...constant(4), ...SHR, ...store(buckets)]);
  return [1, 2, 0x7f, ...constant(record), ...set(AT), ...records, ...constant(0), ...set(I), ...(filled > 0 ? numbers : []), 0x0b];
}

export function unsigned(value) {
  const out = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

/** LEB128. */
export function signed(value) {
  const out = [];
  for (; value < -64 || value >= 64; value = Math.floor(value / 128)) out.push((((value % 128) + 128) % 128) | 128);
  return [...out, value & 127];
}
