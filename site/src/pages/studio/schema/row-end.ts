import { html, nothing, type TemplateResult } from "lit/html.js";

import { idIn } from "../draft/draft.ts";
import { type AnyCell, whyCell } from "./cells.ts";
import { cellId } from "./table-keys.ts";

interface RowEnd {
  readonly cell: AnyCell;
  /** Something in the row needs a correction. */
  readonly wrong: boolean;
  readonly open: boolean;
  /** What the button says while all about it is folded. */
  readonly more: string;
  /** DOM id of what the button opens. */
  readonly form?: string;
  readonly toggle: () => void;
}

/** How every row ends: why it is public, and the button to all about it. */
export function rowEnd({ cell, wrong, open, more, form, toggle }: RowEnd): TemplateResult {
  return html`<td role="gridcell" data-head="Why this is public" class="column-mark">
      ${wrong ? html`<span class="tag tag-bad">needs a correction</span>` : nothing}
      ${whyCell(cell, wrong)}
    </td>
    <td role="gridcell" class="column-more">
      <button
        class="button button-quiet"
        type="button"
        id=${cellId(idIn(cell.c), "more")}
        data-part="more"
        tabindex=${cell.tab("more")}
        aria-expanded=${open ? "true" : "false"}
        aria-controls=${(open && form) || nothing}
        @click=${toggle}
      >
        ${open ? "Close" : more}<span class="hidden"> ${cell.name}</span>
      </button>
    </td>`;
}
