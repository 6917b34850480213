// Takes out of a Go program's data what only stack traces need: the names of functions and files, and the tables from addresses to lines. A tenth of each
// binary after brotli. Errors and panics still say what was wrong; they no longer say in which line of Go.
//
// The tables are the program's pclntab (runtime/symtab.go and cmd/link/internal/ld/pcln.go of Go 1.20 to 1.26): a header; names; compilation units; files; pctab,
// byte streams that map addresses to values; then an index of functions and a record for each. Streams of stack depths and of liveness, which the collector
// needs, stay; streams of files and lines go, with the fields that point at them.
//
// The runtime reads names for four things besides printing, and each keeps working: goroutines that run a "runtime." function count as the system's (such names
// become that prefix); the collector knows two stubs of reflect by name (kept); panicwrap parses "package.(*Type).method" (every other name becomes one).

const MAGIC = [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]; // Go 1.20's magic, padding, one-byte instructions, eight-byte pointers
const HEADER = 72;
const RECORD = 44;
// By internal/abi/symtab.go: which of a function's streams (points unsafe for preemption by a signal, which wasm has none of; inlined calls; live arguments) and
// tables (inlined calls, arguments, wrappers) only stack traces read. recover looks at inlined calls too, so that it is not confused by an inlined function that
// calls it: none is, in packages that are built without inlining, and no other package recovers.
const TRACING_STREAMS = [0, 2, 3];
const TRACING_TABLES = [3, 5, 6, 7];
const NONE = 0xffffffff; // no table
const GOFUNC = 40; // words of moduledata before the address of tables
const BUCKETS = 19; // and before that of the buckets by which a program counter's function is found
const TABLES = 43; // where a record says how many tables it has
const KEPT = ["reflect.makeFuncStub", "reflect.methodValueCall"];

/**
 * Where the pclntab lies in bytes, and behind it the tables of its functions and the buckets by which they are found, all of which mention functions without
 * having them run: [[start, end], [start, end]], in order; undefined if it is not there.
 */
export function tablesOfFunctions(bytes, address) {
  const table = read(bytes, address);
  if (!table) return undefined;
  const end = table.records.reduce((end, { record, size }) => Math.max(end, record + size), 0);
  // The last bucket is not whole; it is of the last function.
  const behind = [table.tables, table.buckets + 20 * 16 * (table.records.length - 1) + 4];
  if (!(end <= behind[0] && behind[0] <= table.buckets && behind[1] <= bytes.length)) throw new Error("the tables of functions do not follow each other as they are known to");
  return [[table.at, end], behind];
}

