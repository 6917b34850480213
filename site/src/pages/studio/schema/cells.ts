// The cells of the table of columns: each says what is known, and is edited in its place.

import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";
import { ref } from "lit/directives/ref.js";

import { count } from "../../../chart/numbers.ts";
import { type ColumnDraft, idIn, type LabelDraft, linesOf } from "../draft/draft.ts";
import { changeColumn, sayWhy } from "../draft/edit.ts";
import { nameInFile } from "../draft/places.ts";
import { provenanceOf } from "../draft/source.ts";
import type { CellPart } from "../state/state.ts";
import { provenanceTag, provenanceWords } from "./provenance-tag.ts";
import { cellId, editing } from "./table-keys.ts";
import type { ErrorOf, Studio } from "./studio.ts";

export interface CellOptions<C extends ColumnDraft | LabelDraft = ColumnDraft> {
  readonly studio: Studio;
  readonly c: C;
  /** The column's name, as it stands in a sentence. */
  readonly name: string;
  readonly errorOf: ErrorOf;
  readonly tab: (part: CellPart) => string;
}

/** What comes into the page to be typed in takes the focus, once the page is drawn. */
function takesFocus(element?: Element): void {
  queueMicrotask(() => {
    (element as HTMLElement | undefined)?.focus();
    if (element instanceof HTMLInputElement) element.select();
  });
}

export type AnyCell = CellOptions<ColumnDraft | LabelDraft>;

/** A cell as it is read: a button that begins to edit it. */
export function shown(
  { studio, c, name, tab }: AnyCell,
  part: CellPart,
  what: string,
  words: string,
  content: TemplateResult | string = words,
  edit = () => editing.begin(studio, idIn(c), part),
): TemplateResult {
  return html`<button
    class="cell"
    type="button"
    id=${cellId(idIn(c), part)}
    data-part=${part}
    tabindex=${tab(part)}
    aria-label="${what} of ${name}: ${words}"
    @click=${edit}
  >
    ${content}
  </button>`;
}

const isEdited = ({ studio, c }: AnyCell, part: CellPart): boolean => {
  const { cell } = studio.state;
  return cell?.editing === true && cell.id === idIn(c) && cell.part === part;
};

type Change = Parameters<typeof changeColumn>[2];

const changeIn = ({ studio, c }: CellOptions, change: Change): void =>
  studio.editor.edit((d) => changeColumn(d, c.id, change));

const valueOf = (e: Event): string => (e.target as HTMLInputElement).value;

/** What is wrong with a cell. */
const errorIn = (id: string, wrong: string | undefined): TemplateResult | typeof nothing =>
  wrong ? html`<span class="field-error" id=${id}>${wrong}</span>` : nothing;

interface Line {
  readonly label: string;
  readonly value: string;
  readonly wrong: string | undefined;
  /** Of the element that says what is wrong. */
  readonly errorId: string;
  readonly input: (value: string) => void;
  readonly numeric?: boolean;
  readonly focus?: boolean;
}

/** A line that is typed in its cell. */
const line = ({ label, value, wrong, errorId, input, numeric, focus = true }: Line) =>
  html`<input
    class="input"
    type="text"
    inputmode=${numeric ? "decimal" : nothing}
    autocomplete="off"
    aria-label=${label}
    aria-invalid=${wrong ? "true" : nothing}
    aria-describedby=${wrong ? errorId : nothing}
    .value=${live(value)}
    ${focus ? ref(takesFocus) : nothing}
    @input=${(e: Event) => input(valueOf(e))}
  />`;

/** The name of a column of a file without a header, with what the file calls it. */
export function nameCell(cell: CellOptions): TemplateResult {
  const { c, name, errorOf } = cell;
  const own = nameInFile(c);
  const wrong = errorOf(`${c.id}.name`);
  const errorId = `${c.id}-name-error`;
  const content = isEdited(cell, "name")
    ? html`<span class="cell-editor"
        >${line({
          label: `Name of column ${c.place} of the file. It is published with the model.`,
          value: c.name,
          wrong,
          errorId,
          input: (name) => changeIn(cell, { name }),
        })}</span
      >`
    : html`${shown({ ...cell, name: `column ${c.place}` }, "name", "Name", name, html`<span class="column-name">${name}</span>`)}${
        own === name ? nothing : html`<span class="tag">${own}</span>`
      }`;
  return html`${content}${errorIn(errorId, wrong)}`;
}

/** The kinds of a column, with how its numbers are scaled. */
const kinds = {
  numeric: { words: "number", change: { type: "numeric", log: false } },
  log: { words: "number (log)", change: { type: "numeric", log: true } },
  categorical: { words: "categories", change: { type: "categorical" } },
} as const;

