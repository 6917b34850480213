import { ticks } from "d3-array";
import type { TemplateResult } from "lit";

import type { FitMethod, Signal } from "../client/types.ts";
import type { textField } from "../studio/view/field.ts";
import { names } from "./methods.ts";
import { checkRecords, type ExpectationState, type Loss, lossAt, losses } from "./state.ts";

/** What the page has already: this is fetched apart, and would hold it twice. */
export interface Tools {
  readonly html: typeof import("lit").html;
  readonly svg: typeof import("lit").svg;
  readonly textField: typeof textField;
  readonly readable: (x: number) => string;
  readonly count: (n: number) => string;
}

export interface PanelOptions {
  readonly expectation: ExpectationState;
  /** The columns are described, wholly and rightly. */
  readonly described: boolean;
  /** The chosen one, where there is one. */
  readonly epsilon: number | undefined;
  /** The way that is planned, of which the trials are. */
  readonly way: FitMethod;
  /** The label is a number. */
  readonly numeric: boolean;
  readonly changeRecords: (records: string) => void;
}

/** What a choice of ε costs in accuracy, before it is made: from made-up rows. */
export function panel(tools: Tools, options: PanelOptions): TemplateResult {
  const { html, textField } = tools;
  const { expectation } = options;
  const { errors } = checkRecords(expectation.records);
  return html`<h3 id="expectation-title">What that costs in accuracy, about</h3>
    ${textField({
      key: "records",
      label: "About how many rows?",
      hint: "What is publicly known, or a guess; the order of magnitude will do. The page does not count your file for this.",
      value: expectation.records,
      short: true,
      numeric: true,
      error: errors[0]?.message,
      input: options.changeRecords,
    })}
    ${expectation.problem ? html`<p class="soft">It cannot be tried out beforehand: ${expectation.problem.message}</p>` : answer(tools, options)}
    <p class="small soft">
      From fits of made-up rows that your description allows, with privacy and without. Your rows take no part, so this costs nothing of the budget and cannot be
      more than a guide: how much your columns really tell is not known before the fit.${options.way === "amp" ? "" : ` They are fits in the way that is chosen in step 4, “${names[options.way]}”.`}
    </p>`;
}

const telling: Record<Signal, string> = { strong: "tell a lot", medium: "tell something", weak: "tell little" };
const order: readonly Signal[] = ["weak", "medium", "strong"];

interface Curve {
  readonly signal: Signal;
  readonly losses: readonly (Loss | null)[];
}

