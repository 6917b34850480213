import { releaseCounted } from "./bounds.ts";
import { DatasetHandle } from "./dataset.ts";
import type { Engine, EngineCall } from "./engine.ts";
import { CloisterError } from "./error.ts";
import { runExperiment } from "./experiment.ts";
import { ContentHandle } from "./held.ts";
import { buying, LedgerClient, type Send } from "./ledger.ts";
import { readAnew } from "./reading.ts";
import { helping } from "./shards.ts";
import { makeReport, trueLosses } from "./report.ts";
import { canBeReadAgain } from "./source.ts";
import { ordered, schemaOf, toText } from "./document.ts";
import type * as types from "./types.ts";

/** The calls of {@link types.Client}, each in terms of the core's methods. */
export class CloisterClient implements types.Client {
  readonly ledger: types.Ledger;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
    const buy = buying(engine);
    this.ledger = new LedgerClient(engine, {
      fit: (dataset, options) => this.#fit(dataset, options, buy),
      evaluate: (release, dataset, options) => this.#evaluate(release, dataset, options, buy),
      bounds: (of, options) => releaseCounted(engine, "bounds", of, options, buy),
      categories: (of, options) => releaseCounted(engine, "categories", of, options, buy),
      report: (dataset, release, options) => makeReport(engine, dataset, release, options, buy),
    });
  }

  start(options: types.CallOptions = {}): Promise<types.About> {
    return this.#call("about", {}, options);
  }

  openDataset<L extends types.AnyLabel = types.Label>(source: types.Source, schema: types.Schema<L> | string, options: types.ProgressOptions = {}): Promise<types.Dataset<L>> {
    return DatasetHandle.open<L>(this.#engine, source, schema, options);
  }

  async suggestSchema<L extends types.AnyLabel = types.Label>(source: types.Source, options: types.SuggestOptions = {}): Promise<types.Suggestion<L>> {
    const { label, positive, labelType } = options;
    const { result, epoch } = await readAnew<Omit<types.Suggestion<L>, "content"> & { content: number }>(this.#engine, { purpose: "suggest", label, positive, labelType }, source, options);
    const { schema, leftOut, content } = result;
    return { schema: ordered(schema), leftOut, content: new ContentHandle(this.#engine, source, { id: content, epoch }) };
  }

  async checkSchema<L extends types.AnyLabel = types.Label>(schema: unknown, options: types.CallOptions = {}): Promise<types.CheckedSchema<L>> {
    const reply = await this.#call<types.CheckedSchema<L>>("schema.check", { schema: schemaOf(schema) }, options);
    return { ...reply, schema: ordered(reply.schema) };
  }

  calibrate(request: types.CalibrateRequest, options: types.CallOptions = {}): Promise<types.Calibration> {
    return this.#call("schema" in request ? "plan" : "calibrate", request, options);
  }

  fit<L extends types.AnyLabel = types.Label>(dataset: types.Dataset<L>, options: types.FitOptions): Promise<types.FitResult<L>> {
    return this.#fit<L, types.FitResult<L>>(dataset, options, (method, params, more) => this.#call(method, params, more));
  }

  async #fit<L extends types.AnyLabel, R extends types.FitResult<L>>(dataset: types.Dataset<L>, options: types.FitOptions, send: Send): Promise<R> {
    if (!(dataset instanceof DatasetHandle)) throw new CloisterError("dataset-lost", "fit needs a dataset that this client opened.");
    const { signal, onProgress, norm, ...request } = options;
    if (norm !== undefined && norm !== dataset.schema.rows.norm) return this.#fitAnew(dataset, norm, options, send);
    return dataset.use({ ...(signal && { signal }), ...(onProgress && { onProgress }) }, async (id, epoch) => {
      const reply = await helping(this.#engine, dataset, request.method, (workers) =>
        send<Omit<R, "text">>("fit", { ...request, dataset: id, workers }, { signal, onProgress: onProgress as (update: unknown) => void, onAbort: "end-worker", epoch }),
      );
      return published(reply) as R;
    });
  }

  /** Fits to the same source under another row norm. */
  async #fitAnew<L extends types.AnyLabel, R extends types.FitResult<L>>(dataset: DatasetHandle<L>, norm: "clip" | "unit", options: types.FitOptions, send: Send): Promise<R> {
    if (!dataset.source || !canBeReadAgain(dataset.source)) {
      throw new CloisterError("dataset-lost", `The dataset was read with norm "${dataset.schema.rows.norm}" and cannot be read again: open it with a schema whose rows.norm is "${norm}".`);
    }
    const again = await this.openDataset<L>(dataset.source, { ...dataset.schema, rows: { norm } }, options);
    try {
      return await this.#fit<L, R>(again, options, send);
    } finally {
      await again.close();
    }
  }

  evaluate<L extends types.AnyLabel = types.Label>(release: types.Release<L>, dataset: types.Dataset<L>, options: types.EvaluateOptions): Promise<types.EvaluateResult<L>> {
    return this.#evaluate<L, types.EvaluateResult<L>>(release, dataset, options, (method, params, more) => this.#call(method, params, more));
  }

  async #evaluate<L extends types.AnyLabel, R extends types.EvaluateResult<L>>(release: types.Release<L>, dataset: types.Dataset<L>, options: types.EvaluateOptions, send: Send): Promise<R> {
    if (!(dataset instanceof DatasetHandle)) throw new CloisterError("dataset-lost", "evaluate needs a dataset that this client opened.");
    const { signal, onProgress, ...request } = options;
    return dataset.use(options, async (id, epoch) => {
      const reply = await send<Omit<R, "text">>("evaluate", { ...request, release, dataset: id }, { signal, onProgress: onProgress as (update: unknown) => void, onAbort: "end-worker", epoch });
      return published(reply) as R;
    });
  }

  expectation(request: types.ExpectationRequest, options: types.CallOptions = {}): Promise<types.Expectation> {
    return this.#call("expect", request, options);
  }

  bounds(of: types.Dataset<types.AnyLabel> | types.Content | types.Source, options: types.BoundsOptions): Promise<types.BoundsResult> {
    return releaseCounted(this.#engine, "bounds", of, options, (method, params, more) => this.#call(method, params, more));
  }

  categories(of: types.Dataset<types.AnyLabel> | types.Content | types.Source, options: types.CategoriesOptions): Promise<types.CategoriesResult> {
    return releaseCounted(this.#engine, "categories", of, options, (method, params, more) => this.#call(method, params, more));
  }

  planCategories({ columns, ...request }: types.CategoriesRequest & { columns: number }, options: types.CallOptions = {}): Promise<types.CategoriesPlan> {
    return this.#call("categories.plan", { ...request, columns }, options);
  }

  planBounds({ columns, ...request }: types.BoundsRequest & { columns: number }, options: types.CallOptions = {}): Promise<types.BoundsPlan> {
    return this.#call("bounds.plan", { ...request, columns }, options);
  }

  report(dataset: types.Dataset<types.AnyLabel> | null, release: types.Release<types.AnyLabel>, options: types.ReportOptions): Promise<types.ReportResult> {
    return makeReport(this.#engine, dataset, release, options, (method, params, more) => this.#call(method, params, more));
  }

  planReport(release: types.Release<types.AnyLabel>, request: types.ReportRequest, options: types.CallOptions = {}): Promise<types.ReportPlan> {
    return this.#call("report.plan", { ...request, release }, options);
  }

  inspectReport(release: types.Release<types.AnyLabel>, report: types.PrivacyReport, options: types.CallOptions = {}): Promise<types.InspectedReport> {
    return this.#call("report.inspect", { release, report }, options);
  }

  trueLosses(dataset: types.Dataset<types.AnyLabel>, release: types.Release<types.AnyLabel>, options: types.TrueLossesOptions = {}): Promise<types.TrueLosses> {
    return trueLosses(this.#engine, dataset, release, options);
  }

  predict<L extends types.AnyLabel = types.Label>(release: types.Release<L>, row: types.Row, options?: types.CallOptions): Promise<types.Prediction<L>>;
  predict<L extends types.AnyLabel = types.Label>(release: types.Release<L>, rows: readonly Exclude<types.Row, string>[], options?: types.CallOptions): Promise<types.Prediction<L>[]>;
  async predict<L extends types.AnyLabel>(release: types.Release<L>, rows: types.Row | readonly types.Row[], options: types.CallOptions = {}): Promise<types.Prediction<L> | types.Prediction<L>[]> {
    // A list of objects or lists is many rows; a list of fields is one.
    const many = Array.isArray(rows) && rows.every((row) => typeof row === "object" && row !== null);
    const { predictions } = await this.#call<{ predictions: types.Prediction<L>[] }>("predict", { release, rows: many ? rows : [rows] }, options);
    return many ? predictions : (predictions[0] as types.Prediction<L>);
  }

  reprice(release: types.Release<types.AnyLabel>, options: types.CallOptions = {}): Promise<types.Repriced> {
    return this.#call("reprice", { release }, options);
  }

  account(description: types.AccountDescription, options: types.CallOptions = {}): Promise<types.AccountResult> {
    return this.#call("account", description, options);
  }

  estimate(description: types.EstimateDescription, options: types.CallOptions = {}): Promise<types.EstimateResult> {
    return this.#call("estimate", description, options);
  }

  check(description: types.CheckDescription, options: types.CallOptions = {}): Promise<types.CheckResult> {
    return this.#call("check", description, options);
  }

  solve(description: types.SolveDescription, options: types.CallOptions = {}): Promise<types.SolveResult> {
    return this.#call("solve", description, options);
  }

  afford(description: types.AffordDescription, options: types.CallOptions = {}): Promise<types.AffordResult> {
    return this.#call("afford", description, options);
  }

  odometer(description: types.OdometerDescription, options: types.CallOptions = {}): Promise<types.OdometerResult> {
    return this.#call("odometer", description, options);
  }

  async curve({ event, curve, name = "auto" }: types.CurveRequest, options: types.CallOptions = {}): Promise<types.PrivacyCurve> {
    const { comparisons, inapplicable } = await this.account({ event, curve, compare: [name] }, options);
    const [drawn] = comparisons ?? [];
    if (drawn) return drawn;
    throw new CloisterError("parameter", inapplicable?.[0]?.message ?? `The bound ${name} does not apply.`, { field: "name" });
  }

  laboratory(options: types.CallOptions = {}): Promise<types.Laboratory> {
    return this.#call("lab.contents", {}, options);
  }

  experiment(experiment: types.Experiment, options: types.ExperimentOptions = {}): Promise<types.ExperimentResult> {
    return runExperiment(this.#engine, experiment, options);
  }

  beside(): types.Client {
    return new CloisterClient(this.#engine.beside());
  }

  terminate(): void {
    this.#engine.terminate();
  }

  #call<T>(method: string, params: unknown, options: Omit<EngineCall, "method" | "params">): Promise<T> {
    return this.#engine.call({ method, params, ...options }) as Promise<T>;
  }
}

/** A reply with its release as people read it, and as a file. */
function published<T>(reply: T): T & { text: string } {
  const { release } = reply as { release: types.Release };
  return { ...reply, release: ordered(release), text: toText(release) };
}
