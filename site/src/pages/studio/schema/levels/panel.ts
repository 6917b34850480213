// The attributes of a scorecard, each with its levels: cut points that are typed, and categories
// that are put together.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { levelNames } from "../../../../scorecard/levels.ts";
import {
  attributesOf,
  cutsIn,
  cutsText,
  enteredOf,
  isPublic,
  levelsOf,
  mostAttributes,
  proposedCuts,
  readCuts,
  sizeOf,
} from "../../draft/card.ts";
import type { AttributeDraft, LevelDraft } from "../../draft/card-draft.ts";
import { fieldOf } from "../../draft/card-check.ts";
import {
  chooseAttribute,
  knewCuts,
  mergeLevels,
  nameLevel,
  proposeCuts,
  splitLevel,
  typeCuts,
} from "../../draft/card-edit.ts";
import { type ColumnDraft, included, type SchemaDraft } from "../../draft/draft.ts";
import { provenanceOf } from "../../draft/source.ts";
import type { Editor } from "../../state/editor.ts";
import type { Workspace } from "../../state/workspace.ts";
import { checkbox, idOf, textField } from "../../../shell/field.ts";
import { problemNotice } from "../../../shell/notice.ts";

export type Studio = Workspace & { readonly editor: Editor };
type ErrorOf = (key: string) => string | undefined;

/** Which columns the card asks about, and how each is divided. */
export function levelsPanel(studio: Studio, draft: SchemaDraft, errorOf: ErrorOf): TemplateResult {
  const columns = included(draft);
  const chosen = attributesOf(draft);
  const levels = chosen.reduce((sum, c) => sum + sizeOf(c, enteredOf(draft, c.id)), 0);
  const wrong = errorOf("card.attributes");
  const { problem } = studio.state.card;
  return html`<section class="card-levels" aria-labelledby="card-attributes-title">
    <h3 id="card-attributes-title">The card’s attributes and their levels</h3>
    <p>
      Tick what the card asks about: ${mostAttributes} attributes at most, of two to four levels
      each. Take levels that anyone could know without these rows: from a guideline, by round
      numbers. They are printed on the card.
    </p>
    <div
      class="card-attributes"
      role="group"
      id="card-attributes"
      tabindex="-1"
      aria-labelledby="card-attributes-title"
      aria-describedby=${wrong ? "card-attributes-error" : nothing}
    >
      ${columns.map((c) => attribute(studio, draft, c, chosen.includes(c), errorOf))}
    </div>
    ${wrong ? html`<p class="field-error" id="card-attributes-error">${wrong}</p>` : nothing}
    ${problem?.code === "schema" ? problemNotice(problem, { id: "card-problem" }) : nothing}
    <p class="small soft" id="card-size">
      ${chosen.length} ${chosen.length === 1 ? "attribute" : "attributes"} with ${levels} levels
      together.${levels > 24 ? " With so many levels the search can take minutes." : ""}
    </p>
  </section>`;
}

/** A column, and its levels if it is an attribute. */
function attribute(
  studio: Studio,
  draft: SchemaDraft,
  c: ColumnDraft,
  on: boolean,
  errorOf: ErrorOf,
): TemplateResult {
  const entered = enteredOf(draft, c.id);
  return html`<div class="card-attribute" data-column=${c.id}>
    ${checkbox({
      id: `card-${c.id}-use`,
      checked: on,
      label: html`<strong>${c.name.trim() || "New column"}</strong> ${
          on && !isPublic(c, entered)
            ? html` <span class="tag tag-warn">from your data</span>`
            : nothing
        }`,
      change: (use) => studio.editor.edit((d) => chooseAttribute(d, c.id, use)),
    })}
    ${
      on
        ? html`<div class="card-attribute-levels">
            ${
              c.type === "numeric"
                ? cuts(studio, c, entered, errorOf(fieldOf(c.id, "cuts")))
                : groups(studio, c, entered, errorOf(fieldOf(c.id, "levels")))
            }
            ${uncovered(studio, c, entered)}
          </div>`
        : nothing
    }
  </div>`;
}

/** The cut points of a column of numbers, and the levels that they make. */
function cuts(
  { editor }: Studio,
  c: ColumnDraft,
  entered: AttributeDraft,
  error: string | undefined,
): TemplateResult {
  const typed = cutsIn(cutsText(c, entered));
  const whole = typed.every(({ cut }) => cut !== null);
  const own = entered.cuts !== undefined && entered.cuts !== proposedCuts(c).join(", ");
  return html`${textField({
      key: fieldOf(c.id, "cuts"),
      label: `Cut points of ${c.name}`,
      value: cutsText(c, entered),
      numeric: false,
      short: false,
      error,
      input: (text) => editor.edit((d) => typeCuts(d, c, text)),
      left: () => editor.touch(fieldOf(c.id, "cuts")),
    })}
    <p class="small soft card-level-names">
      ${
        whole && typed.length > 0
          ? html`Levels: ${levelNames(typed.map(({ cut }) => cut!)).join(" · ")}`
          : "The levels appear here once there are cut points."
      }
      ${
        own
          ? html`<button
              class="link"
              type="button"
              @click=${() => editor.edit((d) => proposeCuts(d, c.id))}
            >
              Back to the page’s
            </button>`
          : entered.cuts === undefined && typed.length > 0
            ? html`<span>(proposed from the bounds alone)</span>`
            : nothing
      }
    </p>`;
}

