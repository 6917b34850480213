import { html, nothing, type TemplateResult } from "lit";

import { checkPrice } from "../buyer.ts";
import { type SchemaDraft, wanted } from "../draft/draft.ts";
import { keepsAccount } from "../ledger/desk.ts";
import { busy } from "../state.ts";
import type { Studio } from "../studio.ts";
import { textField } from "./field.ts";
import { problemNotice } from "./notice.ts";
import { progressBar } from "./progress.ts";

/** Buying bounds, where some are to be bought or were. */
export function buyBounds(studio: Studio, draft: SchemaDraft): TemplateResult | typeof nothing {
  const { state, buyer, publisher } = studio;
  const names = wanted(draft).map((c) => c.name);
  const { work, found, epsilon } = state.buyer;
  if (!publisher || !buyer || (names.length === 0 && found.length === 0 && work.phase !== "running")) return nothing;
  return publisher.boundsPanel({
    ...{ html, nothing, textField, problemNotice, progressBar },
    names,
    state: state.buyer,
    desk: state.desk,
    ready: keepsAccount(state.desk),
    busy: busy(state),
    wrong: checkPrice(epsilon) === null,
    change: (text) => buyer.change(text),
    buy: () => void buyer.buy(),
    cancel: () => studio.cancel(),
  });
}
