// Files, read through a schema.

import type {
  AnyLabel,
  ClassesLabel,
  Column,
  Label,
  Layout,
  MissingValues,
  NumericLabel,
  Schema,
  Sentinel,
  Tally,
  UnusedColumn,
} from "./wire/types.ts";

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
  /** How the file is laid out, for the data holder. */
  readonly layout: Layout;
  /** Rows of each class; of several in the schema's order, of a number none. */
  readonly classes: L extends NumericLabel
    ? Record<string, never>
    : L extends ClassesLabel
      ? readonly number[]
      : { readonly negative: number; readonly positive: number };
  readonly columns: readonly Column[];
  /**
   * Which worker holds it; undefined if none does, because it is closed or its worker was ended.
   * The next call reads it again then, into another one. What is kept beside it alone, such as the
   * noise of a fit that a bought report needs, is gone with the first.
   */
  readonly worker: number | undefined;
  /**
   * Frees the worker's memory, once the calls that use it at the moment are through. Using the
   * dataset afterwards rejects with `dataset-lost`.
   */
  close(): Promise<void>;
}

/**
 * A file as the ledger knows it again: by a digest of its content, which stays in the worker's
 * memory. Private as the file is.
 */
export interface Content {
  /** Frees the worker's memory. Using it afterwards rejects with `dataset-lost`. */
  close(): Promise<void>;
}

/**
 * A schema read off the file: private until somebody has confirmed that each piece is public
 * knowledge.
 */
export interface Suggestion<L extends AnyLabel = Label> {
  schema: Schema<L>;
  /** Columns that are not used; the reason reads as the end of "it …". */
  leftOut: UnusedColumn[];
  /** Numbers that seem to say that a value is missing, for the data holder to be asked about. */
  sentinels: Sentinel[];
  /** Columns with missing values, for the data holder: what a rule that drops would leave out. */
  missing: MissingValues[];
  /** How the file is laid out, for the data holder. */
  layout: Layout;
  /** The file that was read, so that the ledger can be asked about it without reading it again. */
  content: Content;
}

/**
 * A row to predict: its fields by feature name, or in the order of the schema's
 * features, or as a line of CSV in that order (with or without the label after them,
 * or below a header line). null is a missing value.
 */
export type Row =
  Readonly<Record<string, string | number | null>> | readonly (string | number | null)[] | string;
