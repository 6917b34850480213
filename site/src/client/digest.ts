import { WholeDigest } from "./content.ts";
import type { Engine } from "./engine.ts";
import { joined } from "./joined.ts";
import { LARGE } from "./limits.ts";
import { declaredSize, partsOf } from "./source.ts";
import type { Source } from "./types.ts";
import { deathsAreSeen } from "./watch.ts";
import type { ContentAlone } from "./wire/calls.ts";

/** How many processors there are, as far as the browser says. */
export const processors = () => globalThis.navigator?.hardwareConcurrency ?? 2;

/** Takes the digest of a source's content, part by part, while another parses it. */
export interface ContentDigest {
  part(): Promise<void>;
  /** Takes a copy of the bytes. */
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The digest of all of it. */
  finish(): Promise<Uint8Array>;
  /** To be called however the reading ends. */
  end(): void;
}

/**
 * Who takes the digest of a source that declares so many bytes; nobody where the worker that
 * parses it had better do so.
 */
export async function digestOf(
  engine: Engine,
  source: Source,
  signal: AbortSignal | undefined,
): Promise<ContentDigest | undefined> {
  const bytes = declaredSize(source);
  const known = !partsOf(source).some((part) => part instanceof ReadableStream);
  if (known && bytes < LARGE && WholeDigest.available()) return new WholeDigest(bytes);
  return Digester.beside(engine, bytes, signal);
}

/**
 * Takes the digest of a source's content in a worker of its own, while another
 * parses it: each takes about as long. The source is read once, and both get the
 * same bytes, so that the digest is of what was parsed. The worker lives as long
 * as the reading, and if it dies, the reading fails.
 */
export class Digester implements ContentDigest {
  readonly #engine: Engine;
  readonly #signal: AbortSignal | undefined;
  #reading = 0;
  #number: number | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(engine: Engine, signal: AbortSignal | undefined) {
    this.#engine = engine;
    this.#signal = signal;
  }

  /**
   * One beside this engine; none where there is little to do, one processor to do it, or a death
   * that might not be seen.
   */
  static async beside(
    engine: Engine,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<Digester | undefined> {
    if (bytes < LARGE || processors() < 2 || !(await deathsAreSeen())) return undefined;
    const digester = new Digester(engine.beside(), signal);
    try {
      const { reading } = await digester.#engine.ask(
        "read.open",
        { purpose: "content" },
        { signal },
      );
      digester.#reading = reading;
      return digester;
    } catch (error) {
      digester.end();
      throw error;
    }
  }

  /**
   * For an engine whose worker reads a file itself (worker.ts, feed): whom that worker gives the
   * bytes on to.
   */
  async reading(engine: Engine): Promise<{ worker: number; reading: number }> {
    await this.#last;
    return { worker: (this.#number ??= joined(engine, this.#engine)), reading: this.#reading };
  }

  part(): Promise<void> {
    return this.#inOrder(() =>
      this.#engine.ask("read.part", { reading: this.#reading }, { signal: this.#signal }),
    );
  }

  /**
   * Takes a copy of the bytes. Resolves when what was given before has been read, so that no more
   * than two pieces wait.
   */
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    const bytes = chunk.slice();
    return this.#inOrder(() =>
      this.#engine.ask(
        "read.append",
        { reading: this.#reading, bytes },
        { transfer: [bytes.buffer], signal: this.#signal },
      ),
    );
  }

  /** The digest of all of it. */
  async finish(): Promise<Uint8Array> {
    await this.#inOrder(() =>
      this.#engine.ask("read.finish", { reading: this.#reading }, { signal: this.#signal }),
    );
    return ((await this.#last) as ContentAlone).digest;
  }

  end(): void {
    this.#engine.terminate();
  }

  async #inOrder(next: () => Promise<unknown>): Promise<void> {
    await this.#last;
    this.#last = next();
    // Awaited at the next step; until then a failure has no other listener.
    this.#last.catch(() => undefined);
  }
}
