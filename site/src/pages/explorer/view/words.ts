// The words beside the plot: what the preset shows, and the theorem behind a curve.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { between } from "../../../curves/views.ts";
import type { Explorer } from "../explorer.ts";
import { changed, presets } from "../presets.ts";
import { kindOf } from "../mechanisms.ts";
import { nameOf } from "../state.ts";
import { replaced, theorems } from "../theorems.ts";

export function presetWords(explorer: Explorer): TemplateResult | typeof nothing {
  const { state } = explorer;
  const preset = presets.find(({ id }) => id === state.preset);
  if (!preset) return nothing;
  const moved = changed(state, preset);
  return html`<section class="words" aria-label="What the comparison shows">
    <h2>${preset.name}</h2>
    <p class="source">
      ${preset.group === "Cloister" ? "Ours" : preset.group}${moved ? html`<span class="tag">changed from the original</span>` : nothing}
    </p>
    ${preset.paper ? html`<p>${preset.paper}</p>` : nothing}
    <p>${preset.shows}</p>
    ${preset.differs ? html`<p><strong>Where ours differs.</strong> ${preset.differs}</p>` : nothing}
    ${moved ? html`<p><button type="button" class="link" @click=${() => explorer.choosePreset(preset.id)}>Undo all changes to it</button></p>` : nothing}
  </section>`;
}

export function theorem(explorer: Explorer): TemplateResult | typeof nothing {
  const { state } = explorer;
  const at = state.about ?? state.curves.findIndex((one) => !one.hidden);
  const one = state.curves[at];
  if (!one) return nothing;
  const { title, statement, assumes, source, proof, remark } = theorems[one.kind];
  return html`<section class="theorem" aria-labelledby="theorem-title">
    <p class="source">The theorem behind “${nameOf(one)}”</p>
    <h2 id="theorem-title">${title}</h2>
    ${kindOf(one.kind).estimate ? html`<p class="estimate"><strong>An estimate, not a bound.</strong></p>` : nothing}
    ${statement.map((text) => html`<p>${text}</p>`)}
    ${state.shared.adjacency === "replace-one" ? html`<p>${replaced[kindOf(one.kind).group] ?? nothing}</p>` : nothing}
    <details class="disclosure">
      <summary>What it assumes</summary>
      <ul>
        ${[between(state.shared.adjacency), ...assumes].map((text) => html`<li>${text}</li>`)}
      </ul>
    </details>
    ${remark ? html`<p>${remark}</p>` : nothing}
    <p class="source">
      ${source}${proof ? html` <a href=${proof}>The proof in full</a>` : nothing}
    </p>
    ${state.about === null ? html`<p class="small soft">Open another curve in the list to see its theorem here.</p>` : nothing}
  </section>`;
}
