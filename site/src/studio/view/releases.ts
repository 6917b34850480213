import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import { readable } from "../../chart/numbers.ts";
import { lossNames, type Result } from "../state.ts";
import type { Studio } from "../studio.ts";

/** Every model of this visit, and which of them is looked at. */
export function releases(studio: Studio): TemplateResult | typeof nothing {
  const { results, result, saved } = studio.state;
  if (results.length < 2) return nothing;
  return html`<div class="scroll releases" role="region" tabindex="0" aria-label="Models of this visit">
      <table class="plain">
        <caption>
          Models of this visit
        </caption>
        <thead>
          <tr>
            <th scope="col">Look at</th>
            <th scope="col">Predicts</th>
            <th scope="col" class="number">ε</th>
            <th scope="col" class="number">δ</th>
            <th scope="col">File</th>
          </tr>
        </thead>
        <tbody>
          ${results.map(
            (r) => html`<tr class=${r === result ? "release-shown" : ""}>
              <td>
                <label class="choice">
                  <input type="radio" name="shown" .checked=${live(r === result)} @change=${() => studio.shelf.show(r.number)} />
                  <span>Model ${r.number}</span>
                </label>
              </td>
              <th scope="row">${r.release.schema.label.name}<span class="hint">${from(r)}${r.release.model.loss === "logistic" ? nothing : `, ${lossNames[r.release.model.loss]} loss`}</span></th>
              <td class="number">${readable(r.release.guarantee.epsilon)}</td>
              <td class="number">${readable(r.release.guarantee.delta)}</td>
              <td>${saved.has(r.number) ? "saved" : "not saved"}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small soft">${paid(results)}</p>`;
}

const from = (r: Result): string => (r.source.kind === "sample" ? "from the sample" : `from ${r.source.names.join(", ")}`);

function paid(results: readonly Result[]): string {
  const own = results.filter((r) => r.source.kind === "file");
  if (own.length === 0) return "All of the sample, which is nobody’s data.";
  return own.every((r) => r.charge)
    ? "Each is paid for, so any of them may be published, or all. They are gone when you leave the page, unless saved."
    : "Each has spent what it says, whether it is published or not. They are gone when you leave the page, unless saved.";
}
