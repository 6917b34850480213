import { html, nothing, type TemplateResult } from "lit";

import { linesOf, type SchemaDraft } from "../draft/draft.ts";
import { changeLabel, chooseLabel, confirmLabel, swapClasses } from "../draft/edit.ts";
import type { Studio } from "../studio.ts";
import { areaField, checkbox, selectField } from "./field.ts";
import type { ErrorOf } from "./public.ts";

const here = "";

/** What is to be predicted: the column, and how the file spells its two outcomes. */
export function labelEditor(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const { label } = draft;
  const outcome = linesOf(label.positive)[0];
  return html`<div class="label-editor" role="group" aria-labelledby="label-title">
    <h3 id="label-title">What to predict ${label.provenance === "suggested" ? html`<span class="tag tag-warn">read from your data</span>` : nothing}</h3>
    ${selectField({
      key: "label.name",
      label: "Column",
      value: here,
      error: errorOf("label.name"),
      choices: [
        { value: here, text: label.name || "Choose a column" },
        ...draft.columns.filter((c) => c.name.trim() !== "").map((c) => ({ value: c.id, text: c.name })),
      ],
      choose: (id) => {
        if (id !== here) studio.edit((d) => chooseLabel(d, id));
      },
    })}
    <div class="row row-wide">
      ${areaField({
        key: "label.positive",
        label: "Spellings of the positive outcome",
        hint: "What the model gives the probability of. One on each line.",
        rows: 2,
        value: label.positive,
        error: errorOf("label.positive"),
        input: (positive) => studio.edit((d) => changeLabel(d, { positive })),
        left: () => studio.touch("label.positive"),
      })}
      ${areaField({
        key: "label.negative",
        label: "Spellings of the negative outcome",
        hint: "Every other spelling in this column. One on each line.",
        rows: 2,
        value: label.negative,
        error: errorOf("label.negative"),
        input: (negative) => studio.edit((d) => changeLabel(d, { negative })),
        left: () => studio.touch("label.negative"),
      })}
    </div>
    ${outcome ? html`<p class="small soft">The model will give the probability that ${label.name} is “${outcome}”.</p>` : nothing}
    <p class="actions"><button class="button button-quiet" type="button" @click=${() => studio.edit(swapClasses)}>Exchange positive and negative</button></p>
    ${checkbox({
      id: "label-missing",
      checked: label.missing === "drop",
      label: "Leave out rows in which this column is missing",
      change: (drop) => studio.edit((d) => changeLabel(d, { missing: drop ? "drop" : "error" })),
    })}
    ${
      label.read
        ? checkbox({
            id: "label-known",
            checked: label.provenance === "public",
            label: html`<strong>Public knowledge:</strong> the name and these spellings are known without looking at the data`,
            change: (known) => studio.edit((d) => confirmLabel(d, known)),
          })
        : nothing
    }
  </div>`;
}
