import { html, nothing, type TemplateResult } from "lit";

import type { ColumnDraft, LabelDraft } from "../draft/draft.ts";
import type { Studio } from "../studio.ts";
import { radios } from "./field.ts";

/** In two words, where a column's description comes from. */
export function provenanceTag({ provenance, decision }: ColumnDraft | LabelDraft): TemplateResult {
  if (provenance === "public") return html`<span class="tag">public</span>`;
  if (provenance === "bought") return html`<span class="tag tag-good">bought</span>`;
  return html`<span class="tag tag-warn">${decision === "accept" ? "not covered" : decision === "buy" ? "to be bought" : "read from your data"}</span>`;
}

/** Where the bounds or categories of a column come from, or the bounds of the label: public knowledge, a purchase, or the file itself. */
export function whence(studio: Studio, id: string, c: ColumnDraft | LabelDraft): TemplateResult | undefined {
  return studio.buying?.whence(
    {
      ...{ html, nothing, radios },
      own: studio.state.source?.kind === "file",
      choose: (change) => studio.editor.edit(change),
    },
    id,
    c,
  );
}
