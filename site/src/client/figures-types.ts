// How a model does: exactly, for the data holder alone, and with noise, for everybody.

import type { ProgressOptions } from "./call-types.ts";
import type { Adjacency } from "./event.ts";
import type { Release } from "./release.ts";
import type { AnyLabel, ClassesLabel, Label, NumericLabel } from "./schema.ts";

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

/** How a model is evaluated; all of it must be public. */
export interface EvaluateOptions extends ProgressOptions {
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
