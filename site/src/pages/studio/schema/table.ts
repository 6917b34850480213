// The columns as a table that is edited in its place. Arrow keys go from cell to cell, Enter edits
// a cell, Escape leaves it; all about a column opens under its row.

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";

import { columnName } from "../../shell/column-name.ts";
import type { ColumnDraft, SchemaDraft } from "../draft/draft.ts";
import { changeColumn } from "../draft/edit.ts";
import { nameInFile } from "../draft/places.ts";
import { provenanceOf } from "../draft/source.ts";
import type { CellPart } from "../state/state.ts";
import { kindCell, nameCell, valuesCell } from "./cells.ts";
import { columnForm } from "./column.ts";
import { labelRow } from "./label-row.ts";
import { rowEnd } from "./row-end.ts";
import { cellId, editing, focused, keyInTable } from "./table-keys.ts";
import type { ErrorOf, Studio } from "./studio.ts";

const heads = ["Column", "Kind", "Bounds or categories", "Why this is public"] as const;

/** The table: what to predict, and the columns to predict from. */
export function columnTable(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const { columns } = draft;
  const { cell } = studio.state;
  // One cell is reached by Tab, the others from it.
  const stop =
    cell && (cell.id === "label" || columns.some(({ id }) => id === cell.id)) ? cell : null;
  return html`<p class="soft" id="columns-keys">
      Click what is underlined to change it. With keys: arrows move, Enter edits, Escape leaves.
    </p>
    <table
      class="grid"
      role="grid"
      aria-labelledby="columns"
      aria-describedby="columns-keys"
      @keydown=${(e: KeyboardEvent) => keyInTable(studio, e)}
      @focusin=${(e: FocusEvent) => focused(studio, e)}
      @focusout=${(e: FocusEvent) => editing.left(studio, e)}
    >
      <thead role="rowgroup">
        <tr role="row">
          ${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
          <th role="columnheader" scope="col"><span class="hidden">All about it</span></th>
        </tr>
      </thead>
      ${labelRow(studio, draft, errorOf, stop ? (stop.id === "label" ? stop.part : null) : "use")}
      ${repeat(
        columns,
        (c) => c.id,
        (c) => row(studio, c, errorOf, stop?.id === c.id ? stop.part : null),
      )}
    </table>`;
}

const parts = ["name", "type", "min", "max", "categories", "missing", "unknown", "reason"];

/** A row, and under it what is open of it. `stop`: the cell in it that Tab comes to. */
function row(
  studio: Studio,
  c: ColumnDraft,
  errorOf: ErrorOf,
  stop: CellPart | null,
): TemplateResult {
  const open = studio.state.open.has(c.id);
  const wrong = parts.some((part) => errorOf(`${c.id}.${part}`));
  const placed = c.place !== undefined;
  const name = c.name.trim() || (placed ? nameInFile(c) : "New column");
  const tab = (part: CellPart) => (part === stop ? "0" : "-1");
  const cell = { studio, c, name, errorOf, tab };
  return html`<tbody role="rowgroup" class="column ${c.include ? "" : "column-out"}">
    <tr role="row" class="column-head">
      <th role="rowheader" scope="row" class=${placed ? "column-placed" : nothing}>
        <label class="column-use">
          <input
            type="checkbox"
            id=${cellId(c.id, "use")}
            data-part="use"
            tabindex=${tab("use")}
            .checked=${live(c.include)}
            @change=${(e: Event) => studio.editor.edit((d) => changeColumn(d, c.id, { include: (e.target as HTMLInputElement).checked }))}
          />
          <span class=${placed ? "hidden" : "column-name"}
            ><span class="hidden">Use </span>${columnName(name)}</span
          >
        </label>
        ${placed ? nameCell(cell) : nothing}
      </th>
      <td role="gridcell" data-head=${heads[1]} class="column-kind">${kindCell(cell)}</td>
      <td role="gridcell" data-head=${heads[2]} class="column-summary">${valuesCell(cell)}</td>
      ${rowEnd({
        cell,
        wrong,
        open,
        more: c.include && provenanceOf(c) === "suggested" ? "Review" : "Edit",
        form: `${c.id}-form`,
        toggle: () => studio.editor.toggleColumn(c.id),
      })}
    </tr>
    ${
      open
        ? html`<tr role="row" class="column-open">
            <td role="gridcell" colspan="5">
              <div class="column-form" id="${c.id}-form">${columnForm(studio, c, errorOf)}</div>
            </td>
          </tr>`
        : nothing
    }
  </tbody>`;
}
