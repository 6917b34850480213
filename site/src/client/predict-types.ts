// Rows to predict, and what a model says of them.

import type { AnyLabel, ClassesLabel, Label, NumericLabel } from "./schema.ts";

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
