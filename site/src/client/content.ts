/**
 * The digest of a source's content by the browser's own SHA-256, which is quicker than the Go
 * program's and runs beside it. It needs all of the content at once, so large sources are the
 * Go program's. Both count the same bytes: core/ledger/content.go says which.
 */
export class WholeDigest {
  /** What counts so far, the part at hand as it is, and room for more. */
  #counted: Uint8Array<ArrayBuffer>;
  #length = 0;
  #parts = 0;
  /** Where the part at hand begins. */
  #from = 0;
  /** Whether the last byte was a CR: of CR LF, one line end counts. */
  #cr = false;

  /** `bytes` says about how many there will be: more take more time. */
  constructor(bytes = 0) {
    this.#counted = new Uint8Array(Math.max(0, bytes) + NUMBERS);
  }

  /** Whether there is one: pages that are not secure have none. */
  static available(): boolean {
    return globalThis.crypto?.subtle !== undefined;
  }

  async part(): Promise<void> {
    this.#close();
    this.#parts++;
  }

  /** Takes a copy of the bytes. */
  async append(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#makeRoom(chunk.length);
    if (this.#cr || chunk.includes(CR)) return this.#withoutCR(chunk);
    this.#counted.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  /** The digest of all of it. */
  async finish(): Promise<Uint8Array> {
    this.#close();
    this.#number(this.#parts);
    return new Uint8Array(
      await crypto.subtle.digest("SHA-256", this.#counted.subarray(0, this.#length)),
    );
  }

  end(): void {
    this.#counted = new Uint8Array();
  }

  #makeRoom(bytes: number): void {
    const wanted = this.#length + bytes + NUMBERS;
    if (wanted <= this.#counted.length) return;
    const more = new Uint8Array(2 * wanted);
    more.set(this.#counted.subarray(0, this.#length));
    this.#counted = more;
  }

  /** Adds a chunk with LF in the place of CR LF and CR. */
  #withoutCR(chunk: Uint8Array<ArrayBuffer>): void {
    for (const byte of chunk) {
      if (byte !== LF || !this.#cr) this.#counted[this.#length++] = byte === CR ? LF : byte;
      this.#cr = byte === CR;
    }
  }

  /** Ends the part at hand: without a byte order mark and line ends at its end, and its length. */
  #close(): void {
    if (this.#parts === 0) return;
    if (MARK.every((byte, i) => this.#counted[this.#from + i] === byte && this.#has(i))) {
      this.#counted.copyWithin(this.#from, this.#from + MARK.length, this.#length);
      this.#length -= MARK.length;
    }
    while (this.#has(0) && this.#counted[this.#length - 1] === LF) this.#length--;
    this.#makeRoom(0);
    this.#number(this.#length - this.#from);
    this.#from = this.#length;
    this.#cr = false;
  }

  /** Whether the part at hand has more than that many bytes. */
  #has(i: number): boolean {
    return this.#from + i < this.#length;
  }

  /** Adds a number in eight bytes, the highest first. */
  #number(n: number): void {
    new DataView(this.#counted.buffer).setBigUint64(this.#length, BigInt(n));
    this.#length += 8;
  }
}

/** Room for the length of a part and the number of parts. */
const NUMBERS = 16;
const LF = 10;
const CR = 13;
const MARK = [0xef, 0xbb, 0xbf];
