import { html, svg, type TemplateResult } from "lit";

import { type State, type Step, steps } from "../state.ts";

const said: Record<Step["status"], string> = {
  done: "done",
  next: "next",
  waiting: "to come",
  attention: "done, with something to look at",
  problem: "needs a correction",
};

const tick = svg`<path d="M3 8.5l3.2 3.2L13 4.5" />`;

/** The five steps as a list of links, each with how it stands. */
export function rail(state: State): TemplateResult {
  const list = steps(state);
  const current = list.find((s) => s.status === "problem") ?? list.find((s) => s.status === "next") ?? list[list.length - 1]!;
  return html`<nav class="rail" aria-label="Steps">
    <ol>
      ${list.map(
        (s, i) => html`<li class="rail-${s.status}">
          <a href="#${s.name}" aria-current=${s === current ? "step" : "false"}>
            <span class="rail-mark" aria-hidden="true">${
              s.status === "done" ? html`<svg viewBox="0 0 16 16">${tick}</svg>` : s.status === "attention" || s.status === "problem" ? "!" : i + 1
            }</span>
            <span class="rail-name">${s.short}<span class="hidden">, step ${i + 1}, ${said[s.status]}</span></span>
          </a>
        </li>`,
      )}
    </ol>
  </nav>`;
}
