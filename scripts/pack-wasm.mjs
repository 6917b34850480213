// Joins the data segments of a WebAssembly file, so that it compresses better.
//
// Go's linker leaves out every run of zeros in the program's initial memory, and so writes some 45,000 segments of a few bytes, each with an address that
// does not compress. One segment with the zeros left in says the same, and the file is a tenth smaller after brotli: 46 kB of curves.wasm, 57 kB of cloister.wasm.
//
// `node scripts/pack-wasm.mjs FILE…` rewrites the files in place, and takes out what only stack traces need (untrace-wasm.mjs) unless CLOISTER_TRACES is set.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { stubs } from "./stub-wasm.mjs";
import { leaveOut, signed, unsigned } from "./tables-wasm.mjs";
import { tablesOfFunctions, untrace } from "./untrace-wasm.mjs";

const CUSTOM = 0;
const TYPE = 1;
const IMPORT = 2;
const FUNCTIONS = 3;
const EXPORT = 7;
const START = 8;
const CODE = 10;
const DATA = 11;
const FUNCTION = 0; // the kind of an import or export
const I32_CONST = 0x41;
const END = 0x0b;

/** Gaps of zeros up to this long are filled: a segment's header costs more than the zeros do. */
const FILL = 64 * 1024;

/**
 * @param {Uint8Array} file a WebAssembly module
 * @param {{ traces?: boolean }} [options] traces: false takes stack traces out
 * @returns {Uint8Array} the same module with its data segments joined. Segments that are not plain bytes at a constant address of memory 0, or that overlap, are an error.
 */
export function pack(file, { traces = true } = {}) {
  let sections = readSections(new Reader(file));
  const data = sections.find(({ id }) => id === DATA);
  if (data) {
    const segments = joined(readSegments(new Reader(data.body)));
    if (traces) data.body = written(segments);
    else sections = cut(sections, data, segments);
  }
  return Buffer.concat([file.subarray(0, 8), ...sections.flatMap(({ id, body }) => [Uint8Array.of(id, ...unsigned(body.length)), body])]);
}

/** The sections of a Go program without what only stack traces need, and without what it can work out when it starts. */
function cut(sections, data, segments) {
  const names = readNames(sections);
  const code = sections.find(({ id }) => id === CODE);
  const edges = readEdges(sections);
  const bodies = readBodies(new Reader(code.body));
  const replaced = names.size > 0 ? stubs({ code: { bodies, ...edges }, names, data: segments.flatMap(withoutTables) }) : new Map();
  let start;
  for (const { address, bytes } of segments) {
    const tables = untrace(bytes, address, (place) => replaced.has(place));
    if (tables) start = leaveOut(bytes, tables)(address);
  }
  if (!start) throw new Error("no table of functions was found: is this a Go program?");
  data.body = written(segments.flatMap(split));
  code.body = vector([...bodies.map((old, i) => replaced.get(i) ?? old), start].map((body) => [...unsigned(body.length), ...body]));
  return withStart(sections.filter(({ id }) => id !== CUSTOM), edges.imports + bodies.length);
}

/** Declares the function of that number, the last one of the code, and has it run as soon as the memory is filled. */
function withStart(sections, number) {
  if (sections.some(({ id }) => id === START)) throw new Error("the module has something to start already");
  const add = ({ body }, entry) => {
    const reader = new Reader(body);
    const count = reader.unsigned();
    return { count, body: Buffer.concat([Uint8Array.from(unsigned(count + 1)), body.subarray(reader.at), Uint8Array.from(entry)]) };
  };
  const out = [];
  let type;
  for (const section of sections) {
    if (section.id > EXPORT && out.every(({ id }) => id !== START)) out.push({ id: START, body: Uint8Array.from(unsigned(number)) });
    if (section.id === TYPE) {
      const { count, body } = add(section, [0x60, 0, 0]); // of no parameters and no results
      type = count;
      out.push({ id: TYPE, body });
    } else if (section.id === FUNCTIONS) out.push({ id: FUNCTIONS, body: add(section, unsigned(type)).body });
    else out.push(section);
  }
  return out;
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  byte() {
    if (this.at >= this.bytes.length) throw new Error("the file ends too early");
    return this.bytes[this.at++];
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
  signed32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return shift < 25 && byte & 64 ? value | (-1 << (shift + 7)) : value;
    }
  }
}

