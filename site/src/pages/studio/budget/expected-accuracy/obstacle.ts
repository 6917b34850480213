import { fitMethods } from "../../../../client/wire/methods.ts";
import type { Adjacency, FitMethod, Loss } from "../../../../client/types.ts";
import { rowsChoose, takesLoss, usualLoss, type Way } from "../../state/choices.ts";
import { ableAs } from "../../state/state.ts";

/** What a way is asked to do. */
export interface Task {
  readonly kind: "two" | "classes" | "numeric";
  /** Of a number it is the squared loss, whatever stands here. */
  readonly loss?: Loss | undefined;
  readonly adjacency: Adjacency;
}

/** Whether a way predicts such a label at all. */
export const isFor = (way: FitMethod, kind: Task["kind"]): boolean =>
  fitMethods[way].labels.includes(kind);

/** Why a way cannot be taken; empty if it can. */
export function obstacle(taken: Way, { kind, loss = usualLoss(kind), adjacency }: Task): string {
  const way = ableAs(taken);
  const { adjacencies, losses } = fitMethods[way];
  if (!isFor(way, kind))
    return kind === "classes"
      ? "Not for several classes: it fits one model only."
      : `Not for ${kind === "two" ? "two classes: it predicts numbers" : "numbers: it tells two classes apart"}.`;
  if (!takesLoss(way, kind, loss))
    return kind === "classes"
      ? "Only for the softmax loss, below."
      : `Only for the ${losses.join(" or the ")} loss, below.`;
  if (rowsChoose(taken) && loss === "weighted-logistic")
    return "Not with weights of the classes: it goes by the number of right answers.";
  if (adjacencies.includes(adjacency)) return "";
  return adjacency === "replace-one"
    ? "Not for “one record replaced by another”, which you chose in step 3: its proof is for one added or removed."
    : "Not for “one record added or removed”, which you chose in step 3: its proof takes the number of rows for public.";
}

/** Whether a way can be tried out on made-up rows. */
export const canTry = (way: Way): boolean => fitMethods[ableAs(way)].tried;
