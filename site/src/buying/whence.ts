import type { html as drawing, nothing as empty, TemplateResult } from "lit";

import { readable } from "../chart/numbers.ts";
import { type ColumnDraft, type LabelDraft, type SchemaDraft, soldOf } from "../studio/draft/draft.ts";
import { decide, isBought, type Whence } from "../studio/draft/edit.ts";
import type { radios } from "../studio/view/field.ts";
import { wares } from "./sold.ts";

/** What the page hands it, so that it has no copy of its own. */
export interface WhenceKit {
  readonly html: typeof drawing;
  readonly nothing: typeof empty;
  readonly radios: typeof radios;
  /** The open file is the person's own. */
  readonly own: boolean;
  readonly choose: (change: (draft: SchemaDraft) => SchemaDraft) => void;
}

/** Where the bounds or categories of a column come from, or the bounds of the label: public knowledge, a purchase, or the file itself. */
export function whence({ html, nothing, radios, own, choose }: WhenceKit, id: string, c: ColumnDraft | LabelDraft): TemplateResult {
  const { provenance, decision } = c;
  const bought = isBought(c) ? c.bought : undefined;
  const sold = soldOf(c);
  const value: Whence | "" = provenance === "suggested" ? (decision ?? "") : provenance;
  // What was read of the label is not kept beside what was bought.
  const read = bought ? typeof c.read === "object" : c.read !== undefined;
  const choices: { value: Whence; label: TemplateResult; id?: string }[] = [
    {
      value: "public",
      id: `${id}-known`,
      label: html`<strong>Public knowledge.</strong> ${id === "label" ? "The name and these bounds" : `These ${sold}`} are known without looking at the data.`,
    },
  ];
  if (bought) {
    choices.push({ value: "bought", label: html`<strong>Bought:</strong> ${wares[sold].words(bought)}, ${sold === "bounds" ? "measured with noise" : "those that enough rows share,"} for ε = ${readable(bought.epsilon)}${bought.delta ? ` and δ = ${readable(bought.delta)}` : ""}. <span class="soft small">Charge ${bought.charge.slice(0, 8)}.</span>` });
  } else if (own) {
    choices.push({ value: "buy", label: html`<strong>Buy private ${sold}.</strong> The page ${sold === "bounds" ? "measures them with noise" : "keeps those that enough rows share"}, for a part of the budget.` });
  }
  if (read) {
    choices.push({ value: "accept", label: html`<strong>Keep what was read.</strong> I know that the guarantee will not cover what these ${sold} reveal.` });
  }
  return html`${radios({
    name: `${id}-whence`,
    legend: `Where these ${sold} come from`,
    value,
    choices,
    choose: (chosen) => choose((d) => decide(d, id, chosen as Whence)),
  })}
  ${value === "buy" ? html`<p class="small soft">They are bought together with others, below the list of columns.</p>` : nothing}`;
}
