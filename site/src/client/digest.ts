import type { Engine } from "./engine.ts";
import { LARGE } from "./limits.ts";

/** How many processors there are, as far as the browser says. */
export const processors = () => globalThis.navigator?.hardwareConcurrency ?? 2;

/**
 * Takes the digest of a source's content in a worker of its own, while another
 * parses the same bytes: each takes about as long. The worker lives as long as
 * the reading, and if it dies, the reading fails.
 */
export class Digester {
  readonly #engine: Engine;
  readonly #signal: AbortSignal | undefined;
  #reading = 0;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(engine: Engine, signal: AbortSignal | undefined) {
    this.#engine = engine;
    this.#signal = signal;
  }

  /** One beside this engine; none where there is little to do, or one processor to do it. */
  static async beside(engine: Engine, bytes: number, signal: AbortSignal | undefined): Promise<Digester | undefined> {
    if (bytes < LARGE || processors() < 2) return undefined;
    const digester = new Digester(engine.beside(), signal);
    try {
      const { reading } = (await digester.#call("read.open", { purpose: "content" })) as { reading: number };
      digester.#reading = reading;
      return digester;
    } catch (error) {
      digester.end();
      throw error;
    }
  }

  /** Has the worker read all of a file itself. */
  async feed(file: Blob): Promise<void> {
    await this.#last;
    await this.#call("worker.feed", { reading: this.#reading, file });
  }

  part(): Promise<void> {
    return this.#inOrder("read.part");
  }

  /** Takes a copy of the bytes. Resolves when what was given before has been read, so that no more than two pieces wait. */
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    const bytes = chunk.slice();
    return this.#inOrder("read.append", { bytes }, [bytes.buffer]);
  }

  /** The digest of all of it. */
  async finish(): Promise<Uint8Array> {
    await this.#inOrder("read.finish");
    return ((await this.#last) as { digest: Uint8Array }).digest;
  }

  end(): void {
    this.#engine.terminate();
  }

  async #inOrder(method: string, more: Record<string, unknown> = {}, transfer: ArrayBuffer[] = []): Promise<void> {
    await this.#last;
    this.#last = this.#call(method, { reading: this.#reading, ...more }, transfer);
    // Awaited at the next step; until then a failure has no other listener.
    this.#last.catch(() => undefined);
  }

  #call(method: string, params: Record<string, unknown>, transfer: ArrayBuffer[] = []): Promise<unknown> {
    return this.#engine.call({ method, params, transfer, signal: this.#signal });
  }
}
