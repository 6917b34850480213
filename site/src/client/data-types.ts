// Files, read through a schema.

import type { ProgressOptions } from "./call-types.ts";
import type { AnyLabel, ClassesLabel, Column, Label, NumericLabel, Schema } from "./schema.ts";

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

/** A file in the worker's memory, as a design matrix. All of it is private. */
export interface Dataset<L extends AnyLabel = Label> {
  readonly schema: Schema<L>;
  readonly rows: number;
  /** Records read, and how many of them a "drop" rule of the schema left out. */
  readonly tally: Tally;
  /** Rows of each class; of several in the schema's order, of a number none. */
  readonly classes: L extends NumericLabel ? Record<string, never> : L extends ClassesLabel ? readonly number[] : { readonly negative: number; readonly positive: number };
  readonly columns: readonly Column[];
  /**
   * Which worker holds it; undefined if none does, because it is closed or its worker was ended. The next call reads it again then, into another one. What is kept beside it
   * alone, such as the noise of a fit that a bought report needs, is gone with the first.
   */
  readonly worker: number | undefined;
  /** Frees the worker's memory. Using the dataset afterwards rejects with `dataset-lost`. */
  close(): Promise<void>;
}

/** A file as the ledger knows it again: by a digest of its content, which stays in the worker's memory. Private as the file is. */
export interface Content {
  /** Frees the worker's memory. Using it afterwards rejects with `dataset-lost`. */
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
  /** The file that was read, so that the ledger can be asked about it without reading it again. */
  content: Content;
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
