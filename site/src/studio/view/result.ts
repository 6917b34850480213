import "../../elements/define.ts";

import { html, nothing, type TemplateResult } from "lit";

import { percentBound, readable } from "../../chart/numbers.ts";
import { type Language, languages } from "../../publish/languages.ts";
import { bestTruePositiveRateOn } from "../../chart/meaning.ts";
import { adjacencyWords } from "../ledger/words.ts";
import { type Result, settingsKey, type State } from "../state.ts";
import type { Studio } from "../studio.ts";
import { coefficients } from "./coefficients.ts";
import { afterwardsTools } from "./afterwards.ts";
import { privateFence } from "./private.ts";
import { prediction } from "./predict.ts";
import { releases } from "./releases.ts";
import { step } from "./step.ts";

/** Step 5: the model, what it cost, and what may be done with it. */
export function resultStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const { result } = state;
  return step({
    id: "result",
    number: "5",
    title: "Publish",
    body: result ? html`${releases(studio)} ${finished(studio, result)}` : html`<p class="file file-empty">The model appears here when it has been fitted.</p>`,
    note: html`<h3>Once published</h3>
      <p>
        Whatever is worked out from the release alone, such as predictions, pictures or a translation into another program, costs nothing more. The guarantee
        cannot be used up by readers.
      </p>`,
  });
}

function finished(studio: Studio, result: Result): TemplateResult {
  const { release } = result;
  const { guarantee } = release;
  return html`
    ${stale(studio.state, result)}
    <div class="verdict ${guarantee.covers ? "" : "verdict-partly"}">
      <p class="verdict-head">${guarantee.covers ? "The model is" : "Given its schema, the model is"} (ε = ${readable(guarantee.epsilon)}, δ = ${readable(guarantee.delta)})-differentially private</p>
      <p>
        Under ${adjacencyWords[guarantee.adjacency]}, by ${cite(guarantee.theorem)} ${attack(result)}
      </p>
      ${
        guarantee.covers
          ? html`<p>Everything it was told about the columns was declared public${release.schema.version === 3 ? ", or bought" : nothing}, so the guarantee covers the whole release.</p>`
          : html`<p><strong>It does not cover everything:</strong></p>
              <ul>
                ${guarantee.caveats.map((c) => html`<li>${c}</li>`)}
              </ul>`
      }
      <p class="actions">
        <button class="button button-main" type="button" @click=${() => studio.shelf.downloadRelease()}>Save the release</button>
        <span class="small soft">release.json: the model, its guarantee, and all that is needed to check it</span>
      </p>
    </div>
    ${publish(studio, result)} ${studio.state.fresh ? nothing : rest(studio, result)}
  `;
}

/** What comes below the first screen. */
function rest(studio: Studio, result: Result): TemplateResult {
  const { release } = result;
  const { guarantee } = release;
  return html`
    <h3>What was spent${result.series.length > 1 ? ", and what other proofs would say" : nothing}</h3>
    <p class="small">
      ${result.series.length > 1 ? "Every line prices the same noise. A lower line is a better guarantee." : "Every point of the line is a guarantee of this model."} ${
        result.series.length > 0 ? nothing : "The curves could not be worked out this time; the release is not affected."
      }
    </p>
    ${
      result.series.length > 0
        ? html`<curve-chart .series=${result.series} .promise=${{ epsilon: guarantee.epsilon, delta: guarantee.delta }}></curve-chart>`
        : nothing
    }
    ${studio.afterwards?.panels(afterwardsTools, studio, result)} ${coefficients(studio.state, studio.shelf, release)} ${prediction(studio, result)} ${privateFence(result)}
  `;
}

/** A citation as the end of a sentence. */
function cite(theorem: string): string {
  return /[.!?]$/.test(theorem) ? theorem : `${theorem}.`;
}

function attack(result: Result): TemplateResult | typeof nothing {
  const spent = result.series[0];
  if (!spent) return nothing;
  const caught = bestTruePositiveRateOn(0.01, spent.epsilon, spent.logDelta);
  return html`By the whole curve below, a test that wrongly accuses 1&nbsp;% of outsiders finds at most ${percentBound(caught)} of the people in the data.`;
}

function stale(state: State, result: Result): TemplateResult | typeof nothing {
  if (result.key === settingsKey(state)) return nothing;
  if (!result.key) {
    return html`<div class="notice notice-plain" id="from-ledger"><p>An earlier purchase, had again from the ledger for nothing. How it did on your rows was not kept.</p></div>`;
  }
  const from = result.source.kind === "sample" ? "the sample" : result.source.names.join(", ");
  return html`<div class="notice notice-warn">
    <p>Settings above were changed after this model was made from ${from}. What stands here is still the model as it was fitted.</p>
  </div>`;
}

function publish(studio: Studio, result: Result): TemplateResult {
  return html`<p class="actions">
      <button class="button" type="button" @click=${() => studio.shelf.downloadCard()}>Save a model card</button>
      <span class="small soft">a page about the model for its readers: the guarantee in one paragraph, the curve, the coefficients; prints on paper</span>
    </p>
    <p class="actions" role="group" aria-label="Save the model as a program">
      <span class="small">As a program:</span>
      ${(Object.keys(languages) as Language[]).map(
        (language) => html`<button class="button button-quiet" type="button" @click=${() => studio.shelf.downloadCode(language)}>${languages[language].name}</button>`,
      )}
      <span class="small soft">pure arithmetic, nothing to install</span>
    </p>
    <div class="publish">
    <div>
      <h3>You may publish</h3>
      <ul>
        <li>the release file, as it is: coefficients, schema, ε, δ, row length, noise and regulariser, the theorem, the version</li>
        <li>anything worked out from it, such as predictions and pictures</li>
        ${result.release.guarantee.covers ? nothing : html`<li>but with its caveats: the entries read from your data are in its schema, and not covered</li>`}
      </ul>
    </div>
    <div>
      <h3>Keep to yourself</h3>
      <ul>
        <li>the number of rows, in all and in each class</li>
        <li>accuracy on your rows, and everything in the fenced part below</li>
        <li>what the columns in the file really hold: lowest, highest, mean, the categories found</li>
        <li>which of several fits you preferred, and why</li>
      </ul>
    </div>
  </div>`;
}