/** The parts of the pclntab, as places in bytes, and for each function its place in code, its record and the record's size; undefined if it is not there. */
function read(bytes, address) {
  const at = find(bytes);
  if (at < 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = (offset) => Number(view.getBigUint64(at + offset, true));
  const [names, units, files, streams, index] = [32, 40, 48, 56, 64].map((offset) => at + size(offset));
  const records = [];
  for (let i = 0; i < size(8); i++) {
    const record = index + view.getUint32(index + 8 * i + 4, true);
    if (record + RECORD > bytes.length) throw new Error("a function's record lies outside the program's data");
    records.push({ place: view.getUint32(index + 8 * i, true) - view.getUint32(index, true), record, size: RECORD + 4 * (view.getUint32(record + 28, true) + bytes[record + TABLES]) });
  }
  return { at, view, names, units, streams, ...placesOf(view, at, address), index, records };
}

/**
 * The places of what records' tables are counted from and of the buckets of functions: fields of moduledata (runtime/symtab.go), which begins with the address of the
 * pclntab's header.
 */
function placesOf(view, at, address) {
  const word = (offset) => (offset + 8 <= view.byteLength ? Number(view.getBigUint64(offset, true)) : NaN);
  for (let offset = -address & 7; offset + 8 <= view.byteLength; offset += 8) {
    const names = at + word(at + 32);
    if (word(offset) !== address + at || word(offset + 8) !== address + names) continue;
    const [tables, buckets] = [GOFUNC, BUCKETS].map((field) => word(offset + 8 * field) - address);
    if (![tables, buckets].every((place) => place > 0 && place < view.byteLength)) break;
    return { tables, buckets };
  }
  throw new Error("the program does not say where the tables of its functions are");
}

/**
 * @param {Uint8Array} bytes initial memory, changed in place
 * @param {number} [address] of its first byte
 * @param {(place: number) => boolean} [removed] functions, in the order of the table, that are never run and of which nothing need be known
 * @returns {{ index: number, records: number[], buckets: number, first: number } | undefined} where things lie that leaveOut (tables-wasm.mjs) asks for;
 *   undefined if there was no pclntab
 */
export function untrace(bytes, address = 0, removed = () => false) {
  const found = read(bytes, address);
  if (!found) return undefined;
  const { view, names, units, streams, index, records } = found;

  const table = new Names(bytes.subarray(names, units));
  const streamsKept = new Set([0, index - streams]);
  const tablesKept = new Set();
  const all = [new Set(), new Set()]; // where streams and tables begin, kept or not
  for (const { place, record, size } of records) {
    const field = (offset) => view.getUint32(record + offset, true);
    const count = field(28);
    const gone = removed(place);
    for (const offset of [16, 20, 24]) all[0].add(field(offset));
    if (!gone) streamsKept.add(field(16));
    for (let k = 0; k < count; k++) {
      const offset = RECORD + 4 * k;
      all[0].add(field(offset));
      if (gone) continue;
      if (TRACING_STREAMS.includes(k)) view.setUint32(record + offset, 0, true);
      else streamsKept.add(field(offset));
    }
    for (let offset = RECORD + 4 * count; offset < size; offset += 4) {
      if (field(offset) === NONE) continue;
      all[1].add(field(offset));
      if (gone) continue;
      if (TRACING_TABLES.includes((offset - RECORD) / 4 - count)) view.setUint32(record + offset, NONE, true);
      else tablesKept.add(field(offset));
    }
    if (gone) {
      bytes.fill(0, record + 4, record + size);
      view.setUint32(record + 28, (size - RECORD) / 4, true); // as long as it was, with no streams and no tables
      continue;
    }
    view.setUint32(record + 4, table.shortened(field(4)), true);
    for (const offset of [20, 24, 32, 36]) view.setUint32(record + offset, 0, true); // file, line, unit, first line
  }
  clear(bytes, streams, all[0], streamsKept);
  clear(bytes, found.tables, all[1], tablesKept);
  table.write();
  bytes.fill(0, units, streams);
  return { index, records: records.map(({ record }) => record), buckets: found.buckets, first: view.getUint32(index, true) };
}

/** Fills with zeros what begins at one of the starts and is not kept, up to the next start. The last one has no known end and stays. */
function clear(bytes, base, starts, kept) {
  const sorted = [...new Set([...starts, ...kept])].sort((a, b) => a - b);
  for (let i = 0; i + 1 < sorted.length; i++) {
    if (!kept.has(sorted[i])) bytes.fill(0, base + sorted[i], base + sorted[i + 1]);
  }
}

/** The header's place, or −1: the magic, followed by offsets that lie in order. */
function find(bytes) {
  let found = -1;
  for (let at = bytes.indexOf(MAGIC[0]); at >= 0 && at + HEADER <= bytes.length; at = bytes.indexOf(MAGIC[0], at + 1)) {
    if (!MAGIC.every((byte, i) => bytes[at + i] === byte)) continue;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, HEADER);
    const offsets = [32, 40, 48, 56, 64].map((offset) => view.getBigUint64(offset, true));
    const ordered = offsets.every((offset, i) => offset >= (i === 0 ? BigInt(HEADER) : offsets[i - 1]));
    if (!ordered || BigInt(at) + offsets[4] + 8n * view.getBigUint64(8, true) > BigInt(bytes.length)) continue;
    if (found >= 0) throw new Error("two tables of functions");
    found = at;
  }
  return found;
}

/** The names of functions, shortened to what the runtime must be able to tell apart. */
class Names {
  constructor(bytes) {
    this.bytes = bytes;
    this.before = Buffer.from(bytes);
    this.text = "\0";
    this.places = new Map();
  }
  shortened(offset) {
    const name = this.before.toString("latin1", offset, this.before.indexOf(0, offset));
    const short = KEPT.includes(name) ? name : name.startsWith("runtime.") ? "runtime.removed" : "removed.(*T).name";
    if (!this.places.has(short)) {
      this.places.set(short, this.text.length);
      this.text += `${short}\0`;
    }
    return this.places.get(short);
  }
  write() {
    this.bytes.fill(0);
    this.bytes.set(Buffer.from(this.text, "latin1"));
  }
}
