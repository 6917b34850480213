import type { Adjacency, ApproximateMinimaEvent, CompositionEvent, GaussianEvent, GradientDescentEvent, Guarantee, PrivacyEvent } from "./event.ts";
import type { AnyLabel, ClassesLabel, Label, Schema } from "./schema.ts";

/**
 * A release: all of it may be published. It holds what a reader needs to check
 * the guarantee, and nothing else that was computed from the data than the
 * coefficients (and an evaluation, if one was bought). A release is written in
 * the oldest version that can say it.
 */
export interface Release<L extends AnyLabel = Label> {
  format: "cloister-release";
  version: 1 | 2;
  /** Version of the library that made it. */
  library: string;
  schema: Schema<L>;
  /** Several classes: one fit a class, composed. */
  event: L extends ClassesLabel ? CompositionEvent : ApproximateMinimaEvent | GaussianEvent | GradientDescentEvent;
  guarantee: ReleaseGuarantee;
  model: Model<L>;
  /** How the model does on held-out records, with noise; see {@link Client.evaluate}. */
  evaluation?: Evaluation;
}

export interface ReleaseGuarantee extends Guarantee {
  /** How the event is priced; version 1: in closed form. */
  method?: "closed" | "pld" | "rdp";
  /** False if the schema holds unconfirmed suggestions, which the guarantee does not cover. */
  covers: boolean;
  /** Plain sentences: what the guarantee does not cover. */
  caveats: string[];
}

export type Loss = "logistic" | "huber" | "squared";

export interface ModelFrame {
  loss: Loss;
  /** Half-width of the Huber loss. */
  huber_width?: number;
  /** Norm to which each record's gradient was clipped; version 1: the event's `lipschitz`. */
  clip?: number;
  /** λ of the regulariser, where the event does not say it. */
  lambda?: number;
  /** Names of the design matrix' columns; the intercept, if there is one, last. */
  columns: string[];
}

/** One vector of coefficients, or for several classes one a class. A numeric label's margin m stands for min + (m + 1)/2·(max − min). */
export type Model<L extends AnyLabel = Label> = ModelFrame & (L extends ClassesLabel ? { classes: ClassVector[] } : Vector);

export interface ClassVector extends Vector {
  /** Its name, as in the schema. */
  class: string;
}

export interface Vector {
/** θ, one a column, intercept included. */
  coefficients: number[];
  /** What the intercept's column adds to every margin; 0 without one. */
  intercept: number;
  /** The coefficients in the units of the file, without the intercept. */
  original: OriginalCoefficient[];
  /**
   * The constant that goes with them: a record has margin (constant +
   * Σ coefficient·x)/N + intercept, N being what its row was divided by
   * (`Model.Originals` in core/learn).
   */
  original_constant: number;
}

export interface OriginalCoefficient {
  feature: string;
  category?: string;
  coefficient: number;
  /** What the coefficient multiplies: the value ("1"), whether it is the category ("category"), or "log1p(x - offset)". */
  unit: "1" | "category" | "log1p(x - offset)";
  /** Of the logarithm. */
  offset?: number;
}

/** How a model does on held-out records, in noisy numbers: `Assessment` in `core/learn` says what each is. */
export interface Evaluation {
  adjacency: Adjacency;
  /** δ is 0. */
  epsilon: number;
  event: PrivacyEvent;
  loss_bound?: number;
  cells: number[][];
  sums: number[];
}
