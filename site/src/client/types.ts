/**
 * The client's promise API, for browsers and Node alike. Every promise
 * rejects with a {@link CloisterError} and with nothing else, and after every
 * rejection the client can be used again.
 *
 * A page that takes private files follows this order, so that nothing can
 * leave it once a file has been chosen (see `seal.ts`):
 *
 * ```ts
 * const client = await load({ wasmURL: "cloister.wasm" }); // fetches, compiles
 * seal();                                                  // closes the network
 * await client.start();                                    // worker, under the seal
 * picker.disabled = false;                                 // only now
 * ```
 */
import type { AccountDescription, AccountResult, AffordDescription, AffordResult, CheckDescription, CheckResult, ComparisonName, Epsilons, EstimateDescription, EstimateResult, OdometerDescription, OdometerResult, PrivacyCurve, SolveDescription, SolveResult } from "./account.ts";
import type { BoundsOptions, BoundsPlan, BoundsRequest, BoundsResult } from "./bounds-types.ts";
import type { InspectedReport, PrivacyReport, ReportOptions, ReportPlan, ReportRequest, ReportResult, TrueLosses, TrueLossesOptions } from "./report-types.ts";
import type { CallOptions, ProgressOptions } from "./call-types.ts";
import type { CategoriesOptions, CategoriesPlan, CategoriesRequest, CategoriesResult } from "./categories-types.ts";
import type { CheckedSchema, Content, Dataset, Source, SuggestOptions, Suggestion } from "./data-types.ts";
import type { Bound, Guarantee, PrivacyEvent } from "./event.ts";
import type { Expectation, ExpectationRequest } from "./expectation-types.ts";
import type { EvaluateOptions, EvaluateResult, Figures } from "./figures-types.ts";
import type { CalibrateRequest, Calibration, FitOptions, FitResult } from "./fit-types.ts";
import type { Experiment, ExperimentOptions, ExperimentResult, Laboratory } from "./laboratory.ts";
import type { Ledger } from "./ledger-types.ts";
import type { Prediction, Row } from "./predict-types.ts";
import type { Release } from "./release.ts";
import type { AnyLabel, Label, Schema } from "./schema.ts";

export type * from "./account.ts";
export type * from "./bounds-types.ts";
export type * from "./report-types.ts";
export type * from "./call-types.ts";
export type * from "./categories-types.ts";
export type * from "./data-types.ts";
export type * from "./event.ts";
export type * from "./expectation-types.ts";
export type * from "./figures-types.ts";
export type * from "./fit-types.ts";
export type * from "./laboratory.ts";
export type * from "./ledger-types.ts";
export type * from "./load-types.ts";
export type * from "./personal-types.ts";
export type * from "./predict-types.ts";
export type * from "./release.ts";
export type * from "./schema.ts";
export { CloisterError } from "./error.ts";
export type { ErrorCode, ErrorPlace } from "./error.ts";
export { MAX_BYTES } from "./limits.ts";

/** What a release costs, computed anew from the document alone. */
export interface Repriced {
  claimed: Guarantee;
  /** ε at the claimed δ, and δ at the claimed ε, by the claimed bound; Infinity and 1 if it says nothing. */
  epsilon: number;
  delta: number;
  /** Whether everything holds that the release says and that follows from the document. */
  holds: boolean;
  /** Each claim that was checked, in plain sentences. */
  findings: { claim: string; holds: boolean; text: string }[];
  /** The texts of those that do not hold. */
  problems: string[];
  /** What the release's evaluation says, if it has one and everything holds. */
  figures?: Figures;
  /** The price by the sharpest bound that applies. */
  best: { bound: Bound; theorem: string; epsilon: number; delta: number };
}

export interface CurveRequest {
  event: PrivacyEvent;
  curve: Epsilons;
  /** Default `auto`. */
  name?: ComparisonName;
}

export interface About {
  /** Version of the library. */
  library: string;
}

export interface Client {
  /**
   * Starts the worker and waits until it is ready. Optional: the first call
   * starts it too. A sealed page calls it after {@link seal}.
   */
  start(options?: CallOptions): Promise<About>;

  /**
   * Reads a source through the schema into the worker's memory, a few MB at a
   * time. If the worker is later replaced, the dataset is read again by itself
   * when it is next used, unless it came from a stream. A schema given as text
   * is read as JSON.
   */
  openDataset<L extends AnyLabel = Label>(source: Source, schema: Schema<L> | string, options?: ProgressOptions): Promise<Dataset<L>>;

  /**
   * Guesses a schema from the file. The guess looked at private data: all of
   * it is marked `suggested` until a person confirms it from public knowledge.
   */
  suggestSchema<L extends AnyLabel = Label>(source: Source, options?: SuggestOptions): Promise<Suggestion<L>>;

  /** Rejects with `schema`, naming the field, unless the schema (an object, or JSON text) can be used. */
  checkSchema<L extends AnyLabel = Label>(schema: unknown, options?: CallOptions): Promise<CheckedSchema<L>>;

  /** Chooses σ, λ, τ, σ_out and the grid from public things alone. */
  calibrate(request: CalibrateRequest, options?: CallOptions): Promise<Calibration>;

  /** Says, by one trial on made-up records, what fits of such data would predict right, with privacy and without. */
  expectation(request: ExpectationRequest, options?: CallOptions): Promise<Expectation>;

