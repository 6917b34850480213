import { html, nothing, type TemplateResult } from "lit";

import { readable } from "../../chart/numbers.ts";
import type { ColumnDraft, LabelDraft } from "../draft/draft.ts";
import { decide, type Whence } from "../draft/edit.ts";
import type { Studio } from "../studio.ts";
import { radios } from "./field.ts";

/** In two words, where a column's description comes from. */
export function provenanceTag({ provenance, decision }: ColumnDraft | LabelDraft): TemplateResult {
  if (provenance === "public") return html`<span class="tag">public</span>`;
  if (provenance === "bought") return html`<span class="tag tag-good">bought</span>`;
  return html`<span class="tag tag-warn">${decision === "accept" ? "not covered" : decision === "buy" ? "to be bought" : "read from your data"}</span>`;
}

/** Where the bounds of a column come from, or of the label: public knowledge, a purchase, or the file itself. */
export function whence(studio: Studio, id: string, c: ColumnDraft | LabelDraft): TemplateResult {
  const { provenance, bought, decision } = c;
  const value: Whence | "" = provenance === "suggested" ? (decision ?? "") : provenance;
  const own = studio.state.source?.kind === "file";
  // What was read of the label is not kept beside what was bought.
  const read = bought ? typeof c.read === "object" : c.read !== undefined;
  const choices: { value: Whence; label: TemplateResult; id?: string }[] = [
    {
      value: "public",
      id: `${id}-known`,
      label: html`<strong>Public knowledge.</strong> ${id === "label" ? "The name and these bounds are" : "These bounds are"} known without looking at the data.`,
    },
  ];
  if (bought) {
    choices.push({ value: "bought", label: html`<strong>Bought:</strong> ${bought.min} to ${bought.max}, measured with noise for ε = ${readable(bought.epsilon)}. <span class="soft small">Charge ${bought.charge.slice(0, 8)}.</span>` });
  } else if (own) {
    choices.push({ value: "buy", label: html`<strong>Buy private bounds.</strong> The page measures them with noise, for a part of the budget.` });
  }
  if (read) {
    choices.push({ value: "accept", label: html`<strong>Keep what was read.</strong> I know that the guarantee will not cover what these bounds reveal.` });
  }
  return html`${radios({
    name: `${id}-whence`,
    legend: "Where these bounds come from",
    value,
    choices,
    choose: (chosen) => {
      studio.editor.edit((d) => decide(d, id, chosen as Whence));
      studio.buyer?.soon();
    },
  })}
  ${value === "buy" ? html`<p class="small soft">They are bought together with others, below the list of columns.</p>` : nothing}`;
}
