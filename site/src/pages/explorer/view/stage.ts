// The plot with what belongs to it: the views, the axes, the read-out, the crossings, the numbers.

import { html, nothing, type TemplateResult } from "lit/html.js";
import { guard } from "lit/directives/guard.js";

import { pngFile, saveFile, svgFile } from "../../../chart/export.ts";
import { ledBy } from "../../../chart/keys.ts";
import { between } from "../../../curves/views.ts";
import { inWords, list } from "../crossings.ts";
import { type Drawing, reading, sentence, viewNames } from "../drawing.ts";
import type { Explorer } from "../explorer.ts";
import { parameters } from "../parameters.ts";
import { presets, remark } from "../presets.ts";
import { canSpan, farthest, type Scale, scales, sweepable, views, withView } from "../state.ts";
import { choice, numberField } from "./fields.ts";
import { csv, numbers } from "./table.ts";

export interface Seen {
  readonly drawing: Drawing | undefined;
  readonly stop: number;
  readonly size: { readonly width: number; readonly height: number };
}

export function stage(explorer: Explorer, seen: Seen, before: Node | undefined): TemplateResult {
  const { state, picture } = explorer;
  const { drawing } = seen;
  const preset = presets.find(({ id }) => id === state.preset);
  const said = preset && remark(state, preset);
  return html`<section class="stage" aria-labelledby="stage-title">
    <h2 class="stage-title" id="stage-title">
      ${preset?.title ?? "A comparison of your own"}${said ? html` <span class="tag">${said}</span>` : nothing}
    </h2>
    ${switcher(explorer)}
    ${explorer.failure ? html`<p class="notice notice-bad" role="alert">${explorer.failure}</p>` : nothing}
    ${picture && drawing ? plotArea(explorer, seen, drawing) : waiting(explorer, before)}
    ${axes(explorer)}
  </section>`;
}

/** What the plot says, in words and numbers. */
export function after(explorer: Explorer, { drawing }: Seen): TemplateResult {
  const { picture } = explorer;
  const { outdated } = explorer;
  return html`<div class=${outdated ? "after outdated" : "after"} aria-busy=${outdated}>
    ${picture && drawing ? html`<p class="says" id="says">${sentence(picture, drawing)}</p>` : nothing}
    ${crossed(explorer, drawing)} ${picture && drawing ? foot(explorer, drawing) : nothing}
  </div>`;
}

const waiting = (explorer: Explorer, before: Node | undefined): TemplateResult | typeof nothing =>
  explorer.failure
    ? nothing
    : html`<div class="plot plot-waiting">
        ${before ?? nothing}
        <p class="wait hidden" role="status">Computing the curves…</p>
      </div>`;

function switcher(explorer: Explorer): TemplateResult {
  const { state } = explorer;
  const none = sweepable(state).length === 0;
  return html`<div class="switch" role="group" aria-label="What is drawn">
    ${views.map((view) => {
      const off = none && view === "sweep";
      return html`<button
        type="button"
        aria-pressed=${view === state.view ? "true" : "false"}
        aria-disabled=${off ? "true" : nothing}
        aria-describedby=${off ? "no-sweep" : nothing}
        title=${viewNames[view].long}
        @click=${() => {
          if (off) return;
          explorer.cursor = -1;
          explorer.change(withView(state, view), "view");
        }}
      >
        ${viewNames[view].short}
      </button>`;
    })}
    <span class="working" role="status"
      >${explorer.picture?.settled && explorer.picture.state === state ? nothing : explorer.failure ? nothing : "certifying…"}</span
    >
    ${none ? html`<p class="soft small" id="no-sweep">“Parameter” needs a curve that follows a shared parameter, and none here does.</p>` : nothing}
  </div>`;
}

function plotArea(explorer: Explorer, { stop, size }: Seen, drawing: Drawing): TemplateResult {
  const picture = explorer.picture!;
  const spoken = picture.lines
    .map(({ at, name, problem }) => {
      const line = explorer.lineOf(at);
      return `${name}, ${drawing.names.y} ${problem ? "none" : line ? reading(line, drawing, stop) : "…"}`;
    })
    .join("; ");
  return html`<div
    class=${explorer.outdated ? "plot outdated" : "plot"}
    id="plot"
    role="slider"
    tabindex="0"
    aria-label=${`Read the plot: ${viewNames[picture.state.view].long}`}
    aria-valuemin="0"
    aria-valuemax=${Math.max(0, drawing.stops.length - 1)}
    aria-valuenow=${stop}
    aria-valuetext=${`${drawing.at(stop)}: ${spoken}`}
    @keydown=${(event: KeyboardEvent) => pressed(explorer, drawing, event)}
  >
    <svg
      class="drawing"
      viewBox="0 0 ${size.width} ${size.height}"
      width=${size.width}
      height=${size.height}
      aria-hidden="true"
    ></svg>
  </div>`;
}

function pressed(explorer: Explorer, drawing: Drawing, event: KeyboardEvent): void {
  const last = drawing.stops.length - 1;
  const stop = explorer.cursor < 0 ? drawing.home : Math.min(explorer.cursor, last);
  const place = ledBy(event, stop, last);
  if (place === undefined) return;
  explorer.cursor = place;
  event.preventDefault();
  explorer.touch();
}

const scaleNames: Readonly<Record<Scale, string>> = {
  auto: "chosen",
  linear: "linear",
  log: "logarithmic",
};