/** Numbers or categories. */
export function kindCell(cell: CellOptions): TemplateResult {
  const { c, name } = cell;
  const kind = c.type === "categorical" ? c.type : c.log ? "log" : c.type;
  if (!isEdited(cell, "kind")) return shown(cell, "kind", "Kind", kinds[kind].words);
  return html`<span class="cell-editor"
    ><select
      class="input"
      aria-label="Kind of ${name}"
      ${ref(takesFocus)}
      @change=${(e: Event) => changeIn(cell, kinds[valueOf(e) as keyof typeof kinds].change)}
    >
      ${Object.entries(kinds).map(([value, { words }]) => html`<option value=${value} .selected=${live(value === kind)}>${words}</option>`)}
    </select></span
  >`;
}

/** Both bounds, or the list of categories. */
export function valuesCell(cell: CellOptions): TemplateResult {
  const { c, errorOf } = cell;
  const numeric = c.type === "numeric";
  const wrong = (numeric ? ["min", "max"] : ["categories"])
    .map((part) => errorOf(`${c.id}.${part}`))
    .find((text) => text !== undefined);
  const error = errorIn(`${c.id}-values-error`, wrong);
  if (!isEdited(cell, "values"))
    return html`${shown(cell, "values", numeric ? "Bounds" : "Categories", c.include ? describe(c) : "left out")}${error}`;
  return html`<span class="cell-editor ${numeric ? "cell-bounds" : ""}"
      >${
        numeric
          ? html`${bound(cell, "min", "Lowest", wrong)}
              <span aria-hidden="true">to</span> ${bound(cell, "max", "Highest", wrong)}`
          : list(cell, wrong)
      }</span
    >${error}`;
}

function bound(
  cell: CellOptions,
  part: "min" | "max",
  which: string,
  wrong: string | undefined,
): TemplateResult {
  const { c, name } = cell;
  return line({
    label: `${which} value of ${name}`,
    value: c[part],
    wrong,
    errorId: `${c.id}-values-error`,
    input: (value) => changeIn(cell, { [part]: value }),
    numeric: true,
    focus: part === "min",
  });
}

function list(cell: CellOptions, wrong: string | undefined): TemplateResult {
  const { c, name } = cell;
  return html`<textarea
    class="input"
    rows=${Math.min(8, Math.max(3, linesOf(c.categories).length))}
    spellcheck="false"
    aria-label="Categories of ${name}, one on each line"
    aria-invalid=${wrong ? "true" : nothing}
    aria-describedby=${wrong ? `${c.id}-values-error` : nothing}
    .value=${live(c.categories)}
    ${ref(takesFocus)}
    @input=${(e: Event) => changeIn(cell, { categories: valueOf(e) })}
  ></textarea>`;
}

/** What is known of a column, in a line. */
function describe(c: ColumnDraft): string {
  if (c.type === "numeric") {
    if (c.min.trim() === "" || c.max.trim() === "") return "bounds to be entered";
    return `${c.min} to ${c.max}`;
  }
  const list = linesOf(c.categories);
  if (list.length === 0) return "categories, to be entered";
  const all = list.join(", ");
  if (all.length <= 40) return all;
  const text = `${count(list.length)} categories: ${all}`;
  return `${text.slice(0, 46).replace(/[\s,]+\S*$/, "")} …`;
}

/** The reason in the person's words; else where the entry comes from. */
export function whyCell(cell: AnyCell, wrong: boolean): TemplateResult {
  const { studio, c, name, errorOf } = cell;
  const id = idIn(c);
  const error = errorOf(`${id}.reason`);
  const reason = (c.reason ?? "").trim();
  const errorId = `${id}-reason-error`;
  if (isEdited(cell, "why"))
    return html`<span class="cell-editor"
        >${line({
          label: `Why ${name} is public: how anyone could know this without looking at the file. It is printed with the model.`,
          value: c.reason ?? "",
          wrong: error,
          errorId,
          input: (reason) => studio.editor.edit((d) => sayWhy(d, id, reason)),
        })}</span
      >${errorIn(errorId, error)}`;
  // What was bought is not public, and needs no reason.
  if ("include" in c && !c.include)
    return shown(cell, "why", "Reason", "left out", html`<span class="soft">–</span>`);
  if (reason !== "" && provenanceOf(c) === "public") return shown(cell, "why", "Reason", reason);
  const words = provenanceWords(c);
  return shown(
    cell,
    "why",
    "Reason",
    words,
    wrong ? html`<span class="soft">–</span>` : provenanceTag(c),
  );
}
