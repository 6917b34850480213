import { ticks } from "d3-array";
import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { count, readable } from "../../../../chart/numbers.ts";
import type { Signal } from "../../../../client/types.ts";
import { textField } from "../../../shell/field.ts";
import type { LabelKind } from "../../draft/draft.ts";
import type { Way } from "../../state/choices.ts";
import { ableAs } from "../../state/state.ts";
import { outlookNotice } from "./outlook.ts";
import { wayWords } from "../../state/way-words.ts";
import { fitMethods } from "../../../../client/wire/methods.ts";
import {
  checkRarer,
  checkRecords,
  type AccuracyState,
  type Loss,
  lossAt,
  losses,
  rangeOf,
  type Run,
  triedSizes,
} from "../../state/expected-accuracy.ts";

export interface PanelOptions {
  readonly accuracy: AccuracyState;
  /** The columns are described, wholly and rightly. */
  readonly described: boolean;
  /** The chosen one, where there is one. */
  readonly epsilon: number | undefined;
  /** The way that is chosen, of which the trials are. */
  readonly way: Way | "usual";
  readonly kind: LabelKind;
  readonly change: (change: Partial<Pick<AccuracyState, "records" | "rarer">>) => void;
}

/** What a choice of ε costs in accuracy, before it is made: from made-up rows. */
export function panel(options: PanelOptions): TemplateResult {
  const { accuracy, way } = options;
  const { errors } = checkRecords(accuracy.records);
  const needed = way !== "usual" && way !== "chooseLambda" && fitMethods[ableAs(way)].records;
  const named = way === "usual" ? "" : wayWords[way].title;
  return html`<h3 id="expectation-title">What that costs in accuracy, about</h3>
    ${textField({
      key: "records",
      label: "About how many rows?",
      hint: needed
        ? `What is publicly known, or a guess; “${named}”, the method chosen in step 4, needs it. The page does not count your file for this.`
        : `What is publicly known, or a guess; one digit will do. ${named ? "" : "The method depends on it. "}Left empty, three sizes stand beside each other. The page does not count your file for this.`,
      value: accuracy.records,
      short: true,
      numeric: true,
      error: accuracy.records.trim() === "" && !needed ? undefined : errors[0]?.message,
      input: (records) => options.change({ records }),
    })}
    ${
      options.kind === "two"
        ? textField({
            key: "rarer",
            label: "About what share is in the rarer class?",
            hint: "If it is public. Left empty: half. No fit depends on it.",
            value: accuracy.rarer,
            short: true,
            numeric: true,
            error:
              checkRarer(accuracy.rarer) === null
                ? "Enter a share above 0 and at most 50 %, such as 8 % or 0.08, or leave it empty."
                : undefined,
            input: (rarer) => options.change({ rarer }),
          })
        : nothing
    }
    ${accuracy.problem ? html`<p class="soft">The page cannot try it out beforehand: ${accuracy.problem.message}</p>` : answer(options)}
    <p class="small soft">
      These figures come from fits of made-up rows that your description allows, with privacy and
      without. Your rows take no part, so this costs nothing of the budget. It is only a guide:
      nobody knows before the fit how much your columns really
      tell.${named && ` They are fits by the method chosen in step 4, “${named}”.`}
    </p>`;
}

const telling: Record<Signal, string> = {
  strong: "tell a lot",
  medium: "tell something",
  weak: "tell little",
};
const order: readonly Signal[] = ["weak", "medium", "strong"];

interface Curve {
  readonly signal: Signal;
  readonly losses: readonly (Loss | null)[];
}

function answer(options: PanelOptions): TemplateResult {
  const { accuracy, described, epsilon, way } = options;
  const asked = triedSizes(accuracy.records);
  if (asked.length === 0 || epsilon === undefined)
    return html`<p class="soft expectation-wait">Waiting for the number of rows and ε.</p>`;
  if (!described)
    return html`<p class="soft expectation-wait">
      Waiting for a whole description of the columns, in step 2.
    </p>`;
  const { runs } = accuracy;
  const fits =
    accuracy.way === way &&
    runs.length === asked.length &&
    runs.every(({ records }, i) => records === asked[i]);
  if (!fits || runs.some(({ trials }) => trials.medium.length === 0))
    return html`<p class="soft expectation-wait">Trying it out on made-up rows…</p>`;
  return runs.length > 1 ? beside(options, epsilon) : alone(options, runs[0]!, epsilon);
}

const against = (kind: LabelKind): string =>
  `${kind === "numeric" ? "the share of the variance that is explained" : "accuracy"}, against a fit without privacy`;

