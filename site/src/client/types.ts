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
  AccountDescription,
  AccountResult,
  AffordDescription,
  AffordResult,
  CheckDescription,
  CheckResult,
  ComparisonName,
  Epsilons,
  EstimateDescription,
  EstimateResult,
  OdometerDescription,
  OdometerResult,
  PrivacyCurve,
  SolveDescription,
  SolveResult,
} from "./account.ts";
import type { Adjacency, ApproximateMinimaEvent, Bound, CompositionEvent, Guarantee, PrivacyEvent } from "./event.ts";
import type { Experiment, ExperimentOptions, ExperimentResult, Laboratory } from "./laboratory.ts";
import type { Ledger } from "./ledger-types.ts";
import type { Loss, Release } from "./release.ts";
import type { AnyLabel, AnySchema, ClassesLabel, Column, Label, NumericLabel, Schema } from "./schema.ts";

export type * from "./account.ts";
export type * from "./event.ts";
export type * from "./ledger-types.ts";
export type * from "./laboratory.ts";
export type * from "./release.ts";
export type * from "./schema.ts";
export { CloisterError } from "./error.ts";
export type { ErrorCode, ErrorPlace } from "./error.ts";
export { MAX_BYTES } from "./limits.ts";

export interface LoadOptions {
  /** Where the binary is: a URL, in Node also a path. Default: `cloister.wasm` beside the client's script. */
  wasmURL?: string | URL;
  /** Subresource integrity of the binary, such as `sha384-…`. */
  integrity?: string;
  /** The binary, compiled already. Then nothing is fetched. */
  wasmModule?: WebAssembly.Module;
  /** Makes the worker, for hosts with rules of their own. Default: a worker from a blob, in Node a thread. */
  worker?: WorkerFactory;
  /** Gives up fetching. */
  signal?: AbortSignal;
}

/**
 * Runs `source`, a classic script, in a new worker. The script speaks through
 * the worker's own `postMessage` and `message` events (in Node, its
 * `parentPort`).
 */
export type WorkerFactory = (source: string) => WorkerPort | Promise<WorkerPort>;

/** The part of a Worker that the client uses. */
export interface WorkerPort {
  post(message: unknown, transfer?: ArrayBuffer[]): void;
  /** Calls `failed`, with a reason, when the worker dies; once is enough. */
  listen(received: (message: unknown) => void, failed: (reason: string) => void): void;
  /** Told when calls begin and when none is left: an idle thread need not keep Node alive. */
  busy?(busy: boolean): void;
  /** Ends the worker at once, whatever it is doing. */
  terminate(): void;
}

/**
 * Fetches and compiles the core and returns its client. Idempotent: calls that
 * name the same binary share one client; a call that failed is tried anew.
 * No worker is started; see {@link Client.start}.
 */
export type Load = (options?: LoadOptions) => Promise<Client>;

/** One part of a file or several, read in order as one table (each part with its own header). */
export type Source = SourcePart | readonly SourcePart[];

/**
 * A `Blob` (or `File`), text, bytes, a {@link NamedSource}, or a stream. All but the
 * stream can be read again, which is what lets a dataset outlive its worker.
 */
export type SourcePart = Blob | string | Uint8Array | ReadableStream<Uint8Array> | NamedSource;

