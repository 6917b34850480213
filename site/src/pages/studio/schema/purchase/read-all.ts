import { html, nothing, type TemplateResult } from "lit/html.js";

import { count } from "../../../../chart/numbers.ts";
import {
  type ColumnDraft,
  idIn,
  type LabelDraft,
  type Learnt,
  linesOf,
  type SchemaDraft,
} from "../../draft/draft.ts";
import { confirmAll } from "../../draft/edit.ts";
import { knewBeforehand, learntOf, spelt } from "../../draft/learnt.ts";
import { undecided } from "../../draft/source.ts";
import { checkbox, textField } from "../../../shell/field.ts";
import type { Editor } from "../../state/editor.ts";
import type { Workspace } from "../../state/workspace.ts";
import { type Buyer, learntId } from "./buyer.ts";

type Studio = Workspace & { readonly editor: Editor };

/**
 * What was read from the file, as a list to be confirmed at once: the person ticks what a code book
 * or the like says of it, and names that. Nothing is confirmed unread.
 */
export function readAll(
  studio: Studio,
  buyer: Buyer,
  draft: SchemaDraft,
): TemplateResult | typeof nothing {
  const left = undecided(draft);
  const learnt = learntOf(draft);
  if (left.length + learnt.length === 0 || !buyer.readingAll) return nothing;
  const shown = { left, learnt };
  const { chosen, knew } = ticked(buyer, shown);
  return html`<form
    class="notice"
    id="read-all-says"
    aria-labelledby="read-all-title"
    @submit=${(e: Event) => {
      e.preventDefault();
      confirm(studio, buyer, shown);
    }}
  >
    <p id="read-all-title">
      <strong>You say that anyone could know these without looking at the file:</strong>
    </p>
    <div class="read-all-list">
      ${left.map(
        (c) =>
          html`<div class="read-all-item">
            ${checkbox({
              id: `read-${idIn(c)}`,
              checked: !buyer.notRead.has(idIn(c)),
              label: html`<strong>${c.name}</strong>: ${words(c)}`,
              change: (on) => buyer.choose(idIn(c), on),
            })}
            ${others(c)}
          </div>`,
      )}
      ${
        learnt.length > 0
          ? checkbox({
              id: `read-${learntId}`,
              checked: knew.length > 0,
              label: html`<strong>${spelt(learnt)}</strong>
                ${learnt.length === 1 ? "means" : "mean"} missing: we knew that beforehand`,
              change: (on) => buyer.choose(learntId, on),
            })
          : nothing
      }
    </div>
    ${textField({
      key: "read-all.reason",
      label: "Where it is written",
      hint: "Kept with each of them in the schema file, and printed in the release and the model card. Name the document, and the page if you can.",
      value: buyer.reason,
      required: true,
      error: buyer.reasonMissing
        ? "Say where it is written: without that, nothing is confirmed."
        : undefined,
      input: (reason) => buyer.because(reason),
    })}
    <p class="actions">
      <button class="button button-main" type="submit">Confirm</button>
      <span class="small soft"
        >${chosen.length + Number(knew.length > 0)} of
        ${left.length + Number(learnt.length > 0)}</span
      >
      <button
        class="button button-quiet"
        type="button"
        @click=${() => {
          document.getElementById("read-all")?.focus();
          buyer.readAll(false);
          studio.store.set({ announcement: "Nothing was confirmed." });
        }}
      >
        Cancel
      </button>
    </p>
  </form>`;
}

/** What the list shows: columns and the label, and missing values that the rows gave away. */
interface Shown {
  readonly left: readonly (ColumnDraft | LabelDraft)[];
  readonly learnt: readonly Learnt[];
}

/** What of it is ticked. */
function ticked({ notRead }: Buyer, { left, learnt }: Shown) {
  return {
    chosen: left.filter((c) => !notRead.has(idIn(c))),
    knew: notRead.has(learntId) ? [] : learnt,
  };
}

/**
 * Confirms what the list showed, is ticked at this moment, and is as it was shown. Who unticks a
 * box and presses Enter can be faster than the next frame, and so can what the page reads.
 */
function confirm({ editor, state, store }: Studio, buyer: Buyer, { left, learnt }: Shown): void {
  if (!state.draft) return;
  const still = new Set<unknown>([...undecided(state.draft), ...learntOf(state.draft)]);
  const { chosen, knew } = ticked(buyer, {
    left: left.filter((c) => still.has(c)),
    learnt: learnt.filter((l) => still.has(l)),
  });
  if (chosen.length + knew.length === 0)
    return store.set({ announcement: "Tick at least one, or cancel." });
  const { reason } = buyer;
  if (reason.trim() === "") {
    buyer.askReason();
    return document.getElementById("read-all-reason")?.focus();
  }
  buyer.readAll(false);
  editor.edit((d) => confirmAll(knewBeforehand(d, knew), new Set(chosen.map(idIn)), reason));
}

/** So many categories stand in the line; the others are folded. */
const most = 10;

const isNumber = (c: ColumnDraft | LabelDraft): boolean =>
  ("type" in c ? c.type : c.kind) === "numeric";

const valuesOf = (c: ColumnDraft | LabelDraft): readonly string[] =>
  linesOf(
    "type" in c ? c.categories : c.kind === "classes" ? c.classes : `${c.negative}\n${c.positive}`,
  );

/** What is known of a column, or of the label, in a line. */
function words(c: ColumnDraft | LabelDraft): string {
  if (isNumber(c)) return `${c.min} to ${c.max}${"log" in c && c.log ? ", on a log scale" : ""}`;
  const list = valuesOf(c);
  return `${count(list.length)} ${"type" in c ? "categories" : "values"}: ${list.slice(0, most).join(", ")}${list.length > most ? "," : ""}`;
}

/** The categories that do not stand in the line, to be opened. */
function others(c: ColumnDraft | LabelDraft): TemplateResult | typeof nothing {
  const list = isNumber(c) ? [] : valuesOf(c).slice(most);
  if (list.length === 0) return nothing;
  return html`<details class="read-all-others">
    <summary>and ${count(list.length)} more<span class="hidden"> of ${c.name}</span></summary>
    ${list.join(", ")}
  </details>`;
}
