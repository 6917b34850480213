/**
 * What a Go program expects of its host's file system, cut down to standard
 * output and error, of which the first few thousand characters are kept: a
 * program that lives writes nothing, and one that dies says why in its first
 * lines. Must be imported before Go's own glue, which would write to the
 * console instead.
 */

const kept = 8192;
const decoder = new TextDecoder();
let output = "";

function writeSync(_fd: number, bytes: Uint8Array): number {
  if (output.length < kept) output = (output + decoder.decode(bytes)).slice(0, kept);
  return bytes.length;
}

function absent(): Error {
  return Object.assign(new Error("not available here"), { code: "ENOSYS" });
}

const files: Record<string | symbol, unknown> = {
  constants: {
    O_WRONLY: -1,
    O_RDWR: -1,
    O_CREAT: -1,
    O_TRUNC: -1,
    O_APPEND: -1,
    O_EXCL: -1,
    O_DIRECTORY: -1,
  },
  writeSync,
  write(
    fd: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    _at: unknown,
    done: (error: Error | null, n?: number) => void,
  ) {
    done(null, writeSync(fd, bytes.subarray(offset, offset + length)));
  },
  fsync(_fd: number, done: (error: Error | null) => void) {
    done(null);
  },
};

// Every other call of node:fs ends in a callback: answer it with an error.
(globalThis as { fs?: unknown }).fs = new Proxy(files, {
  get: (target, name) =>
    target[name] ??
    ((...parameters: unknown[]) => (parameters.at(-1) as (error: Error) => void)(absent())),
});

/** The beginning of what the program wrote. */
export function programOutput(): string {
  return output;
}
