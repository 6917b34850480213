import { ordered, schemaOf } from "./document.ts";
import type { Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
import { Held, type Reading } from "./held.ts";
import { matrixRoom } from "./limits.ts";
import { type KeptBy, readAnew } from "./reading.ts";
import type {
  AnyLabel,
  Dataset,
  LayoutOptions,
  Label,
  ProgressOptions,
  ReadingOptions,
  Schema,
  Source,
} from "./types.ts";
import type { DatasetSummary } from "./wire/calls.ts";

/** The client's half of a dataset: what it was read from, and where in which worker it is now. */
export class DatasetHandle<L extends AnyLabel = Label> extends Held implements Dataset<L> {
  readonly schema: Schema<L>;
  #summary: DatasetSummary<L>;
  readonly #keptBy: KeptBy | undefined;

  private constructor(
    engine: Engine,
    source: Source,
    summary: DatasetSummary<L>,
    reading: Reading,
    told: LayoutOptions,
    keptBy: KeptBy | undefined,
  ) {
    super(engine, source, reading, told);
    // The core's copy: it has the defaults written out, and stays what the file was read with.
    this.schema = ordered(summary.schema);
    this.#summary = summary;
    this.#keptBy = keptBy;
  }

  /** `keptBy` is for a program that fits, and whose workers can keep rows for one another. */
  static async open<L extends AnyLabel>(
    engine: Engine,
    source: Source,
    schema: Schema<L> | string,
    options: ReadingOptions,
    keptBy?: KeptBy,
  ): Promise<DatasetHandle<L>> {
    const { summary, reading } = await openIn<L>(engine, source, schema, options, keptBy);
    return new DatasetHandle(engine, source, summary, reading, options, keptBy);
  }

  get rows() {
    return this.#summary.rows;
  }
  get tally() {
    return this.#summary.tally;
  }
  get layout() {
    return this.#summary.layout;
  }
  get classes() {
    return this.#summary.classes as Dataset<L>["classes"];
  }
  get columns() {
    return this.#summary.columns;
  }

  protected async readAgain(source: Source, options: ProgressOptions): Promise<Reading> {
    const { summary, reading } = await openIn<L>(
      this.engine,
      source,
      this.schema,
      { ...options, ...this.told },
      this.#keptBy,
    );
    this.#summary = summary;
    return reading;
  }
}

/** The dataset as the client of this engine has it, which a call needs. */
export function opened<L extends AnyLabel>(
  engine: Engine,
  dataset: Dataset<L> | null,
  method: string,
): DatasetHandle<L> {
  if (!(dataset instanceof DatasetHandle && dataset.isOf(engine)))
    throw new CloisterError("dataset-lost", `${method} needs a dataset that this client opened.`);
  return dataset;
}

async function openIn<L extends AnyLabel>(
  engine: Engine,
  source: Source,
  schema: Schema<L> | string,
  options: ReadingOptions,
  keptBy: KeptBy | undefined,
): Promise<{ summary: DatasetSummary<L>; reading: Reading }> {
  const { header, delimiter, names } = options;
  const { result, ...where } = await readAnew<DatasetSummary<L>>(
    engine,
    { purpose: "dataset", schema: schemaOf(schema), header, delimiter, names, room: matrixRoom() },
    source,
    options,
    keptBy,
  );
  return { summary: result, reading: { id: result.dataset, ...where } };
}
