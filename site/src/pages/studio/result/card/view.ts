import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";

import { strength } from "../../../../chart/meaning.ts";
import { readableBound } from "../../../../chart/numbers.ts";
import { type Language, languages } from "../../../../scorecard/languages.ts";
import { points } from "../../../../scorecard/totals.ts";
import { promised } from "../../../release/meaning.ts";
import { howTo, pointsTable, totalsList } from "../../../release/scorecard.ts";
import { adjacencyWords } from "../../../shell/words.ts";
import { cardKey } from "../../state/card.ts";
import type { CardResult } from "../../state/card-state.ts";
import type { State } from "../../state/state.ts";
import type { Cards } from "./cards.ts";
import { exploring } from "./exploring.ts";

/** Step 5 of a scorecard: the card with a person to try, the promise, and what may be published. */
export function cardResult(
  cards: Cards,
  state: State,
  card: CardResult,
  evaluation: TemplateResult | undefined,
): TemplateResult {
  const { label } = card.release.schema;
  return html`${stale(state, card)}
    <div class="result-grid">
      <section class="result-found" id="card-found" aria-labelledby="found-title">
        <h3 id="found-title">${label.name}: “${label.positive[0]}” or “${label.negative[0]}”?</h3>
        <p>${howTo(card.release)}</p>
        ${card.explored ? exploring(cards.explorer, card, card.explored) : html`${table(cards, card)} ${total(cards, card)}`}
        <h4 class="card-totals-title">What it says at each total</h4>
        ${totalsList(card.release)}
        ${
          card.explored
            ? nothing
            : html`<p class="small soft">
                How often it is right on these rows is not shown: nobody paid for that figure.
              </p>`
        }
      </section>
      <div class="result-side">${promise(card)} ${publish(cards, card)}</div>
    </div>
    ${evaluation}`;
}

function stale(state: State, card: CardResult): TemplateResult | typeof nothing {
  if (card.key === cardKey(state)) return nothing;
  return html`<div class="notice notice-warn">
    <p>
      Settings above were changed after this card was chosen from ${card.from}. This is still the
      card as it was.
    </p>
  </div>`;
}

/** The points; each level can be chosen for the person to try. */
function table(cards: Cards, card: CardResult): TemplateResult {
  return pointsTable(
    card.release,
    (g, l, name) =>
      html`<label class="choice card-level">
        <input
          type="radio"
          name="card-${card.number}-${g}"
          aria-label="${card.release.card.attributes[g]!.name}: ${card.release.card.attributes[g]!.levels[l]!.name}"
          .checked=${live(card.person[g] === l)}
          @change=${() => cards.say(card, g, l)}
        />
        <span>${name}</span>
      </label>`,
  );
}

/** What the card says of the person whose levels are chosen. */
function total(cards: Cards, card: CardResult): TemplateResult {
  const { person, release } = card;
  const { label } = release.schema;
  const said = person.filter((l) => l !== null).length;
  const sum = person.reduce<number>(
    (s, l, g) => s + (l === null ? 0 : release.card.attributes[g]!.levels[l]!.points),
    0,
  );
  const yes = sum >= release.card.threshold;
  return html`<p class="card-total" role="status" id="card-total">
    ${
      said === 0
        ? html`<span class="soft">Choose a line of each attribute to try a person.</span>`
        : said < person.length
          ? html`So far <strong>${points(sum)}</strong>; ${person.length - said} more
              ${person.length - said === 1 ? "attribute" : "attributes"} to choose.`
          : html`Total <strong>${points(sum)}</strong>: the card says
              <strong>“${label[yes ? "positive" : "negative"][0]}”</strong>.
              <button class="link" type="button" @click=${() => cards.clear(card)}>
                Another person
              </button>`
    }
  </p>`;
}

/** What it promises each person, in odds first and in symbols last. */
function promise(card: CardResult): TemplateResult {
  const { release } = card;
  const { epsilon, adjacency, covers, caveats } = release.guarantee;
  return promised(
    release.guarantee,
    html`Odds grow by at most a factor of ${readableBound(Math.exp(epsilon))}.`,
    html`<p class="small">
        In symbols: ${covers ? "the card is" : "given its levels, the card is"}
        ${readableBound(epsilon)}-differentially private (δ = 0) under ${adjacencyWords[adjacency]};
        we call it ${strength(epsilon)}.
        ${covers ? "All levels were declared public, so it covers the whole card." : nothing}
      </p>
      ${
        card.explored
          ? html`<p class="small">
              It is made from noisy counts, bought once for this ε. Other cards of the same counts
              cost nothing more. Choose by the counts alone: a look at the rows is not covered.
            </p>`
          : nothing
      }
      ${
        covers
          ? nothing
          : html`<p><strong>It does not cover everything:</strong></p>
              <ul class="small">
                ${caveats.map((c) => html`<li>${c}</li>`)}
              </ul>`
      }`,
  );
}

function publish(cards: Cards, card: CardResult): TemplateResult {
  return html`<div class="publish-panel" id="publish" role="group" aria-labelledby="publish-title">
    <h3 id="publish-title">Publish</h3>
    <ul class="publish-list">
      <li>
        <button class="button button-main" type="button" @click=${() => cards.savePage(card)}>
          Save the card
        </button>
        <span class="small soft">to print on one page, and use with a pencil</span>
      </li>
      <li>
        <button class="button button-quiet" type="button" @click=${() => cards.saveRelease(card)}>
          Save the release
        </button>
        <span class="small soft"
          >to check it, in
          <a href="verify.html" target="_blank" rel="noopener">the verifier</a>
          or by command</span
        >
      </li>
      ${
        card.explored
          ? html`<li>
              <button
                class="button button-quiet"
                type="button"
                @click=${() => cards.explorer.saveCells(card)}
              >
                Save the noisy counts
              </button>
              <span class="small soft">for others to make cards of, at no cost</span>
            </li>`
          : nothing
      }
      <li>
        <div class="publish-code" role="group" aria-label="Save the card as a program">
          ${(Object.keys(languages) as Language[]).map(
            (language) =>
              html`<button
                class="button button-quiet"
                type="button"
                @click=${() => cards.saveCode(card, language)}
              >
                ${languages[language].name}
              </button>`,
          )}
          <span class="small soft">as a program, with nothing to install</span>
        </div>
      </li>
    </ul>
    <details class="disclosure">
      <summary>What to keep to yourself</summary>
      <div class="small">
        <p>You may publish these files as they are. Keep to yourself:</p>
        <ul>
          <li>the number of rows, in all and in each class</li>
          <li>how often the card is right on your rows</li>
          <li>how long the search took: it depends on the rows</li>
          <li>which of several cards did better on your rows</li>
        </ul>
      </div>
    </details>
  </div>`;
}
