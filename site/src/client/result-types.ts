// What calls come to: what may be published, as people read it and as a file, and what only the
// data holder may see.

import type {
  AnyLabel,
  BoundsRelease,
  CardOfCells,
  CategoriesRelease,
  DerivedModel,
  Diagnostics,
  ExactFigures,
  Figures,
  Label,
  LedgerCharge,
  NoisyCells,
  PrivacyReport,
  Release,
  ScorecardDiagnostics,
  ScorecardRelease,
} from "./wire/types.ts";

export interface FitResult<L extends AnyLabel = Label> {
  /** May be published. */
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** For the data holder's eyes only: computed from the data without noise. */
  diagnostics: Diagnostics;
}

export interface EvaluateResult<L extends AnyLabel = Label> {
  /** The release with the evaluation in it. May be published. */
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** What the evaluation says. May be published. */
  figures: Figures;
  /** For the data holder's eyes only. */
  exact: ExactFigures<L>;
}

export interface BoundsResult {
  release: BoundsRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}

export interface CategoriesResult {
  release: CategoriesRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}

export interface ReportResult {
  report: PrivacyReport;
  /** `report` as a file: JSON, ends in a newline. */
  text: string;
}

export interface ScorecardResult {
  /** May be published. */
  release: ScorecardRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** For the data holder's eyes only: computed from the data without noise. */
  diagnostics: ScorecardDiagnostics;
}

export interface EvaluateScorecardResult {
  /** The card with the evaluation in it. May be published. */
  release: ScorecardRelease;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** What the evaluation says. May be published. */
  figures: Figures;
}

export interface NoisyCellsResult {
  /** May be published. Nothing else came of the purchase. */
  release: NoisyCells;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}

export interface CardOfCellsResult extends CardOfCells {
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}

/** A release that says how its model was chosen, and its file. */
export interface Stated<L extends AnyLabel = Label> {
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
}

export interface Derived {
  /** May be published, beside the release that it was computed from. */
  derived: DerivedModel;
  /** `derived` as a file: indented JSON, ends in a newline. */
  text: string;
}

/** Anything that is bought, as it may be published. */
export type AnyRelease =
  | Release<AnyLabel>
  | BoundsRelease
  | CategoriesRelease
  | PrivacyReport
  | ScorecardRelease
  | NoisyCells;

/** A purchase's result, and what was charged for it. */
export type Bought<T> = T & { charge: LedgerCharge };
