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
  columns: string[];
  /** On the scaled features, one a column, without the intercept. */
  coefficients: number[];
  intercept: number;
  /** The same on the scale of the file. */
  original: OriginalCoefficient[];
  original_intercept: number;
}

export interface OriginalCoefficient {
  feature: string;
  category?: string;
  coefficient: number;
  /** What a change of 1 means. */
  unit: string;
}
