// The list of curves: the name of each, its value at the read-out, and, for the open one, its
// parameters.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { look } from "../../../chart/look.ts";
import { byBudget } from "../figure.ts";
import { dashOf, type Drawing, ranksOf } from "../drawing.ts";
import type { Explorer } from "../explorer.ts";
import { groups, type KindName, kindNames, kindOf } from "../mechanisms.ts";
import type { Line } from "../lines.ts";
import { type ParameterName, parameters, wrong } from "../parameters.ts";
import {
  added,
  curve,
  type CurveState,
  duplicated,
  freeOf,
  freshTone,
  MOST_CURVES,
  nameOf,
  removed,
  type State,
  TONES,
  valuesOf,
  withFree,
  withHidden,
  withKind,
  withOwn,
  withPin,
  withTone,
} from "../state.ts";
import { choice, numberField } from "./fields.ts";

const toneNames = ["green", "orange", "olive", "violet", "pink", "blue"];

/** A piece of a curve as the plot draws it. */
export function swatch(
  one: Pick<CurveState, "tone"> & { floor?: boolean | undefined },
  rank = 0,
): TemplateResult {
  const style = look(one.floor ? "line reference" : `line tone-${one.tone}`);
  return html`<svg class="swatch" width="26" height="8" aria-hidden="true">
    <path
      d="M1,4H25"
      fill="none"
      stroke=${style.stroke!}
      stroke-width=${style["stroke-width"]!}
      stroke-dasharray=${dashOf(rank) ?? style["stroke-dasharray"]!}
    />
  </svg>`;
}

export function curveList(
  explorer: Explorer,
  drawing: Drawing | undefined,
  stop: number,
): TemplateResult {
  const { state } = explorer;
  const ranks = ranksOf(
    state.curves.map((one) => (one.hidden || kindOf(one.kind).floor ? 0 : one.tone)),
  );
  return html`<section class="curves" aria-labelledby="curves-title">
    <div class="panel-head">
      <h2 id="curves-title">Curves</h2>
      <p class="at">
        ${drawing ? html`<span class="hidden">Read </span>at ${drawing.at(stop)}` : nothing}
      </p>
    </div>
    ${state.curves.length === 0 ? html`<p class="soft">No curve is left. Add one below, or choose a preset.</p>` : nothing}
    <ul class="curve-list">
      ${state.curves.map((one, at) => row(explorer, one, at, ranks[at]!, explorer.lineOf(at), drawing, stop))}
    </ul>
    ${adder(explorer)}
  </section>`;
}

function row(
  explorer: Explorer,
  one: CurveState,
  at: number,
  rank: number,
  line: Line | undefined,
  drawing: Drawing | undefined,
  stop: number,
): TemplateResult {
  const { state } = explorer;
  const open = state.about === at;
  const { floor, estimate } = kindOf(one.kind);
  const name = nameOf(one);
  const reading = one.hidden
    ? "hidden"
    : line?.problem
      ? "none"
      : drawing && line
        ? `${line.rough ? "≈ " : ""}${drawing.read(line, stop).text}`
        : "…";
  const solved = line?.solved
    ? `${parameters[line.solved].symbol} = ${byBudget(line.solved, line.values[line.solved])}, by the budget`
    : "";
  const notes = [one.pinned ? "pinned" : "", estimate ? "estimate, not certified" : "", solved]
    .filter(Boolean)
    .join(" · ");
  return html`<li class=${open ? "curve-row curve-open" : "curve-row"}>
    <div class="curve-line">
      <button
        class="curve-name"
        type="button"
        aria-expanded=${open ? "true" : "false"}
        aria-controls="curve-editor"
        @click=${() => explorer.change({ ...state, about: open ? null : at }, "about")}
      >
        ${swatch({ tone: one.tone, floor }, rank)}
        <span>${name}${notes ? html`<span class="curve-note">${notes}</span>` : nothing}</span>
      </button>
      <span class="curve-value">${reading}</span>
    </div>
    ${line?.problem ? html`<p class="curve-problem">${line.problem}</p>` : nothing}
    ${open ? editor(explorer, one, at, line) : nothing}
  </li>`;
}

const kindOptions = (chosen?: KindName): TemplateResult[] =>
  Object.entries(groups).map(
    ([group, label]) =>
      html`<optgroup label=${label}>
        ${kindNames.filter((kind) => kindOf(kind).group === group).map((kind) => html`<option value=${kind} ?selected=${kind === chosen} .selected=${kind === chosen}>${kindOf(kind).choice}</option>`)}
      </optgroup>`,
  );

