import { html, type TemplateResult } from "lit/html.js";

import type { ColumnDraft, LabelDraft } from "../draft/draft.ts";

/** In two words, where a column's description comes from. */
export function provenanceWords({ provenance, decision }: ColumnDraft | LabelDraft): string {
  if (provenance !== "suggested") return provenance;
  return decision === "accept"
    ? "not covered"
    : decision === "buy"
      ? "to be bought"
      : "from your data";
}

const styles = { public: "", bought: "tag-good", suggested: "tag-warn" } as const;

/** The same as a tag. */
export function provenanceTag(c: ColumnDraft | LabelDraft): TemplateResult {
  return html`<span class="tag ${styles[c.provenance]}">${provenanceWords(c)}</span>`;
}
