import type { ApproximateMinimaEvent, Guarantee } from "./event.ts";
import type { Schema } from "./schema.ts";

/**
 * A release, version 1: all of it may be published. It holds what a reader
 * needs to check the guarantee, and nothing else that was computed from the
 * data than the coefficients.
 */
export interface Release {
  format: "cloister-release";
  version: 1;
  /** Version of the library that made it. */
  library: string;
  schema: Schema;
  event: ApproximateMinimaEvent;
  guarantee: ReleaseGuarantee;
  model: LogisticModel;
}

export interface ReleaseGuarantee extends Guarantee {
  /** False if the schema holds unconfirmed suggestions, which the guarantee does not cover. */
  covers: boolean;
  /** Plain sentences: what the guarantee does not cover. */
  caveats: string[];
}

export interface LogisticModel {
  loss: "logistic";
  /** Names of the design matrix' columns; the intercept, if there is one, last. */
  columns: string[];
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