/** Some numbers of rows beside each other, at the chosen ε. */
function beside({ accuracy, kind }: PanelOptions, epsilon: number): TemplateResult {
  const at = (run: Run, signal: Signal) =>
    lossAt(accuracy.epsilons, losses(accuracy, run, signal), epsilon);
  const { runs } = accuracy;
  const says = runs.map(
    (run) => html`<strong>${short(at(run, "medium")!.mean)}</strong> with ${count(run.records)}`,
  );
  return html`<p class="expectation-says">
      The number of rows matters most. At ε = ${readable(epsilon)} expect to lose about
      ${says.flatMap((s, i) => (i === 0 ? [s] : [i === says.length - 1 ? " and " : ", ", s]))} rows,
      in points of 100 of ${against(kind)}.
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="Points lost with so many rows">
      <table class="plain comparison expectation-sizes">
        <caption>
          Points lost out of 100 at ε = ${readable(epsilon)}: the mean of made-up rows, and the
          range to expect, for real rows vary more
        </caption>
        ${heads(html`<td rowspan="2"></td>`)}
        <tbody>
          ${runs.map((run) => {
            const lost = order.map((signal) => at(run, signal));
            return html`<tr>
              <th scope="row">${count(run.records)} rows</th>
              ${lost.map((loss) => mean(loss))} ${range(lost)}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** Heads of columns, after the first: a loss by how much the columns tell, and the range. */
function heads(first: TemplateResult): TemplateResult {
  return html`<thead>
    <tr>
      ${first}
      <th scope="colgroup" colspan="3" class="number">if the columns</th>
      <th scope="col" rowspan="2" class="number">range</th>
    </tr>
    <tr>
      ${order.map((signal) => html`<th scope="col" class="number">${telling[signal]}</th>`)}
    </tr>
  </thead>`;
}

/** One number of rows, at every ε. */
function alone({ accuracy, kind }: PanelOptions, run: Run, epsilon: number): TemplateResult {
  const { epsilons } = accuracy;
  const curves: Curve[] = order.map((signal) => ({
    signal,
    losses: losses(accuracy, run, signal),
  }));
  const lost = curves.map(({ losses }) => lossAt(epsilons, losses, epsilon));
  const expected = rangeOf(lost);
  return html`<p class="expectation-says">
      At ε = ${readable(epsilon)}, with ${count(run.records)} rows, expect to lose
      <strong>about ${points(lost[order.indexOf("medium")]!.mean)}</strong> of 100 in
      ${against(kind)}${expected ? html`: ${fromTo(expected)}, by luck, by how much the columns tell, and because real rows vary more than made-up ones` : ""}.
    </p>
    ${outlookNotice(accuracy, run, epsilon, kind)} ${chart(epsilons, curves, epsilon)}
    <details class="disclosure">
      <summary>The same as a table</summary>
      <div class="scroll" tabindex="0" role="group" aria-label="Points lost at each ε">
        <table class="plain comparison loss-table">
          <caption>
            Points lost out of 100: the mean of made-up rows, and the range to expect, for real rows
            vary more
          </caption>
          ${heads(html`<th scope="col" rowspan="2">ε</th>`)}
          <tbody>
            ${epsilons.map(
              (epsilon, i) =>
                html`<tr>
                  <th scope="row">${readable(epsilon)}</th>
                  ${curves.map(({ losses }) => mean(losses[i]))}
                  ${range(curves.map(({ losses }) => losses[i]))}
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

function fromTo([low, high]: readonly [number, number]): string {
  return `${short(low)} to ${short(high)}`;
}

/** Cells of a row: what made-up rows of one strength lose, and what is to be expected. */
function mean(loss: Loss | null | undefined): TemplateResult {
  return html`<td class="number">${loss ? short(loss.mean) : "–"}</td>`;
}

function range(lost: readonly (Loss | null | undefined)[]): TemplateResult {
  const expected = rangeOf(lost);
  return html`<td class="number">${expected ? fromTo(expected) : "–"}</td>`;
}

/**
 * Loss against ε, on a logarithmic scale. Lines are drawn in units of the box, which stretches with
 * the page; words stand beside it in their own size. The table and the sentence say the same, so it
 * is hidden from readers of the page's text.
 */
function chart(
  epsilons: readonly number[],
  curves: readonly Curve[],
  chosen: number,
): TemplateResult {
  const ranges = epsilons.map((_, i) => rangeOf(curves.map(({ losses }) => losses[i])));
  const means = curves.flatMap(({ losses }) => losses.map((loss) => loss?.mean ?? 0));
  const top = Math.max(2, ...means, ...ranges.map((range) => range?.[1] ?? 0)) * 1.05;
  const [first, last] = [Math.log(epsilons[0]!), Math.log(epsilons.at(-1)!)];
  const x = (epsilon: number) => (100 * (Math.log(epsilon) - first)) / (last - first);
  const y = (lost: number) => 100 * (1 - lost / top);
  const line = (lost: readonly (number | undefined)[]) =>
    epsilons.flatMap((e, i) =>
      lost[i] === undefined ? [] : [`${x(e).toFixed(2)},${y(lost[i]).toFixed(2)}`],
    );
  const edge = (of: 0 | 1) => line(ranges.map((range) => range?.[of]));
  const marks = ticks(0, top, 4);
  return html`<figure class="loss-chart" aria-hidden="true">
    <p class="loss-unit small soft">points lost</p>
    <div class="loss-plot">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        ${marks.map((mark) => svg`<line class="loss-rule" x1="0" x2="100" y1=${y(mark)} y2=${y(mark)} />`)}
        <polygon class="loss-band" points=${[...edge(1), ...edge(0).reverse()].join(" ")} />
        <line class="loss-chosen" x1=${x(chosen)} x2=${x(chosen)} y1="0" y2="100" />
        ${curves.map(({ signal, losses }) => svg`<polyline class="loss-line loss-${signal}" points=${line(losses.map((loss) => loss?.mean)).join(" ")} />`)}
      </svg>
      ${marks.map((mark) => html`<span class="loss-y" style="top:${y(mark)}%">${mark}</span>`)}
      ${epsilons.map((e) => html`<span class="loss-x" style="left:${x(e)}%">${readable(e)}</span>`)}
    </div>
    <p class="loss-unit loss-below small soft">
      ε, on a logarithmic scale; the upright line is your choice
    </p>
    <figcaption class="loss-legend small">
      ${curves.map(
        ({ signal }) =>
          html`<span
            ><svg viewBox="0 0 24 6" class="loss-key">
              <line class="loss-line loss-${signal}" x1="0" x2="24" y1="3" y2="3" />
            </svg>
            columns that ${telling[signal]}</span
          >`,
      )}
      <span
        ><svg viewBox="0 0 24 6" class="loss-key">
          <rect class="loss-band" width="24" height="6" />
        </svg>
        the range to expect</span
      >
    </figcaption>
  </figure>`;
}
