// Joins the data segments of a WebAssembly file, so that it compresses better.
//
// Go's linker leaves out every run of zeros in the program's initial memory, and so writes some 45,000 segments of a few bytes, each with an address that
// does not compress. One segment with the zeros left in says the same, and the file is a tenth smaller after brotli: 46 kB of curves.wasm, 57 kB of cloister.wasm.
//
// `node scripts/pack-wasm.mjs FILE…` rewrites the files in place, and takes out what only stack traces need (untrace-wasm.mjs) unless CLOISTER_TRACES is set.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { untrace } from "./untrace-wasm.mjs";

const DATA = 11;
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
  const reader = new Reader(file);
  const out = [file.subarray(0, 8)];
  for (reader.at = 8; reader.at < file.length; ) {
    const start = reader.at;
    const id = reader.byte();
    const body = reader.take(reader.unsigned());
    if (id === DATA) {
      const segments = joined(readSegments(new Reader(body)));
      if (!traces && !segments.map(({ bytes }) => untrace(bytes)).includes(true)) throw new Error("no table of functions was found: is this a Go program?");
      const section = written(segments);
      out.push(Uint8Array.of(id, ...unsigned(section.length)), section);
    } else {
      out.push(file.subarray(start, reader.at));
    }
  }
  return Buffer.concat(out);
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

function written(segments) {
  const chunks = [Uint8Array.from(unsigned(segments.length))];
  for (const { address, bytes } of segments) {
    chunks.push(Uint8Array.of(0, I32_CONST, ...signed(address), END, ...unsigned(bytes.length)), bytes);
  }
  return Buffer.concat(chunks);
}

function unsigned(value) {
  const out = [];
  for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

function signed(value) {
  const out = [];
  for (; value >= 64; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
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
