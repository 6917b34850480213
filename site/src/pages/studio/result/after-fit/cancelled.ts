import { html, type TemplateResult } from "lit/html.js";

import type { Work } from "../../state/work.ts";

type Charged = (Work & { readonly phase: "cancelled" })["charged"];

/** Says what a cancelled purchase cost; `nothing` names the result that was not made. */
export function cancelled(charged: Charged, nothing: string, id: string): TemplateResult {
  const words = {
    unknown: html`${nothing}. <strong>It may have been noted in the ledger already</strong>, and
      then it counts.`,
    yes: html`${nothing}, but <strong>its cost had been noted in the ledger, and counts</strong>. If
      it was finished by then, the list of what the total was spent on has it.`,
    unnoted: html`${nothing}, but noise had been drawn, so <strong>its cost counts</strong>.`,
    no: html`${nothing}, and nothing was spent.`,
  };
  return html`<div
    class="notice ${charged === undefined || charged === "no" ? "" : "notice-warn"}"
    id=${id}
  >
    <p>Cancelled. ${words[charged ?? "no"]}</p>
  </div>`;
}
