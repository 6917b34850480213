import type { TemplateResult } from "lit";

import type { Work } from "../studio/state.ts";
import type { Tools } from "./tools.ts";

type Charged = (Work & { readonly phase: "cancelled" })["charged"];

/** What a purchase that was cancelled cost; `nothing` says what did not come of it. */
export function cancelled({ html }: Tools, charged: Charged, nothing: string, id: string): TemplateResult {
  const words = {
    unknown: html`${nothing}. <strong>It may have been noted in the ledger already</strong>, and then it counts.`,
    yes: html`${nothing}, but <strong>its cost had been noted in the ledger, and counts</strong>. If it was finished by then, the list of what the total was spent on has it.`,
    no: html`${nothing}, and nothing was spent.`,
  };
  return html`<div class="notice ${charged === "yes" || charged === "unknown" ? "notice-warn" : ""}" id=${id}><p>Cancelled. ${words[charged ?? "no"]}</p></div>`;
}
