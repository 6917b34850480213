// The label as a row of the table of columns: what is predicted stands where what it is predicted
// from does.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { classesOf, type LabelDraft, linesOf, type SchemaDraft } from "../draft/draft.ts";
import type { CellPart } from "../state/state.ts";
import { shown } from "./cells.ts";
import { labelEditor } from "./label.ts";
import { rowEnd } from "./row-end.ts";
import type { ErrorOf, Studio } from "./studio.ts";

const kinds = { two: "two outcomes", classes: "several classes", numeric: "number" } as const;

const folded = "label-folded";
const parts = ["name", "positive", "negative", "classes", "min", "max", "reason"];

/** The first row, and under it all about the label, unless that was folded. */
export function labelRow(
  studio: Studio,
  draft: SchemaDraft,
  errorOf: ErrorOf,
  stop: CellPart | null,
): TemplateResult {
  const { label } = draft;
  const name = label.name.trim() || "no column yet";
  const wrong = parts.some((part) => errorOf(`label.${part}`));
  const open = wrong || !studio.state.open.has(folded);
  const tab = (part: CellPart) => (part === stop ? "0" : "-1");
  const cell = { studio, c: label, name: "what to predict", errorOf, tab };
  const fold = () => studio.editor.toggleColumn(folded);
  /** A cell that leads to its field below. */
  const leading = (part: CellPart, what: string, words: string, field: string) =>
    shown(cell, part, what, words, words, () => {
      if (!open) fold();
      requestAnimationFrame(() => document.getElementById(field)?.focus());
    });
  const values = { two: "label-positive", classes: "label-classes", numeric: "label-min" };
  return html`<tbody role="rowgroup" class="column-label">
    <tr role="row" class="column-head">
      <th role="rowheader" scope="row">
        ${leading("use", "Column", name, "label-name")}<span class="tag">to predict</span>
      </th>
      <td role="gridcell" data-head="Kind" class="column-kind">
        ${leading("kind", "Kind", kinds[label.kind], `label-kind-${label.kind}`)}
      </td>
      <td role="gridcell" data-head="Outcomes" class="column-summary">
        ${leading("values", "Outcomes", describe(label), values[label.kind])}
      </td>
      ${rowEnd({ cell, wrong, open, more: "Edit", toggle: fold })}
    </tr>
    ${
      open
        ? html`<tr role="row" class="column-open">
            <td role="gridcell" colspan="5">
              <div class="column-form">${labelEditor(studio, draft, errorOf)}</div>
            </td>
          </tr>`
        : nothing
    }
  </tbody>`;
}

/** What it can be, in a line. */
function describe({ kind, positive, negative, classes, min, max }: LabelDraft): string {
  const first = (text: string) => linesOf(text)[0] ?? "…";
  if (kind === "numeric") return min && max ? `${min} to ${max}` : "bounds to be entered";
  if (kind === "two") return `${first(positive)} against ${first(negative)}`;
  const all = classesOf(classes).map(([name]) => name);
  const text = all.join(", ");
  return text.length <= 40 ? text || "to be entered" : `${all.length} classes: ${all[0]}, …`;
}
