import { AccountantClient } from "./accountant.ts";
import { runAttack } from "./attack.ts";
import { measured, releaseCells, releaseCounted } from "./counted.ts";
import { DatasetHandle, opened } from "./dataset.ts";
import type { CallSettings, Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
import { runExperiment } from "./experiment.ts";
import { Keepers } from "./keepers.ts";
import { buying, LedgerClient, type Send, unledgered } from "./ledger.ts";
import { helping } from "./shards.ts";
import { makeReport, trueLosses } from "./report.ts";
import { canBeReadAgain } from "./source.ts";
import { checkSchema, findLookalikes, suggestSchema } from "./suggestion.ts";
import { ordered, schemaOf, toText } from "./document.ts";
import type * as types from "./types.ts";
import type { MethodOf, Methods } from "./wire/calls.ts";

/** The calls of {@link types.Client}, each in terms of the core's methods. */
export class CloisterClient extends AccountantClient implements types.Client {
  readonly ledger: types.Ledger;

  constructor(engine: Engine) {
    super(engine);
    const buy = buying(engine);
    this.ledger = new LedgerClient(engine, {
      fit: (dataset, options) => this.#fit(dataset, options, buy),
      evaluate: (release, dataset, options) => this.#evaluate(release, dataset, options, buy),
      bounds: (of, options) => releaseCounted(engine, "bounds", of, options, buy),
      categories: (of, options) => releaseCounted(engine, "categories", of, options, buy),
      report: (dataset, release, options) => makeReport(engine, dataset, release, options, buy),
      scorecard: (of, options) => releaseCells(engine, "scorecard", of, options, buy),
      evaluateScorecard: (release, of, options) => measured(engine, release, of, options, buy),
      noisyCells: (of, options) => releaseCells(engine, "cells", of, options, buy),
    });
  }

  openDataset<L extends types.AnyLabel = types.Label>(
    source: types.Source,
    schema: types.Schema<L> | string,
    options: types.ReadingOptions = {},
  ): Promise<types.Dataset<L>> {
    return DatasetHandle.open<L>(this.engine, source, schema, options, Keepers.beside);
  }

  suggestSchema<L extends types.AnyLabel = types.Label>(
    source: types.Source,
    options: types.SuggestOptions = {},
  ): Promise<types.Suggestion<L>> {
    return suggestSchema<L>(this.engine, source, options);
  }

  checkSchema<L extends types.AnyLabel = types.Label>(
    schema: unknown,
    options: types.CallOptions = {},
  ): Promise<types.CheckedSchema<L>> {
    return checkSchema<L>(this.engine, schema, options);
  }

  findLookalikes(
    source: types.Source,
    schema: types.Schema<types.AnyLabel>,
    options: types.ReadingOptions = {},
  ): Promise<types.Lookalike[]> {
    return findLookalikes(this.engine, source, schema, options);
  }

  override calibrate(
    request: types.CalibrateRequest,
    options: types.CallOptions = {},
  ): Promise<types.Calibration> {
    return request && "schema" in Object(request)
      ? this.#ask("plan", request as types.PlanRequest, options)
      : super.calibrate(request as types.ObjectiveRequest, options);
  }

  fit<L extends types.AnyLabel = types.Label>(
    dataset: types.Dataset<L>,
    options: types.FitOptions,
  ): Promise<types.FitResult<L>> {
    return this.#fit<L, types.FitResult<L>>(dataset, options, this.#send);
  }

  async #fit<L extends types.AnyLabel, R extends types.FitResult<L>>(
    dataset: types.Dataset<L>,
    options: types.FitOptions,
    send: Send,
  ): Promise<R> {
    const held = opened(this.engine, dataset, "fit");
    const { signal, onProgress, norm, ...request } = options;
    if (norm !== undefined && norm !== held.schema.rows.norm)
      return this.#fitAnew(held, norm, options, send);
    return held.use(
      { ...(signal && { signal }), ...(onProgress && { onProgress }) },
      async (id, epoch) => {
        const reply = await helping(this.engine, held, request, (workers) =>
          send(
            "fit",
            { ...request, dataset: id, workers },
            {
              signal,
              onProgress: onProgress as (update: unknown) => void,
              onAbort: "end-worker",
              epoch,
            },
          ),
        );
        return published(reply) as unknown as R;
      },
    );
  }

  /** Fits to the same source under another row norm. */
  async #fitAnew<L extends types.AnyLabel, R extends types.FitResult<L>>(
    dataset: DatasetHandle<L>,
    norm: "clip" | "unit" | "scale",
    options: types.FitOptions,
    send: Send,
  ): Promise<R> {
    if (!dataset.source || !canBeReadAgain(dataset.source)) {
      throw new CloisterError(
        "dataset-lost",
        `The dataset was read with norm "${dataset.schema.rows.norm}" and cannot be read again: open it with a schema whose rows.norm is "${norm}".`,
      );
    }
    const again = await this.openDataset<L>(
      dataset.source,
      { ...dataset.schema, ...(norm === "scale" && { version: 7 }), rows: { norm } },
      { ...options, ...dataset.told },
    );
    try {
      return await this.#fit<L, R>(again, options, send);
    } finally {
      await again.close();
    }
  }

  evaluate<L extends types.AnyLabel = types.Label>(
    release: types.Release<L>,
    dataset: types.Dataset<L>,
    options: types.EvaluateOptions,
  ): Promise<types.EvaluateResult<L>> {
    return this.#evaluate<L, types.EvaluateResult<L>>(release, dataset, options, this.#send);
  }

  async #evaluate<L extends types.AnyLabel, R extends types.EvaluateResult<L>>(
    release: types.Release<L>,
    dataset: types.Dataset<L>,
    options: types.EvaluateOptions,
    send: Send,
  ): Promise<R> {
    const { signal, onProgress, ...request } = options;
    return opened(this.engine, dataset, "evaluate").use(options, async (id, epoch) => {
      const reply = await send(
        "evaluate",
        { ...request, release, dataset: id },
        {
          signal,
          onProgress: onProgress as (update: unknown) => void,
          onAbort: "end-worker",
          epoch,
        },
      );
      return published(reply) as unknown as R;
    });
  }

  async exactFigures<L extends types.AnyLabel = types.Label>(
    release: types.Release<L>,
    dataset: types.Dataset<L>,
    options: types.CallOptions = {},
  ): Promise<types.ExactFigures<L>> {
    const figures = await opened(this.engine, dataset, "exactFigures").use(options, (id, epoch) =>
      this.engine.ask("exact", { release, dataset: id }, { ...options, epoch }),
    );
    return figures as unknown as types.ExactFigures<L>;
  }

  expectation(
    request: types.ExpectationRequest,
    options: types.CallOptions = {},
  ): Promise<types.Expectation> {
    return this.#ask("expect", request, options);
  }

  planAttack(
    request: types.AttackPlanRequest,
    options: types.CallOptions = {},
  ): Promise<types.AttackPlan> {
    return this.#ask("attack.plan", request, {
      ...options,
      onAbort: "end-worker",
    });
  }

  attack(
    request: types.AttackRequest,
    options: types.AttackOptions = {},
  ): Promise<types.AttackResult> {
    return runAttack(this.engine, request, options);
  }

  bounds(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.BoundsOptions,
  ): Promise<types.BoundsResult> {
    return releaseCounted(this.engine, "bounds", of, options, this.#send);
  }

  categories(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.CategoriesOptions,
  ): Promise<types.CategoriesResult> {
    return releaseCounted(this.engine, "categories", of, options, this.#send);
  }

  planCategories(
    { columns, ...request }: types.CategoriesRequest & { columns: number },
    options: types.CallOptions = {},
  ): Promise<types.CategoriesPlan> {
    return this.#ask("categories.plan", { ...request, columns }, options);
  }

  planBounds(
    { columns, ...request }: types.BoundsRequest & { columns: number },
    options: types.CallOptions = {},
  ): Promise<types.BoundsPlan> {
    return this.#ask("bounds.plan", { ...request, columns }, options);
  }

  report(
    dataset: types.Dataset<types.AnyLabel> | null,
    release: types.Release<types.AnyLabel>,
    options: types.ReportOptions,
  ): Promise<types.ReportResult> {
    return makeReport(this.engine, dataset, release, options, this.#send);
  }

  planReport(
    release: types.Release<types.AnyLabel>,
    request: types.ReportRequest,
    options: types.CallOptions = {},
  ): Promise<types.ReportPlan> {
    return this.#ask("report.plan", { ...request, release }, options);
  }

  inspectReport(
    release: types.Release<types.AnyLabel>,
    report: types.PrivacyReport,
    options: types.CallOptions = {},
  ): Promise<types.InspectedReport> {
    return this.#ask("report.inspect", { release, report }, options);
  }

  trueLosses(
    dataset: types.Dataset<types.AnyLabel>,
    release: types.Release<types.AnyLabel>,
    options: types.TrueLossesOptions = {},
  ): Promise<types.TrueLosses> {
    return trueLosses(this.engine, dataset, release, options);
  }

  scorecard(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.ScorecardOptions,
  ): Promise<types.ScorecardResult> {
    return releaseCells(this.engine, "scorecard", of, options, this.#send);
  }

  async planScorecard(
    { schema, ...request }: types.ScorecardRequest & { schema: types.CardSchema | string },
    options: types.CallOptions = {},
  ): Promise<types.ScorecardPlan> {
    const plan = await this.#ask(
      "scorecard.plan",
      { ...request, schema: schemaOf(schema) },
      options,
    );
    return { ...plan, schema: ordered(plan.schema) };
  }

  checkScorecard(
    release: types.ScorecardRelease,
    options: types.CallOptions = {},
  ): Promise<types.CheckedScorecard> {
    return this.#ask("scorecard.check", { release }, options);
  }

  score(
    release: types.ScorecardRelease,
    row: Exclude<types.Row, string>,
    options?: types.CallOptions,
  ): Promise<types.Score>;
  score(
    release: types.ScorecardRelease,
    rows: readonly Exclude<types.Row, string>[],
    options?: types.CallOptions,
  ): Promise<types.Score[]>;
  async score(
    release: types.ScorecardRelease,
    rows: Exclude<types.Row, string> | readonly Exclude<types.Row, string>[],
    options: types.CallOptions = {},
  ): Promise<types.Score | types.Score[]> {
    const many = areRows(rows);
    const { scores } = await this.#ask(
      "scorecard.score",
      { release, rows: many ? rows : [rows] },
      options,
    );
    return many ? scores : scores[0]!;
  }

  evaluateScorecard(
    release: types.ScorecardRelease,
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.EvaluateScorecardOptions,
  ): Promise<types.EvaluateScorecardResult> {
    return measured(this.engine, release, of, options, this.#send);
  }

  noisyCells(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.NoisyCellsOptions,
  ): Promise<types.NoisyCellsResult> {
    return releaseCells(this.engine, "cells", of, options, this.#send);
  }

  async planNoisyCells(
    { schema, ...request }: types.NoisyCellsRequest & { schema: types.CardSchema | string },
    options: types.CallOptions = {},
  ): Promise<types.NoisyCellsPlan> {
    const plan = await this.#ask("cells.plan", { ...request, schema: schemaOf(schema) }, options);
    return { ...plan, schema: ordered(plan.schema) };
  }

  checkNoisyCells(
    release: types.NoisyCells,
    options: types.CallOptions = {},
  ): Promise<types.CheckedNoisyCells> {
    return this.#ask("cells.check", { release }, options);
  }

  async cardOfCells(
    cells: types.NoisyCells,
    { signal, onProgress, ...question }: types.CardOfCellsOptions = {},
  ): Promise<types.CardOfCellsResult> {
    const reply = await this.#ask(
      "cells.card",
      { ...question, release: cells },
      {
        ...(signal && { signal }),
        onProgress: onProgress as (update: unknown) => void,
        onAbort: "end-worker",
      },
    );
    return { ...reply, release: ordered(reply.release), text: toText(reply.release) };
  }

  vote(request: types.VoteRequest, options: types.CallOptions = {}): Promise<types.VoteResult> {
    return this.#ask("vote", request, options);
  }

  pate(request: types.PateRequest, options: types.CallOptions = {}): Promise<types.PateResult> {
    return this.#ask("pate", request, { ...options, onAbort: "end-worker" });
  }

  predict<L extends types.AnyLabel = types.Label>(
    release: types.Release<L>,
    row: types.Row,
    options?: types.CallOptions,
  ): Promise<types.Prediction<L>>;
  predict<L extends types.AnyLabel = types.Label>(
    release: types.Release<L>,
    rows: readonly Exclude<types.Row, string>[],
    options?: types.CallOptions,
  ): Promise<types.Prediction<L>[]>;
  async predict<L extends types.AnyLabel>(
    release: types.Release<L>,
    rows: types.Row | readonly types.Row[],
    options: types.CallOptions = {},
  ): Promise<types.Prediction<L> | types.Prediction<L>[]> {
    const many = areRows(rows);
    const { predictions } = await this.#ask(
      "predict",
      { release, rows: many ? rows : [rows] },
      options,
    );
    return many ? (predictions as types.Prediction<L>[]) : (predictions[0] as types.Prediction<L>);
  }

  async stateChoice<L extends types.AnyLabel = types.Label>(
    release: types.Release<L>,
    choice: types.Choice | null,
    options: types.CallOptions = {},
  ): Promise<types.Stated<L>> {
    return published(
      await this.#ask("choice", { release, ...(choice !== null && { choice }) }, options),
    ) as unknown as types.Stated<L>;
  }

  reprice(
    release: types.Release<types.AnyLabel>,
    options: types.CallOptions = {},
  ): Promise<types.Repriced> {
    return this.#ask("reprice", { release }, options);
  }

  differences(
    release: types.Release<types.AnyLabel>,
    options: types.CallOptions = {},
  ): Promise<types.Differences> {
    return this.#ask("differences", { release }, options);
  }

  async regress(
    release: types.Release<types.AnyLabel>,
    question: types.RegressQuestion = {},
    options: types.CallOptions = {},
  ): Promise<types.Derived> {
    const { derived } = await this.#ask("regress", { ...question, release }, options);
    return { derived: ordered(derived), text: toText(derived) };
  }

  async checkDerived(
    release: types.Release<types.AnyLabel>,
    derived: types.DerivedModel,
    options: types.CallOptions = {},
  ): Promise<types.DerivedModel> {
    return ordered((await this.#ask("regress.check", { release, derived }, options)).derived);
  }

  odometer(
    description: types.OdometerDescription,
    options: types.CallOptions = {},
  ): Promise<types.OdometerResult> {
    return this.#ask("odometer", description, options);
  }

  // Not in the type: `cloister.wasm` has no laboratory, and says so. Programs that loaded
  // `laboratory.wasm` by `load` go on working.

  laboratory(options: types.CallOptions = {}): Promise<types.LaboratoryContents> {
    return this.engine.ask("lab.contents", {}, options);
  }

  experiment(
    experiment: types.Experiment,
    options: types.ExperimentOptions = {},
  ): Promise<types.ExperimentResult> {
    return runExperiment(this.engine, experiment, options);
  }

  override beside(): types.Client {
    return new CloisterClient(this.engine.beside());
  }

  readonly #send: Send = unledgered(this.engine);

  #ask<M extends MethodOf<"cloister">>(
    method: M,
    params: Methods[M]["params"],
    options: CallSettings,
  ): Promise<Methods[M]["result"]> {
    return this.engine.ask(method, params, options);
  }
}

/** A list of objects or lists is many rows; a list of fields is one. */
const areRows = (rows: unknown): rows is readonly types.Row[] =>
  Array.isArray(rows) && rows.every((row) => typeof row === "object" && row !== null);

/** A reply with its release as people read it, and as a file. */
function published<T extends { release: types.Release<types.AnyLabel> }>(
  reply: T,
): T & { text: string } {
  const { release } = reply;
  return { ...reply, release: ordered(release), text: toText(release) };
}
