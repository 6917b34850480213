// What every call may be given, and what a long one tells while it goes on.

export interface CallOptions {
  signal?: AbortSignal;
}

export interface ProgressOptions extends CallOptions {
  /** Called while the work goes on, also from inside a busy fit. What it is told is private. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** `reserving` and `committing`: of a purchase through the ledger. Whoever ends the work after `reserving` may be charged. */
  phase: "reading" | "calibrating" | "reserving" | "solving" | "releasing" | "committing";
  /** 0 to 1 within the phase, where it can be known. */
  fraction?: number;
  /** Reading: how far. */
  bytes?: number;
  totalBytes?: number;
  rows?: number;
  /** Solving: where the solver is, and what it must reach. */
  iteration?: number;
  /** Solving for several classes: which one, from 1, of how many. */
  class?: number;
  classes?: number;
  gradientNorm?: number;
  target?: number;
}
