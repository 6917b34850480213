import { html, nothing, type TemplateResult } from "lit";

import type { SchemaDraft } from "../draft/draft.ts";
import { keepsAccount } from "../ledger/desk.ts";
import { busy } from "../state.ts";
import type { Studio } from "../studio.ts";
import { textField } from "./field.ts";
import { problemNotice } from "./notice.ts";
import { progressBar } from "./progress.ts";

/** Buying bounds and categories, where some are to be bought or were. */
export function buyParts(studio: Studio, draft: SchemaDraft): TemplateResult | null | undefined {
  const { state, buyer } = studio;
  return buyer && studio.buying?.panel({
    ...{ html, nothing, textField, problemNotice, progressBar },
    draft,
    buyer,
    state: state.buying,
    desk: state.desk,
    ready: keepsAccount(state.desk),
    busy: busy(state),
    cancel: () => studio.cancel(),
  });
}
