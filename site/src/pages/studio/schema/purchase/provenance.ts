import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../../chart/numbers.ts";
import type { ColumnDraft, LabelDraft } from "../../draft/draft.ts";
import { decide, type ProvenanceChoice } from "../../draft/edit.ts";
import { provenanceOf, purchasableOf, sourceOf, wasRead } from "../../draft/source.ts";
import { radios } from "../../../shell/field.ts";
import type { Editor } from "../../state/editor.ts";
import type { Workspace } from "../../state/workspace.ts";
import { purchases, uncharged } from "./purchasable.ts";

/**
 * Where the bounds or categories of a column come from, or the bounds of the label: public
 * knowledge, a purchase, or the file itself.
 */
export function provenance(
  { state, editor }: Workspace & { readonly editor: Editor },
  id: string,
  c: ColumnDraft | LabelDraft,
): TemplateResult {
  const own = state.source?.kind === "file";
  const provenance = provenanceOf(c);
  const { bought, read } = sourceOf(c);
  const item = purchasableOf(c);
  const value: ProvenanceChoice | "" = provenance === "suggested" ? (c.decision ?? "") : provenance;
  const choices: { value: ProvenanceChoice; label: TemplateResult; id?: string }[] = [
    {
      value: "public",
      id: `${id}-known`,
      label: html`<strong>Public knowledge.</strong>
        ${id === "label" ? "The name and these bounds" : `These ${item}`} are known without looking
        at the data.`,
    },
  ];
  if (bought) {
    const doubt = own ? uncharged(state.fileAccount, bought) : null;
    choices.push({
      value: "bought",
      label: html`<strong>Bought:</strong> ${purchases[item].words(bought)},
        ${item === "bounds" ? "measured with noise" : "those that enough rows share,"} for ε =
        ${readableBound(bought.epsilon)}${bought.delta ? ` and δ = ${readableBound(bought.delta)}` : ""}.
        <span class="soft small">Charge ${bought.charge.slice(0, 8)}.</span>
        ${
          doubt
            ? html`<strong>${doubt}</strong> What it cost, and that it is about these people, is the
                word of whoever wrote the schema.`
            : nothing
        }`,
    });
  } else if (own) {
    choices.push({
      value: "buy",
      label: html`<strong>Buy private ${item}.</strong> The page
        ${item === "bounds" ? "measures them with noise" : "keeps those that enough rows share"},
        for a part of the budget.`,
    });
  }
  if (bought ? read : wasRead(c)) {
    choices.push({
      value: "accept",
      label: html`<strong>Keep what was read.</strong> I know that the guarantee will not cover what
        these ${item} reveal.`,
    });
  }
  return html`${radios({
    name: `${id}-provenance`,
    legend: `Where these ${item} come from`,
    value,
    choices,
    choose: (chosen) => editor.edit((d) => decide(d, id, chosen as ProvenanceChoice)),
  })}
  ${value === "buy" ? html`<p class="small soft">They are bought together with others, below the list of columns.</p>` : nothing}`;
}
