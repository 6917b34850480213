import type { Books } from "../../account/books.ts";
import type { Again } from "../../account/charges.ts";
import type { Chooser } from "../../notes/chooser.ts";
import type { Workspace } from "../../state/workspace.ts";
import type { Evaluator } from "./evaluator.ts";

/** What can be done with a finished model uses this of the studio. */
export interface Studio extends Workspace {
  readonly evaluator: Evaluator;
  readonly chooser: Chooser;
  readonly books: Books;
  readonly again: Again | null;
}
