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
import type {
  AttackOptions,
  BoundsOptions,
  CallOptions,
  CardOfCellsOptions,
  CategoriesOptions,
  EvaluateOptions,
  EvaluateScorecardOptions,
  FitOptions,
  NoisyCellsOptions,
  ReadingOptions,
  ReportOptions,
  ScorecardOptions,
  SuggestOptions,
  TrueLossesOptions,
} from "./call-types.ts";
import type { Content, Dataset, Row, Source, Suggestion } from "./data-types.ts";
import type { Experiment, ExperimentOptions } from "./laboratory-types.ts";
import type { Ledger } from "./ledger-types.ts";
import type { LoadOptions } from "./load-types.ts";
import type {
  BoundsResult,
  CardOfCellsResult,
  CategoriesResult,
  Derived,
  EvaluateResult,
  EvaluateScorecardResult,
  FitResult,
  NoisyCellsResult,
  ReportResult,
  ScorecardResult,
  Stated,
} from "./result-types.ts";
import type {
  About,
  AccountDescription,
  AccountResult,
  AffordDescription,
  AffordResult,
  AnyLabel,
  AttackPlan,
  AttackPlanRequest,
  AttackRequest,
  AttackResult,
  BoundsPlan,
  BoundsRequest,
  CalibrateRequest,
  Calibration,
  CardSchema,
  CategoriesPlan,
  CategoriesRequest,
  CheckDescription,
  CheckedNoisyCells,
  CheckedSchema,
  CheckedScorecard,
  CheckResult,
  Choice,
  ComparisonName,
  DerivedModel,
  Diagnostics,
  Epsilons,
  EstimateDescription,
  EstimateResult,
  ExactFigures,
  Expectation,
  ExpectationRequest,
  ExperimentResult,
  InspectedReport,
  Label,
  LaboratoryContents,
  Lookalike,
  NoisyCells,
  NoisyCellsPlan,
  NoisyCellsRequest,
  ObjectiveRequest,
  OdometerDescription,
  OdometerResult,
  PateRequest,
  PateResult,
  Prediction,
  PrivacyCurve,
  PrivacyEvent,
  PrivacyReport,
  RegressQuestion,
  Release,
  ReportPlan,
  ReportRequest,
  Differences,
  Repriced,
  Schema,
  Score,
  ScorecardPlan,
  ScorecardRelease,
  ScorecardRequest,
  SolveDescription,
  SolveResult,
  TrueLosses,
  VoteRequest,
  VoteResult,
  WorstDescription,
  WorstResult,
} from "./wire/types.ts";

export type * from "./call-types.ts";
export type * from "./data-types.ts";
export type * from "./laboratory-types.ts";
export type * from "./ledger-types.ts";
export type * from "./load-types.ts";
export type * from "./personal-types.ts";
export type * from "./result-types.ts";
export type * from "./wire/types.ts";
export { CloisterError } from "./error.ts";
export { MAX_BYTES } from "./limits.ts";

export interface CurveRequest {
  event: PrivacyEvent;
  curve: Epsilons;
  /** Default `auto`. */
  name?: ComparisonName;
}

/**
 * What `curves.wasm` answers: prices of events, and the noise that a guarantee asks for. It sees no
 * data.
 */
export interface Accountant {
  /**
   * Starts the worker and waits until it is ready. Optional: the first call
   * starts it too. A sealed page calls it after {@link seal}.
   */
  start(options?: CallOptions): Promise<About>;

  /**
   * Chooses σ, λ, τ, σ_out and the grid for a fit of the logistic loss and two classes, from R and
   * d.
   */
  calibrate(request: ObjectiveRequest, options?: CallOptions): Promise<Calibration>;

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

  /**
   * The data that are the worst case of one objective perturbation, by the control problem: how the
   * slope of the record that is added falls as the noise rises.
   */
  worst(description: WorstDescription, options?: CallOptions): Promise<WorstResult>;

  /**
   * The noise, rate, number of steps, … that a guarantee asks for. Rejects with `parameter`, saying
   * why, if there is none.
   */
  solve(description: SolveDescription, options?: CallOptions): Promise<SolveResult>;

  /**
   * A privacy filter: whether one more event may be run under a budget. It keeps nothing between
   * calls.
   */
  afford(description: AffordDescription, options?: CallOptions): Promise<AffordResult>;

  /** One curve: `account` with nothing but `curve` asked. */
  curve(request: CurveRequest, options?: CallOptions): Promise<PrivacyCurve>;

