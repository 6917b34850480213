/**
 * The digest of a source's content by the browser's own SHA-256, which is quicker than the Go
 * program's and runs beside it. It needs all of the content at once, so large sources are the
 * Go program's. Both count the same bytes: core/ledger/content.go says which.
 */
export class WholeDigest {
  readonly #parts: Uint8Array<ArrayBuffer>[][] = [];
  /** Whether the last byte was a CR: of CR LF, one line end counts. */
  #cr = false;

  /** Whether there is one: pages that are not secure have none. */
  static available(): boolean {
    return globalThis.crypto?.subtle !== undefined;
  }

  async part(): Promise<void> {
    this.#parts.push([]);
    this.#cr = false;
  }

  /** Takes a copy of the bytes. */
  async append(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#parts
      .at(-1)
      ?.push(this.#cr || chunk.includes(CR) ? this.#withoutCR(chunk) : chunk.slice());
  }

  /** The digest of all of it. */
  async finish(): Promise<Uint8Array> {
    const counted: Uint8Array<ArrayBuffer>[] = [];
    for (const part of this.#parts) {
      const text = trimmed(joinedBytes(part));
      counted.push(text, number(text.length));
    }
    counted.push(number(this.#parts.length));
    return new Uint8Array(await crypto.subtle.digest("SHA-256", joinedBytes(counted)));
  }

  end(): void {
    this.#parts.length = 0;
  }

  /** With LF in the place of CR LF and CR. */
  #withoutCR(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== LF || !this.#cr) out[length++] = byte === CR ? LF : byte;
      this.#cr = byte === CR;
    }
    return out.subarray(0, length);
  }
}

const LF = 10;
const CR = 13;
const MARK = [0xef, 0xbb, 0xbf];

/** Without a byte order mark at its beginning and line ends at its end. */
function trimmed(text: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const from = MARK.every((byte, i) => text[i] === byte) ? MARK.length : 0;
  let to = text.length;
  while (to > from && text[to - 1] === LF) to--;
  return text.subarray(from, to);
}

function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** In eight bytes, the highest first. */
function number(n: number): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(8));
  out.setBigUint64(0, BigInt(n));
  return new Uint8Array(out.buffer);
}