/** A file that is opened when it is needed, and may be opened again: in Node, a file on disk. */
export interface NamedSource {
  name?: string;
  /** In bytes, declared before anything is read. */
  size: number;
  open(): AsyncIterable<Uint8Array>;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ProgressOptions extends CallOptions {
  /** Called while the work goes on, also from inside a busy fit. What it is told is private. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** `reserving` and `committing`: of a purchase through the ledger. Whoever ends the work after `reserving` may be charged. */
  phase: "reading" | "calibrating" | "reserving" | "solving" | "releasing" | "committing";
  /** 0 to 1 within the phase, where it can be known. */
  fraction?: number;
  /** Reading: how far. */
  bytes?: number;
  totalBytes?: number;
  rows?: number;
  /** Solving: where the solver is, and what it must reach. */
  iteration?: number;
  /** Solving for several classes: which one, from 1, of how many. */
  class?: number;
  classes?: number;
  gradientNorm?: number;
  target?: number;
}

/** A file in the worker's memory, as a design matrix. All of it is private. */
export interface Dataset<L extends AnyLabel = Label> {
  readonly schema: Schema<L>;
  readonly rows: number;
  /** Records read, and how many of them a "drop" rule of the schema left out. */
  readonly tally: Tally;
  /** Rows of each class; of several in the schema's order, of a number none. */
  readonly classes: L extends NumericLabel ? Record<string, never> : L extends ClassesLabel ? readonly number[] : { readonly negative: number; readonly positive: number };
  readonly columns: readonly Column[];
  /** Frees the worker's memory. Using the dataset afterwards rejects with `dataset-lost`. */
  close(): Promise<void>;
}

/** What reading did to the records. Every count in it is private. */
export interface Tally {
  bytes: number;
  /** Records read, headers not counted. */
  rows: number;
  /** Records that became rows of the matrix. */
  kept: number;
  dropped: number;
  labelMissing: number;
  /** Numeric labels that were moved to a bound. */
  labelClamped: number;
  /** In the schema's order: fields that were missing, unknown, or moved to a bound. */
  features: { name: string; missing: number; unknown: number; clamped: number }[];
}

export interface SuggestOptions extends ProgressOptions {
  /** The column to predict. Default: the last that has two values. */
  label?: string;
  /** Its values that make the class +1; all others make −1. Needed if it has more than two. */
  positive?: readonly string[];
  /** What the label is to be, if not two classes; then `label` is needed, and `positive` has no meaning. */
  labelType?: "classes" | "numeric";
}

/** A schema read off the file: private until somebody has confirmed that each piece is public knowledge. */
export interface Suggestion<L extends AnyLabel = Label> {
  schema: Schema<L>;
  /** Columns that are not used; the reason reads as the end of "it …". */
  leftOut: { column: string; reason: string }[];
}

/** What {@link Client.checkSchema} learnt from the schema alone. */
export interface CheckedSchema<L extends AnyLabel = Label> {
  /** The schema with every default written out. */
  schema: Schema<L>;
  /** R: no row, intercept included, is longer. */
  rowNorm: number;
  /** d, intercept included. */
  dimension: number;
  /** The intercept, if there is one, last. */
  columns: Column[];
  /** Features (and the label) that are still marked `suggested`, by name. */
  suggested: string[];
  /** Plain sentences: what a guarantee does not cover because of them. They go into the release. */
  caveats: string[];
}

/** What a fit is asked to promise, and the few choices beside it. All of it must be public. */
export interface Budget {
  adjacency: Adjacency;
  epsilon: number;
  delta: number;
  /** Default `auto`. */
  bound?: Bound;
  /** C: threshold that gradients are clipped to. Default 9/16 of R (Huber: R, squared: R/4). Without effect from R times the loss's steepest slope, which is 1 but for the squared loss, which has none. */
  clip?: number;
  /** λ. Default: chosen from ε, δ, R, d and `radius` alone. */
  lambda?: number;
  /** B: a public guess of ‖θ*‖, for choosing λ. Default 16/R (Huber: 32·ε^0.3/R, squared: 4/R). */
  radius?: number;
  /** τ: what the solver must certify. Default: R/2²⁵ and a little. */
  tau?: number;
}

/** A fit that is planned: by its schema, or, of the logistic loss and two classes, by R and d. */
export type CalibrateRequest = Budget & ((LossOptions & { schema: AnySchema }) | { rowNorm: number; dimension: number });

export interface Calibration {
  /** What such a fit is charged for. Priced again by the same bound, it satisfies `guarantee`. Several classes: one fit a class, composed. */
  event: ApproximateMinimaEvent | CompositionEvent;
  guarantee: Guarantee;
}

export interface LossOptions {
  /** Default: `squared` for a numeric label, which takes no other, else `logistic`. */
  loss?: Loss;
  /** Half-width of the Huber loss, default 0.5. */
  huberWidth?: number;
}

export interface FitOptions extends Budget, ProgressOptions {
  /** Default: `squared` for a numeric label, which takes no other, else `logistic`. */
  loss?: Loss;
  /** Half-width of the Huber loss, default 1. */
  huberWidth?: number;
  /** Overrides `rows.norm` of the dataset's schema; the dataset is read again if it differs. */
  norm?: "clip" | "unit";
}

export interface FitResult<L extends AnyLabel = Label> {
  /** May be published. */
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** For the data holder's eyes only: computed from the data without noise. */
  diagnostics: Diagnostics<L>;
}

/** How a model does on rows, without noise. Never publish any of it: not one of these numbers was paid for. */
export type ExactFigures<L extends AnyLabel = Label> = { rows: number } & (L extends NumericLabel ? ExactNumbers : ExactClasses & (L extends ClassesLabel ? ExactSeveral : ExactTwo));

interface ExactClasses {
  /** Share of the rows that the released model puts in their class. */
  accuracy: number;
  /** Share of the largest class: what a constant answer achieves. */
  baseline: number;
}

interface ExactTwo {
  /** Mean of −log of the probability of each row's own class, nats. The Huber loss has none. */
  logLoss: number;
  /** Rows of each class, by the class that the model gives them. */
  confusion: { truePositive: number; falsePositive: number; trueNegative: number; falseNegative: number };
}

interface ExactSeveral {
  logLoss?: number;
  /** The same: a row a class, a column a class predicted, in the schema's order. */
  matrix: number[][];
}

interface ExactNumbers {
  /** In squared units of the label. */
  meanSquaredError: number;
  /** Missing where all rows have one value. */
  rSquared?: number;
}

/** How a fit went, on the rows that it was made of; private like {@link ExactFigures}. */
export type Diagnostics<L extends AnyLabel = Label> = ExactFigures<L> & FitDiagnostics;

export interface FitDiagnostics {
  iterations: number;
  /** Certified bound on the perturbed gradient's norm, and the τ it had to stay below. */
  gradientNorm: number;
  tau: number;
  /** Wall-clock time of calibrating, solving and releasing. */
  milliseconds: number;
}

/**
 * A row to predict: its fields by feature name, or in the order of the schema's
 * features, or as a line of CSV in that order (with or without the label after them,
 * or below a header line). null is a missing value.
 */
export type Row = Readonly<Record<string, string | number | null>> | readonly (string | number | null)[] | string;

export type Prediction<L extends AnyLabel = Label> = L extends NumericLabel ? NumericPrediction : L extends ClassesLabel ? ClassesPrediction : TwoClassPrediction;

/** Of a label of several classes; lists are in the schema's order. */
export interface ClassesPrediction {
  /** xᵀθ of each class against the rest. */
  margins: number[];
  /** Missing for the Huber loss. */
  probabilities?: number[];
  /** Name of the class with the largest margin. */
  label: string;
  notes: { feature: string; text: string }[];
}

/** Of a numeric label. */
export interface NumericPrediction {
  margin: number;
  /** In the label's units, within its bounds. */
  value: number;
  notes: { feature: string; text: string }[];
}

export interface TwoClassPrediction {
  /** Of the positive class. Missing for the Huber loss. */
  probability: number;
  /** xᵀθ. */
  margin: number;
  /** The schema's first spelling of the class that is more likely. */
  label: string;
  positive: boolean;
  /** Fields that were not used as they stood: outside the bounds, missing, unknown. */
  notes: { feature: string; text: string }[];
}

/** How a model is evaluated; all of it must be public. */
export interface EvaluateOptions extends CallOptions {
  adjacency: Adjacency;
  /** Of the evaluation alone, for the held-out file; its δ is 0. */
  epsilon: number;
  /** Of the calibration table: even for two classes. Default 10, for numbers 5. */
  bins?: number;
  /** Nats, at which each row's log loss is cut off. Default 4. */
  lossBound?: number;
}

/** An estimate and a range that covers, with probability `level` over the noise, the figure of these very rows. */
export interface Interval {
  estimate: number;
  low: number;
  high: number;
}

/** What an evaluation says. May be published: it follows from the release. */
export interface Figures {
  level: number;
  epsilon: number;
  adjacency: Adjacency;
  records: Interval;
  /** Share of the records whose class is predicted. */
  accuracy?: Interval;
  /** Mean, nats, each record's cut off at `lossBound`. */
  logLoss?: Interval;
  meanSquaredError?: Interval;
  rSquared?: Interval;
  /**
   * By what is predicted, from `low` to `high`: the probability of the positive
   * class, of the likeliest, or the value; and the share of the positive class,
   * of those right, or the mean of the label.
   */
  table: { low: number; high: number; records: Interval; outcome: Interval }[];
}

export interface EvaluateResult<L extends AnyLabel = Label> {
  /** The release with the evaluation in it. May be published. */
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** What the evaluation says. May be published. */
  figures: Figures;
  /** For the data holder's eyes only. */
  exact: ExactFigures<L>;
}

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

  /** Fits and releases. Aborting ends the worker at once; nothing is released. */
  fit<L extends AnyLabel = Label>(dataset: Dataset<L>, options: FitOptions): Promise<FitResult<L>>;

  /**
   * Says, with noise, how a release's model does on rows that it was not fitted
   * to: a purchase of its own, with an event and a guarantee for the held-out
   * file. The dataset must have been opened with the release's schema.
   */
  evaluate<L extends AnyLabel = Label>(release: Release<L>, dataset: Dataset<L>, options: EvaluateOptions): Promise<EvaluateResult<L>>;

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

  /**
   * Ends the worker at once. Calls under way reject with `terminated`; the
   * next call starts a new worker from the compiled module.
   */
  terminate(): void;
}
