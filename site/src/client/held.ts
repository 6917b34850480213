import type { Engine } from "./engine.ts";
import { WorkerReplaced } from "./engine.ts";
import { CloisterError } from "./error.ts";
import type { Keepers } from "./keepers.ts";
import { readAnew, readForEarlierLedger } from "./reading.ts";
import { canBeReadAgain } from "./source.ts";
import type { Content, LayoutOptions, ProgressOptions, Source } from "./types.ts";
import type { ContentAlone } from "./wire/calls.ts";

/** A source that was read, and the worker that holds it. */
export interface Reading {
  /** The core's number for it. */
  readonly id: number;
  readonly epoch: number;
  /** Workers that keep a part of it for that one. */
  readonly keepers?: Keepers | undefined;
}

/** A source that a worker holds in its memory. It is read again when that worker is gone. */
export abstract class Held {
  #reading: Reading;
  #source: Source | undefined;
  /** Calls that use it at the moment. */
  #calls = 0;
  /** Told when the last of them is through. */
  #through = () => {};
  protected readonly engine: Engine;
  /** What was said of its layout. */
  readonly told: LayoutOptions;

  protected constructor(
    engine: Engine,
    source: Source,
    reading: Reading,
    { header, delimiter, names }: LayoutOptions = {},
  ) {
    this.told = { header, delimiter, names };
    this.engine = engine;
    this.#source = source;
    this.#reading = reading;
  }

  get source(): Source | undefined {
    return this.#source;
  }

  /** Whether its number is one of this engine's worker: another's may have another file by it. */
  isOf(engine: Engine): boolean {
    return this.engine === engine;
  }

  get worker(): number | undefined {
    return this.#source && this.#reading.epoch === this.engine.epoch
      ? this.#reading.epoch
      : undefined;
  }

  /** Whether other workers keep a part of it. */
  get kept(): boolean {
    return this.#reading.keepers?.alive ?? false;
  }

  protected abstract readAgain(source: Source, options: ProgressOptions): Promise<Reading>;

  /** Makes a call that needs the source, with its number in the worker. */
  async use<T>(
    options: ProgressOptions,
    call: (id: number, epoch: number) => Promise<T>,
  ): Promise<T> {
    this.#calls++;
    try {
      for (;;) {
        await this.#ensure(options);
        try {
          return await call(this.#reading.id, this.#reading.epoch);
        } catch (error) {
          if (wantsWhole(error)) await this.#takeWhole(error, options);
          // The worker was ended to abort another call: this one is made again.
          else if (!(error instanceof WorkerReplaced)) throw error;
        }
      }
    } finally {
      if (--this.#calls === 0) this.#through();
    }
  }

  /**
   * A ledger of an earlier version cannot tell whether it knows the source by the digest that was
   * taken: has the one taken that it knows.
   */
  async #takeWhole(wanted: CloisterError, options: ProgressOptions): Promise<void> {
    const { id, epoch } = this.#reading;
    if (!this.#source || !canBeReadAgain(this.#source)) throw wanted;
    if (epoch !== this.engine.epoch) return; // it is read anew
    try {
      await readForEarlierLedger(this.engine, id, this.#source, options);
    } catch (error) {
      if (!(error instanceof WorkerReplaced)) throw error;
    }
  }

  /**
   * Frees it when no call uses it: one that runs may be charged already, and needs all there is.
   */
  async close(): Promise<void> {
    if (!this.#source) return;
    this.#source = undefined;
    if (this.#calls > 0) await new Promise<void>((then) => (this.#through = then));
    const { id, epoch, keepers } = this.#reading;
    keepers?.end();
    if (epoch !== this.engine.epoch) return;
    // If the worker goes first, so does the memory.
    await this.engine.ask("dataset.free", { dataset: id }, { epoch }).catch(() => undefined);
  }

  async #ensure(options: ProgressOptions): Promise<void> {
    if (!this.#source)
      throw new CloisterError("dataset-lost", "The dataset was closed. Open the file again.");
    if (this.#reading.epoch === this.engine.epoch) return;
    if (!canBeReadAgain(this.#source)) {
      throw new CloisterError(
        "dataset-lost",
        "The dataset went with its worker, and it came from a stream, which cannot be read twice. Open the file again.",
      );
    }
    this.#reading = await this.readAgain(this.#source, options);
  }
}

/** Whether a ledger asks for the digest that it knows: see core/ledger, UntakenError. */
const wantsWhole = (error: unknown): error is CloisterError =>
  error instanceof CloisterError && error.code === "dataset-lost" && error.field === "whole";

/** A file by its content alone. */
export class ContentHandle extends Held implements Content {
  constructor(engine: Engine, source: Source, reading: Reading, told: LayoutOptions) {
    super(engine, source, reading, told);
  }

  protected async readAgain(source: Source, options: ProgressOptions): Promise<Reading> {
    const { result, epoch } = await readAnew<ContentAlone>(
      this.engine,
      { purpose: "content" },
      source,
      options,
    );
    return { id: result.content, epoch };
  }
}
