import { html, type TemplateResult } from "lit/html.js";

import type { ColumnDraft, LabelDraft } from "../draft/draft.ts";
import { provenanceOf } from "../draft/source.ts";

/** In two words, where a column's description comes from. */
export function provenanceWords(c: ColumnDraft | LabelDraft): string {
  const provenance = provenanceOf(c);
  if (provenance !== "suggested") return provenance;
  return c.decision === "accept"
    ? "not covered"
    : c.decision === "buy"
      ? "to be bought"
      : "from your data";
}

const styles = { public: "", bought: "tag-good", suggested: "tag-warn" } as const;

/** The same as a tag. */
export function provenanceTag(c: ColumnDraft | LabelDraft): TemplateResult {
  return html`<span class="tag ${styles[provenanceOf(c)]}">${provenanceWords(c)}</span>`;
}