function readSections(reader) {
  const sections = [];
  reader.take(8);
  while (reader.at < reader.bytes.length) sections.push({ id: reader.byte(), body: reader.take(reader.unsigned()) });
  return sections;
}

/** Function names by number, from the custom section "name"; none if the program was linked without. */
function readNames(sections) {
  const names = new Map();
  for (const { id, body } of sections) {
    if (id !== CUSTOM) continue;
    const reader = new Reader(body);
    if (reader.text() !== "name") continue;
    while (reader.at < body.length) {
      const kind = reader.byte();
      const part = new Reader(reader.take(reader.unsigned()));
      if (kind !== 1) continue; // of functions
      for (let count = part.unsigned(); count > 0; count--) names.set(part.unsigned(), part.text());
    }
  }
  return names;
}

/** How many functions are imported, and the numbers of those that are exported. */
function readEdges(sections) {
  let imports = 0;
  const exported = [];
  for (const { id, body } of sections) {
    const reader = new Reader(body);
    if (id === IMPORT) {
      for (let count = reader.unsigned(); count > 0; count--) {
        reader.text();
        reader.text();
        if (reader.byte() !== FUNCTION) throw new Error("something else than functions is imported");
        reader.unsigned();
        imports++;
      }
    }
    if (id === EXPORT) {
      for (let count = reader.unsigned(); count > 0; count--) {
        reader.text();
        const kind = reader.byte();
        const number = reader.unsigned();
        if (kind === FUNCTION) exported.push(number);
      }
    }
  }
  return { imports, exported };
}

function readBodies(reader) {
  return Array.from({ length: reader.unsigned() }, () => reader.take(reader.unsigned()));
}

function vector(entries) {
  return Buffer.concat([Uint8Array.from(unsigned(entries.length)), ...entries.map((entry) => Uint8Array.from(entry))]);
}

/** A segment without the tables of functions, which mention every function. */
function withoutTables({ address, bytes }) {
  const tables = tablesOfFunctions(bytes, address) ?? [];
  const starts = [0, ...tables.map(([, end]) => end)];
  const ends = [...tables.map(([start]) => start), bytes.length];
  return starts.map((start, i) => ({ address: address + start, bytes: bytes.subarray(start, ends[i]) }));
}

function readSegments(reader) {
  const count = reader.unsigned();
  const segments = [];
  for (let i = 0; i < count; i++) {
    if (reader.unsigned() !== 0 || reader.byte() !== I32_CONST) throw new Error("a data segment is not at a constant address of memory 0");
    const address = reader.signed32();
    if (reader.byte() !== END || address < 0) throw new Error("a data segment's address is not a plain constant");
    segments.push({ address, bytes: reader.take(reader.unsigned()) });
  }
  return segments.sort((a, b) => a.address - b.address);
}

function joined(segments) {
  const runs = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && segment.address < run.end) throw new Error("data segments overlap");
    if (run && segment.address - run.end <= FILL) {
      run.segments.push(segment);
      run.end = segment.address + segment.bytes.length;
    } else {
      runs.push({ address: segment.address, end: segment.address + segment.bytes.length, segments: [segment] });
    }
  }
  return runs.map(({ address, end, segments }) => {
    const bytes = new Uint8Array(end - address);
    for (const segment of segments) bytes.set(segment.bytes, segment.address - address);
    return { address, bytes };
  });
}

/** A segment without its long runs of zeros. */
function split({ address, bytes }) {
  const parts = [];
  let from = 0;
  for (let at = 0, zeros = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] === 0) {
      zeros++;
      continue;
    }
    if (zeros > FILL) {
      if (at - zeros > from) parts.push({ address: address + from, bytes: bytes.subarray(from, at - zeros) });
      from = at;
    }
    zeros = 0;
  }
  if (from < bytes.length) parts.push({ address: address + from, bytes: bytes.subarray(from) });
  return parts;
}

function written(segments) {
  const chunks = [Uint8Array.from(unsigned(segments.length))];
  for (const { address, bytes } of segments) {
    chunks.push(Uint8Array.of(0, I32_CONST, ...signed(address), END, ...unsigned(bytes.length)), bytes);
  }
  return Buffer.concat(chunks);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const path of process.argv.slice(2)) {
    try {
      writeFileSync(path, pack(readFileSync(path), { traces: Boolean(process.env.CLOISTER_TRACES) }));
    } catch (error) {
      console.error(`${path}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
