// Makes a Go program for WebAssembly smaller to download: `node scripts/slim-wasm.mjs FROM TO`.
//
// The code stays as the linker wrote it, to the last byte. Two things are done to what the memory
// holds at the start:
//
// 1. Its segments are joined. The linker leaves out every run of zeros, and so writes tens of
//    thousands of segments of a few bytes, each with an address that does not compress.
// 2. The names of functions and files, and the tables from places in code to lines, become zeros.
//    Only stack traces read them. What else the runtime asks names for keeps working:
//      - a goroutine whose function is called "runtime.…" counts as the system's: such names
//        become "runtime.";
//      - the collector knows two functions of package reflect by name: kept;
//      - a value method called through a nil pointer panics with the names of its package, type
//        and method, which it takes from that of its wrapper: names of wrappers are kept.
//    All other names become "?". Stack depths, pointer maps and tables of inlined calls stay, so
//    the collector, panics and recover do what they did.
//
// The tables are runtime.pclntab, laid out as in runtime/symtab.go, runtime/symtabinl.go and
// cmd/link/internal/ld/pcln.go of the Go versions in KNOWN. A program by another version is written
// out as it is, with a warning: it works, and weighs more. Before a version is added, read these
// three files for changes, and run slim-wasm.test.mjs with it. Tables that are not as described
// are an error, which stops the build.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Versions of Go, without the last number: it never changes a layout. */
export const KNOWN = ["go1.26"];

const CUSTOM = 0;
const DATA = 11;
const I32_CONST = 0x41;
const END = 0x0b;

/** Runs of zeros up to this long stay: a segment's header costs more than they do. */
const FILL = 64 * 1024;

/**
 * @param {Uint8Array} file a Go program
 * @returns {{ file: Uint8Array, warning?: string }} the smaller one; or the same one, and why
 */
export function slim(file) {
  const sections = readSections(file);
  const version = goVersion(sections);
  if (!KNOWN.includes(version.split(".").slice(0, 2).join("."))) {
    const known = KNOWN.join(", ");
    return { file, warning: `built by ${version || "no Go"}, left whole: known are ${known}` };
  }
  const data = sections.find(({ id }) => id === DATA);
  const memory = joined(readSegments(data.body));
  untrace(memory);
  data.body = written(split(memory));
  return { file: writeSections(file.subarray(0, 8), sections) };
}

// --- WebAssembly: sections and data segments (webassembly.github.io/spec, "Binary Format")

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  get done() {
    return this.at >= this.bytes.length;
  }
  byte() {
    return this.take(1)[0];
  }
  take(size) {
    if (this.at + size > this.bytes.length) throw new Error("the file ends too early");
    return this.bytes.subarray(this.at, (this.at += size));
  }
  text() {
    return Buffer.from(this.take(this.unsigned())).toString("utf8");
  }
  /** LEB128. */
  unsigned() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  /** LEB128 of 32 bits with a sign. */
  signed() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return shift < 25 && byte & 64 ? value | (-1 << (shift + 7)) : value;
    }
  }
}

/** The bytes of a number as LEB128. */
export function unsigned(value) {
  const out = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

function signed(value) {
  const out = [];
  for (; value < -64 || value >= 64; value >>= 7) out.push((value & 127) | 128);
  return [...out, value & 127];
}

/** @returns {{ id: number, body: Uint8Array }[]} in order */
export function readSections(file) {
  const reader = new Reader(file, 8);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.take(reader.unsigned()) });
  return sections;
}

/** The file of these sections, after the bytes that it starts with. */
export function writeSections(start, sections) {
  const parts = sections.map(({ id, body }) => [Uint8Array.of(id, ...unsigned(body.length)), body]);
  return Buffer.concat([start, ...parts.flat()]);
}

/** "go1.26.8", from the section "producers" that every Go program has; "" if there is none. */
function goVersion(sections) {
  for (const { id, body } of sections) {
    const reader = new Reader(body);
    if (id !== CUSTOM || reader.text() !== "producers") continue;
    for (let fields = reader.unsigned(); fields > 0; fields--) {
      const field = reader.text();
      for (let values = reader.unsigned(); values > 0; values--) {
        const [name, version] = [reader.text(), reader.text()];
        if (field === "language" && name === "Go") return version;
      }
    }
  }
  return "";
}

/** @returns {{ address: number, bytes: Uint8Array }[]} by address */
export function readSegments(body) {
  const reader = new Reader(body);
  const segments = [];
  for (let count = reader.unsigned(); count > 0; count--) {
    const plain = reader.unsigned() === 0 && reader.byte() === I32_CONST;
    const address = plain ? reader.signed() : -1;
    if (address < 0 || reader.byte() !== END) {
      throw new Error("a data segment is not at a constant address of memory 0");
    }
    segments.push({ address, bytes: reader.take(reader.unsigned()) });
  }
  return segments.sort((a, b) => a.address - b.address);
}

