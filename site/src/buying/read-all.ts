import type { html as drawing, nothing as empty, TemplateResult } from "lit";

import { count } from "../chart/numbers.ts";
import { type ColumnDraft, type LabelDraft, linesOf, type SchemaDraft, undecided } from "../studio/draft/draft.ts";
import { confirmAll } from "../studio/draft/edit.ts";
import type { Studio } from "../studio/studio.ts";

/** The button that confirms all that was read from the file, and, once it is pressed, what is said by that: nothing is confirmed unread. */
export function readAll({ html, nothing }: { readonly html: typeof drawing; readonly nothing: typeof empty }, { buyer, editor, store }: Studio, draft: SchemaDraft, add: TemplateResult): TemplateResult {
  const left = undecided(draft);
  if (left.length === 0 || !buyer) return html`<p class="actions">${add}</p>`;
  const show = (shown: boolean, announcement: string) => {
    buyer.readingAll = shown;
    store.set({ announcement });
  };
  const one = left.length === 1;
  const open = buyer.readingAll;
  return html`<p class="actions">
      ${add}
      <button class="button button-quiet" type="button" id="read-all" aria-expanded=${open ? "true" : "false"} @click=${() => show(!open, open ? "" : "Check what you say, then confirm it.")}>
        ${one ? "I have read it: it is public knowledge" : `I have read all ${left.length}: each is public knowledge`}
      </button>
    </p>
    ${
      open
        ? html`<div class="notice" id="read-all-says" role="group" aria-labelledby="read-all-title">
            <p id="read-all-title"><strong>You say that anyone could know ${one ? "this" : "these"} without looking at the file:</strong></p>
            <ul>
              ${left.map((c) => html`<li><strong>${c.name}</strong>: ${words(c)}</li>`)}
            </ul>
            <p class="actions">
              <button
                class="button"
                type="button"
                @click=${() => {
                  buyer.readingAll = false;
                  editor.edit(confirmAll);
                }}
              >
                Confirm
              </button>
              <button
                class="button button-quiet"
                type="button"
                @click=${() => {
                  document.getElementById("read-all")?.focus();
                  show(false, "Nothing was confirmed.");
                }}
              >
                Cancel
              </button>
            </p>
          </div>`
        : nothing
    }`;
}

/** What is known of a column, or of the label, in a line. */
function words(c: ColumnDraft | LabelDraft): string {
  if ("type" in c ? c.type === "numeric" : c.kind === "numeric") return `${c.min} to ${c.max}`;
  const list = linesOf("type" in c ? c.categories : c.kind === "classes" ? c.classes : `${c.negative}\n${c.positive}`);
  return `${count(list.length)} ${"type" in c ? "categories" : "values"}: ${list.slice(0, 10).join(", ")}${list.length > 10 ? " and others" : ""}`;
}
