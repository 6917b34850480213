import { html, type TemplateResult } from "lit/html.js";

import { makesCard } from "../../draft/card.ts";
import { chooseMaking } from "../../draft/card-edit.ts";
import type { SchemaDraft } from "../../draft/draft.ts";
import type { Editor } from "../../state/editor.ts";
import { radios } from "../../../shell/field.ts";

/** What is to be made: a model, or a scorecard. */
export function making(editor: Editor, draft: SchemaDraft): TemplateResult {
  const two = draft.label.kind === "two";
  return html`<div class="making" id="making">
    ${radios({
      name: "making",
      legend: "What will be published?",
      value: makesCard(draft) ? "card" : "model",
      choices: [
        {
          value: "model",
          label: html`A model<span class="hint"
              >Every column counts, and a program works out the answer. The better choice where ε
              can be 0.3 or more.</span
            >`,
        },
        {
          value: "card",
          disabled: !two,
          label: html`A scorecard<span class="hint"
              >A few attributes with whole points, added up by hand and compared with a
              threshold.${two ? " It needs less ε, and δ is 0." : html` <strong>Only for an outcome of two values.</strong>`}</span
            >`,
        },
      ],
      choose: (value) => editor.edit((d) => chooseMaking(d, value === "card")),
    })}
  </div>`;
}
