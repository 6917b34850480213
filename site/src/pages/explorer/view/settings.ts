// What the curves share: their parameters, and an equal budget.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../chart/numbers.ts";
import { figure, byBudget, figureBound } from "../figure.ts";
import type { Explorer } from "../explorer.ts";
import type { Line } from "../lines.ts";
import { kindOf, noiseOf } from "../mechanisms.ts";
import { parameters } from "../parameters.ts";
import { followed, sweeps, withNeighbours, withShared } from "../state.ts";
import { choice, numberField, parameterRow } from "./fields.ts";

export function settings(explorer: Explorer): TemplateResult {
  const { state } = explorer;
  const names = followed(state);
  return html`<section class="shared" aria-labelledby="shared-title">
      <h2 id="shared-title">Parameters they share</h2>
      ${names.length === 0 ? html`<p class="soft small">No curve follows a shared parameter: all have values of their own, or the budget fixes them.</p>` : nothing}
      ${names.map((name) => parameterRow(explorer, name, state.shared[name], (value, dragging) => explorer.change(withShared(state, name, value), `shared ${name}`, dragging)))}
      ${choice({
        id: "neighbours",
        label: "Neighbours: one record is",
        value: state.shared.adjacency,
        options: [
          ["add-remove", "added or removed"],
          ["replace-one", "replaced by another"],
        ],
        set: (adjacency) => explorer.change(withNeighbours(state, adjacency), "neighbours"),
      })}
      <p class="small soft">
        Rows and gradients have length at most 1. For other lengths, divide σ by the longest
        gradient, and λ by the square of the longest row.
      </p>
    </section>
    ${budget(explorer)}`;
}

function budget(explorer: Explorer): TemplateResult {
  const { state } = explorer;
  const on = state.budget !== null;
  return html`<section class="budget" aria-labelledby="budget-title">
    <h2 id="budget-title">Equal budget</h2>
    <label class="choice">
      <input
        type="checkbox"
        .checked=${on}
        @change=${(event: Event) => explorer.change({ ...state, budget: (event.target as HTMLInputElement).checked ? 1 : null }, "budget on")}
      />
      <span
        >Choose the noise of every curve that is not pinned so that it is (ε,
        ${readableBound(state.delta)})-private</span
      >
    </label>
    ${
      on
        ? html`${numberField(explorer, {
            id: "budget-epsilon",
            label: "ε of the budget",
            value: state.budget,
            check: (value) =>
              value >= 1e-4 && value <= 100 ? undefined : "ε must lie between 0.0001 and 100.",
            set: (value) =>
              value !== null && explorer.change({ ...state, budget: value }, "budget"),
          })}
          ${remains(explorer)}`
        : nothing
    }
  </section>`;
}

/** What each method is left with under the budget. */
function remains(explorer: Explorer): TemplateResult | typeof nothing {
  const { picture, state } = explorer;
  const known = (line: Line, text: string) => (explorer.lineOf(line.at) ? text : "…");
  if (!picture || picture.state.budget === null || !Number.isFinite(picture.least)) return nothing;
  const rows = picture.lines.filter(
    (line) =>
      !line.problem &&
      !(state.view === "sweep" && state.curves[line.at] && sweeps(state, state.curves[line.at]!)),
  );
  if (rows.length === 0) return nothing;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What the budget leaves">
    <table class="remains">
      <thead>
        <tr>
          <th scope="col">Curve</th>
          <th scope="col" class="number">fixed</th>
          <th scope="col" class="number">noise</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (line) =>
            html`<tr>
              <th scope="row">${line.name}</th>
              <td class="number">
                ${known(line, line.solved ? `${parameters[line.solved].symbol} = ${byBudget(line.solved, line.values[line.solved])}` : kindOf(line.kind).free.length === 0 ? "not calibrated" : "pinned")}
              </td>
              <td class="number">
                ${known(line, multiple(noiseOf(line.kind, line.values) / picture.least))}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="small soft">
      Noise: on a sum of gradients over all records, all steps put together, as a multiple of one
      Gaussian mechanism’s (σ = ${figureBound(picture.least)}).
    </p>
  </div>`;
}

/** A noise as a multiple of the Gaussian mechanism's own; nothing where it is of another kind. */
const multiple = (noise: number): string => (Number.isFinite(noise) ? `${figure(noise)} ×` : "–");
