import { ordered, schemaOf } from "./document.ts";
import type { Engine } from "./engine.ts";
import { Held, type Reading } from "./held.ts";
import { matrixRoom } from "./limits.ts";
import { readAnew } from "./reading.ts";
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
export class DatasetHandle<L extends AnyLabel = Label> extends Held implements Dataset<L> {
  readonly schema: Schema<L>;
  #summary: Summary<L>;

  private constructor(engine: Engine, source: Source, summary: Summary<L>, epoch: number) {
    super(engine, source, { id: summary.dataset, epoch });
    // The core's copy: it has the defaults written out, and stays what the file was read with.
    this.schema = ordered(summary.schema);
    this.#summary = summary;
  }

  static async open<L extends AnyLabel>(engine: Engine, source: Source, schema: Schema<L> | string, options: ProgressOptions): Promise<DatasetHandle<L>> {
    const { summary, epoch } = await openIn<L>(engine, source, schema, options);
    return new DatasetHandle(engine, source, summary, epoch);
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

  protected async readAgain(source: Source, options: ProgressOptions): Promise<Reading> {
    const { summary, epoch } = await openIn<L>(this.engine, source, this.schema, options);
    this.#summary = summary;
    return { id: summary.dataset, epoch };
  }
}

async function openIn<L extends AnyLabel>(engine: Engine, source: Source, schema: Schema<L> | string, options: ProgressOptions): Promise<{ summary: Summary<L>; epoch: number }> {
  const { result, epoch } = await readAnew<Summary<L>>(engine, { purpose: "dataset", schema: schemaOf(schema), room: matrixRoom() }, source, options);
  return { summary: result, epoch };
}