function axes(explorer: Explorer): TemplateResult {
  const { state } = explorer;
  const options = scales.map((one) => [one, scaleNames[one]] as const);
  const spans =
    state.view === "tradeoff"
      ? undefined
      : state.view === "rdp"
        ? "α"
        : state.view === "sweep"
          ? parameters[state.over].symbol
          : "ε";
  const end = (i: 0 | 1, value: number | null): void => {
    const [from, to] = state.span ?? [state.view === "rdp" ? 1.05 : 0, 0];
    const next: [number, number] = i === 0 ? [value ?? 0, to] : [from, value ?? 0];
    explorer.change(
      {
        ...state,
        span: value === null && (i === 1 || next[1] === 0) ? null : next[1] > next[0] ? next : null,
      },
      `span ${i}`,
    );
  };
  return html`<details class="axes">
    <summary>Axes</summary>
    <div class="axes-fields">
      ${
        state.view === "sweep"
          ? choice({
              id: "axis-over",
              label: "Against",
              value: state.over,
              options: [...new Set([...sweepable(state), state.over])].map(
                (name) => [name, parameters[name].label] as const,
              ),
              set: (over) => explorer.change({ ...state, over, span: null }, "over"),
            })
          : nothing
      }
      ${numberField(explorer, {
        id: "axis-delta",
        label: "δ that is read off",
        value: state.delta,
        check: (value) =>
          value >= 1e-30 && value < 1 ? undefined : "δ must lie between 1e-30 and 1.",
        set: (value) => value !== null && explorer.change({ ...state, delta: value }, "delta"),
      })}
      ${
        spans === undefined
          ? nothing
          : html`${numberField(explorer, { id: "axis-from", label: `${spans} from`, value: state.span?.[0] ?? null, empty: "chosen", check: (value) => ((state.span ? canSpan(value, state.span[1]) : value >= 0) ? undefined : state.span ? apart(value, "below", state.span[1]) : "It cannot be negative."), set: (value) => end(0, value) })}
            ${numberField(explorer, { id: "axis-to", label: `${spans} to`, value: state.span?.[1] ?? null, empty: "chosen", check: (value) => (canSpan(state.span?.[0] ?? 0, value) ? undefined : apart(value, "above", state.span?.[0] ?? 0)), set: (value) => end(1, value) })}`
      }
      ${
        state.view === "delta" || state.view === "epsilon"
          ? numberField(explorer, {
              id: "axis-low",
              label: "δ down to 10 to the",
              value: state.low,
              empty: "chosen",
              check: (value) =>
                Number.isInteger(value) && value >= -100 && value <= -1
                  ? undefined
                  : "Write a whole number from −100 to −1.",
              set: (value) => explorer.change({ ...state, low: value }, "low"),
            })
          : nothing
      }
      ${state.view === "epsilon" ? nothing : choice({ id: "axis-x", label: "Axis across", value: state.x, options, set: (x) => explorer.change({ ...state, x }, "x") })}
      ${state.view === "tradeoff" ? nothing : choice({ id: "axis-y", label: "Axis upwards", value: state.y, options, set: (y) => explorer.change({ ...state, y }, "y") })}
    </div>
  </details>`;
}

/** What is wrong with an end of an axis. The other is `end`. */
export function apart(value: number, side: "below" | "above", end: number): string {
  if (value < 0) return "It cannot be negative.";
  const [from, to] = side === "below" ? [value, end] : [end, value];
  if (from >= to) return `It must lie ${side} ${end}.`;
  if (to > farthest) return "It can be 1e12 at most.";
  return `The two ends must lie far enough apart: it is too close to ${end}.`;
}

function crossed(
  explorer: Explorer,
  drawing: Drawing | undefined,
): TemplateResult | typeof nothing {
  const { picture } = explorer;
  if (!picture || !drawing || picture.lines.filter((line) => !line.problem).length < 2)
    return nothing;
  const { places } = picture;
  const body =
    places === undefined
      ? html`<p class="soft">${picture.settled ? "Looking for crossings…" : "…"}</p>`
      : places.length === 0
        ? html`<p>No two of the certified lines cross here.</p>`
        : html`<ol>
            ${places.map((one) => {
              const { quantity, text } = drawing.crossing(one);
              const names = (lines: typeof one.lower) => lines.map(({ name }) => name);
              if (one.kind === "meet" && one.lower.some(({ floor }) => floor))
                return html`<li>
                  From ${quantity} = ${text} on, ${listed(names(one.upper))} on the floor: no proof
                  can do better.
                </li>`;
              return html`<li>
                ${inWords(one.kind, names(one.lower), names(one.upper), quantity, text)}
              </li>`;
            })}
          </ol>`;
  return html`<div class="crossings" id="crossings">
    <h3>Where they cross</h3>
    ${body}
  </div>`;
}

const listed = (names: readonly string[]): string =>
  `${list(names)} ${names.length === 1 ? "lies" : "lie"}`;

function foot(explorer: Explorer, drawing: Drawing): TemplateResult {
  const picture = explorer.picture!;
  const save = async (kind: string) => {
    const svg = document.querySelector<SVGSVGElement>("#plot svg.drawing");
    if (!svg) return;
    const name = `privacy-curves.${kind}`;
    const below = between(picture.state.shared.adjacency);
    if (kind === "csv") saveFile(name, new Blob([csv(picture, drawing)], { type: "text/csv" }));
    else if (kind === "svg")
      saveFile(
        name,
        new Blob([svgFile(svg, sentence(picture, drawing), below)], { type: "image/svg+xml" }),
      );
    else saveFile(name, await pngFile(svg, below));
    explorer.say(`${kind.toUpperCase()} saved.`);
  };
  return html`<div class="stage-foot">
    <details>
      <summary>Numbers as a table</summary>
      ${guard([drawing], () => numbers(picture, drawing))}
    </details>
    <p>
      Save
      ${["svg", "png", "csv"].map((kind) => html`<button type="button" class="link" aria-label=${`Save as ${kind.toUpperCase()}`} @click=${() => void save(kind)}>${kind.toUpperCase()}</button> `)}
    </p>
  </div>`;
}
