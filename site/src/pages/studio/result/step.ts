import { html, nothing, type TemplateResult } from "lit/html.js";

import { step } from "../../shell/step.ts";
import { sampleWords } from "../sample/samples.ts";
import { type Result, settingsKey, type State } from "../state/state.ts";
import { shownCard } from "../state/card.ts";
import type * as below from "./below.ts";
import type { Cards } from "./card/cards.ts";
import type * as cardResult from "./card/index.ts";
import type { Studio as ResultStudio } from "./studio.ts";

/** What the step uses of the studio. */
type Studio = ResultStudio & {
  readonly later: {
    readonly below: typeof below;
    readonly cardResult: typeof cardResult;
  } | null;
  readonly cards: Cards | null;
};

/**
 * Step 5, in the order in which it is asked: what the model found; a person to try; the promise and
 * what may be published, which stand beside them where there is room; how well it fits, for the
 * holder alone; and the rest, folded.
 */
export function resultStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const { result } = state;
  const card = shownCard(state);
  return step({
    id: "result",
    number: "5",
    title: "Result",
    body: card
      ? html`${switcher(studio)}
        ${studio.cards && studio.later?.cardResult.cardResult(studio.cards, state, card, studio.afterFit?.ofCard(card))}`
      : result
        ? html`${switcher(studio)}
          ${state.results.length < 2 ? nothing : studio.later?.publish.modelsTable(state, (number) => studio.models.show(number))}
          ${finished(studio, result)}`
        : html`<p class="file file-empty">The model appears here when it has been fitted.</p>`,
  });
}

/** What else was made in this visit, where there are cards among it. */
function switcher({ state, cards, models }: Studio): TemplateResult | typeof nothing {
  const { results, card } = state;
  if (card.results.length === 0 || results.length + card.results.length < 2) return nothing;
  const shown = shownCard(state);
  const made = [
    ...card.results.map((one) => ({
      name: `Scorecard ${one.number}`,
      here: one === shown,
      show: () => cards?.show(one.number),
    })),
    ...results.map((one) => ({
      name: `Model ${one.number}`,
      here: !shown && one === state.result,
      show: () => models.show(one.number),
    })),
  ];
  return html`<p class="actions made" role="group" aria-label="Made in this visit">
    ${made.map(
      ({ name, here, show }) =>
        html`<button
          class="button button-quiet"
          type="button"
          aria-pressed=${here ? "true" : "false"}
          @click=${show}
        >
          ${name}
        </button>`,
    )}
  </p>`;
}

function finished(studio: Studio, result: Result): TemplateResult | typeof nothing {
  const { release } = result;
  const { fresh } = studio.state;
  const below = studio.later?.below;
  if (!below) return nothing; // nothing is fitted before it is there
  return html`
    ${stale(studio.state, result)}
    <div class="result-grid">
      <section class="result-found" aria-labelledby="found-title">
        <h3 id="found-title">What the model found</h3>
        ${below.findings(studio.state, studio.models, release, result.differences)}
      </section>
      ${fresh ? nothing : below.prediction(studio, result)}
      <div class="result-side">${below.promise(result)} ${below.publishPanel(studio, result)}</div>
    </div>
    ${fresh ? nothing : html`${studio.afterFit?.fence(result)} ${below.beneath(studio, result)}`}
  `;
}

function stale(state: State, result: Result): TemplateResult | typeof nothing {
  if (result.key === settingsKey(state)) return nothing;
  if (!result.key) {
    return html`<div class="notice notice-plain" id="from-ledger">
      <p>
        This is an earlier purchase, taken from the ledger at no cost. How well it did on your rows
        was not kept.
      </p>
    </div>`;
  }
  const { sample, names } = result.source;
  const from = sample ? sampleWords(sample) : names.join(", ");
  return html`<div class="notice notice-warn">
    <p>
      Settings above were changed after this model was made from ${from}. This is still the model as
      it was fitted.
    </p>
  </div>`;
}