  /**
   * Another client of the same binary, with a worker of its own: for work that must not wait for
   * this one's, nor hold it up. Nothing is fetched.
   */
  beside(): Accountant;

  /**
   * Ends the worker at once. Calls under way reject with `terminated`; the
   * next call starts a new worker from the compiled module.
   */
  terminate(): void;
}

/** What reads files, of the clients whose programs can. */
export interface FileReading {
  /**
   * Reads a source through the schema into the worker's memory, a few MB at a
   * time. If the worker is later replaced, the dataset is read again by itself
   * when it is next used, unless it came from a stream. A schema given as text
   * is read as JSON.
   */
  openDataset<L extends AnyLabel = Label>(
    source: Source,
    schema: Schema<L> | string,
    options?: ReadingOptions,
  ): Promise<Dataset<L>>;

  /**
   * Guesses a schema from the file. The guess looked at private data: all of
   * it is marked `suggested` until a person confirms it from public knowledge.
   */
  suggestSchema<L extends AnyLabel = Label>(
    source: Source,
    options?: SuggestOptions,
  ): Promise<Suggestion<L>>;

  /**
   * Rejects with `schema`, naming the field, unless the schema (an object, or JSON text) can be
   * used.
   */
  checkSchema<L extends AnyLabel = Label>(
    schema: unknown,
    options?: CallOptions,
  ): Promise<CheckedSchema<L>>;
}

/** What `cloister.wasm` answers: all but the laboratory. */
export interface Client extends Accountant, FileReading {
  /**
   * Columns of the schema that by themselves all but tell the label: copies of it maybe, or written
   * down when the outcome was known. A hint for the data holder alone. It is read off the rows, and
   * no guarantee covers a choice that is made by it.
   */
  findLookalikes(
    source: Source,
    schema: Schema<AnyLabel>,
    options?: ReadingOptions,
  ): Promise<Lookalike[]>;

  /** Chooses σ, λ, τ, σ_out and the grid from public things alone. */
  calibrate(request: CalibrateRequest, options?: CallOptions): Promise<Calibration>;

  /**
   * Says, by one trial on made-up records, what fits of such data would predict right, with privacy
   * and without.
   */
  expectation(request: ExpectationRequest, options?: CallOptions): Promise<Expectation>;

  /**
   * What it takes to attack such a fit: the fault in its noise that can be found within a minute,
   * and by how many runs.
   */
  planAttack(request: AttackPlanRequest, options?: CallOptions): Promise<AttackPlan>;

  /**
   * Attacks such a fit: runs it, as it is shipped or with less noise, on two made-up files that
   * differ by one person, and says whether what comes out breaks the promise. No data is looked at,
   * and nothing is released. That no fault is found proves nothing. Take the client of
   * {@link Client.beside}, for the worker is busy until it is done; aborting ends the worker.
   */
  attack(request: AttackRequest, options?: AttackOptions): Promise<AttackResult>;

  /** Fits and releases. Aborting ends the worker at once; nothing is released. */
  fit<L extends AnyLabel = Label>(dataset: Dataset<L>, options: FitOptions): Promise<FitResult<L>>;

  /**
   * Says, with noise, how a release's model does on rows that it was not fitted
   * to: a purchase of its own, with an event and a guarantee for the held-out
   * file. The dataset must have been opened with the release's schema.
   */
  evaluate<L extends AnyLabel = Label>(
    release: Release<L>,
    dataset: Dataset<L>,
    options: EvaluateOptions,
  ): Promise<EvaluateResult<L>>;

  /**
   * **Private**: how a release's model does on rows, such as those that it was fitted to, without
   * noise. Nobody paid for it, so nothing may be decided by it: see {@link Diagnostics}. The
   * dataset must have been opened with the release's schema.
   */
  exactFigures<L extends AnyLabel = Label>(
    release: Release<L>,
    dataset: Dataset<L>,
    options?: CallOptions,
  ): Promise<ExactFigures<L>>;

  /**
   * Bounds of numeric columns, with noise: for a schema whose author does not know
   * them. A purchase of its own; `ledger.bounds` notes it. The file is read for it
   * alone, so a source will do.
   */
  bounds(of: Dataset<AnyLabel> | Content | Source, options: BoundsOptions): Promise<BoundsResult>;

  /**
   * What buying the bounds of so many columns would be charged for, and how many records they can
   * be told from.
   */
  planBounds(
    request: BoundsRequest & { columns: number },
    options?: CallOptions,
  ): Promise<BoundsPlan>;

