import { DatasetHandle } from "./dataset.ts";
import { ordered, schemaOf, toText } from "./document.ts";
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
  CardSchema,
  Content,
  Dataset,
  EvaluateScorecardOptions,
  EvaluateScorecardResult,
  NoisyCellsOptions,
  NoisyCellsResult,
  ProgressOptions,
  ScorecardOptions,
  ScorecardRelease,
  ScorecardResult,
  Source,
} from "./types.ts";
import type { Counted, OpenReading, Purchases } from "./wire/calls.ts";

/** What is counted, and sold. */
type Sold = "bounds" | "categories" | CellsSold;
type CellsSold = "scorecard" | "cells" | "scorecard.evaluate";

/** The counts of a file's records by public bins, by their texts, or by the levels of a card. */
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

type Asked = OpenReading & { readonly purpose: "bounds" | "categories" | "scorecard" };

async function count(
  engine: Engine,
  source: Source,
  asked: Asked,
  options: ProgressOptions,
): Promise<Reading> {
  const { result, epoch } = await readAnew<Counted>(engine, asked, source, options);
  return { id: result.dataset, epoch };
}

/** The file that something is of, and what was said of its layout when it was opened. */
function fileOf(of: Dataset<AnyLabel> | Content | Source): {
  source: Source;
  told: Held["told"];
} {
  const source = of instanceof Held ? of.source : (of as Source);
  if (!source)
    throw new CloisterError("dataset-lost", "The dataset was closed. Open the file again.");
  return { source, told: of instanceof Held ? of.told : {} };
}

/** Counts a file's records, sends for what is made of the counts, and forgets them. */
async function sold<R>(
  engine: Engine,
  method: Sold,
  source: Source,
  asked: Asked,
  request: object,
  options: ProgressOptions,
  send: Send,
): Promise<R> {
  const { signal, onProgress } = options;
  const counts = await Counts.of(engine, source, asked, options);
  try {
    return await counts.use(options, async (dataset, epoch) => {
      const reply = await send(method, { ...request, dataset } as Purchases[Sold]["params"], {
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

/**
 * Counts a file's records, and releases bounds or categories of it. The file is read for
 * that alone: nothing depends on the schema that a dataset of it was opened with.
 */
export async function releaseCounted<R extends BoundsResult | CategoriesResult>(
  engine: Engine,
  purpose: "bounds" | "categories",
  of: Dataset<AnyLabel> | Content | Source,
  options: BoundsOptions | CategoriesOptions,
  send: Send,
): Promise<R> {
  const { source, told } = fileOf(of);
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
  return sold(
    engine,
    purpose,
    source,
    { purpose, columns, header, delimiter, names, ...(missingValues && { missingValues }) },
    request,
    { ...(signal && { signal }), ...(onProgress && { onProgress }) },
    send,
  );
}

/** Counts a file's records by a card's own levels, and says with noise how it does on them. */
export async function measured<R extends EvaluateScorecardResult>(
  engine: Engine,
  release: ScorecardRelease,
  of: Dataset<AnyLabel> | Content | Source,
  options: EvaluateScorecardOptions,
  send: Send,
): Promise<R> {
  const asked = { ...options, release, schema: Object(release).schema as CardSchema };
  return releaseCells<R>(engine, "scorecard.evaluate", of, asked, send);
}

/** Counts a file's records by the levels of a card's schema, and releases what follows. */
export async function releaseCells<
  R extends ScorecardResult | NoisyCellsResult | EvaluateScorecardResult,
>(
  engine: Engine,
  method: CellsSold,
  of: Dataset<AnyLabel> | Content | Source,
  options: ScorecardOptions | NoisyCellsOptions,
  send: Send,
): Promise<R> {
  const { source, told } = fileOf(of);
  const {
    schema,
    header = told.header,
    delimiter = told.delimiter,
    names = told.names,
    signal,
    onProgress,
    ...request
  } = options;
  return sold(
    engine,
    method,
    source,
    {
      purpose: "scorecard",
      schema: schemaOf(schema),
      header,
      delimiter,
      names,
      ...("points" in request && request.points !== undefined && { points: request.points }),
    },
    request,
    { ...(signal && { signal }), ...(onProgress && { onProgress }) },
    send,
  );
}
