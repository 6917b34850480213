/**
 * Why a call failed, for programs. The message beside it is for people.
 *
 * From the core:
 * - `parameter`: a parameter is missing, unknown or out of range; `field` names it.
 * - `schema`: the schema cannot be used; `field` is the path in it.
 * - `data`: the file does not fit the schema; `row` and `column` say where.
 * - `too-large`: the file is over {@link MAX_BYTES}; nothing of it was read.
 * - `dataset-lost`: the dataset was closed, or went with its worker and came
 *   from a stream, which cannot be read twice. Open it again.
 * - `refused`: the learner could not certify its solution and released nothing.
 * - `entropy`: the machine gave no secure random bits; nothing was released.
 * - `release`: the document is not a release that this version can read.
 * - `report`: the document is not a privacy report that this version can read, or
 *   not of the release given with it (`field` is then `release`).
 * - `numerical`: a bound could not be computed to the promised accuracy for
 *   such extreme parameters.
 * - `internal`: a fault in this library. The worker was replaced.
 * - `budget`: the budget does not afford it, or there is none. Nothing was run.
 * - `ledger`: the ledger, or a ledger file, cannot be read or does not fit
 *   (`field` is `version` if it is from a later version, `budget` if two budgets
 *   differ). Nothing was changed.
 * - `storage`: the browser cannot keep a ledger; `field` says why: `missing`,
 *   `blocked`, `full` or `broken`.
 *
 * From the client:
 * - `aborted`: the caller's AbortSignal fired; `cause` is the signal's reason.
 * - `terminated`: `terminate()` was called, or the worker was ended from
 *   outside, while the call was under way.
 * - `out-of-memory`: the worker ran out of memory and was replaced.
 * - `crashed`: the worker died for another reason and was replaced.
 * - `load`: the WebAssembly module could not be fetched, checked or compiled.
 * - `source`: the file could not be read (moved, changed, no permission).
 *
 * After every one of them the client can be used again.
 */
export type ErrorCode =
  | "parameter"
  | "schema"
  | "data"
  | "too-large"
  | "dataset-lost"
  | "refused"
  | "entropy"
  | "release"
  | "report"
  | "numerical"
  | "internal"
  | "budget"
  | "ledger"
  | "storage"
  | "aborted"
  | "terminated"
  | "out-of-memory"
  | "crashed"
  | "load"
  | "source";

/** Where an error is, as far as is known. */
export interface ErrorPlace {
  /** The parameter, or the path in a document: `epsilon`, `features[2].min`. */
  field?: string;
  /** The line of the file, counted from 1, the header being line 1. */
  row?: number;
  /** The column's name in the file. */
  column?: string;
  /**
   * The charge that stands though nothing was released, by its ID; `unknown` if
   * the worker ended before it could say whether it was stored.
   */
  charged?: string;
}

/** The only kind of error that the client's promises reject with. */
export class CloisterError extends Error {
  override readonly name = "CloisterError";
  readonly code: ErrorCode;
  readonly field?: string;
  readonly row?: number;
  readonly column?: string;
  readonly charged?: string;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    if (place.field !== undefined) this.field = place.field;
    if (place.row !== undefined) this.row = place.row;
    if (place.column !== undefined) this.column = place.column;
    if (place.charged !== undefined) this.charged = place.charged;
  }
}

/** The reason that a failure outside this library gives, as the end of one of our sentences. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
