import { html, nothing, type TemplateResult } from "lit/html.js";

import type { Problem } from "./problem.ts";

export interface ProblemActions {
  /** Offered beside the message, such as a way to the field that is meant. */
  readonly actions?: TemplateResult | typeof nothing;
  readonly id?: string;
}

/** A failure: what happened, where, what would be right, and what to do next. */
export function problemNotice(
  problem: Problem,
  { actions = nothing, id }: ProblemActions = {},
): TemplateResult {
  const place = problem.row !== undefined || problem.column !== undefined;
  return html`<div class="notice notice-bad" role="alert" id=${id ?? nothing} tabindex="-1">
    <h3>${problem.title}</h3>
    ${
      place
        ? html`<p class="where">
            ${problem.row !== undefined ? html`<span>Row <strong>${problem.row}</strong></span>` : nothing}
            ${problem.column !== undefined ? html`<span>Column <strong>${problem.column}</strong></span>` : nothing}
          </p>`
        : nothing
    }
    <p>${problem.message}</p>
    ${problem.advice ? html`<p>${problem.advice}</p>` : nothing}
    ${actions === nothing ? nothing : html`<p class="actions">${actions}</p>`}
  </div>`;
}
