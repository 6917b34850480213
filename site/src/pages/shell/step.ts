import { html, nothing, type TemplateResult } from "lit/html.js";

export interface StepOptions {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly body: TemplateResult;
  /** What the step means for privacy, in the margin. */
  readonly note?: TemplateResult;
}

/** One of the steps: a numbered heading, its work, and beside it what it means. */
export function step(o: StepOptions): TemplateResult {
  return html`<section class="step" id=${o.id} aria-labelledby="${o.id}-title">
    <div class="step-head">
      ${o.number ? html`<span class="step-number" aria-hidden="true">${o.number}</span>` : nothing}
      <h2 id="${o.id}-title" tabindex="-1">${o.title}</h2>
    </div>
    <div class="step-body">
      <div class="step-main">${o.body}</div>
      ${o.note ? html`<aside class="margin-note" aria-label="What this means for privacy: ${o.title}">${o.note}</aside>` : nothing}
    </div>
  </section>`;
}
