import { html, nothing, type TemplateResult } from "lit/html.js";

import type { State } from "../state/state.ts";

/** How the core begins the reason of a column of numbers with a comma: see core/data/summary.go. */
const withComma = "has numbers written with a comma";

/** Columns of numbers that would be lost quietly: how to save the file so that they can be read. */
export function commaNotice({ leftOut }: State): TemplateResult | typeof nothing {
  const lost = leftOut.filter((c) => c.reason.startsWith(withComma));
  const [first] = lost;
  if (!first) return nothing;
  const names = lost.map((c) => c.column || "(no name)").join(", ");
  return html`<div class="notice notice-warn" id="decimal-commas">
    <h3>
      ${lost.length === 1 ? "One column of numbers is" : `${lost.length} columns of numbers are`}
      not read: decimal commas
    </h3>
    <p>
      <strong>${names}</strong> ${lost.length === 1 ? "has" : "have"} numbers written with a comma,
      such as ${/such as ("[^"]*" in row \d+)/.exec(first.reason)?.[1] ?? "82,0"}. Here a number has
      a decimal point, and nothing between thousands. Save the file again with decimal points, and
      <a href="#data">choose it anew</a>.
      <a href="docs/troubleshooting.html#decimal-commas">How to, with a spreadsheet</a>
    </p>
  </div>`;
}

/** The columns that are not proposed, and why. */
export function leftOut(state: State): TemplateResult | typeof nothing {
  if (state.leftOut.length === 0) return nothing;
  return html`<details class="disclosure">
    <summary>
      ${state.leftOut.length === 1 ? "One column was" : `${state.leftOut.length} columns were`} not
      proposed
    </summary>
    <ul class="small">
      ${state.leftOut.map((c) => html`<li><strong>${c.column || "(no name)"}</strong>: it ${c.reason}.</li>`)}
    </ul>
  </details>`;
}
