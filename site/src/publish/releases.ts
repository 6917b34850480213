import type { html as drawing, nothing as empty, TemplateResult } from "lit";
import type { live as following } from "lit/directives/live.js";

import { readable } from "../chart/numbers.ts";
import type { FitMethod } from "../client/types.ts";
import type { Result, State } from "../studio/state.ts";
import { sideBySide } from "./side-by-side.ts";

/** What the page hands it, so that it has no copy of its own. */
export interface ReleasesKit {
  readonly html: typeof drawing;
  readonly nothing: typeof empty;
  readonly live: typeof following;
  readonly show: (number: number) => void;
  /** Why no other can be looked at now; empty if one can. */
  readonly waits: string;
}

/** What is said of a model that was not fitted in the usual way, or not by the usual loss. */
const losses: Readonly<Record<string, string>> = { huber: ", Huber loss", squared: ", squared loss" };
export const wayNames: Readonly<Record<FitMethod, string>> = {
  amp: "noise in the problem",
  "amp-paper": "as published in 2023",
  outpert: "noise on the solution",
  dpgd: "noise in every step",
  dpsgd: "noise in every step, on samples",
};

/** Every model of this visit, and which of them is looked at. */
export function releases(kit: ReleasesKit, state: State): TemplateResult {
  const { html, nothing, live, show, waits } = kit;
  const { results, result, saved } = state;
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
                  <input type="radio" name="shown" ?disabled=${waits !== ""} .checked=${live(r === result)} @change=${() => show(r.number)} />
                  <span>Model ${r.number}</span>
                </label>
              </td>
              <th scope="row">${r.release.schema.label.name}<span class="hint">${from(r)}${losses[r.release.model.loss] ?? nothing}${r.way === "amp" ? nothing : `, ${wayNames[r.way]}`}</span></th>
              <td class="number">${readable(r.release.guarantee.epsilon)}</td>
              <td class="number">${readable(r.release.guarantee.delta)}</td>
              <td>${saved.has(r.number) ? "saved" : "not saved"}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small soft">${waits} ${paid(results)}</p>
    ${sideBySide(kit, state)}`;
}

const from = (r: Result): string => (r.source.kind === "sample" ? "from the sample" : `from ${r.source.names.join(", ")}`);

function paid(results: readonly Result[]): string {
  const own = results.filter((r) => r.source.kind === "file");
  if (own.length === 0) return "All of the sample, which is nobody’s data.";
  return own.every((r) => r.charge)
    ? "Each is paid for, so any of them may be published, or all. They are gone when you leave the page, unless saved."
    : "Each has spent what it says, whether it is published or not. They are gone when you leave the page, unless saved.";
}
