// The reader's side of a privacy report: what one release cost one person.

import type { CallOptions } from "./call-types.ts";
import type { Adjacency } from "./event.ts";
import type { About } from "./types.ts";

/** A row of one's own: its fields by column, the label's among them. null, or a field left out, is a missing value. */
export type OwnRow = Readonly<Record<string, string | number | null>>;

export interface RangeOfLoss {
  /** In nats. */
  low: number;
  high: number;
}

/** For whom a bound is to hold, and how surely; what is left out is as whoever published the report proposes. */
export interface BoundFor extends CallOptions {
  /** Probability that the bound fails, from 1e-8 to 0.5. */
  rho?: number;
  /** For how many people at once, whose rows were fixed before the release; 0 for every row that there can be, even one made up in the light of it. */
  people?: number;
}

/**
 * A bound on the ex-post loss of one person: by how much, in nats, what came out tells
 * whether their row was in the data. It is about this release alone, and holds for the
 * row as it is given but for a probability of `rho`.
 */
export interface PersonalBound {
  rho: number;
  /** 0: for every row at once. */
  people: number;
  /** Of the loss if the row was in the data, and if it was not. */
  in: RangeOfLoss;
  out: RangeOfLoss;
  /** On the absolute loss, wherever the row is: whoever sees the release is at most e^largest times surer than before. */
  largest: number;
  /** Parts of the bound: the row's pull on the fit, how badly the model predicts it, the noise added at the end. */
  leverage: number;
  surprise: number;
  output: number;
  /** On the loss by what the report itself released, which comes on top; 0 for a data-independent report. */
  report: number;
  /** Norm of the encoded row, and the largest that there can be. */
  length: number;
  longest: number;
  /** What the model says of the row: the probability of its label, the value of a numeric one, or whether its label is the likelier. */
  expected?: { probability?: number; value?: number; likely?: boolean };
  /** Such a row was left out before the fit, because of this column: nothing was lost, and all bounds are 0. */
  leftOut?: { column: string; text: string };
  /** Fields that were not used as they stood: beyond the bounds, missing, unknown. */
  notes: { feature: string; text: string }[];
}

/** What one column does to a bound: the least and the greatest `largest` if it alone were different, among the values that were tried. */
export interface Move {
  name: string;
  /** It is the label. */
  label: boolean;
  tried: number;
  least: { value: string; bound: number };
  most: { value: string; bound: number };
}

/** A release with its report, read and found to belong together. */
export interface PersonalReport {
  readonly kind: "data-independent" | "data-dependent" | "adaptive";
  /** What the publisher proposes; see {@link BoundFor}. */
  readonly rho: number;
  readonly people: number;
  /** What was promised to everyone, as the release states it. */
  readonly worst: { epsilon: number; delta: number; adjacency: Adjacency; covers: boolean; caveats: string[] };
  /** What the release says that is not true; empty if all that can be checked from the file holds. */
  readonly problems: string[];
  /**
   * What the report's own releases cost everyone at most, and them and the release together (`total`), at the release's δ; Infinity where no bound was found. Not
   * there for a report that released nothing.
   */
  readonly cost?: { epsilon: number; total: number; delta: number };

  /** Rejects with `data`, naming the column, for a row that no file of the schema could hold. */
  bound(row: OwnRow, options?: BoundFor): Promise<PersonalBound>;
  /** One a column, the label's last; none for a row that was left out. */
  moves(row: OwnRow, options?: BoundFor): Promise<Move[]>;
  /** Forgets the report. */
  close(): Promise<void>;
}

/** The client of `reader.wasm`. */
export interface ReportReader {
  /** As {@link Client.start}. */
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
