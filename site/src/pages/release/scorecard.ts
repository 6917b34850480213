// A scorecard as the pages show it: its levels with their points, and what it says at each total.

import { html, nothing, type TemplateResult } from "lit/html.js";

import type { ScorecardRelease } from "../../client/types.ts";
import { standsFor } from "../../scorecard/stands-for.ts";
import { points, totals } from "../../scorecard/totals.ts";

/** How the card is used, in a sentence. */
export function howTo({ card, schema }: ScorecardRelease): TemplateResult {
  const [no, yes] = [schema.label.negative[0]!, schema.label.positive[0]!];
  return html`One line of each attribute holds; their points are added up. From ${card.threshold} on
  it says “${yes}”, below it “${no}”.`;
}

/** The values behind a level's name, where it does not say them itself. */
function values(release: ScorecardRelease, g: number, l: number) {
  const text = standsFor(release, g, l);
  return text ? html`<br /><small>${text}</small>` : nothing;
}

/**
 * All levels with their points. `choice` adds to a level's name what chooses it, of a card that a
 * person is tried on.
 */
export function pointsTable(
  release: ScorecardRelease,
  choice?: (attribute: number, level: number, name: TemplateResult) => TemplateResult,
): TemplateResult {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Points">
    <table class="plain scorecard">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Level</th>
          <th scope="col" class="number">Points</th>
        </tr>
      </thead>
      ${release.card.attributes.map(
        ({ name, levels }, g) =>
          html`<tbody>
            ${levels.map((level, l) => {
              const words = html`${level.name}${values(release, g, l)}`;
              return html`<tr>
                ${l === 0 ? html`<th scope="rowgroup" rowspan=${levels.length}>${name}</th>` : nothing}
                <td>${choice ? choice(g, l, words) : words}</td>
                <td class="number">${points(level.points)}</td>
              </tr>`;
            })}
          </tbody>`,
      )}
    </table>
  </div>`;
}

/** What the card says at each total. */
export function totalsList(release: ScorecardRelease): TemplateResult {
  const { label } = release.schema;
  return html`<ul class="totals">
    ${totals(release).map(
      ({ text, yes }) =>
        html`<li class=${yes ? "total-yes" : "total-no"}>
          <strong>${text}</strong> ${label[yes ? "positive" : "negative"][0]}
        </li>`,
    )}
  </ul>`;
}
