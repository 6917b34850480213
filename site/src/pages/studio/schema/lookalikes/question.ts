import { html, nothing, type TemplateResult } from "lit/html.js";

import { included, type SchemaDraft } from "../../draft/draft.ts";
import { changeColumn } from "../../draft/edit.ts";
import { labelKey } from "../../state/lookalikes.ts";
import type { Editor } from "../../state/editor.ts";
import type { Workspace } from "../../state/workspace.ts";

/**
 * Asks about columns that by themselves all but tell the label. It was read off the rows, so only
 * the holder sees it.
 */
export function lookalikeQuestions(
  { state, editor, store }: Workspace & { readonly editor: Editor },
  draft: SchemaDraft,
): TemplateResult | typeof nothing {
  const { lookalikes, touched } = state;
  if (lookalikes?.about !== labelKey(state)) return nothing;
  const label = draft.label.name;
  const kept = (name: string) => `lookalike-${name}-${label}`;
  const asked = lookalikes.found.flatMap(({ column, share }) => {
    const c = included(draft).find(({ name }) => name === column);
    return c && !touched.has(kept(column)) ? [{ c, share }] : [];
  });
  if (asked.length === 0) return nothing;
  return html`<div class="fence" id="lookalikes" role="group" aria-labelledby="lookalikes-title">
    <h3 id="lookalikes-title" tabindex="-1">For you only: is this the answer itself?</h3>
    ${asked.map(
      ({ c, share }) =>
        html`<p>
            <strong>${told(c.name, label, share, draft.label.kind === "numeric")}</strong> Is it a
            copy of it, or written down afterwards? A model that uses it predicts nothing new.
          </p>
          <p class="actions">
            <button
              class="button"
              type="button"
              id=${`${c.id}-lookalike-out`}
              @click=${() => {
                editor.edit((d) => changeColumn(d, c.id, { include: false }));
                answered(`${c.name} is left out. Undo takes it back.`);
              }}
            >
              Leave it out<span class="hidden">: ${c.name}</span>
            </button>
            <button
              class="button button-quiet"
              type="button"
              id=${`${c.id}-lookalike-keep`}
              @click=${() => {
                editor.touch(kept(c.name));
                answered(`${c.name} stays.`);
              }}
            >
              Keep it<span class="hidden">: ${c.name}</span>
            </button>
          </p>`,
    )}
    <p class="small">
      This was counted in your rows and is not protected. It is saved and published nowhere. Leaving
      a column out because of the rows is a choice that the promise does not cover, so decide by
      what you know of how the column came about.
    </p>
  </div>`;

  /** The focus goes to what is asked next, or to the table. */
  function answered(announcement: string): void {
    store.set({ announcement });
    requestAnimationFrame(() =>
      (
        document.getElementById("lookalikes-title") ?? document.getElementById("label-use-cell")
      )?.focus(),
    );
  }
}

/** Rounded down: only what tells every row is said to tell 100 %. */
function told(name: string, label: string, share: number, numeric: boolean): TemplateResult {
  const part = `${Math.floor(share * 100)}\u00a0%`;
  return numeric
    ? html`<code>${name}</code> alone accounts for ${part} of how <code>${label}</code> varies.`
    : html`<code>${name}</code> alone tells <code>${label}</code> for ${part} of rows.`;
}