  /**
   * A privacy report of a release, to be published beside it: anybody can work out
   * from it what the release cost a person with a row like theirs at most. Of the
   * bought kinds, the dataset is the one that the release was fitted to, still
   * open; a purchase of its own, which `ledger.report` notes. The kind that costs
   * nothing follows from the release, and takes null.
   */
  report(
    dataset: Dataset<AnyLabel> | null,
    release: Release<AnyLabel>,
    options: ReportOptions,
  ): Promise<ReportResult>;

  /** What buying such a report would be charged for. */
  planReport(
    release: Release<AnyLabel>,
    request: ReportRequest,
    options?: CallOptions,
  ): Promise<ReportPlan>;

  /**
   * Checks that a report belongs to a release, and says what follows from both. Rejects with
   * `report` if it does not, and with `release` if that does not hold.
   */
  inspectReport(
    release: Release<AnyLabel>,
    report: PrivacyReport,
    options?: CallOptions,
  ): Promise<InspectedReport>;

  /** **Private**: what a release cost each person in the dataset that it was fitted to, exactly. */
  trueLosses(
    dataset: Dataset<AnyLabel>,
    release: Release<AnyLabel>,
    options?: TrueLossesOptions,
  ): Promise<TrueLosses>;

  /**
   * Which categories columns have, with noise: those that enough records share. A
   * purchase of its own; `ledger.categories` notes it.
   */
  categories(
    of: Dataset<AnyLabel> | Content | Source,
    options: CategoriesOptions,
  ): Promise<CategoriesResult>;

  /**
   * What buying the categories of so many columns would be charged for, and how many records each
   * needs.
   */
  planCategories(
    request: CategoriesRequest & { columns: number },
    options?: CallOptions,
  ): Promise<CategoriesPlan>;

  /**
   * A scorecard: whole points for the levels of a few attributes, chosen with pure differential
   * privacy as those that get the fewest records wrong. A purchase of its own;
   * `ledger.scorecard` notes it. The file is read for it alone, by the card's schema. Aborting ends
   * the worker: the search cannot be looked at half-way, and what was charged stays charged.
   */
  scorecard(
    of: Dataset<AnyLabel> | Content | Source,
    options: ScorecardOptions,
  ): Promise<ScorecardResult>;

  /**
   * What buying a scorecard would be charged for, from how many it would be chosen, and how far
   * from the best it may be. Rejects with `schema`, saying what to merge, if there are too many.
   */
  planScorecard(
    request: ScorecardRequest & { schema: CardSchema | string },
    options?: CallOptions,
  ): Promise<ScorecardPlan>;

  /**
   * Checks all that a scorecard says of itself, from the document alone. Rejects with `release` if
   * it is none.
   */
  checkScorecard(release: ScorecardRelease, options?: CallOptions): Promise<CheckedScorecard>;

  /**
   * What a scorecard says of a row, given by the names of its attributes or in the card's order:
   * the total of the points, and yes or no. Rejects with `data` for a value that the card has no
   * level for.
   */
  score(
    release: ScorecardRelease,
    row: Exclude<Row, string>,
    options?: CallOptions,
  ): Promise<Score>;
  score(
    release: ScorecardRelease,
    rows: readonly Exclude<Row, string>[],
    options?: CallOptions,
  ): Promise<Score[]>;

  /**
   * Says, with noise, how many rows of each class a card says yes and no to, of rows that it was
   * not chosen on: a purchase of its own, with an event and a guarantee for the people in the
   * held-out file. `ledger.evaluateScorecard` notes it.
   */
  evaluateScorecard(
    release: ScorecardRelease,
    of: Dataset<AnyLabel> | Content | Source,
    options: EvaluateScorecardOptions,
  ): Promise<EvaluateScorecardResult>;

  /**
   * The counts of a card's cells, with noise and pure differential privacy: one purchase, after
   * which any number of cards costs nothing. A purchase of its own; `ledger.noisyCells` notes it.
   * One card alone is far better bought by itself, as `scorecard` does.
   */
  noisyCells(
    of: Dataset<AnyLabel> | Content | Source,
    options: NoisyCellsOptions,
  ): Promise<NoisyCellsResult>;

  /** What buying noisy cells would be charged for, and how noisy they would be. */
  planNoisyCells(
    request: NoisyCellsRequest & { schema: CardSchema | string },
    options?: CallOptions,
  ): Promise<NoisyCellsPlan>;

  /**
   * Checks all that noisy cells say of themselves, from the document alone. Rejects with `release`
   * if it is none.
   */
  checkNoisyCells(release: NoisyCells, options?: CallOptions): Promise<CheckedNoisyCells>;

