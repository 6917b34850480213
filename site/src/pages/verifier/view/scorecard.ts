import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../chart/numbers.ts";
import { standsFor } from "../../../scorecard/stands-for.ts";
import { points, totals } from "../../../scorecard/totals.ts";
import { meaning } from "../../release/meaning.ts";
import { step } from "../../shell/step.ts";
import { adjacencyWords } from "../../shell/words.ts";
import type { CheckedCard } from "../state.ts";
import { claims, limits } from "./report.ts";
import { checkedVerdict } from "./verdict.ts";

/** Everything about a scorecard that could be read: verdict, card, promise and claims. */
export function scorecard(checked: CheckedCard): TemplateResult {
  const { holds } = checked.answer;
  return html`${checkedVerdict(checked)}
    <div class="steps">
      ${
        holds
          ? html`${card(checked)} ${promise(checked)} ${claims(checked)}`
          : html`${claims(checked)} ${promise(checked)}`
      }
      ${limits("the noise was drawn as stated, and the search run to its end", "search", "card")}
    </div>`;
}

function promise({ release, answer }: CheckedCard): TemplateResult {
  const { epsilon, adjacency } = release.guarantee;
  return step({
    id: "promise",
    number: "",
    title: answer.holds ? "What it promises" : "What it claims to promise",
    body: html`<p class="promised">
        ε-differential privacy at ε = ${readableBound(epsilon)} under ${adjacencyWords[adjacency]}
      </p>
      ${answer.holds ? meaning(epsilon, { data: "the data", pure: true }) : nothing}`,
    note: html`<h3>No δ</h3>
      <p>
        The card was chosen from finitely many, each with noise of its own. No outcome is left out
        of the promise: δ is 0.
      </p>`,
  });
}

function values(release: CheckedCard["release"], g: number, l: number) {
  const text = standsFor(release, g, l);
  return text ? html`<br /><small>${text}</small>` : nothing;
}

function card({ release }: CheckedCard): TemplateResult {
  const { card, schema } = release;
  const [no, yes] = [schema.label.negative[0]!, schema.label.positive[0]!];
  return step({
    id: "card",
    number: "",
    title: "The card in it",
    body: html`<p>
        For <strong>${schema.label.name}</strong>. One line of each attribute holds; their points
        are added up. From ${card.threshold} on it says “${yes}”, below it “${no}”.
      </p>
      <div class="scroll" role="region" tabindex="0" aria-label="Points">
        <table class="plain scorecard">
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Level</th>
              <th scope="col" class="number">Points</th>
            </tr>
          </thead>
          ${card.attributes.map(
            ({ name, levels }, g) =>
              html`<tbody>
                ${levels.map(
                  (level, l) =>
                    html`<tr>
                      ${l === 0 ? html`<th scope="rowgroup" rowspan=${levels.length}>${name}</th>` : nothing}
                      <td>${level.name}${values(release, g, l)}</td>
                      <td class="number">${points(level.points)}</td>
                    </tr>`,
                )}
              </tbody>`,
          )}
        </table>
      </div>`,
    note: html`<h3>What it says at each total</h3>
      <ul class="totals">
        ${totals(release).map(({ text, yes: says }) => html`<li>${text}: ${says ? yes : no}</li>`)}
      </ul>`,
  });
}
