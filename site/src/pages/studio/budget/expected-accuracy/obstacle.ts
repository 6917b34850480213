import { fitMethods } from "../../../../client/wire/methods.ts";
import type { FitMethod } from "../../../../client/types.ts";

/** Why a way cannot be taken; empty if it can. */
export function obstacle(way: FitMethod, classes: boolean, replaceOne: boolean): string {
  const { labels, adjacencies } = fitMethods[way];
  if (classes && !labels.includes("classes"))
    return "Not for several classes: only the usual choice divides its budget among them.";
  if (!replaceOne || adjacencies.includes("replace-one")) return "";
  return "Not for “one record replaced by another”, which you chose in step 3: its proof is for one added or removed.";
}
