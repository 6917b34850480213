import { ordered, schemaOf } from "./document.ts";
import { type Engine, WorkerReplaced } from "./engine.ts";
import { CloisterError } from "./error.ts";
import { read } from "./reading.ts";
import { canBeReadAgain } from "./source.ts";
import type { AnyLabel, Column, Dataset, Label, ProgressOptions, Schema, Source, Tally } from "./types.ts";

interface Summary<L extends AnyLabel> {
  dataset: number;
  rows: number;
  tally: Tally;
  classes: Dataset<L>["classes"];
  columns: Column[];
  schema: Schema<L>;
}

/** The client's half of a dataset: what it was read from, and where in which worker it is now. */
export class DatasetHandle<L extends AnyLabel = Label> implements Dataset<L> {
  readonly schema: Schema<L>;
  #summary: Summary<L>;
  #epoch: number;
  #source: Source | undefined;
  readonly #engine: Engine;

  private constructor(engine: Engine, source: Source, schema: Schema<L>, summary: Summary<L>, epoch: number) {
    this.#engine = engine;
    this.#source = source;
    this.schema = schema;
    this.#summary = summary;
    this.#epoch = epoch;
  }

  static async open<L extends AnyLabel>(engine: Engine, source: Source, schema: Schema<L> | string, options: ProgressOptions): Promise<DatasetHandle<L>> {
    const { summary, epoch } = await openIn<L>(engine, source, schema, options);
    // The core's copy: it has the defaults written out, and stays what the file was read with.
    return new DatasetHandle(engine, source, ordered(summary.schema), summary, epoch);
  }

  get rows() {
    return this.#summary.rows;
  }
  get tally() {
    return this.#summary.tally;
  }
  get classes() {
    return this.#summary.classes;
  }
  get columns() {
    return this.#summary.columns;
  }
  get source(): Source | undefined {
    return this.#source;
  }

  /**
   * Makes one call that rests on the dataset, with its number there, reading
   * it again first if its worker is gone.
   */
  async use<T>(options: ProgressOptions, call: (dataset: number, epoch: number) => Promise<T>): Promise<T> {
    for (;;) {
      await this.#ensureOpen(options);
      try {
        return await call(this.#summary.dataset, this.#epoch);
      } catch (error) {
        // The worker was ended for the sake of another call: this one is made anew.
        if (!(error instanceof WorkerReplaced)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    if (!this.#source) return;
    this.#source = undefined;
    if (this.#epoch !== this.#engine.epoch) return;
    // If the worker goes first, so does the memory.
    await this.#engine.call({ method: "dataset.free", params: { dataset: this.#summary.dataset }, epoch: this.#epoch }).catch(() => undefined);
  }

  async #ensureOpen(options: ProgressOptions): Promise<void> {
    if (!this.#source) throw new CloisterError("dataset-lost", "The dataset was closed. Open the file again.");
    if (this.#epoch === this.#engine.epoch) return;
    if (!canBeReadAgain(this.#source)) {
      throw new CloisterError("dataset-lost", "The dataset went with its worker, and it came from a stream, which cannot be read twice. Open the file again.");
    }
    const { summary, epoch } = await openIn<L>(this.#engine, this.#source, this.schema, options);
    this.#summary = summary;
    this.#epoch = epoch;
  }
}

async function openIn<L extends AnyLabel>(engine: Engine, source: Source, schema: Schema<L> | string, options: ProgressOptions): Promise<{ summary: Summary<L>; epoch: number }> {
  for (;;) {
    try {
      const { result, epoch } = await read(engine, { purpose: "dataset", schema: schemaOf(schema) }, source, options);
      return { summary: result as Summary<L>, epoch };
    } catch (error) {
      if (!(error instanceof WorkerReplaced)) throw error;
      if (!canBeReadAgain(source)) throw new CloisterError("dataset-lost", "The worker was replaced while a stream was read, which cannot be read twice. Open the file again.");
    }
  }
}
