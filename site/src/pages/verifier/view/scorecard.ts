import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../chart/numbers.ts";
import type { NoisyCells, ScorecardRelease } from "../../../client/types.ts";
import { countsTable } from "../../release/cells.ts";
import { meaning } from "../../release/meaning.ts";
import { howTo, pointsTable, totalsList } from "../../release/scorecard.ts";
import { step } from "../../shell/step.ts";
import { adjacencyWords } from "../../shell/words.ts";
import type { CheckedCard } from "../state.ts";
import { claims, evaluation, limits } from "./report.ts";
import { checkedVerdict } from "./verdict.ts";

/** Everything about a scorecard or noisy cells that could be read: verdict, promise and claims. */
export function scorecard(checked: CheckedCard): TemplateResult {
  const { answer, release } = checked;
  const shown = "card" in release ? card(release) : cells(release);
  const measured = answer.figures ? evaluation(answer.figures, release.schema.label) : nothing;
  return html`${checkedVerdict(checked)}
    <div class="steps">
      ${
        answer.holds
          ? html`${shown} ${measured} ${promise(checked)} ${claims(checked)}`
          : html`${claims(checked)} ${promise(checked)}`
      }
      ${
        "card" in release
          ? limits(
              release.from_counts
                ? "the noise was drawn as stated, and the card chosen by the noisy counts alone"
                : "the noise was drawn as stated, and the search run to its end",
              "search",
              "card",
            )
          : limits("the noise was drawn as stated", "purchase", "use that is made of them")
      }
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
        ${
          !("card" in release)
            ? "Each count has noise of its own. Any number of cards can be made of them, and costs no more."
            : release.from_counts
              ? "The card was found on counts with noise, whose promise it has. All cards of the same counts together cost no more."
              : "The card was chosen from finitely many, each with noise of its own."
        }
        No outcome is left out of the promise: δ is 0.
      </p>`,
  });
}

function card(release: ScorecardRelease): TemplateResult {
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

function cells(release: NoisyCells): TemplateResult {
  const { positives } = release.counts;
  return step({
    id: "counts",
    number: "",
    title: "The noisy counts in it",
    body: html`<p>
        Records by <strong>${release.schema.label.name}</strong>, for each of the
        ${positives.length} combinations of levels. Here they are added up by level.
      </p>
      ${countsTable(release)}`,
    note: html`<h3>What they are for</h3>
      <p>
        Scorecards are found on them, by a search or by hand. Noise makes some counts too high and
        some too low; a sum can be below 0.
      </p>`,
  });
}
