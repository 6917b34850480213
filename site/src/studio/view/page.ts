import { html, nothing, type TemplateResult } from "lit";

import { busy, sealed } from "../state.ts";
import type { Studio } from "../studio.ts";
import { arcade } from "./arcade.ts";
import { budgetStep } from "./budget.ts";
import { dataStep } from "./data.ts";
import { fitStep } from "./fit.ts";
import { publicStep } from "./public.ts";
import { rail } from "./rail.ts";
import { resultStep } from "./result.ts";
import { updateNotice } from "./update-notice.ts";
import { verifyStep } from "./verify.ts";

/** The parts of the page that are drawn one after the other when it opens. */
const parts = [dataStep, publicStep, budgetStep, fitStep, resultStep, verifyStep];

/** How many parts there are. */
export const partCount = parts.length;

/** The page below its header, as far as its first parts: all of them but in the first frames, so that none takes long. */
export function page(studio: Studio, shown = partCount): TemplateResult {
  const { state } = studio;
  const own = state.source?.kind === "file";
  const ready = sealed(state) && state.source !== null && !busy(state);
  return html`<main id="main" tabindex="-1" class="shell">
      ${state.update ? updateNotice(state.update, busy(state)) : nothing}
      <div class="intro">
        <div>
          <h1>A model you may publish, from data that stays&nbsp;here</h1>
          <p class="lead">
            Cloister fits a predictive model to a table with one row per person, adds a measured amount of noise, and proves how little the result can tell about
            anyone in it. Your file is read in this browser and is sent nowhere.
          </p>
          <p class="actions">
            ${
              own
                ? nothing
                : html`<button class="button button-main" type="button" ?disabled=${!ready} @click=${() => void studio.fitter.fit()}>Try it on a synthetic sample</button>`
            }
            <a class="button" href="#data">Go through the steps</a>
          </p>
        </div>
        ${arcade()}
      </div>
      ${rail(state)}
      <div class="steps">${parts.map((part, i) => (i < shown ? part(studio) : nothing))}</div>
    </main>
    <footer class="foot shell">
      <p class="foot-text">
        Cloister${state.core.phase === "ready" ? ` ${state.core.library}` : ""}. Free software; everything is computed in this browser. Linear models by
        objective perturbation, after Chaudhuri et al. 2011, Kifer et al. 2012 and Redberg, Koskela &amp; Wang 2023, with sharper bounds of our own.
      </p>
    </footer>
    <p class="hidden" role="status" aria-live="polite">${state.announcement}</p>`;
}
