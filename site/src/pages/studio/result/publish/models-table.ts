import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";

import { readableBound } from "../../../../chart/numbers.ts";
import { sampleWords } from "../../sample/samples.ts";
import { buyingMore, type Result, type State, waitsForMore } from "../../state/state.ts";
import { isSaved } from "../../state/choice.ts";
import { sideBySide } from "./side-by-side.ts";
import { wayWords } from "../../state/way-words.ts";

/** What is said of a model that was not fitted by the usual loss. */
const losses: Readonly<Record<string, string>> = {
  huber: ", Huber loss",
  squared: ", squared loss",
  "shifted-logistic": ", shifted logistic loss",
  "rounded-hinge": ", rounded hinge",
  "weighted-logistic": ", weighted",
};
/** Every model of this visit, and which of them is looked at. */
export function modelsTable(state: State, show: (number: number) => void): TemplateResult {
  const waits = buyingMore(state) ? waitsForMore : "";
  const { results, result } = state;
  return html`<div
      class="scroll releases"
      role="region"
      tabindex="0"
      aria-label="Models of this visit"
    >
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
            (r) =>
              html`<tr class=${r === result ? "release-shown" : ""}>
                <td>
                  <label class="choice">
                    <input
                      type="radio"
                      name="shown"
                      ?disabled=${waits !== ""}
                      .checked=${live(r === result)}
                      @change=${() => show(r.number)}
                    />
                    <span>Model ${r.number}</span>
                  </label>
                </td>
                <th scope="row">
                  ${r.release.schema.label.name}<span class="hint"
                    >${from(r)}${losses[r.release.model.loss] ?? nothing},
                    ${wayWords[r.way].place}</span
                  >
                </th>
                <td class="number">${readableBound(r.release.guarantee.epsilon)}</td>
                <td class="number">${readableBound(r.release.guarantee.delta)}</td>
                <td>
                  ${isSaved(state, r) ? "saved" : state.saved.has(r.number) ? "its file is out of date: save it again" : "not saved"}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small soft">${waits} ${paid(results)}</p>
    ${sideBySide(state)}`;
}

const from = (r: Result): string =>
  `from ${r.source.sample ? sampleWords(r.source.sample) : r.source.names.join(", ")}`;

function paid(results: readonly Result[]): string {
  const own = results.filter((r) => r.source.kind === "file");
  if (own.length === 0) return "All of made-up tables, which are nobody’s data.";
  const paid = own.every((r) => r.charge)
    ? "Each is paid for, published or not."
    : "Each has spent what it says, published or not.";
  return `${paid} You may publish all of them, or choose one by what this table shows or by a bought evaluation. You may not choose by how they do on your own rows: nobody paid for those figures. Models are gone when you leave the page, unless saved.`;
}