  /**
   * A card of noisy cells: the best one by their counts, of some attributes or all, or one whose
   * points were chosen by hand. No data is needed, and nothing is charged. Aborting ends the
   * worker; the search can be begun again.
   */
  cardOfCells(cells: NoisyCells, options?: CardOfCellsOptions): Promise<CardOfCellsResult>;

  /**
   * The majority of each of several votes between two classes, by the rule that no private one
   * beats at any gap. Nothing is charged: put the event that comes back into your own account of
   * what was spent.
   */
  vote(request: VoteRequest, options?: CallOptions): Promise<VoteResult>;

  /**
   * A class for each of several public queries, by the votes of many teachers who have disjoint
   * records. Where they agree it costs less than the same noise costs on any votes. Nothing is
   * charged, as with `vote`.
   */
  pate(request: PateRequest, options?: CallOptions): Promise<PateResult>;

  /** What a release's model says of a row, or of several. */
  predict<L extends AnyLabel = Label>(
    release: Release<L>,
    row: Row,
    options?: CallOptions,
  ): Promise<Prediction<L>>;
  predict<L extends AnyLabel = Label>(
    release: Release<L>,
    rows: readonly Exclude<Row, string>[],
    options?: CallOptions,
  ): Promise<Prediction<L>[]>;

  /**
   * A release that says how its model was chosen, or null for one that does not say
   * it. Nothing else in it changes. Rejects with `parameter` if the event
   * contradicts it.
   */
  stateChoice<L extends AnyLabel = Label>(
    release: Release<L>,
    choice: Choice | null,
    options?: CallOptions,
  ): Promise<Stated<L>>;

  /** Checks a release's guarantee from the document alone. */
  reprice(release: Release<AnyLabel>, options?: CallOptions): Promise<Repriced>;

  /**
   * What a release's model found, from the document alone: differences from a reference, each with
   * a limit on its noise, and which of them are more than noise.
   */
  differences(release: Release<AnyLabel>, options?: CallOptions): Promise<Differences>;

  /**
   * Another linear regression, computed from the moments in a release of the method `suffstats`:
   * another target, fewer columns, another ridge. No data is needed, and it costs nothing beyond
   * what the release promises, however many are asked for. Rejects with `parameter` for names that
   * the release does not have, a ridge too small for columns that follow from each other, and
   * releases of other methods.
   */
  regress(
    release: Release<AnyLabel>,
    question?: RegressQuestion,
    options?: CallOptions,
  ): Promise<Derived>;

  /**
   * Computes a derived model again from its release. Resolves with it if they agree; rejects with
   * `release` if it is another release's, or was changed.
   */
  checkDerived(
    release: Release<AnyLabel>,
    derived: DerivedModel,
    options?: CallOptions,
  ): Promise<DerivedModel>;

  /** Budgets of data sets, and fits that are charged to them. */
  readonly ledger: Ledger;

  /** A privacy odometer. It keeps nothing between calls. */
  odometer(description: OdometerDescription, options?: CallOptions): Promise<OdometerResult>;

  /**
   * Another client of the same binary, with a worker of its own: for work that must not wait for
   * this one's, nor hold it up. Nothing is fetched.
   */
  beside(): Client;
}

/** What `laboratory.wasm` answers: experiments. It reads files, and makes no releases. */
export interface Laboratory extends FileReading {
  /**
   * Starts the worker and waits until it is ready. Optional: the first call
   * starts it too. A sealed page calls it after {@link seal}.
   */
  start(options?: CallOptions): Promise<About>;

  /** What the laboratory has: data sets, methods, the papers' numbers. */
  laboratory(options?: CallOptions): Promise<LaboratoryContents>;

  /**
   * Runs methods on data sets, or on a dataset of one's own, and tells of each run
   * as it is done. Nothing is released: the results are scores on held-out records,
   * drawn with noise that anybody can draw again. Aborting ends the worker at once.
   */
  experiment(experiment: Experiment, options?: ExperimentOptions): Promise<ExperimentResult>;

  /**
   * Another client of the same binary, with a worker of its own: for work that must not wait for
   * this one's, nor hold it up. Nothing is fetched.
   */
  beside(): Laboratory;

  /**
   * Ends the worker at once. Calls under way reject with `terminated`; the
   * next call starts a new worker from the compiled module.
   */
  terminate(): void;
}

/**
 * Fetches and compiles a program and returns its client. Idempotent: calls that
 * name the same binary share one client; a call that failed is tried anew.
 * No worker is started; see {@link Accountant.start}.
 */
export type Load<C = Client> = (options?: LoadOptions) => Promise<C>;
