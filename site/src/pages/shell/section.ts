import { html, nothing, type TemplateResult } from "lit/html.js";

/** A section that is folded until it is wanted. */
export const section = (
  id: string,
  title: string,
  body: TemplateResult,
  {
    open = false,
    fenced = false,
    toggled,
  }: { open?: boolean; fenced?: boolean; toggled?: (open: boolean) => void } = {},
): TemplateResult =>
  html`<details
    class="section ${fenced ? "section-fenced" : ""}"
    id=${id}
    ?open=${open}
    @toggle=${toggled ? (e: Event) => toggled((e.target as HTMLDetailsElement).open) : nothing}
  >
    <summary><h3 id="${id}-title">${title}</h3></summary>
    <div class="section-body">${body}</div>
  </details>`;

/** Opens a section, and puts the focus on its title. */
export function openSection(id: string): void {
  const details = document.querySelector<HTMLDetailsElement>(`details#${id}`);
  if (!details) return;
  details.open = true;
  const summary = details.querySelector("summary");
  summary?.scrollIntoView({ block: "start" });
  summary?.focus({ preventScroll: true });
}
