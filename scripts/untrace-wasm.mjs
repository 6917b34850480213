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
const TABLES = 43; // where a record says how many tables it has
const KEPT = ["reflect.makeFuncStub", "reflect.methodValueCall"];

/**
 * @param {Uint8Array} bytes initial memory, changed in place
 * @returns {boolean} whether there was a pclntab
 */
export function untrace(bytes) {
  const at = find(bytes);
  if (at < 0) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = (offset) => Number(view.getBigUint64(at + offset, true));
  const functions = size(8);
  const [names, units, files, streams, index] = [32, 40, 48, 56, 64].map((offset) => at + size(offset));

  const table = new Names(bytes.subarray(names, units));
  const kept = new Set([0, index - streams]);
  const traces = new Set();
  for (let i = 0; i < functions; i++) {
    const record = index + view.getUint32(index + 8 * i + 4, true);
    if (record + RECORD > bytes.length) throw new Error("a function's record lies outside the program's data");
    const field = (offset) => view.getUint32(record + offset, true);
    kept.add(field(16));
    const count = field(28);
    for (let k = 0; k < count; k++) {
      const offset = RECORD + 4 * k;
      if (!TRACING_STREAMS.includes(k)) {
        kept.add(field(offset));
        continue;
      }
      traces.add(field(offset));
      view.setUint32(record + offset, 0, true);
    }
    for (const k of TRACING_TABLES) {
      if (k < bytes[record + TABLES]) view.setUint32(record + RECORD + 4 * (count + k), 0xffffffff, true);
    }
    traces.add(field(20)).add(field(24));
    view.setUint32(record + 4, table.shortened(field(4)), true);
    for (const offset of [20, 24, 32, 36]) view.setUint32(record + offset, 0, true); // file, line, unit, first line
  }
  const starts = [...new Set([...kept, ...traces])].sort((a, b) => a - b);
  for (const [i, start] of starts.entries()) {
    if (!kept.has(start)) bytes.fill(0, streams + start, streams + starts[i + 1]);
  }
  table.write();
  bytes.fill(0, units, streams);
  return true;
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
