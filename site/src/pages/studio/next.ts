import { html, nothing, type TemplateResult } from "lit/html.js";

import { readable } from "../../chart/numbers.ts";
import { idOf } from "../shell/field.ts";
import { canBuy } from "./account/file-account.ts";
import { type StepName, titles } from "./state/screen.ts";
import { isOpen, type Lack, lacking, totalToFix } from "./state/steps.ts";
import type { State } from "./state/state.ts";
import type { Studio } from "./studio.ts";

const after: Readonly<Partial<Record<StepName, StepName>>> = {
  data: "public",
  public: "budget",
  budget: "fit",
  fit: "result",
};

/** The step after one, if there is a way on: from the fit, only once there is a model. */
function following(state: State, name: StepName): StepName | undefined {
  const next = after[name];
  return next === "result" && !isOpen(state, next) ? undefined : next;
}

/**
 * The way on at the foot of a step. It can always be pressed: where something is missing it says
 * what, and leads there.
 */
export function nextButton(studio: Studio, name: StepName): TemplateResult | typeof nothing {
  const { state } = studio;
  const next = following(state, name);
  if (!next) return nothing;
  const total = name === "budget" ? totalToFix(state) : null;
  const lack = total === null ? lacking(state, name) : null;
  return html`<div class="next">
    <button
      class="button ${name === "fit" ? "" : "button-main"}"
      type="button"
      id="next-${name}"
      aria-describedby=${lack ? `next-${name}-lacks` : nothing}
      @click=${() => void goOn(studio, name)}
    >
      ${total === null ? `Next: ${titles[next]}` : `Fix the total of ε = ${readable(total)}, and go on`}
    </button>
    <p class="small next-lacks" id="next-${name}-lacks">
      ${lack ? html`<strong>Not yet.</strong> ${lack.words}` : html`<span class="soft next-keys"><kbd>Ctrl</kbd> + <kbd>Enter</kbd></span>`}
    </p>
  </div>`;
}

/** Goes on to the next step, or says what is missing and leads there. */
export async function goOn(studio: Studio, name: StepName): Promise<void> {
  const next = following(studio.state, name);
  if (!next) return;
  if (name === "budget" && totalToFix(studio.state) !== null) {
    await studio.fileAccount.fix();
    // What went wrong is said where the total is.
    if (!canBuy(studio.state.fileAccount) || studio.state.screen !== name) return;
  }
  const lack = lacking(studio.state, name);
  if (!lack) return studio.navigator.go(next);
  leadTo(studio, name, lack);
}

function leadTo(studio: Studio, name: StepName, { words, field }: Lack): void {
  if (name === "public") studio.editor.schemaOrErrors();
  studio.store.set({ announcement: `Not yet. ${words}` });
  if (field) studio.show(idOf(field));
}
