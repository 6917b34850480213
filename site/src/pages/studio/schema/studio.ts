import type { Editor } from "../state/editor.ts";
import type { Workspace } from "../state/workspace.ts";
import type { Buyer } from "./purchase/buyer.ts";
import type * as levels from "./levels/index.ts";
import type * as lookalikes from "./lookalikes/index.ts";
import type * as purchase from "./purchase/index.ts";

/** What the step of the description uses of the studio. */
export interface Studio extends Workspace {
  readonly editor: Editor;
  readonly buyer: Buyer | null;
  readonly later: {
    readonly purchase: typeof purchase;
    readonly lookalikes: typeof lookalikes;
    readonly levels: typeof levels;
  } | null;
}

/** The error to show for a field, once the person has left that field or has tried to fit. */
export type ErrorOf = (key: string) => string | undefined;
