import { html, nothing, type TemplateResult } from "lit";

import { count, percent, readable } from "../../chart/numbers.ts";
import type { Result } from "../state.ts";

/** What the data holder may look at and must not publish: computed from the rows, with no noise. */
export function privateFence(result: Result): TemplateResult {
  const { diagnostics: d, tally, release } = result;
  const { positive, negative } = release.schema.label;
  const yes = `“${positive[0] ?? ""}”`;
  const no = `“${negative[0] ?? ""}”`;
  const clamped = tally.features.filter((f) => f.clamped > 0);
  const unknown = tally.features.filter((f) => f.unknown > 0);
  return html`<section class="fence" aria-labelledby="fence-title">
    <h3 id="fence-title">For your eyes only</h3>
    <p class="small">These numbers come straight from the rows, with no noise. They are not in the release, and the guarantee does not allow for them.</p>
    <dl class="figures">
      <div>
        <dt>Right on your rows</dt>
        <dd>${percent(d.accuracy)}</dd>
      </div>
      <div>
        <dt>Always the same answer</dt>
        <dd>${percent(d.baseline)}</dd>
      </div>
      <div>
        <dt>Rows used</dt>
        <dd>${count(d.rows)}</dd>
      </div>
      <div>
        <dt>Rows left out</dt>
        <dd>${count(tally.dropped)}</dd>
      </div>
    </dl>
    <table class="plain">
      <caption>
        Rows by what is in the file and what the model says
      </caption>
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="number">model: ${yes}</th>
          <th scope="col" class="number">model: ${no}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">in the file: ${yes}</th>
          <td class="number">${count(d.confusion.truePositive)}</td>
          <td class="number">${count(d.confusion.falseNegative)}</td>
        </tr>
        <tr>
          <th scope="row">in the file: ${no}</th>
          <td class="number">${count(d.confusion.falsePositive)}</td>
          <td class="number">${count(d.confusion.trueNegative)}</td>
        </tr>
      </tbody>
    </table>
    ${
      clamped.length + unknown.length > 0
        ? html`<p class="small">
            ${clamped.length > 0 ? `Moved to a bound: ${clamped.map((f) => `${f.name} (${count(f.clamped)})`).join(", ")}. ` : nothing}
            ${unknown.length > 0 ? `Not among the categories: ${unknown.map((f) => `${f.name} (${count(f.unknown)})`).join(", ")}.` : nothing}
          </p>`
        : nothing
    }
    <p class="small soft">
      Solved in ${d.iterations} rounds to a certified ${readable(d.gradientNorm)}, where ${readable(d.tau)} was allowed. ${count(Math.round(d.milliseconds))} milliseconds.
    </p>
  </section>`;
}
