import { CloisterError, reason } from "./error.ts";
import { MAX_BYTES } from "./limits.ts";
import type { NamedSource, Source, SourcePart } from "./types.ts";

/**
 * Bytes handed to the worker at a time: large enough that a message costs nothing beside parsing
 * it.
 */
const CHUNK = 2 ** 21;

export function partsOf(source: Source): readonly SourcePart[] {
  return Array.isArray(source) ? source : [source as SourcePart];
}

/** Whether all of the source can be read a second time. */
export function canBeReadAgain(source: Source): boolean {
  return partsOf(source).every((part) => !(part instanceof ReadableStream));
}

/**
 * The part's file name, for errors; empty where there is none. Half a character, which some file
 * systems allow, is written as U+FFFD: the program takes no text with one.
 */
export function nameOf(part: SourcePart): string {
  return typeof part === "object" && "name" in part && typeof part.name === "string"
    ? part.name.replace(/\p{Surrogate}/gu, "\ufffd")
    : "";
}

/** The sum of the sizes that are known before reading; a stream's is not. */
export function declaredSize(source: Source): number {
  let total = 0;
  for (const part of partsOf(source)) {
    // A character of text is one byte or more.
    if (typeof part === "string") total += part.length;
    else if (part instanceof Uint8Array) total += part.byteLength;
    else if (part instanceof ReadableStream) continue;
    else if (typeof part?.size === "number") total += part.size;
    else
      throw new CloisterError(
        "source",
        "What was given to be read is no file: it must be a file, a stream, text or bytes, or a list of them.",
      );
  }
  return total;
}

export function refuseIfTooLarge(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new CloisterError(
    "too-large",
    `The file has ${bytes.toLocaleString("en")} bytes, and at most ${MAX_BYTES.toLocaleString("en")} (512 MiB) can be read: more may not fit into a browser's memory. Take a random sample of its rows, or leave out columns that the model does not use.`,
  );
}

/** The part's bytes, in pieces whose buffers are the caller's to give away. */
export async function* chunksOf(part: SourcePart): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    if (typeof part === "string") yield* encoded(part);
    else if (part instanceof Uint8Array) yield* copied(part);
    else if (part instanceof Blob) yield* sliced(part);
    else
      yield* streamed(
        part instanceof ReadableStream ? iterate(part) : (part satisfies NamedSource).open(),
      );
  } catch (error) {
    if (error instanceof CloisterError) throw error;
    throw new CloisterError(
      "source",
      `The file could not be read: ${reason(error)} It may have been moved or changed since it was chosen: choose it again.`,
      {},
      { cause: error },
    );
  }
}

function* encoded(text: string): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + CHUNK / 2, text.length);
    // Do not part the two halves of a character outside the basic plane.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to++;
    yield encoder.encode(text.slice(from, to));
    from = to;
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

function* copied(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < bytes.length; from += CHUNK)
    yield new Uint8Array(bytes.subarray(from, from + CHUNK));
}

async function* sliced(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < blob.size; from += CHUNK) {
    yield new Uint8Array(await blob.slice(from, from + CHUNK).arrayBuffer());
  }
}

async function* streamed(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // A stream's pieces may be views of a shared pool: copy them.
  for await (const piece of pieces) if (piece.byteLength > 0) yield new Uint8Array(piece);
}

// ReadableStream has no async iterator in every browser yet.
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
