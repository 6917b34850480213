// A fit: what it is asked, what it releases, and what only the data holder may see.

import type { ProgressOptions } from "./call-types.ts";
import type { Adjacency, ApproximateMinimaEvent, Bound, CompositionEvent, GaussianEvent, GradientDescentEvent, Guarantee, SubsampledGaussianEvent } from "./event.ts";
import type { ExactFigures } from "./figures-types.ts";
import type { Loss, Release } from "./release.ts";
import type { AnyLabel, AnySchema, Label } from "./schema.ts";

/** What a fit is asked to promise, and the few choices beside it. All of it must be public. */
export interface Budget {
  adjacency: Adjacency;
  epsilon: number;
  delta: number;
  /** Default `auto`. */
  bound?: Bound;
  /** C: threshold that gradients are clipped to. Default 9/16 of R (Huber: R, squared: R/4). Without effect from R times the loss's steepest slope, which is 1 but for the squared loss, which has none. */
  clip?: number;
  /** λ. Default: chosen from ε, δ, R, d and `radius` alone. At least 2⁻¹²·βR², β the loss's largest curvature: below, one record would decide whether a fit is refused. */
  lambda?: number;
  /**
   * B: a public guess of ‖θ*‖, for choosing λ. Default: Huber 32·ε^0.3/R, squared 4/R. Logistic: with neither `clip`, `lambda` nor `radius` given, λ is
   * the larger of R²/(ε + 6R²/σ²) and σ√d·R/(60·ε^0.35), σ the Gaussian mechanism's noise for sensitivity R; with `clip` given, or `bound` one that holds
   * for other losses too, λ follows B = 16/R.
   */
  radius?: number;
  /** τ: what the solver must certify. Default: R/2¹⁸ + σ(√d + 40)/2⁴⁵, σ the noise of the objective. */
  tau?: number;
}

/** A fit that is planned: by its schema, or, of the logistic loss and two classes, by R and d. */
export type CalibrateRequest = Budget & ((MethodOptions & { schema: AnySchema }) | { rowNorm: number; dimension: number });

export interface Calibration {
  /** What such a fit is charged for. Priced again by the same bound, it satisfies `guarantee`. Several classes: one fit a class, composed. */
  event: ApproximateMinimaEvent | GaussianEvent | GradientDescentEvent | SubsampledGaussianEvent | CompositionEvent;
  guarantee: Guarantee;
}

export interface LossOptions {
  /** Default: `squared` for a numeric label, which takes no other, else `logistic`. */
  loss?: Loss;
  /** Half-width of the Huber loss, default 1. */
  huberWidth?: number;
}

/**
 * How a model is fitted.
 *
 * - `amp`: approximate minima perturbation as this project sets it; see {@link Budget} for what may be set otherwise.
 * - `amp-paper`: the same exactly as Redberg, Koskela & Wang (2023) set it in their experiments. For `add-remove`.
 * - `outpert`: output perturbation. The regularised problem is solved, and the solution is given out with Gaussian noise. Needs `records`.
 * - `dpgd`: 100 steps of gradient descent on all records, with noise in each. Needs `records`.
 * - `dpsgd`: DP-SGD: 1000 steps of gradient descent, each on a random sample of the records, with noise in each. For `add-remove`. Needs `records`.
 *
 * Of several classes there is `amp` alone. The others choose `bound`, `clip`, `lambda`, `radius` and `tau` themselves, and refuse them.
 */
export type FitMethod = "amp" | "amp-paper" | "outpert" | "dpgd" | "dpsgd";

export interface MethodOptions extends LossOptions {
  /** Default `amp`. */
  method?: FitMethod;
  /**
   * About how many records there are, for `outpert`, `dpgd` and `dpsgd`, which set the regulariser, the step or the samples by it. It must be public knowledge: do not count the
   * file for it, unless neighbours are `replace-one`, where the number is public. A wrong one costs accuracy, never privacy.
   */
  records?: number;
}

export interface FitOptions extends Budget, MethodOptions, ProgressOptions {
  /** Overrides `rows.norm` of the dataset's schema; the dataset is read again if it differs. */
  norm?: "clip" | "unit";
}

export interface FitResult<L extends AnyLabel = Label> {
  /** May be published. */
  release: Release<L>;
  /** `release` as a file: indented JSON, ends in a newline. */
  text: string;
  /** For the data holder's eyes only: computed from the data without noise. */
  diagnostics: Diagnostics<L>;
}

/** How a fit went, on the rows that it was made of; private like {@link ExactFigures}. */
export type Diagnostics<L extends AnyLabel = Label> = ExactFigures<L> & FitDiagnostics;

export interface FitDiagnostics {
  iterations: number;
  /** Certified bound on the (perturbed) gradient's norm, and the τ it had to stay below. Gradient descent certifies none. */
  gradientNorm?: number;
  tau?: number;
  /** Wall-clock time of calibrating, solving and releasing. */
  milliseconds: number;
}
