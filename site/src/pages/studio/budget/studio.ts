import type { Books } from "../account/books.ts";
import type { Again } from "../account/charges.ts";
import type { Editor } from "../state/editor.ts";
import type { Workspace } from "../state/workspace.ts";
import type * as cardBudget from "./card/index.ts";
import type * as accuracy from "./expected-accuracy/index.ts";
import type { AccuracyTrials } from "./expected-accuracy/trials.ts";

/** What the steps of the budget and the fit use of the studio. */
export interface Studio extends Workspace {
  readonly editor: Editor;
  readonly books: Books;
  readonly again: Again | null;
  readonly accuracyTrials: AccuracyTrials | null;
  readonly later: {
    readonly accuracy: typeof accuracy;
    readonly cardBudget: typeof cardBudget;
  } | null;
}
