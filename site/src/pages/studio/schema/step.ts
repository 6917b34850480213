import { html, nothing, type TemplateResult } from "lit/html.js";

import { readable } from "../../../chart/numbers.ts";
import { makesCard } from "../draft/card.ts";
import { checkCard } from "../draft/card-check.ts";
import { check, type FieldError } from "../draft/check.ts";
import { included, type SchemaDraft } from "../draft/draft.ts";
import { addColumn, changeRows } from "../draft/edit.ts";
import { notCovered } from "../state/card.ts";
import { layoutWords } from "../state/layout.ts";
import type { State } from "../state/state.ts";
import type { ErrorOf, Studio } from "./studio.ts";
import { columnTable } from "./table.ts";
import { commaNotice, leftOut } from "./left-out.ts";
import { learntNotice, sentinelQuestions } from "./sentinels.ts";
import { schemaTools } from "./tools.ts";
import { areaField, checkbox, radios, textField } from "../../shell/field.ts";
import { problemNotice } from "../../shell/notice.ts";
import { step } from "../../shell/step.ts";

/** Step 2: the schema editor. */
export function publicStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const { draft } = state;
  const checked = draft ? (makesCard(draft) ? checkCard(draft) : check(draft)) : null;
  const errorOf: ErrorOf = (key) =>
    state.attempted || state.touched.has(key)
      ? checked?.errors.find((e: FieldError) => e.field === key)?.message
      : undefined;
  return step({
    id: "public",
    number: "2",
    title: "What is public",
    body: html`
      <p>
        Bounds and categories are printed in the result. So they come from what anyone could know,
        such as a protocol or a code book, not from these rows.
      </p>
      ${origin(state)} ${layout(state)}
      ${state.schemaProblem ? problemNotice(state.schemaProblem, { id: "schema-problem" }) : nothing}
      ${draft ? editor(studio, draft, errorOf) : waiting(state)}
      ${studio.later?.purchase.schemaFile(studio)}
    `,
    note: html`<h3>Why not just look?</h3>
      <p>
        The oldest person in a table may be the only one who is 103. A bound of 103 says that
        somebody is. A bound of 110 says nothing about anyone.
      </p>
      <p>
        Wide bounds are safe, and cost only some accuracy. A value outside is moved to the bound.
      </p>`,
  });
}

function waiting(state: State): TemplateResult {
  return html`<p class="file file-empty">
    ${state.reading.phase === "running" ? "The columns appear here when the file has been read." : "Choose a file in step 1, or import a schema that you wrote earlier."}
  </p>`;
}

function origin(state: State): TemplateResult | typeof nothing {
  if (!state.draft || state.reading.phase === "running") return nothing;
  const left = notCovered(state).length;
  if (state.origin === "sample" && state.source?.kind !== "file") {
    return html`<p class="soft small">
      The rows were made up from this code book, so all of it is public. Change what you like.
    </p>`;
  }
  if (left > 0) {
    return html`<div class="notice notice-warn">
      <h3>${left === 1 ? "One entry is" : `${left} entries are`} read from your data</h3>
      <p>
        The page looked at the file to propose them. A model made with them
        <strong>says in its guarantee that it does not cover what they reveal</strong>. For each say
        why it is public, replace it, or buy it.
      </p>
    </div>`;
  }
  if (state.origin === "read") {
    return html`<div class="notice notice-good">
      <p>
        Every entry is confirmed as public knowledge, or bought, so the guarantee will cover the
        model as a whole.
      </p>
    </div>`;
  }
  return nothing;
}

/** How the file was read, for the person to see that it is right. */
function layout({ source, layout, origin }: State): TemplateResult | typeof nothing {
  return source?.kind === "file" && layout && origin === "read"
    ? html`<p class="small soft">
        ${layoutWords(layout)} Not so? <a href="#data">Read it in another way</a>.
      </p>`
    : nothing;
}

function editor(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const add = html`<button
    class="button button-quiet"
    type="button"
    @click=${() => studio.editor.edit(addColumn)}
  >
    Add a column
  </button>`;
  const columnsError = errorOf("columns");
  return html`
    ${studio.later?.levels.making(studio.editor, draft)} ${commaNotice(studio.state)}
    ${studio.later?.lookalikes.lookalikeQuestions(studio, draft)}
    ${sentinelQuestions(studio, draft)} ${learntNotice(draft)}
    <div class="columns-head">
      <h3 id="columns">The columns</h3>
      ${schemaTools(studio, add)}
    </div>
    ${columnsError ? html`<p class="field-error">${columnsError}</p>` : nothing}
    ${studio.buyer && studio.later?.purchase.readAll(studio, studio.buyer, draft)}
    ${columnTable(studio, draft, errorOf)}
    ${makesCard(draft) ? studio.later?.levels.levelsPanel(studio, draft, errorOf) : nothing}
    ${studio.buyer && studio.later?.purchase.panel(studio, studio.buyer, draft)}
    ${leftOut(studio.state)} ${summary(studio.state, draft)} ${rows(studio, draft, errorOf)}
  `;
}

function summary(state: State, draft: SchemaDraft): TemplateResult | typeof nothing {
  const { preview, previewProblem } = state;
  if (previewProblem && previewProblem.code === "schema") return problemNotice(previewProblem);
  if (!preview || makesCard(draft)) return nothing;
  const n = included(draft).length;
  return html`<p class="small soft">
    ${n} ${n === 1 ? "column becomes" : "columns become"} ${preview.checked.dimension} coefficients.
    No row is longer than ${readable(preview.checked.rowNorm)}.
  </p>`;
}

function rows(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  return html`<details class="disclosure">
    <summary>Rows, intercept and missing values</summary>
    <div>
      ${radios({
        name: "norm",
        legend: html`Length of a row<span class="hint"
            >Each number is scaled by its bounds to lie from 0 to 1, and each category counts 1 or
            0. The length of a row is the root of the sum of their squares. The longer a row can be,
            the more noise is needed. If averaged gradient descent predicts a number, it divides all
            rows by one length, unless you bring each to length 1.</span
          >`,
        value: draft.norm,
        choices: [
          { value: "clip", label: "Shorten rows that are longer than 1, leave the others alone" },
          {
            value: "scale",
            label: "Divide all by the length of the longest one possible (for numbers only)",
          },
          { value: "unit", label: "Bring every row to length 1" },
        ],
        choose: (norm) =>
          studio.editor.edit((d) => changeRows(d, { norm: norm as SchemaDraft["norm"] })),
      })}
      ${textField({
        key: "intercept",
        label: "Intercept",
        hint: "Value of a constant column. 0.5 is usual, 0 is none. With a larger one the model learns the base rate more freely, and needs more noise.",
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