/** The segments as one, with the gaps between them filled. */
export function joined(segments) {
  const address = segments[0]?.address ?? 0;
  const bytes = new Uint8Array(segments.reduce((_, last) => endOf(last), address) - address);
  let end = address;
  for (const segment of segments) {
    if (segment.address < end) throw new Error("data segments overlap");
    bytes.set(segment.bytes, segment.address - address);
    end = endOf(segment);
  }
  return { address, bytes };
}

const endOf = ({ address, bytes }) => address + bytes.length;

/** A segment without its long runs of zeros. */
export function split({ address, bytes }) {
  const parts = [];
  const add = (from, to) => {
    if (to > from) parts.push({ address: address + from, bytes: bytes.subarray(from, to) });
  };
  let from = 0;
  let end = 0; // of what is not zero
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0) continue;
    if (at - end > FILL) {
      add(from, end);
      from = at;
    }
    end = at + 1;
  }
  add(from, end);
  return parts;
}

function written(segments) {
  const chunks = segments.flatMap(({ address, bytes }) => [
    Uint8Array.of(0, I32_CONST, ...signed(address), END, ...unsigned(bytes.length)),
    bytes,
  ]);
  return Buffer.concat([Uint8Array.from(unsigned(segments.length)), ...chunks]);
}

// --- Go: the tables of functions

/** Of the header: Go 1.20's magic, padding, instructions of one byte, pointers of eight. */
const MAGIC = [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8];
/** Words of the header: the number of functions, then where the five tables begin. */
const [COUNT, NAMES, UNITS, FILES, STREAMS, FUNCTIONS] = [1, 4, 5, 6, 7, 8];
const HEADER = 9;
/** Words of runtime.moduledata: slices of the same tables, then the index and what is around. */
const MODULE = { names: 1, units: 4, files: 7, streams: 10, functions: 13, index: 16 };
const [MODULE_TABLES, MODULE_END] = [40, 41]; // gofunc, epclntab
/** Bytes of a function's record, runtime._func. Its streams and then its tables follow. */
const RECORD = { name: 4, depths: 16, file: 20, line: 24, streams: 28, unit: 32, start: 36 };
const [RECORD_KIND, RECORD_TABLES, RECORD_SIZE] = [40, 43, 44];
/**
 * Numbers of internal/abi/symtab.go. Streams that nobody reads but who preempts by a signal, which
 * WebAssembly has none of, and who prints arguments in a trace.
 */
const UNUSED_STREAMS = [0, 3];
/** A stream, a table, a kind of function. */
const [INLINED_STREAM, INLINED_TABLE, WRAPPER] = [2, 3, 23];
/** A call in a table of inlined calls, runtime.inlinedCall. */
const CALL = { name: 4, start: 12 };
const CALL_SIZE = 16;
const NONE = 0xffffffff;

const KEPT = ["reflect.makeFuncStub", "reflect.methodValueCall"];

/**
 * Takes out of memory what only stack traces read.
 *
 * @param {{ address: number, bytes: Uint8Array }} memory at the start, changed in place
 */
export function untrace({ address, bytes }) {
  const tables = find(address, bytes);
  const { view, at, count, calls } = tables;
  const names = new Names(bytes.subarray(at[NAMES], at[UNITS]));
  const streams = new Streams(bytes.subarray(at[STREAMS], at[FUNCTIONS]));
  const renamed = new Set(); // tables of inlined calls, which functions may share
  const start = at[FUNCTIONS];
  let end = start + 8 * count + 4; // the index ends with the end of the code
  for (let i = 0; i < count; i++) {
    const entry = start + 8 * i;
    const record = start + view.getUint32(entry + 4, true);
    const next = start + ((end - start + 7) & ~7);
    check(record === next, `record ${i} does not follow the one before it`);
    const streamCount = view.getUint32(record + RECORD.streams, true);
    const tablesAt = record + RECORD_SIZE + 4 * streamCount;
    end = tablesAt + 4 * bytes[record + RECORD_TABLES];
    check(end <= tables.end, `record ${i} lies outside the tables`);
    check(
      view.getUint32(record, true) === view.getUint32(entry, true),
      `record ${i} and the index disagree on where function ${i} begins`,
    );

    streams.keep(view.getUint32(record + RECORD.depths, true));
    let inlined = -1; // the last inlined call
    for (let k = 0; k < streamCount; k++) {
      const field = record + RECORD_SIZE + 4 * k;
      if (UNUSED_STREAMS.includes(k)) view.setUint32(field, 0, true);
      const largest = streams.keep(view.getUint32(field, true));
      if (k === INLINED_STREAM) inlined = largest;
    }
    const table = tablesAt + 4 * INLINED_TABLE;
    const offset = table < end ? view.getUint32(table, true) : NONE;
    if (offset !== NONE && !renamed.has(offset)) {
      renamed.add(offset);
      for (let k = 0; k <= inlined; k++) {
        const call = calls + offset + CALL_SIZE * k;
        const name = names.shortened(view.getUint32(call + CALL.name, true), bytes[call]);
        view.setUint32(call + CALL.name, name, true);
        view.setUint32(call + CALL.start, 0, true);
      }
    }
    const kind = bytes[record + RECORD_KIND];
    const name = names.shortened(view.getUint32(record + RECORD.name, true), kind);
    view.setUint32(record + RECORD.name, name, true);
    for (const field of ["file", "line", "unit", "start"]) {
      view.setUint32(record + RECORD[field], 0, true);
    }
  }
  names.write();
  bytes.fill(0, at[UNITS], at[STREAMS]);
  streams.clear();
}

