import { html, nothing, type TemplateResult } from "lit/html.js";

import { makesCard } from "../../draft/card.ts";
import { chooseMaking } from "../../draft/card-edit.ts";
import type { SchemaDraft } from "../../draft/draft.ts";
import type { Editor } from "../../state/editor.ts";
import { radios } from "../../../shell/field.ts";

/** What is to be made: a model, or a scorecard. */
export function making(editor: Editor, draft: SchemaDraft): TemplateResult {
  const two = draft.label.kind === "two";
  const card = makesCard(draft);
  return html`<div class="making" id="making">
    ${radios({
      name: "making",
      inline: true,
      legend: "What to publish",
      value: card ? "card" : "model",
      choices: [
        { value: "model", label: "a model, for a program" },
        {
          value: "card",
          disabled: !two,
          label: `a scorecard, to add up by hand${two ? "" : " (of two outcomes only)"}`,
        },
      ],
      choose: (value) => editor.edit((d) => chooseMaking(d, value === "card")),
    })}
    ${
      card
        ? html`<p class="small soft">
            A few attributes, a whole number of points for each of their levels, and a threshold. It
            needs less ε than a model, and δ is 0. Where ε can be 0.3 or more and a program may work
            out the answer, a model predicts better.
          </p>`
        : nothing
    }
  </div>`;
}
