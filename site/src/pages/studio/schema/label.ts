import { html, nothing, type TemplateResult } from "lit/html.js";

import {
  classesOf,
  type LabelDraft,
  type LabelKind,
  linesOf,
  type SchemaDraft,
} from "../draft/draft.ts";
import { changeKind, changeLabel, chooseLabel, confirmLabel, swapClasses } from "../draft/edit.ts";
import { hasSource, provenanceOf, wasRead } from "../draft/source.ts";
import type { ErrorOf, Studio } from "./studio.ts";
import { areaField, checkbox, radios, selectField, textField } from "../../shell/field.ts";
import { leavesOut } from "./missing.ts";
import { placeField } from "./place.ts";
import { provenanceTag } from "./provenance-tag.ts";

const here = "";

/** What is to be predicted: the column, what kind of thing it is, and what it can hold. */
export function labelEditor(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const { label } = draft;
  return html`<div class="label-editor" role="group" aria-labelledby="label-title">
    <h3 id="label-title">What to predict ${provenanceTag(label)}</h3>
    ${selectField({
      key: "label.name",
      label: "Column",
      value: here,
      error: errorOf("label.name"),
      choices: [
        { value: here, text: label.name || "Choose a column" },
        ...draft.columns
          .filter((c) => c.name.trim() !== "")
          .map((c) => ({ value: c.id, text: c.name })),
      ],
      choose: (id) => {
        if (id !== here) studio.editor.edit((d) => chooseLabel(d, id));
      },
    })}
    ${radios({
      name: "label-kind",
      legend: "What it is",
      inline: true,
      value: label.kind,
      choices: [
        { value: "two", label: "Two outcomes", id: "label-kind-two" },
        { value: "classes", label: "Several classes", id: "label-kind-classes" },
        { value: "numeric", label: "A number", id: "label-kind-numeric" },
      ],
      choose: (kind) => studio.editor.edit((d) => changeKind(d, kind as LabelKind)),
    })}
    ${
      label.place === undefined
        ? nothing
        : textField({
            key: "label.called",
            label: "Its name",
            hint: "It is published with the model.",
            value: label.name,
            error: errorOf("label.name"),
            input: (name) => studio.editor.edit((d) => changeLabel(d, { name })),
            left: () => studio.editor.touch("label.name"),
          })
    }
    ${placeField(studio, label, (place) => studio.editor.edit((d) => changeLabel(d, { place })))}
    ${{ two, classes, numeric }[label.kind](studio, label, errorOf)}
    ${checkbox({
      id: "label-missing",
      checked: label.missing === "drop",
      label: "Leave out rows in which this column is missing",
      change: (drop) =>
        studio.editor.edit((d) => changeLabel(d, { missing: drop ? "drop" : "error" })),
    })}
    ${leavesOut(studio, label)}
    ${
      label.kind === "numeric" && hasSource(label)
        ? studio.later?.purchase.provenance(studio, "label", label)
        : wasRead(label)
          ? checkbox({
              id: "label-known",
              checked: provenanceOf(label) === "public",
              label: html`<strong>Public knowledge:</strong> the name and these spellings are known
                without looking at the data`,
              change: (known) => studio.editor.edit((d) => confirmLabel(d, known)),
            })
          : nothing
    }
  </div>`;
}

function two(studio: Studio, label: LabelDraft, errorOf: ErrorOf): TemplateResult {
  const outcome = linesOf(label.positive)[0];
  return html`<div class="row row-wide">
      ${areaField({
        key: "label.positive",
        label: "Spellings of the positive outcome",
        hint: "What the model gives the probability of. One on each line.",
        rows: 2,
        value: label.positive,
        error: errorOf("label.positive"),
        input: (positive) => studio.editor.edit((d) => changeLabel(d, { positive })),
        left: () => studio.editor.touch("label.positive"),
      })}
      ${areaField({
        key: "label.negative",
        label: "Spellings of the negative outcome",
        hint: "Every other spelling in this column. One on each line.",
        rows: 2,
        value: label.negative,
        error: errorOf("label.negative"),
        input: (negative) => studio.editor.edit((d) => changeLabel(d, { negative })),
        left: () => studio.editor.touch("label.negative"),
      })}
    </div>
    <p class="actions">
      <button
        class="button button-quiet"
        type="button"
        @click=${() => studio.editor.edit(swapClasses)}
      >
        Exchange the two
      </button>
      ${outcome ? html`<span class="small soft">The model will give the probability that ${label.name} is “${outcome}”.</span>` : nothing}
    </p>`;
}

function classes(studio: Studio, label: LabelDraft, errorOf: ErrorOf): TemplateResult {
  const n = classesOf(label.classes).length;
  return html`${areaField({
      key: "label.classes",
      label: "Classes",
      hint: "One on each line, as the file spells it. Further spellings of the same class follow after a bar: flu | influenza.",
      rows: Math.min(10, Math.max(3, n)),
      value: label.classes,
      error: errorOf("label.classes"),
      input: (classes) => studio.editor.edit((d) => changeLabel(d, { classes })),
      left: () => studio.editor.touch("label.classes"),
    })}
    <p class="small soft">
      One model a class, each against all others, shares what is spent: more classes mean more
      noise.
    </p>`;
}

function numeric(studio: Studio, label: LabelDraft, errorOf: ErrorOf): TemplateResult {
  const bound = (part: "min" | "max", title: string) =>
    textField({
      key: `label.${part}`,
      label: title,
      value: label[part],
      short: true,
      numeric: true,
      error: errorOf(`label.${part}`),
      input: (value) => studio.editor.edit((d) => changeLabel(d, { [part]: value })),
      left: () => studio.editor.touch(`label.${part}`),
    });
  return html`<div class="row row-short">
      ${bound("min", "Lowest value")} ${bound("max", "Highest value")}
    </div>
    <p class="small soft">
      The model will give a number between them. A value outside is moved to the bound. The closer
      they are, the less noise.
    </p>`;
}
