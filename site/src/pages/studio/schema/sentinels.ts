import { html, nothing, type TemplateResult } from "lit/html.js";

import { percent } from "../../../chart/numbers.ts";
import type { SchemaDraft } from "../draft/draft.ts";
import { learntOf, spelt } from "../draft/learnt.ts";
import { nameInFile } from "../draft/places.ts";
import { isMissing, treatAsMissing } from "../draft/sentinels.ts";
import type { Studio } from "./studio.ts";

/**
 * Asks about numbers that seem to say that a value is missing. They were read off the rows, so only
 * the holder sees them; what becomes public is the list of spellings, if the holder says so.
 */
export function sentinelQuestions(
  { state, editor, store }: Studio,
  draft: SchemaDraft,
): TemplateResult | typeof nothing {
  const { sentinels, touched } = state;
  const names = new Map([draft.label, ...draft.columns].map((c) => [nameInFile(c), c.name.trim()]));
  const named = (s: { readonly column: string }) => names.get(s.column) || s.column;
  const asked = sentinels.filter(
    (s) => names.has(s.column) && !isMissing(draft, s) && !touched.has(fieldOf(s)),
  );
  if (asked.length === 0) return nothing;
  return html`<div class="notice" id="sentinels" role="group" aria-labelledby="sentinels-title">
    <h3 id="sentinels-title" tabindex="-1">Do these numbers mean “missing”?</h3>
    <p class="small">
      Only you see this: it was counted in your rows, and is saved and published nowhere. Say yes if
      your code book says so. The list of spellings is public and printed with the model; one that
      you only learnt here is a choice made from the data, which the guarantee does not cover.
    </p>
    ${asked.map(
      (s) =>
        html`<p class="actions">
          <span
            ><strong>${percent(s.share)} of ${named(s)} is ${s.value}.</strong> Does ${s.value} mean
            missing? It would in every column.</span
          >
          <button
            class="button"
            type="button"
            id=${`${fieldOf(s)}-yes`}
            @click=${() => {
              editor.edit((d) => treatAsMissing(d, s, sentinels));
              answered(`${s.value} counts as missing. Undo takes it back.`);
            }}
          >
            Yes, it is missing<span class="hidden">: ${s.value} in ${named(s)}</span>
          </button>
          <button
            class="button button-quiet"
            type="button"
            id=${`${fieldOf(s)}-no`}
            @click=${() => {
              editor.touch(fieldOf(s));
              answered(`${s.value} in ${named(s)} stays a number.`);
            }}
          >
            No, a number<span class="hidden">: ${s.value} in ${named(s)}</span>
          </button>
        </p>`,
    )}
  </div>`;

  /** The focus goes to what is asked next, or to the table. */
  function answered(announcement: string): void {
    store.set({ announcement });
    requestAnimationFrame(() =>
      (
        document.getElementById("sentinels-title") ?? document.getElementById("label-use-cell")
      )?.focus(),
    );
  }
}

/**
 * What was answered with yes, until the person says that it was known beforehand: the release says
 * that it was read from the data.
 */
export function learntNotice(draft: SchemaDraft): TemplateResult | typeof nothing {
  const learnt = learntOf(draft);
  if (learnt.length === 0) return nothing;
  const names = [...new Set(learnt.flatMap((l) => l.columns))].join(", ");
  return html`<div class="notice notice-warn" id="learnt">
    <p>
      <strong
        >${spelt(learnt)} ${learnt.length === 1 ? "counts" : "count"} as missing, as the rows
        suggested.</strong
      >
      Until you say that you knew this beforehand, ${names} stays marked as read from your data, and
      the guarantee does not cover everything. Say so under “From our code book…”.
    </p>
  </div>`;
}

const fieldOf = ({ column, value }: { column: string; value: number }): string =>
  `sentinel-${column}-${value}`;
