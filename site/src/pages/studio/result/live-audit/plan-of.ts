import type { PlannedFit } from "../../state/workspace.ts";
import type { Result } from "../../state/state.ts";

/**
 * The fit that made a model, as it was asked for: its settings, and no data. Null for a model of an
 * earlier visit, of which the page knows the release alone, and for one that the rows chose: an
 * attack is on one fit.
 */
export function planOf({ asked, release }: Result): PlannedFit | null {
  return asked && !asked.chooseLambda && !asked.chooseMethod
    ? { ...asked, schema: release.schema }
    : null;
}
