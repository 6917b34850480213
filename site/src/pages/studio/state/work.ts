import type { Paced } from "../../shell/pace.ts";
import type { Problem } from "../../shell/problem.ts";

/** How a piece of long work stands: reading a file, a fit, a purchase. */
export type Work =
  | { readonly phase: "idle" }
  | { readonly phase: "running"; readonly progress: Paced | null }
  | { readonly phase: "failed"; readonly problem: Problem }
  /**
   * `charged`: it was cancelled after the ledger had been asked to note its cost. Whether the
   * ledger had done so by then is `unknown` until it is read. `unnoted`: there is no ledger, and
   * noise had been drawn.
   */
  | { readonly phase: "cancelled"; readonly charged?: "unknown" | "yes" | "no" | "unnoted" }
  | { readonly phase: "done" };

export const idle: Work = { phase: "idle" };
