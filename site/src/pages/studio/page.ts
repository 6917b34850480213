import { html, nothing, type TemplateResult } from "lit/html.js";

import { busy, sealed } from "./state/state.ts";
import { type Screen, stepNames } from "./state/screen.ts";
import type { Studio } from "./studio.ts";
import { arcade } from "./arcade.ts";
import { budgetStep } from "./budget/step.ts";
import { dataStep } from "./data/step.ts";
import { fitStep } from "./fit/step.ts";
import { nextButton } from "./next.ts";
import { sampleWords } from "./sample/samples.ts";
import { publicStep } from "./schema/step.ts";
import { rail } from "./rail.ts";
import { receipt } from "./receipt.ts";
import { resultStep } from "./result/step.ts";
import { updateNotice } from "../shell/update-notice.ts";
import { verifyStep } from "./result/verify.ts";

const screens: readonly (readonly [Screen, (studio: Studio) => TemplateResult])[] = [
  ["data", dataStep],
  ["public", publicStep],
  ["budget", budgetStep],
  ["fit", fitStep],
  ["result", resultStep],
  ["check", verifyStep],
];

/** How many screens there are. */
export const screenCount = screens.length;

/**
 * The page below its header: one step on the screen, the others hidden from all. In the first
 * frames only the first `shown` are there, and the one on the screen, so that none takes long.
 */
export function page(studio: Studio, shown = screenCount): TemplateResult {
  const { state } = studio;
  return html`<main id="main" tabindex="-1" class="shell shell-${state.screen}">
      ${state.update ? updateNotice(state.update, busy(state)) : nothing} ${opening(studio)}
      ${rail(state)}
      <div class="steps">
        ${screens.map(([name, part], i) =>
          i < shown || name === state.screen ? screen(studio, name, part) : nothing,
        )}
      </div>
      ${receipt(studio)}
    </main>
    <footer class="foot shell" ?hidden=${state.screen !== "data" && state.screen !== "check"}>
      <p class="foot-beside"><a href="#check">Check a release</a> that somebody gave you.</p>
      <p class="foot-text">
        Cloister${state.core.phase === "ready" ? ` ${state.core.library}` : ""}. Free software (<a
          href="license.txt"
          >Apache-2.0</a
        >, with <a href="notices.txt">parts by others</a>); everything is computed in this browser.
        Linear models by objective perturbation, after Chaudhuri et al. 2011, Kifer et al. 2012 and
        Redberg, Koskela &amp; Wang 2023, with sharper bounds of our own.
      </p>
    </footer>
    <p class="hidden" role="status" aria-live="polite">${state.announcement}</p>`;
}

function screen(
  studio: Studio,
  name: Screen,
  part: (studio: Studio) => TemplateResult,
): TemplateResult {
  const step = stepNames.find((one) => one === name);
  return html`<div class="screen" data-screen=${name} ?hidden=${studio.state.screen !== name}>
    ${part(studio)} ${step ? nextButton(studio, step) : nothing}
  </div>`;
}

/** What the page is, above the first step; above the others only its name, for screen readers. */
function opening(studio: Studio): TemplateResult {
  const { state } = studio;
  const own = state.source?.kind === "file";
  const ready = sealed(state) && state.source !== null && !busy(state);
  const first = state.screen === "data";
  return html`${first ? nothing : html`<h1 class="hidden">A model you may publish, from data that stays here</h1>`}
    <div class="screen intro" data-screen="data" ?hidden=${!first}>
      <div>
        <h1>A model you may publish, from data that stays&nbsp;here</h1>
        <p class="lead">
          Cloister fits a predictive model to a table with one row per person, adds a measured
          amount of noise, and proves how little the result can tell about anyone in it. Your file
          is read in this browser and is sent nowhere.
        </p>
        ${
          own
            ? nothing
            : html`<p class="actions">
                <button
                  class="button button-main"
                  type="button"
                  ?disabled=${!ready}
                  @click=${() => void studio.trySample()}
                >
                  Try it on ${sampleWords(state.sample)}
                </button>
              </p>`
        }
      </div>
      ${arcade()}
    </div>`;
}
