// Bounds of columns, bought from the data.

import type { ProgressOptions } from "./call-types.ts";
import type { Adjacency, CompositionEvent } from "./event.ts";

/** What is asked of {@link Client.planBounds}; all of it is public. */
export interface BoundsRequest {
  adjacency: Adjacency;
  /** Of all columns together, at most; its δ is 0. */
  epsilon: number;
  /** Share of the records that may be set aside at the two ends together, as outliers. Default 0. */
  share?: number;
}

export interface BoundsOptions extends BoundsRequest, ProgressOptions {
  /** Whose bounds are bought together, by their names in the file. They hold numbers. */
  columns: readonly string[];
  /** Spellings of a missing value. Default: those of the dataset's schema, of a source `["", "?", "NA"]`. */
  missingValues?: readonly string[];
}

/** What buying bounds would be charged for, and what it would be good for. */
export interface BoundsPlan {
  event: CompositionEvent;
  /** What it costs: at most the ε asked for, and less where the next smaller noise would cost more than that. */
  epsilon: number;
  /**
   * T: a range of values (a bin) counts if it seems to hold at least T records.
   * One that holds 2T − 1 or more is not overlooked, and one that holds none is
   * not taken for data, but for a probability of `failure` in all.
   */
  threshold: number;
  failure: number;
}

/** Bounds as they may be published: `core/learn/bounds` says how they are made. */
export interface BoundsRelease {
  format: "cloister-bounds";
  version: 1;
  library: string;
  adjacency: Adjacency;
  /** Of all columns together; δ is 0. */
  epsilon: number;
  share: number;
  event: CompositionEvent;
  /** In the order asked for; without bounds where none were found. */
  columns: { name: string; min?: number; max?: number }[];
}

export interface BoundsResult {
  release: BoundsRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}
