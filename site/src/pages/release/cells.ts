// Noisy cells as the pages show them: how many records each level has by their counts.

import { html, nothing, type TemplateResult } from "lit/html.js";

import type { NoisyCells } from "../../client/types.ts";
import { byLevel } from "../../scorecard/levels.ts";

/** All levels with their records of both classes, by the noisy counts. */
export function countsTable(cells: NoisyCells): TemplateResult {
  const { attributes, label } = cells.schema;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Noisy counts">
    <table class="plain scorecard">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Level</th>
          <th scope="col" class="number">${label.positive[0]}</th>
          <th scope="col" class="number">${label.negative[0]}</th>
        </tr>
      </thead>
      ${byLevel(cells).map(
        (levels, g) =>
          html`<tbody>
            ${levels.map(
              ({ name, positives, negatives }, l) =>
                html`<tr>
                  ${l === 0 ? html`<th scope="rowgroup" rowspan=${levels.length}>${attributes[g]!.name}</th>` : nothing}
                  <td>${name}</td>
                  <td class="number">${signed(positives)}</td>
                  <td class="number">${signed(negatives)}</td>
                </tr>`,
            )}
          </tbody>`,
      )}
    </table>
  </div>`;
}

const signed = (count: number): string => String(count).replace("-", "−");
