import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../chart/numbers.ts";
import { meaning } from "../../release/meaning.ts";
import { howTo, pointsTable, totalsList } from "../../release/scorecard.ts";
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

function card({ release }: CheckedCard): TemplateResult {
  return step({
    id: "card",
    number: "",
    title: "The card in it",
    body: html`<p>For <strong>${release.schema.label.name}</strong>. ${howTo(release)}</p>
      ${pointsTable(release)}`,
    note: html`<h3>What it says at each total</h3>
      ${totalsList(release)}`,
  });
}
