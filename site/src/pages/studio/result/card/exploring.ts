import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";

import { count, percent } from "../../../../chart/numbers.ts";
import { byLevel } from "../../../../scorecard/levels.ts";
import { points } from "../../../../scorecard/totals.ts";
import { problemNotice } from "../../../shell/notice.ts";
import type { CardResult, Explored } from "../../state/card-state.ts";
import type { Explorer } from "./explorer.ts";

/** The noisy counts by level, with the points of a card to be chosen by hand. */
export function exploring(
  explorer: Explorer,
  card: CardResult,
  explored: Explored,
): TemplateResult {
  const { cells, search } = explored;
  const running = search !== null && "done" in search;
  const { label } = cells.schema;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Points by hand">
      <table class="plain scorecard exploring">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col" class="number">${label.positive[0]}</th>
            <th scope="col" class="number">${label.negative[0]}</th>
            <th scope="col" class="number">Points</th>
          </tr>
        </thead>
        ${byLevel(cells).map((levels, g) => {
          const { name, provenance } = cells.schema.attributes[g]!;
          const kept = explored.kept[g]!;
          const last = kept && explored.kept.filter(Boolean).length === 1;
          return html`<tbody>
            <tr>
              <th scope="rowgroup" colspan="4">
                <label class="choice">
                  <input
                    type="checkbox"
                    id="explore-${g}"
                    .checked=${live(kept)}
                    ?disabled=${running || last || provenance === "suggested"}
                    @change=${(e: Event) => void explorer.keep(card, g, (e.target as HTMLInputElement).checked)}
                  />
                  <span>${name}</span>
                </label>
              </th>
            </tr>
            ${levels.map(
              (level, l) =>
                html`<tr>
                  <td>${level.name}</td>
                  <td class="number">${count(level.positives)}</td>
                  <td class="number">${count(level.negatives)}</td>
                  <td class="number">
                    <select
                      class="input"
                      id="explore-${g}-${l}"
                      aria-label="${name}: ${level.name}"
                      ?disabled=${running || !kept}
                      @change=${(e: Event) => void explorer.point(card, g, l, Number((e.target as HTMLSelectElement).value))}
                    >
                      ${choices(explored.bound).map(
                        (value) =>
                          html`<option
                            value=${value}
                            .selected=${live(value === explored.points[g]![l])}
                          >
                            ${points(value)}
                          </option>`,
                      )}
                    </select>
                  </td>
                </tr>`,
            )}
          </tbody>`;
        })}
      </table>
    </div>
    ${said(explored)}
    <p class="actions">
      ${
        running
          ? html`<button
                class="button"
                type="button"
                id="explore-stop"
                @click=${() => explorer.stop()}
              >
                Stop
              </button>
              <span class="soft small" role="status"
                >Searching: ${percent(search.done)} of all cards are done.</span
              >`
          : html`<button
                class="button"
                type="button"
                id="explore-search"
                @click=${() => void explorer.search(card)}
              >
                Find the best points
              </button>
              <button
                class="button button-quiet"
                type="button"
                @click=${() => void explorer.clear(card)}
              >
                All points to 0
              </button>`
      }
    </p>
    ${search !== null && "problem" in search ? problemNotice(search.problem, { id: "explore-problem" }) : nothing}`;
}

/** What the counts say of the card. */
function said({ wrong, records, deviation }: Explored): TemplateResult {
  return html`<p class="card-total" id="explore-said">
      By the noisy counts this card gets <strong>${count(wrong)}</strong> of ${count(records)} rows
      wrong.
    </p>
    <p class="small soft">
      Noise moves the first figure by about ${count(Math.ceil(deviation))} rows. A card that was
      chosen by these counts looks better on them than it is. Both figures are free, and may be
      published.
    </p>`;
}

const choices = (bound: number): number[] =>
  Array.from({ length: 2 * bound + 1 }, (_, i) => i - bound);
