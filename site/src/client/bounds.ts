import { DatasetHandle } from "./dataset.ts";
import { ordered, toText } from "./document.ts";
import type { Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
import { Held, type Reading } from "./held.ts";
import type { Send } from "./ledger.ts";
import { readAnew } from "./reading.ts";
import type {
  AnyLabel,
  BoundsOptions,
  BoundsResult,
  CategoriesOptions,
  CategoriesResult,
  Content,
  Dataset,
  ProgressOptions,
  Source,
} from "./types.ts";
import type { Counted, OpenReading, Purchases } from "./wire/calls.ts";

/** What is counted, and sold. */
type Sold = "bounds" | "categories";

/** The counts of a file's records by public bins, or by their texts. */
class Counts extends Held {
  private constructor(
    engine: Engine,
    source: Source,
    private readonly asked: Asked,
    reading: Reading,
  ) {
    super(engine, source, reading);
  }

  static async of(
    engine: Engine,
    source: Source,
    asked: Asked,
    options: ProgressOptions,
  ): Promise<Counts> {
    return new Counts(engine, source, asked, await count(engine, source, asked, options));
  }

  protected readAgain(source: Source, options: ProgressOptions): Promise<Reading> {
    return count(this.engine, source, this.asked, options);
  }
}

type Asked = OpenReading & { readonly purpose: Sold };

async function count(
  engine: Engine,
  source: Source,
  asked: Asked,
  options: ProgressOptions,
): Promise<Reading> {
  const { result, epoch } = await readAnew<Counted>(engine, asked, source, options);
  return { id: result.dataset, epoch };
}

/**
 * Counts a file's records, and releases bounds or categories of it. The file is read for
 * that alone: nothing depends on the schema that a dataset of it was opened with.
 */
export async function releaseCounted<R extends BoundsResult | CategoriesResult>(
  engine: Engine,
  purpose: Sold,
  of: Dataset<AnyLabel> | Content | Source,
  options: BoundsOptions | CategoriesOptions,
  send: Send,
): Promise<R> {
  const told = of instanceof Held ? of.told : {};
  const {
    columns,
    missingValues = of instanceof DatasetHandle ? of.schema.missing_values : undefined,
    header = told.header,
    delimiter = told.delimiter,
    names = told.names,
    signal,
    onProgress,
    ...request
  } = options;
  const source = of instanceof Held ? of.source : (of as Source);
  if (!source)
    throw new CloisterError("dataset-lost", "The dataset was closed. Open the file again.");
  const counts = await Counts.of(
    engine,
    source,
    { purpose, columns, header, delimiter, names, ...(missingValues && { missingValues }) },
    options,
  );
  try {
    return await counts.use(options, async (dataset, epoch) => {
      const reply = await send(purpose, { ...request, dataset } as Purchases[Sold]["params"], {
        signal,
        onProgress: onProgress as (update: unknown) => void,
        onAbort: "end-worker",
        epoch,
      });
      return {
        ...reply,
        release: ordered(reply.release),
        text: toText(reply.release),
      } as unknown as R;
    });
  } finally {
    void counts.close();
  }
}
