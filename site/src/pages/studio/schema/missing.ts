import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, percent } from "../../../chart/numbers.ts";
import { nameInFile } from "../draft/places.ts";
import type { ColumnDraft, LabelDraft } from "../draft/draft.ts";
import type { Studio } from "./studio.ts";

/**
 * How many rows of the open file a rule leaves out, where it leaves out those without a value. It
 * was counted in the rows, so only the holder sees it.
 */
export function leavesOut(
  { state }: Studio,
  c: ColumnDraft | LabelDraft,
): TemplateResult | typeof nothing {
  const found = state.missing.find((m) => m.column === nameInFile(c));
  const action = typeof c.missing === "string" ? c.missing : c.missing.action;
  if (!found || action !== "drop") return nothing;
  return html`<p class="small leaves-out">
    <strong
      >${count(found.records)} of ${count(found.of)} rows (${percent(found.records / found.of)})
      have no value here, and are left out.</strong
    >
    The model then describes rows with a value only. Only you see these numbers: they were counted
    in your rows, and are published nowhere.
  </p>`;
}
