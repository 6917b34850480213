/**
 * The public schema, version 1: everything that is known about the file
 * without looking at it. `core/data` documents each rule. The schema is part
 * of the release, so it must hold nothing that was read off private data,
 * unless its `provenance` says so.
 */
export interface Schema {
  version: 1;
  features: Feature[];
  label: Label;
  rows: RowRule;
  /** κ: value of the constant feature; 0 for no intercept. */
  intercept: number;
}

/** `suggested`: read off the private file and not confirmed by a person from public knowledge. */
export type Provenance = "public" | "suggested";

export type Feature = NumericFeature | CategoricalFeature;

export interface NumericFeature {
  name: string;
  kind: "numeric";
  min: number;
  max: number;
  log?: boolean;
  missing?: string | number;
  provenance?: Provenance;
}

export interface CategoricalFeature {
  name: string;
  kind: "categorical";
  categories: string[];
  unknown?: string;
  missing?: string;
  provenance?: Provenance;
}

export interface Label {
  name: string;
  /** Spellings of the class coded −1. */
  negative: string[];
  /** Spellings of the class coded +1. */
  positive: string[];
  provenance?: Provenance;
}

export interface RowRule {
  /** `clip`: rows longer than 1 are shortened to 1. `unit`: all are scaled to 1. */
  norm: "clip" | "unit";
}

/** One column of the design matrix. */
export interface Column {
  /** Unique, for tables: `age`, `workclass = Private`. */
  name: string;
  /** The feature it comes from; empty for the intercept. */
  feature: string;
  category?: string;
}
