import type { html as drawing, TemplateResult } from "lit/html.js";

import type { Figures, Label } from "../client/types.ts";
import { answerRows, figureRows } from "./figures.ts";
import { changeOf } from "./meaning.ts";
import { readableBound } from "./numbers.ts";

/** What an evaluation says, for the studio and the verifier; `label` is that of a card. */
export function figuresTable(
  html: typeof drawing,
  figures: Figures,
  label?: Label,
): TemplateResult {
  return html`<div
    class="scroll"
    role="region"
    tabindex="0"
    aria-label="How well the ${label ? "card" : "model"} does"
  >
    <table class="plain prices" id="figures">
      <caption>
        On held-out records, at ε = ${readableBound(figures.epsilon)} for the people in them, under
        ${changeOf(figures.adjacency)}
      </caption>
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="number">Estimate</th>
          <th scope="col" class="number">Range</th>
        </tr>
      </thead>
      <tbody>
        ${[...figureRows(figures), ...(label ? answerRows(figures, label) : [])].map(
          ({ name, estimate, range }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${estimate}</td>
              <td class="number">${range}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
