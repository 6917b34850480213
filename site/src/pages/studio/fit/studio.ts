import type { Studio as BudgetStudio } from "../budget/studio.ts";
import type { Fitter } from "./fitter.ts";

/** What the step of the fit uses of the studio. */
export interface Studio extends BudgetStudio {
  readonly fitter: Fitter;
}
