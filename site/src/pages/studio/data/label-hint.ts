import { html, nothing, type TemplateResult } from "lit/html.js";

import { areaField, selectField, textField } from "../../shell/field.ts";
import type { LabelKind } from "../draft/draft.ts";
import type { Studio } from "./studio.ts";

/** Asks which column of a file is the outcome, where none has just two values. */
export function whichColumn(studio: Studio, names: readonly string[]): TemplateResult {
  return html`<div
    class="notice notice-warn"
    role="alert"
    id="data-problem"
    tabindex="-1"
    aria-labelledby="which-column-title"
  >
    <h3 id="which-column-title">Which column is to be predicted?</h3>
    <p>
      No column of the file has exactly two values, so the page cannot tell which is the outcome.
    </p>
    ${labelHint(studio, names)}
  </div>`;
}

/** The person says which column to predict, of those that there are as far as is known. */
export function labelHint({ state, reader }: Studio, names?: readonly string[]): TemplateResult {
  const { label, kind, positive } = state.hint;
  const column = { key: "hint.label", label: "Column to predict", value: label };
  const change = (label: string) => reader.changeHint({ label });
  return html`<form
    class="hint-form"
    @submit=${(e: Event) => {
      e.preventDefault();
      void reader.suggest();
    }}
  >
    ${names ? nothing : html`<p class="small">If the file is right and only the outcome was not recognised, say which column it is.</p>`}
    <div class="row row-wide">
      ${
        names
          ? selectField({
              ...column,
              choices: [
                { value: "", text: "Choose a column" },
                ...names.filter((name) => name !== "").map((name) => ({ value: name, text: name })),
              ],
              choose: change,
            })
          : textField({ ...column, hint: "Its name in the file’s first line.", input: change })
      }
      ${selectField({
        key: "hint.kind",
        label: "What it is",
        value: kind,
        choices: [
          { value: "classes", text: "One of several classes" },
          { value: "numeric", text: "A number" },
          { value: "two", text: "One of two outcomes" },
        ],
        choose: (kind) => reader.changeHint({ kind: kind as LabelKind }),
      })}
    </div>
    ${
      kind === "two"
        ? areaField({
            key: "hint.positive",
            label: "Values that count as positive",
            hint: "One on each line; all others are negative.",
            rows: 2,
            value: positive,
            input: (positive) => reader.changeHint({ positive }),
          })
        : nothing
    }
    <button class="button button-quiet" type="submit">Read the file again</button>
  </form>`;
}
