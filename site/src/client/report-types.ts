// The holder's side of a privacy report: what may be published of what a release cost each person, and what may not.

import type { CallOptions, ProgressOptions } from "./call-types.ts";
import type { CompositionEvent } from "./event.ts";

/**
 * What a report tells of one person's loss.
 *
 * - `data-independent`: bounds from the release alone. It costs nothing.
 * - `data-dependent`: closer ones, from the gradient and the Hessian, released with noise. It is bought.
 * - `adaptive`: with the Hessian's smallest eigenvalue too, for fits with little regularisation. It is bought.
 */
export type ReportKind = "data-independent" | "data-dependent" | "adaptive";

/** What is asked of a report; all of it is public. */
export interface ReportRequest {
  kind: ReportKind;
  /** What it may cost; not for `data-independent`. */
  epsilon?: number;
  delta?: number;
  /** Buy with it what standard errors need of a fit whose gradients are clipped, which the usual fit's are. */
  errors?: boolean;
  /** Probability that a bound fails, proposed to readers. Default 0.05. */
  rho?: number;
  /** For how many people at once; 0 for all records that there can be. Default 1. */
  people?: number;
}

export interface ReportOptions extends ReportRequest, ProgressOptions {}

/** A report as it may be published beside its release: `core/report` says what is in it. */
export interface PrivacyReport {
  format: "cloister-report";
  version: 1 | 2 | 3;
  library: string;
  /** Which release it belongs to. */
  release: string;
  kind: ReportKind;
  rho: number;
  people: number;
  event: CompositionEvent;
  gradient?: { sigma: number; values: number[] };
  /** Of a release whose result was moved by noise it is one from below; `rest`, beside `scores`, is what it is short of. */
  hessian?: { sigma: number; values: number[]; rest?: number[] };
  least?: { sigma: number; value: number };
  scores?: { sigma: number; values: number[] };
}

export interface ReportResult {
  report: PrivacyReport;
  /** `report` as a file: JSON, ends in a newline. */
  text: string;
}

/** What a coefficient would be without noise and regulariser, in records without end. */
export interface CoefficientInterval {
  estimate: number;
  /** Its standard error, the noise that was added for privacy included. */
  error: number;
  low: number;
  high: number;
}

/** What follows from a release and its report alone. */
export interface InspectedReport {
  kind: ReportKind;
  rho: number;
  people: number;
  /** What the report cost, at the release's δ; 0 for one that released nothing. */
  epsilon: number;
  /** What the release and the report cost together, at the same δ. */
  total: number;
  delta: number;
  /**
   * One a coefficient, in the order of the model's columns; each holds with probability `level`. null for one that is not told apart from
   * others, as the categories of a column are not from the intercept.
   */
  intervals?: (CoefficientInterval | null)[];
  level?: number;
  /** Why there are none: what was not bought (`scores`), or what the noise hides (`hessian`). */
  noErrors?: "scores" | "hessian";
}

export interface LossSummary {
  mean: number;
  median: number;
  p90: number;
  p99: number;
  largest: number;
}

/** **Private, for the data holder alone**: what a release cost each person in the data, exactly. Absolute losses, in nats. */
export interface TrueLosses {
  /** One a record, in the order of the rows that were used. */
  losses: Float64Array;
  summary: LossSummary;
  /** Counts in bins of one width from 0 to `high`. */
  histogram: { high: number; counts: number[] };
  /** What reports tell these people: first the one that costs nothing, then the one given. `above`: for how many it is too little. */
  bounds: { kind: ReportKind; rho: number; summary: LossSummary; counts: number[]; above: number }[];
}

export interface TrueLossesOptions extends CallOptions {
  /** A report of the release, to be compared with. */
  report?: PrivacyReport;
}

/** What buying a report would be charged for. */
export interface ReportPlan {
  event: CompositionEvent;
}
