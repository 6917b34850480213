// Categories of columns, bought from the data.

import type { ProgressOptions } from "./call-types.ts";
import type { Adjacency, CompositionEvent } from "./event.ts";

/** What is asked of {@link Client.planCategories}; all of it is public. */
export interface CategoriesRequest {
  adjacency: Adjacency;
  /** Of all columns together; they share it evenly. */
  epsilon: number;
  /**
   * Likewise. A category that one record alone has is kept with this probability, divided
   * by the number of columns. A ledger sets 1/64 of a budget's δ aside for such purchases.
   */
  delta: number;
}

export interface CategoriesOptions extends CategoriesRequest, ProgressOptions {
  /** Whose categories are bought together, by their names in the file. */
  columns: readonly string[];
  /** Spellings of a missing value. Default: those of the dataset's schema, of a source `["", "?", "NA"]`. */
  missingValues?: readonly string[];
}

/** What buying categories would be charged for, and how many records each needs. */
export interface CategoriesPlan {
  event: CompositionEvent;
  epsilon: number;
  delta: number;
  /** From so many records on a category is kept at least as probably as not. */
  even: number;
  /** From so many on it is kept for certain. */
  sure: number;
}

/** Categories as they may be published: `core/learn/categories` says how they are chosen. */
export interface CategoriesRelease {
  format: "cloister-categories";
  version: 1;
  library: string;
  adjacency: Adjacency;
  /** Of all columns together. */
  epsilon: number;
  delta: number;
  event: CompositionEvent;
  /** In the order asked for; the categories in that of their bytes, and none that no record has. */
  columns: { name: string; categories: string[] }[];
}

export interface CategoriesResult {
  release: CategoriesRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}