  /** Fits and releases. Aborting ends the worker at once; nothing is released. */
  fit<L extends AnyLabel = Label>(dataset: Dataset<L>, options: FitOptions): Promise<FitResult<L>>;

  /**
   * Says, with noise, how a release's model does on rows that it was not fitted
   * to: a purchase of its own, with an event and a guarantee for the held-out
   * file. The dataset must have been opened with the release's schema.
   */
  evaluate<L extends AnyLabel = Label>(release: Release<L>, dataset: Dataset<L>, options: EvaluateOptions): Promise<EvaluateResult<L>>;

  /**
   * Bounds of numeric columns, with noise: for a schema whose author does not know
   * them. A purchase of its own; `ledger.bounds` notes it. The file is read for it
   * alone, so a source will do.
   */
  bounds(of: Dataset<AnyLabel> | Content | Source, options: BoundsOptions): Promise<BoundsResult>;

  /** What buying the bounds of so many columns would be charged for, and how many records they can be told from. */
  planBounds(request: BoundsRequest & { columns: number }, options?: CallOptions): Promise<BoundsPlan>;

  /**
   * A privacy report of a release, to be published beside it: anybody can work out
   * from it what the release cost a person with a row like theirs at most. Of the
   * bought kinds, the dataset is the one that the release was fitted to, still
   * open; a purchase of its own, which `ledger.report` notes. The kind that costs
   * nothing follows from the release, and takes null.
   */
  report(dataset: Dataset<AnyLabel> | null, release: Release<AnyLabel>, options: ReportOptions): Promise<ReportResult>;

  /** What buying such a report would be charged for. */
  planReport(release: Release<AnyLabel>, request: ReportRequest, options?: CallOptions): Promise<ReportPlan>;

  /** Checks that a report belongs to a release, and says what follows from both. Rejects with `report` if it does not. */
  inspectReport(release: Release<AnyLabel>, report: PrivacyReport, options?: CallOptions): Promise<InspectedReport>;

  /** **Private**: what a release cost each person in the dataset that it was fitted to, exactly. */
  trueLosses(dataset: Dataset<AnyLabel>, release: Release<AnyLabel>, options?: TrueLossesOptions): Promise<TrueLosses>;

  /**
   * Which categories columns have, with noise: those that enough records share. A
   * purchase of its own; `ledger.categories` notes it.
   */
  categories(of: Dataset<AnyLabel> | Content | Source, options: CategoriesOptions): Promise<CategoriesResult>;

  /** What buying the categories of so many columns would be charged for, and how many records each needs. */
  planCategories(request: CategoriesRequest & { columns: number }, options?: CallOptions): Promise<CategoriesPlan>;

  /** What a release's model says of a row, or of several. */
  predict<L extends AnyLabel = Label>(release: Release<L>, row: Row, options?: CallOptions): Promise<Prediction<L>>;
  predict<L extends AnyLabel = Label>(release: Release<L>, rows: readonly Exclude<Row, string>[], options?: CallOptions): Promise<Prediction<L>[]>;

  /** Checks a release's guarantee from the document alone. */
  reprice(release: Release<AnyLabel>, options?: CallOptions): Promise<Repriced>;

  /**
   * Prices any event: ε for a δ, δ for an ε, a curve, a Rényi curve. Upper bounds
   * are never below the truth, lower ones never above. The last few events are
   * kept, so that another question about one of them is answered at once.
   */
  account(description: AccountDescription, options?: CallOptions): Promise<AccountResult>;

  /** The same without a promise, in a few milliseconds. */
  estimate(description: EstimateDescription, options?: CallOptions): Promise<EstimateResult>;

  /** Every method's answer, side by side; rejects if they contradict each other. */
  check(description: CheckDescription, options?: CallOptions): Promise<CheckResult>;

  /** The noise, rate, number of steps, … that a guarantee asks for. Rejects with `parameter`, saying why, if there is none. */
  solve(description: SolveDescription, options?: CallOptions): Promise<SolveResult>;

  /** A privacy filter: whether one more event may be run under a budget. It keeps nothing between calls. */
  afford(description: AffordDescription, options?: CallOptions): Promise<AffordResult>;

  /** A privacy odometer. It keeps nothing between calls. */
  odometer(description: OdometerDescription, options?: CallOptions): Promise<OdometerResult>;

  /** One curve: `account` with nothing but `curve` asked. */
  curve(request: CurveRequest, options?: CallOptions): Promise<PrivacyCurve>;

  /** What the laboratory has: data sets, methods, the papers' numbers. For a client of `loadLaboratory`. */
  laboratory(options?: CallOptions): Promise<Laboratory>;

  /**
   * Runs methods on data sets, or on a dataset of one's own, and tells of each run
   * as it is done. Nothing is released: the results are scores on held-out records,
   * drawn with noise that anybody can draw again. Aborting ends the worker at once.
   * For a client of `loadLaboratory`.
   */
  experiment(experiment: Experiment, options?: ExperimentOptions): Promise<ExperimentResult>;

  /** Budgets of data sets, and fits that are charged to them. */
  readonly ledger: Ledger;

  /** Another client of the same binary, with a worker of its own: for work that must not wait for this one's, nor hold it up. Nothing is fetched. */
  beside(): Client;

  /**
   * Ends the worker at once. Calls under way reject with `terminated`; the
   * next call starts a new worker from the compiled module.
   */
  terminate(): void;
}
