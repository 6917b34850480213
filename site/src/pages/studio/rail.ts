import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { type StepName, titles } from "./state/screen.ts";
import type { State } from "./state/state.ts";
import { type Step, steps } from "./state/steps.ts";

const said: Record<Step["status"], string> = {
  done: "done",
  next: "next",
  waiting: "to come",
  attention: "done, with something to look at",
  problem: "needs a correction",
};

/** What a finished step is gone back to for: a fit that is made is not changed any more. */
const again: Readonly<Partial<Record<StepName, string>>> = {
  data: "Change",
  public: "Edit",
  budget: "Edit",
};

const tick = svg`<path d="M3 8.5l3.2 3.2L13 4.5" />`;

/**
 * The five steps as a list of links. One that was not looked at yet has its number; one that is
 * finished has a tick and a line that says what it came to.
 */
export function rail(state: State): TemplateResult {
  return html`<nav class="rail" aria-label="Steps">
    <ol>
      ${steps(state).map((step, i) => line(state, step, i + 1))}
    </ol>
    <p class="rail-beside">
      <a href="#check" aria-current=${state.screen === "check" ? "page" : nothing}
        >${titles.check}</a
      >
    </p>
  </nav>`;
}

function line(state: State, step: Step, number: number): TemplateResult {
  const { name, title, summary, open } = step;
  const here = name === state.screen;
  // What was never on the screen has no tick, however whole it is.
  const seen = state.visited.has(name);
  const whole = step.status === "done" || step.status === "attention";
  const status = whole && (here || !seen) ? "waiting" : step.status;
  const folded = summary !== "" && !here;
  const how = here ? "" : seen ? `, ${said[step.status]}` : ", not looked at yet";
  const words = html`<span class="rail-mark" aria-hidden="true"
      >${
        status === "done"
          ? html`<svg viewBox="0 0 16 16">${tick}</svg>`
          : status === "attention" || status === "problem"
            ? "!"
            : number
      }</span
    >
    <span class="rail-name"
      >${title}
      <span class="hidden">(step ${number}${how})</span
      >${folded ? html` <span class="rail-summary">${summary}${again[name] ? html` · <span class="rail-edit">${again[name]}</span>` : nothing}</span>` : nothing}</span
    >`;
  return html`<li class="rail-${status}">
    ${
      open
        ? html`<a href="#${name}" aria-current=${here ? "step" : "false"}>${words}</a>`
        : html`<span class="rail-shut">${words}</span>`
    }
  </li>`;
}
