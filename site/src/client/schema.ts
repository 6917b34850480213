/**
 * The public schema: what is known about the file without looking at it.
 * `ParseSchema` in `core/data` documents every rule. The schema is part of the
 * release, so it must hold nothing that was read off private data, unless its
 * `provenance` says so.
 */
export interface Schema<L extends AnyLabel = Label> {
  /** 2 if the label has a type, 3 if bounds were bought, 4 if categories were. */
  version: 1 | 2 | 3 | 4;
  /** In the order of the model's columns. */
  features: Feature[];
  label: L;
  rows: RowRule;
  /** κ: value of the constant feature; 0 for no intercept, 0.5 is usual. */
  intercept: number;
  /** Spellings of a missing value; `["", "?", "NA"]` if left out. */
  missing_values?: string[];
}

/**
 * `public`: known without looking at the file. `suggested`: read off the
 * private file and not confirmed by a person. `bought`, of bounds or categories: by a
 * private release of its own, which `purchase` names. It has no default.
 */
export type Provenance = "public" | "suggested" | "bought";

/** Where bounds or categories were bought. */
export interface Purchase {
  /** The charge's ID in the ledger of the data. */
  charge: string;
  /** Of the whole charge, whatever else was bought with it. */
  epsilon: number;
  /** Likewise (version 4); 0 if left out. */
  delta?: number;
}

export type Feature = NumericFeature | CategoricalFeature;

export interface NumericFeature {
  /** As in the file's header. */
  name: string;
  type: "numeric";
  /** Public bounds, min < max. Values outside are moved to the nearer one. */
  min: number;
  max: number;
  /** Scale by log1p(x − min) instead of x − min. */
  log?: boolean;
  /** What a missing value becomes: an error (the default), a dropped record, or a number within the bounds. */
  missing?: "error" | "drop" | number;
  provenance: Provenance;
  /** With `bought`. */
  purchase?: Purchase;
}

export interface CategoricalFeature {
  name: string;
  type: "categorical";
  /** One column each; none is left out as a reference. */
  categories: string[];
  /** What a missing value becomes. */
  missing?: CategoryRule;
  /** What a text that is not among the categories becomes. */
  unknown?: CategoryRule;
  provenance: Provenance;
  /** With `bought`. */
  purchase?: Purchase;
}

/** An error (the default), a dropped record, none of the categories, or one of them. */
export type CategoryRule = "error" | "drop" | "zero" | { category: string };

/** A label of two classes. */
export interface Label {
  name: string;
  type?: undefined;
  /** Spellings of the class coded −1. */
  negative: string[];
  /** Spellings of the class coded +1. */
  positive: string[];
  missing?: "error" | "drop";
  provenance: Provenance;
}

/** A label of three classes or more. */
export interface ClassesLabel {
  name: string;
  type: "classes";
  /** Each class by its spellings, the first of which names it. Public, and not read off the file. */
  classes: string[][];
  missing?: "error" | "drop";
  provenance: Provenance;
}

/** A number to be predicted. */
export interface NumericLabel {
  name: string;
  type: "numeric";
  /** Public bounds, min < max. Values outside are moved to the nearer one. */
  min: number;
  max: number;
  missing?: "error" | "drop";
  provenance: Provenance;
  /** With `bought`. */
  purchase?: Purchase;
}

export type AnyLabel = Label | ClassesLabel | NumericLabel;
export type AnySchema = Schema<AnyLabel>;

export interface RowRule {
  /** `clip`: rows of features longer than 1 are scaled to length 1. `unit`: all are. */
  norm: "clip" | "unit";
}

/** One column of the design matrix: entry = scale·(x − offset), with `log` scale·log1p(x − offset). */
export interface Column {
  /** Unique, for tables: `age`, `workclass=Private`, `(intercept)`. */
  name: string;
  /** The feature it comes from; empty for the intercept. */
  feature: string;
  /** Empty unless the feature is categorical. */
  category: string;
  intercept: boolean;
  log: boolean;
  scale: number;
  offset: number;
}