function answer(tools: Tools, { expectation, described, epsilon, numeric, way }: PanelOptions): TemplateResult {
  const { html, readable, count } = tools;
  const { epsilons } = expectation;
  const { records } = checkRecords(expectation.records);
  const curves: Curve[] = order.map((signal) => ({ signal, losses: losses(expectation, signal) }));
  const [weak, medium, strong] = epsilon === undefined ? [] : curves.map(({ losses }) => lossAt(epsilons, losses, epsilon));
  if (records === null || epsilon === undefined) return html`<p class="soft expectation-wait">Waiting for the number of rows and ε.</p>`;
  if (!described) return html`<p class="soft expectation-wait">Waiting for a whole description of the columns, in step 2.</p>`;
  if (!medium || expectation.way !== way) return html`<p class="soft expectation-wait">Trying it out on made-up rows…</p>`;
  const known = [weak, medium, strong].filter((loss) => loss != null);
  const low = Math.min(...known.map((loss) => loss.low));
  const high = Math.max(...known.map((loss) => loss.high));
  return html`<p class="expectation-says">
      At ε = ${readable(epsilon)}, with ${count(records)} rows, expect to lose <strong>about ${points(medium.mean)}</strong> of 100 in
      ${numeric ? "the share of the variance that is explained" : "accuracy"}, against a fit without privacy${known.length === 3 ? html`: ${range(low, high)}, by luck and by how much the columns tell` : ""}.
    </p>
    ${chart(tools, epsilons, curves, epsilon)}
    <details class="disclosure">
      <summary>The same as a table</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="Points lost at each ε">
        <table class="plain">
          <caption>Points lost out of 100: the mean, and where the middle four fifths of the trials lie</caption>
          <thead>
            <tr><th scope="col">ε</th>${curves.map(({ signal }) => html`<th scope="col">Columns that ${telling[signal]}</th>`)}</tr>
          </thead>
          <tbody>
            ${epsilons.map(
              (epsilon, i) => html`<tr>
                <th scope="row">${readable(epsilon)}</th>
                ${curves.map(({ losses }) => html`<td class="number">${cell(losses[i])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
}

/** "1.2 points", to what the trials can tell. */
function points(x: number): string {
  const text = short(x);
  return `${text} ${text === "1" ? "point" : "points"}`;
}

function short(x: number): string {
  return x < 0.05 ? "0" : x < 9.95 ? String(Number(x.toFixed(1))) : String(Math.round(x));
}

function range(low: number, high: number): string {
  return short(low) === short(high) ? short(high) : `${short(low)} to ${short(high)}`;
}

function cell(loss: Loss | null | undefined): string {
  return loss ? `${short(loss.mean)} (${range(loss.low, loss.high)})` : "–";
}

/**
 * Loss against ε, on a logarithmic scale. Lines are drawn in units of the box, which stretches with the page; words stand beside it in their own size. The
 * table and the sentence say the same, so it is hidden from readers of the page's text.
 */
function chart({ html, svg, readable }: Tools, epsilons: readonly number[], curves: readonly Curve[], chosen: number): TemplateResult {
  const known = curves.flatMap(({ losses }) => losses.filter((loss) => loss !== null));
  const top = Math.max(2, ...known.map((loss) => loss.high)) * 1.05;
  const [first, last] = [Math.log(epsilons[0]!), Math.log(epsilons.at(-1)!)];
  const x = (epsilon: number) => (100 * (Math.log(epsilon) - first)) / (last - first);
  const y = (lost: number) => 100 * (1 - lost / top);
  const line = (losses: Curve["losses"], of: keyof Loss) => epsilons.flatMap((e, i) => (losses[i] ? [`${x(e).toFixed(2)},${y(losses[i][of]).toFixed(2)}`] : []));
  const band = curves.find((c) => c.signal === "medium")!.losses;
  const marks = ticks(0, top, 4);
  return html`<figure class="loss-chart" aria-hidden="true">
    <p class="loss-unit small soft">points lost</p>
    <div class="loss-plot">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        ${marks.map((mark) => svg`<line class="loss-rule" x1="0" x2="100" y1=${y(mark)} y2=${y(mark)} />`)}
        <polygon class="loss-band" points=${[...line(band, "high"), ...line(band, "low").reverse()].join(" ")} />
        <line class="loss-chosen" x1=${x(chosen)} x2=${x(chosen)} y1="0" y2="100" />
        ${curves.map(({ signal, losses }) => svg`<polyline class="loss-line loss-${signal}" points=${line(losses, "mean").join(" ")} />`)}
      </svg>
      ${marks.map((mark) => html`<span class="loss-y" style="top:${y(mark)}%">${mark}</span>`)}
      ${epsilons.map((e) => html`<span class="loss-x" style="left:${x(e)}%">${readable(e)}</span>`)}
    </div>
    <p class="loss-unit loss-below small soft">ε, on a logarithmic scale; the upright line is your choice</p>
    <figcaption class="loss-legend small">
      ${curves.map(({ signal }) => html`<span><svg viewBox="0 0 24 6" class="loss-key"><line class="loss-line loss-${signal}" x1="0" x2="24" y1="3" y2="3" /></svg> columns that ${telling[signal]}</span>`)}
      <span><svg viewBox="0 0 24 6" class="loss-key"><rect class="loss-band" width="24" height="6" /></svg> four trials in five, of the middle line</span>
    </figcaption>
  </figure>`;
}