function check(fact, otherwise) {
  if (!fact) throw new Error(`Go's tables are not laid out as they are known to be: ${otherwise}`);
}

/**
 * Finds the header and what runtime.moduledata, which begins with its address, says of the tables.
 * Places are in bytes; calls is what tables of inlined calls are counted from.
 */
function find(address, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const within = (place) => place >= 0 && place + 8 <= bytes.length;
  const word = (place) => (within(place) ? Number(view.getBigUint64(place, true)) : NaN);
  const places = [];
  for (let at = bytes.indexOf(MAGIC[0]); at >= 0; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (MAGIC.every((byte, i) => bytes[at + i] === byte) && word(at + 8 * NAMES) === 8 * HEADER) {
      places.push(at);
    }
  }
  check(places.length === 1, `there are ${places.length} headers`);
  const [header] = places;
  const at = [];
  for (const table of [NAMES, UNITS, FILES, STREAMS, FUNCTIONS]) {
    at[table] = header + word(header + 8 * table);
  }
  const count = word(header + 8 * COUNT);

  for (let module = -address & 7; module + 8 <= bytes.length; module += 8) {
    const field = (number) => word(module + 8 * number);
    const pointer = (number) => field(number) - address;
    if (pointer(0) !== header || pointer(MODULE.names) !== at[NAMES]) continue;
    const same = [
      [MODULE.units, UNITS],
      [MODULE.files, FILES],
      [MODULE.streams, STREAMS],
      [MODULE.functions, FUNCTIONS],
      [MODULE.index, FUNCTIONS],
    ];
    for (const [number, table] of same) {
      check(pointer(number) === at[table], `moduledata puts table ${table} elsewhere`);
    }
    check(field(MODULE.index + 1) === count + 1, "moduledata counts the functions otherwise");
    const [calls, end] = [pointer(MODULE_TABLES), pointer(MODULE_END)];
    check(at[FUNCTIONS] < end && end <= bytes.length, "moduledata does not say where they end");
    check(calls > 0 && calls < bytes.length, "moduledata has no tables of inlined calls");
    return { view, at, count, calls, end };
  }
  check(false, "there is no moduledata");
}

/** The names of functions, each ended by a zero. The first byte is one, too. */
class Names {
  constructor(bytes) {
    this.bytes = bytes;
    this.before = Buffer.from(bytes);
    this.text = "\0";
    this.places = new Map();
  }
  /** Where the function's name will be. */
  shortened(offset, kind) {
    const end = this.before.indexOf(0, offset);
    check(
      end >= 0 && (offset === 0 || this.before[offset - 1] === 0),
      "a name begins within another",
    );
    const name = this.before.toString("latin1", offset, end);
    const kept = name === "" || kind === WRAPPER || KEPT.includes(name);
    const short = kept ? name : name.startsWith("runtime.") ? "runtime." : "?";
    if (!this.places.has(short)) {
      this.places.set(short, short && this.text.length);
      this.text += `${short}\0`;
    }
    return this.places.get(short);
  }
  write() {
    this.bytes.fill(0);
    this.bytes.set(Buffer.from(this.text, "latin1"));
  }
}

/** Streams of values over places in code: pairs of differences, ended by a value's that is 0. */
class Streams {
  constructor(bytes) {
    this.bytes = bytes;
    this.kept = new Map([[0, { end: 1, largest: -1 }]]); // no stream
  }
  /** Keeps the stream at that place, and tells its largest value. */
  keep(offset) {
    if (!this.kept.has(offset)) {
      check(offset < this.bytes.length, "a stream lies outside them");
      const reader = new Reader(this.bytes, offset);
      let value = -1;
      let largest = -1;
      for (let first = true; ; first = false) {
        const difference = reader.unsigned();
        if (difference === 0 && !first) break;
        value += difference % 2 ? -(difference + 1) / 2 : difference / 2;
        largest = Math.max(largest, value);
        check(reader.unsigned() > 0, "a stream stands still");
      }
      this.kept.set(offset, { end: reader.at, largest });
    }
    return this.kept.get(offset).largest;
  }
  /** Fills with zeros what is no part of a stream that is kept. */
  clear() {
    const before = this.bytes.slice();
    this.bytes.fill(0);
    for (const [start, { end }] of this.kept) this.bytes.set(before.subarray(start, end), start);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [from, to] = process.argv.slice(2);
  try {
    const { file, warning } = slim(readFileSync(from));
    writeFileSync(to, file);
    if (warning) console.error(`${to}: ${warning}`);
  } catch (error) {
    console.error(`${from}: ${error.message}`);
    process.exitCode = 1;
  }
}