/** Categories, to be put together into levels. */
function groups(
  studio: Studio,
  c: ColumnDraft,
  entered: AttributeDraft,
  error: string | undefined,
): TemplateResult {
  const { editor } = studio;
  const levels = levelsOf(c, entered);
  // These are asked when a box is ticked, too: the page may not be drawn since the last one was.
  const has = () => new Set(studio.state.card.ticked[c.id] ?? []);
  const tickedLevels = () => {
    const values = has();
    return levels.filter((level) => level.values.every((x) => values.has(x)));
  };
  const ticked = tickedLevels();
  const tick = ({ values }: LevelDraft, on: boolean) =>
    editor.tick(c.id, on ? [...has(), ...values] : [...has()].filter((x) => !values.includes(x)));
  const merge = () => {
    const chosen = tickedLevels();
    if (chosen.length < 2) return;
    editor.edit((d) => mergeLevels(d, c, new Set(chosen.flatMap(({ values }) => values))));
    editor.tick(c.id, []);
  };
  return html`<ul
      class="card-groups"
      id=${idOf(fieldOf(c.id, "levels"))}
      tabindex="-1"
      aria-label="Levels of ${c.name}"
    >
      ${levels.map((level, i) => group(editor, c, level, i, ticked.includes(level), tick))}
    </ul>
    <p class="actions">
      <button
        class="button button-quiet"
        type="button"
        id="card-${c.id}-merge"
        aria-disabled=${ticked.length < 2 ? "true" : "false"}
        @click=${merge}
      >
        Merge the ticked levels of ${c.name}
      </button>
      <span class="small soft">
        ${ticked.length < 2 ? "Tick two levels or more to put them together." : `${ticked.length} become one.`}
      </span>
    </p>
    ${error ? html`<p class="field-error" id="${idOf(fieldOf(c.id, "levels"))}-error">${error}</p>` : nothing}`;
}

function group(
  editor: Editor,
  c: ColumnDraft,
  level: LevelDraft,
  i: number,
  ticked: boolean,
  tick: (level: LevelDraft, on: boolean) => void,
): TemplateResult {
  const many = level.values.length > 1;
  return html`<li>
    ${checkbox({
      id: `card-${c.id}-level-${i}`,
      checked: ticked,
      label: many ? html`<span>${level.values.join(", ")}</span>` : level.name,
      change: (on) => tick(level, on),
    })}
    ${
      many
        ? html`<span class="card-group-name"
            ><label for="card-${c.id}-name-${i}">called</label>
            <input
              class="input"
              id="card-${c.id}-name-${i}"
              type="text"
              autocomplete="off"
              .value=${level.name}
              @input=${(e: Event) =>
                editor.edit((d) => nameLevel(d, c.id, level, (e.target as HTMLInputElement).value))}
            />
            <button
              class="button button-quiet"
              type="button"
              @click=${() => editor.edit((d) => splitLevel(d, c.id, level))}
            >
              Take apart<span class="hidden"> ${level.name}</span>
            </button></span
          >`
        : nothing
    }
  </li>`;
}

/** What the guarantee will leave out of an attribute, and how to change that. */
function uncovered(
  { editor }: Studio,
  c: ColumnDraft,
  entered: AttributeDraft,
): TemplateResult | typeof nothing {
  if (isPublic(c, entered)) return nothing;
  const read = readCuts(c, entered);
  if (provenanceOf(c) === "public")
    return html`<p class="small">
      ${read.join(" and ")} ${read.length === 1 ? "was" : "were"} proposed from bounds that were
      read from your data.
      <button class="link" type="button" @click=${() => editor.edit((d) => knewCuts(d, c.id))}>
        We knew ${read.length === 1 ? "this cut point" : "these cut points"} beforehand
      </button>
    </p>`;
  return html`<p class="small">
    ${
      provenanceOf(c) === "bought"
        ? "Its bounds or categories were bought, not known. A card cannot name that purchase, so it says that these levels are not covered."
        : "Its bounds or categories were read from your data, so the card says that its levels are not covered."
    }
    Say in the table above why ${c.name} is public, or replace what was read, to have them covered.
  </p>`;
}
