import { html, type TemplateResult } from "lit/html.js";

import { count, readable } from "../../../../chart/numbers.ts";
import type { Signal } from "../../../../client/types.ts";
import {
  better,
  type Compared,
  compareTrials,
  gainOf,
  plainly,
  privately,
  type Spread,
  ways,
} from "../../state/compared.ts";
import { rowsChoose, type Way } from "../../state/choices.ts";
import { canTry } from "./obstacle.ts";
import { noTrials } from "../../state/expected-accuracy.ts";
import { wayWords } from "../../state/way-words.ts";

export interface ComparisonOptions {
  readonly compared: Compared | null;
  /** The way that will be taken, and the usual one. */
  readonly way: Way;
  readonly usual: Way;
  readonly numeric: boolean;
  readonly epsilon: number | undefined;
  readonly records: number | null;
}

const much: Readonly<Record<Signal, string>> = {
  weak: "little",
  medium: "something",
  strong: "a lot",
};
const order = ["weak", "medium", "strong"] as const;

/** What each method is expected to give, before one is chosen: from made-up rows. */
export function comparison(options: ComparisonOptions): TemplateResult {
  const { compared, way, usual, numeric, epsilon, records } = options;
  const shown = ways.filter((w) => compared?.trials[w] || compared?.takes[w] !== undefined);
  const tried = Math.min(
    ...shown.filter((w) => canTry(w)).map((w) => compared?.trials[w]?.strong.length ?? 0),
    compareTrials,
  );
  const body = () => {
    if (compared?.problem)
      return html`<p class="soft">
        They cannot be tried out beforehand: ${compared.problem.message}
      </p>`;
    if (records === null || epsilon === undefined || compared?.key === "")
      return html`<p class="soft">
        Waiting for ε and a number of rows in step 3, and for a whole description of the columns.
      </p>`;
    if (!compared || !compared.trials[usual])
      return html`<p class="soft">Trying them out on made-up rows…</p>`;
    const priced = Object.keys(compared.takes).length > 0;
    const cell = (s: Spread | null, trials: readonly unknown[], able = true) =>
      html`<td class="number">
        ${s ? html`${percent(s.mean)}${trials.length > 1 ? html`<span class="hint">${percent(s.low)} to ${percent(s.high)}</span>` : ""}` : able ? "…" : "–"}
      </td>`;
    return html`<p id="comparison-says">${verdict(options)}</p>
      <div
        class="scroll"
        role="region"
        tabindex="0"
        aria-label="What each method is expected to give"
      >
        <table class="plain comparison">
          <caption>
            ${numeric ? "Explained of 100 parts of the variance" : "Right out of 100"}, at ε =
            ${readable(epsilon)} with ${count(records)} rows
          </caption>
          <thead>
            <tr>
              <td rowspan="2"></td>
              <th scope="colgroup" colspan="3" class="number">if the columns tell</th>
              ${priced ? html`<th scope="col" rowspan="2" class="number">ε taken of the total</th>` : ""}
            </tr>
            <tr>
              ${order.map((signal) => html`<th scope="col" class="number">${much[signal]}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map((w) => {
              const trials = compared.trials[w] ?? noTrials;
              const takes = compared.takes[w];
              return html`<tr class=${w === way ? "release-shown" : ""}>
                <th scope="row">
                  ${wayWords[w].title}${w === way ? html`<span class="hint">chosen</span>` : ""}
                </th>
                ${order.map((signal) => cell(privately(trials[signal]), trials[signal], canTry(w)))}
                ${priced ? html`<td class="number">${takes === undefined ? "…" : takes === null ? "more than is left" : readable(takes)}</td>` : ""}
              </tr>`;
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Without privacy</th>
              ${order.map((signal) => cell(plainly(compared.trials[usual]![signal]), compared.trials[usual]![signal]))}
              ${priced ? html`<td></td>` : ""}
            </tr>
          </tfoot>
        </table>
      </div>
      <p class="small soft">
        The mean of ${tried <= 1 ? "one trial" : html`${tried} trials`} on made-up
        rows${tried < compareTrials ? " so far" : ""}; the small figures are where the middle four
        fifths of them lie. Real rows vary more, and real columns may tell in other ways. Your rows
        take no part, so to look at this and to choose by it costs
        nothing.${priced ? " What is taken of the total can be more than ε: the ledger adds up by a rule that holds whatever you choose to do next." : ""}
      </p>`;
  };
  return html`<section
    id="comparison"
    aria-label="Which is expected to do better"
    data-trials=${compared?.trials[usual] ? tried : 0}
  >
    <h3>Which is expected to do better</h3>
    ${body()} ${compared && choiceOffered(options) ? chosenByRows(options, compared) : ""}
  </section>`;
}

const choosing = ways.filter(rowsChoose);
const choiceOffered = ({ compared, epsilon }: ComparisonOptions): boolean =>
  epsilon !== undefined && choosing.some((w) => compared!.each[w] !== undefined);

/** What it costs to let the rows choose, beside the usual choice, which costs nothing to make. */
function chosenByRows({ usual, epsilon }: ComparisonOptions, compared: Compared): TemplateResult {
  const costs = choosing.flatMap((w) => {
    const each = compared.each[w];
    if (each === undefined) return [];
    const gain = gainOf(compared, w, usual);
    return [
      html`<li>
        “${wayWords[w].title}” leaves each fit
        <strong>ε = ${readable(each)} of the ${readable(epsilon!)}</strong> that is
        paid.${gain === null ? "" : html` On such made-up rows it predicts ${difference(gain)}.`}
      </li>`,
    ];
  });
  return html`<div id="choice-says">
    <h3>Or let the rows choose</h3>
    <p>
      Let the rows choose <strong>only if you have reason to doubt the usual choice</strong> for
      them and nothing public settles it: several noisy fits and a noisy score are paid for out of
      the same ε, so each fit has more noise.
    </p>
    <ul>
      ${costs}
    </ul>
    <p class="small soft">
      The usual choice looks at no row, so it costs nothing to make. Whichever is chosen, ε and δ of
      the whole are the same and are charged in full, and the release says how its model was chosen.
      In fewer than one time in 100 a choice by the rows comes to no model; it is charged all the
      same.
    </p>
  </div>`;
}

function difference(gain: number): string {
  const points = Math.abs(100 * gain).toFixed(1);
  return points === "0.0"
    ? "about as well as the usual choice"
    : `${gain > 0 ? "better" : "worse"} than the usual choice, by about ${points} out of 100`;
}

function verdict({ compared, usual }: ComparisonOptions): string {
  const best = better(compared!, usual);
  if (best === undefined) return "Trying them out on made-up rows…";
  if (best === null)
    return "On such made-up rows, no other method does clearly better than the usual choice.";
  return `On such made-up rows, “${wayWords[best.way].title}” does better than the usual choice, by about ${(100 * best.gain).toFixed(1)} out of 100.`;
}

const percent = (share: number): string => (100 * share).toFixed(1);
