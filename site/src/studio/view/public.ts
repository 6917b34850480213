import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { readable } from "../../chart/numbers.ts";
import { check, type FieldError } from "../draft/check.ts";
import { included, type SchemaDraft, unconfirmed } from "../draft/draft.ts";
import { addColumn, changeRows } from "../draft/edit.ts";
import type { State } from "../state.ts";
import type { Studio } from "../studio.ts";
import { buyParts } from "./buy.ts";
import { columnEditor } from "./column.ts";
import { areaField, checkbox, radios, textField } from "./field.ts";
import { filePicker } from "./file-picker.ts";
import { labelEditor } from "./label.ts";
import { problemNotice } from "./notice.ts";
import { step } from "./step.ts";

/** The error to show for a field: one that was left once, or any after a fit was asked for. */
export type ErrorOf = (key: string) => string | undefined;

/** Step 2: the schema editor. */
export function publicStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const { draft } = state;
  const checked = draft ? check(draft) : null;
  const errorOf: ErrorOf = (key) =>
    state.attempted || state.touched.has(key) ? checked?.errors.find((e: FieldError) => e.field === key)?.message : undefined;
  return step({
    id: "public",
    number: "2",
    title: "What is publicly known",
    body: html`
      <p>
        The model needs to know what each column can hold: bounds and categories. They shape the result and are printed in it, so they have to come from what
        anyone could know, such as a protocol, a code book or a physical limit, and not from these rows.
      </p>
      ${origin(state)} ${state.schemaProblem ? problemNotice(state.schemaProblem, { id: "schema-problem" }) : nothing}
      ${draft ? editor(studio, draft, errorOf) : waiting(state)} ${studio.buying?.files({ html, filePicker }, studio)}
    `,
    note: html`<h3>Why not just look?</h3>
      <p>
        The oldest person in a table may be the only one who is 103. A bound of 103 says that somebody is. A bound of 110 says nothing about anyone.
      </p>
      <p>Wide bounds are safe, and cost only some accuracy. A value outside is moved to the bound.</p>`,
  });
}

function waiting(state: State): TemplateResult {
  return html`<p class="file file-empty">
    ${state.reading.phase === "running" ? "The columns appear here when the file has been read." : "Choose a file in step 1, or import a schema that you wrote earlier."}
  </p>`;
}

function origin(state: State): TemplateResult | typeof nothing {
  if (!state.draft || state.reading.phase === "running") return nothing;
  const left = unconfirmed(state.draft).length;
  if (state.origin === "sample" && state.source?.kind !== "file") {
    return html`<p class="soft small">
      For the sample all of it is public: the generator’s own limits are written in this page. You can change anything and see what happens.
    </p>`;
  }
  if (left > 0) {
    return html`<div class="notice notice-warn">
      <h3>${left === 1 ? "One entry is" : `${left} entries are`} read from your data</h3>
      <p>
        The page looked at the file to propose them. A model made with them <strong>says in its guarantee that it does not cover what they reveal</strong>. Open
        each: replace, confirm or buy it.
      </p>
    </div>`;
  }
  if (state.origin === "read") {
    return html`<div class="notice notice-good"><p>Every entry is confirmed as public knowledge, or bought, so the guarantee will cover the model as a whole.</p></div>`;
  }
  return nothing;
}

function editor(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const add = html`<button class="button button-quiet" type="button" @click=${() => studio.editor.edit(addColumn)}>Add a column</button>`;
  const columnsError = errorOf("columns");
  return html`
    ${labelEditor(studio, draft, errorOf)}
    <h3 id="columns">Columns to predict from</h3>
    ${columnsError ? html`<p class="field-error">${columnsError}</p>` : nothing}
    <ul class="columns" aria-labelledby="columns">
      ${repeat(
        draft.columns,
        (c) => c.id,
        (c) => columnEditor(studio, c, errorOf),
      )}
    </ul>
    ${studio.buying?.readAll({ html, nothing }, studio, draft, add) ?? html`<p class="actions">${add}</p>`}
    ${buyParts(studio, draft)} ${leftOut(studio.state)} ${summary(studio.state, draft)} ${rows(studio, draft, errorOf)}
  `;
}

function leftOut(state: State): TemplateResult | typeof nothing {
  if (state.leftOut.length === 0) return nothing;
  return html`<details class="disclosure">
    <summary>${state.leftOut.length === 1 ? "One column was" : `${state.leftOut.length} columns were`} not proposed</summary>
    <ul class="small">
      ${state.leftOut.map((c) => html`<li><strong>${c.column || "(no name)"}</strong>: it ${c.reason}.</li>`)}
    </ul>
  </details>`;
}

function summary(state: State, draft: SchemaDraft): TemplateResult | typeof nothing {
  const { preview, previewProblem } = state;
  if (previewProblem && previewProblem.code === "schema") return problemNotice(previewProblem);
  if (!preview) return nothing;
  const n = included(draft).length;
  return html`<p class="small soft">
    ${n} ${n === 1 ? "column becomes" : "columns become"} ${preview.checked.dimension} coefficients. No row is longer than ${readable(preview.checked.rowNorm)}.
  </p>`;
}

function rows(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  return html`<details class="disclosure">
    <summary>Rows, intercept and missing values</summary>
    <div>
      ${radios({
        name: "norm",
        legend: html`Length of a row<span class="hint">Each number is brought to 0 to 1 by its bounds, each category counts 1 or 0; the length is the root of the sum of their
          squares. The noise is measured by how long a row can be.</span>`,
        value: draft.norm,
        choices: [
          { value: "clip", label: "Shorten rows that are longer than 1, leave the others alone" },
          { value: "unit", label: "Bring every row to length 1" },
        ],
        choose: (norm) => studio.editor.edit((d) => changeRows(d, { norm: norm as SchemaDraft["norm"] })),
      })}
      ${textField({
        key: "intercept",
        label: "Intercept",
        hint: "Value of a constant column. 0.5 is usual, 0 is none. A larger one lets the base rate be learnt more freely and costs more noise.",
        value: draft.intercept,
        short: true,
        numeric: true,
        error: errorOf("intercept"),
        input: (intercept) => studio.editor.edit((d) => changeRows(d, { intercept })),
        left: () => studio.editor.touch("intercept"),
      })}
      ${areaField({
        key: "missing_values",
        label: "Spellings of a missing value",
        hint: "One on each line.",
        rows: 3,
        value: draft.missingValues,
        error: errorOf("missing_values"),
        input: (missingValues) => studio.editor.edit((d) => changeRows(d, { missingValues })),
        left: () => studio.editor.touch("missing_values"),
      })}
      ${checkbox({
        id: "empty-is-missing",
        checked: draft.emptyIsMissing,
        label: "An empty field is a missing value too",
        change: (emptyIsMissing) => studio.editor.edit((d) => changeRows(d, { emptyIsMissing })),
      })}
    </div>
  </details>`;
}
