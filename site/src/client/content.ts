/** Whether the browser has a SHA-256: pages that are not secure have none. */
export const digestsAreTaken = (): boolean => globalThis.crypto?.subtle !== undefined;

const BLOCK = 2 ** 20;
const LF = 10;
const CR = 13;
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * What a range of a file adds to the digest of what is before it: the bytes up to the first border
 * of blocks, the digests of the blocks after that, and the bytes of the last one. `ends` are line
 * ends that count only if something follows.
 */
export interface RangeDigest {
  head: Bytes;
  digests: Bytes;
  tail: Bytes;
  ends: number;
}

/**
 * Takes the digest of a source's content, part by part, while it streams in: by the browser's own
 * SHA-256, which is quicker than the Go program's and runs beside it. core/ledger/content.go says
 * which bytes count, and how the digest comes of them.
 */
export class ContentDigest {
  #parts = 0;
  /** Of the parts before: how long they are, and the digests of their blocks. */
  readonly #before: (Bytes | Promise<ArrayBuffer>)[] = [];
  /** Of the blocks of the part at hand. */
  #digests: Promise<ArrayBuffer>[] = [];
  #block = new Uint8Array(BLOCK);
  #length = 0;
  /** How many bytes of a byte order mark were seen; -1: it is over. */
  #mark = 0;
  /** Line ends that count only if something follows. */
  #ends = 0;
  /** Whether the last byte was a CR: of CR LF, one line end counts. */
  #cr = false;
  /** Of a range: where in a block it begins, and its bytes up to the next one. */
  #from = 0;
  #head: Bytes | undefined;

  /** One that takes a range of a part, before which so many bytes count. */
  static from(at: number): ContentDigest {
    const digest = new ContentDigest();
    digest.part();
    digest.#mark = -1;
    digest.#from = digest.#length = at % BLOCK;
    return digest;
  }

  /** How many bytes of the part count if something follows that does. */
  get at(): number {
    return this.#length + this.#ends;
  }

  part(): void {
    this.#close();
    this.#parts++;
    this.#digests = [];
    this.#length = this.#mark = this.#ends = 0;
    this.#cr = false;
  }

  /**
   * Takes a copy of the bytes, for the part that was begun last; the first begins by itself.
   * Resolves when the blocks of the chunks before are through. So who waits for that has the blocks
   * of two chunks in memory at most, however slow the digests are.
   */
  append(chunk: Bytes): Promise<unknown> {
    if (this.#parts === 0) this.part();
    const before = Promise.all(this.#digests.slice(-1));
    let text = this.#cr || chunk.includes(CR) ? this.#withoutCR(chunk) : chunk;
    if (this.#mark >= 0) text = this.#withoutMark(text);
    let end = text.length;
    while (text[end - 1] === LF) end--;
    if (end > 0) {
      this.#putEnds();
      this.#put(text.subarray(0, end));
    }
    this.#ends += text.length - end;
    return before;
  }

  /** What a range comes to. */
  async range(): Promise<RangeDigest> {
    const short = this.#from > 0 && !this.#head; // no border of blocks is in it
    const rest = this.#block.slice(short ? this.#from : 0, this.#length % BLOCK);
    const none = new Uint8Array();
    const digests = new Uint8Array(32 * this.#digests.length);
    (await Promise.all(this.#digests)).forEach((one, k) =>
      digests.set(new Uint8Array(one), 32 * k),
    );
    return {
      head: short ? rest : (this.#head ?? none),
      digests,
      tail: short ? none : rest,
      ends: this.#ends,
    };
  }

  /**
   * Takes a range in place of its bytes. It was taken by one from {@link at}, and begins at the
   * beginning of a line.
   */
  join({ head, digests, tail, ends }: RangeDigest): void {
    if (head.length + digests.length + tail.length > 0) {
      this.#putEnds();
      this.#put(head);
      for (let at = 0; at < digests.length; at += 32)
        this.#digests.push(Promise.resolve(digests.slice(at, at + 32).buffer));
      this.#length += (digests.length / 32) * BLOCK;
      this.#put(tail);
    }
    this.#ends += ends;
  }

  /** The digest of all of it. */
  async finish(): Promise<Bytes> {
    this.#close();
    const tag = new TextEncoder().encode("cloister content list 1\n");
    const list = [tag, number(this.#parts), ...(await Promise.all(this.#before))];
    const all = Uint8Array.from(list.flatMap((piece) => [...new Uint8Array(piece)]));
    return new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  }

  /** A chunk with LF in the place of CR LF and CR. */
  #withoutCR(chunk: Bytes): Bytes {
    const text = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== LF || !this.#cr) text[length++] = byte === CR ? LF : byte;
      this.#cr = byte === CR;
    }
    return text.subarray(0, length);
  }

  /** What follows the byte order mark. What was no such mark in the end counts. */
  #withoutMark(text: Bytes): Bytes {
    let at = 0;
    for (; at < text.length && text[at] === MARK[this.#mark]; at++) this.#mark++;
    if (at < text.length) this.#endMark();
    return text.subarray(at);
  }

  #endMark(): void {
    if (this.#mark > 0 && this.#mark < MARK.length) this.#put(MARK.subarray(0, this.#mark));
    this.#mark = -1;
  }

  #putEnds(): void {
    for (let n; (n = Math.min(this.#ends, BLOCK)) > 0; this.#ends -= n)
      this.#put(new Uint8Array(n).fill(LF));
  }

  /** Adds what counts. */
  #put(text: Bytes): void {
    for (let at = 0; at < text.length;) {
      const filled = this.#length % BLOCK;
      const piece = text.subarray(at, at + BLOCK - filled);
      this.#block.set(piece, filled);
      at += piece.length;
      this.#length += piece.length;
      if (this.#length % BLOCK === 0) this.#take(BLOCK);
    }
  }

  /** Has the digest of the block, of so many bytes, taken, and begins another one. */
  #take(bytes: number): void {
    if (this.#from > 0 && !this.#head) this.#head = this.#block.slice(this.#from, bytes);
    else this.#digests.push(crypto.subtle.digest("SHA-256", this.#block.subarray(0, bytes)));
    this.#block = new Uint8Array(BLOCK);
  }

  #close(): void {
    if (this.#parts === 0) return;
    this.#endMark();
    if (this.#length % BLOCK > 0) this.#take(this.#length % BLOCK);
    this.#before.push(number(this.#length), ...this.#digests);
  }
}

/** A number in eight bytes, the highest first. */
function number(n: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}
