// The reader's side of a privacy report: what one release cost one person.

import type { BoundFor, CallOptions } from "./call-types.ts";
import type { About, Move, OwnRow, PersonalBound, ReportFacts } from "./wire/types.ts";

/** A release with its report, read and found to belong together. */
export interface PersonalReport extends Readonly<ReportFacts> {
  /** Rejects with `data`, naming the column, for a row that no file of the schema could hold. */
  bound(row: OwnRow, options?: BoundFor): Promise<PersonalBound>;
  /** One a column, the label's last; none for a row that was left out. */
  moves(row: OwnRow, options?: BoundFor): Promise<Move[]>;
  /** Forgets the report. */
  close(): Promise<void>;
}

/** The client of `reader.wasm`. */
export interface ReportReader {
  /** As {@link Accountant.start}. */
  start(options?: CallOptions): Promise<About>;
  /**
   * Reads a release and its report, each an object or JSON text. Rejects with `release`
   * or `report`, whichever is at fault: not one, from a newer version, or not of each
   * other (`field` is then `release`).
   */
  open(release: unknown, report: unknown, options?: CallOptions): Promise<PersonalReport>;
  /** Ends the worker at once; the next call starts another. */
  terminate(): void;
}