function editor(
  explorer: Explorer,
  one: CurveState,
  at: number,
  line: Line | undefined,
): TemplateResult {
  const { state } = explorer;
  const { uses, free } = kindOf(one.kind);
  const now = line?.values ?? valuesOf(state, one);
  const fixed = freeOf(state, one);
  const to = (next: typeof state, by: string) => explorer.change(next, `${by} ${at}`);
  return html`<div class="curve-editor" id="curve-editor">
    <div class="number-field">
      <label for="curve-kind">Mechanism and proof</label>
      <select
        class="input"
        id="curve-kind"
        @change=${(event: Event) => to(withKind(state, at, (event.target as HTMLSelectElement).value as KindName), "kind")}
      >
        ${kindOptions(one.kind)}
      </select>
    </div>
    <div class="own-parameters">
      ${uses.map((name) => (name === fixed ? byBudgetRow(name, line) : own(explorer, one, at, name)))}
    </div>
    ${
      fixed !== undefined && free.length > 1
        ? choice({
            id: "curve-free",
            label: "The budget fixes",
            value: fixed,
            options: free.map((name) => [name, parameters[name].label] as const),
            set: (name) => to(withFree(state, at, name), "free"),
          })
        : nothing
    }
    <fieldset class="tones">
      <legend>Colour</legend>
      ${Array.from({ length: TONES }, (_, i) => i + 1).map(
        (tone) =>
          html`<label class="tone" title=${toneNames[tone - 1]!}
            ><input
              type="radio"
              name="tone"
              .checked=${one.tone === tone}
              @change=${() => to(withTone(state, at, tone), "tone")}
            /><span class="hidden">${toneNames[tone - 1]}</span>${swatch({ tone })}</label
          >`,
      )}
    </fieldset>
    <div class="curve-actions">
      <button
        type="button"
        class="button button-quiet"
        aria-pressed=${one.pinned ? "true" : "false"}
        @click=${() => to(withPin(state, at, !one.pinned, now), "pin")}
      >
        ${one.pinned ? "Unpin" : "Pin"}
      </button>
      <button
        type="button"
        class="button button-quiet"
        aria-pressed=${one.hidden ? "true" : "false"}
        @click=${() => to(withHidden(state, at, !one.hidden), "hide")}
      >
        ${one.hidden ? "Show" : "Hide"}
      </button>
      <button
        type="button"
        class="button button-quiet"
        ?disabled=${state.curves.length >= MOST_CURVES}
        @click=${() => duplicate(explorer, at, now)}
      >
        Duplicate
      </button>
      <button type="button" class="button button-quiet" @click=${() => remove(explorer, at)}>
        Remove
      </button>
    </div>
    <p class="small soft">
      ${one.pinned ? "Pinned: it keeps these values while the others move." : "Pin it, or a duplicate, to keep it where it is while the others move."}
    </p>
  </div>`;
}

/** What a budget fixes; nothing where it is not known, or the budget cannot be met. */
const byBudgetRow = (name: ParameterName, line: Line | undefined): TemplateResult =>
  html`<div class="number-field">
    <span class="label">${parameters[name].symbol}</span>
    <p class="by-budget">
      ${line?.solved === name ? `${byBudget(name, line.values[name])}, by the budget` : line?.problem ? "none" : "by the budget"}
    </p>
  </div>`;

function own(explorer: Explorer, one: CurveState, at: number, name: ParameterName): TemplateResult {
  const { state } = explorer;
  const has = one.own[name] !== undefined;
  const set = (value: number | undefined) =>
    explorer.change(withOwn(state, at, name, value), `own ${at} ${name}`);
  return html`<div class="own">
    ${numberField(explorer, {
      id: `own-${at}-${name}`,
      label: html`<abbr title=${parameters[name].label}>${parameters[name].symbol}</abbr>`,
      spoken: "of this curve alone",
      value: one.own[name] ?? null,
      empty: has ? "" : `${state.shared[name]}, shared`,
      check: (value) => wrong(name, value),
      set: (value) => set(value ?? undefined),
    })}
    ${has && !one.pinned ? html`<button type="button" class="link small" @click=${() => set(undefined)}>share again<span class="hidden"> ${parameters[name].label}</span></button>` : nothing}
  </div>`;
}

/** Takes a curve away, and puts the focus on the one that comes into its place. */
function remove(explorer: Explorer, at: number): void {
  const name = nameOf(explorer.state.curves[at]!);
  explorer.change(removed(explorer.state, at), `remove ${at}`);
  explorer.say(`${name} is removed. ${howMany(explorer)}`);
  focusOn(at);
}

function duplicate(explorer: Explorer, at: number, now: Parameters<typeof duplicated>[2]): void {
  const { state } = explorer;
  const name = `A duplicate of ${nameOf(state.curves[at]!)}`;
  add(explorer, duplicated(state, at, now), name, `duplicate ${at}`);
}

/** Adds a curve, or a duplicate. Once no more fit, the button that was pressed loses the focus. */
function add(explorer: Explorer, state: State, name: string, undo: string): void {
  explorer.change(state, undo);
  explorer.say(`${name} is added. ${howMany(explorer)}`);
  if (state.curves.length >= MOST_CURVES) focusOn(state.about ?? state.curves.length - 1);
}

const howMany = ({ state: { curves } }: Explorer): string =>
  curves.length === 1 ? "There is 1 curve." : `There are ${curves.length} curves.`;

/** Puts the focus on a curve, or the last if there are fewer, when the page is drawn. */
function focusOn(at: number): void {
  requestAnimationFrame(() => {
    const names = document.querySelectorAll<HTMLElement>(".curve-name");
    (names[Math.min(at, names.length - 1)] ?? document.getElementById("new-curve"))?.focus();
  });
}

function adder(explorer: Explorer): TemplateResult {
  const { state } = explorer;
  const full = state.curves.length >= MOST_CURVES;
  return html`<form
    class="adder"
    @submit=${(event: Event) => {
      event.preventDefault();
      const kind = (event.target as HTMLFormElement).querySelector("select")!.value as KindName;
      const one = curve(kind, freshTone(state.curves));
      add(explorer, added(state, one), nameOf(one), "add");
    }}
  >
    <label class="hidden" for="new-curve">Another curve</label>
    <select class="input" id="new-curve" ?disabled=${full}>
      ${kindOptions()}
    </select>
    <button class="button button-quiet" type="submit" ?disabled=${full}>Add</button>
    ${full ? html`<p class="small soft">More than ${MOST_CURVES} curves cannot be told apart.</p>` : nothing}
  </form>`;
}
