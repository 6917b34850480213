import { html, nothing, type TemplateResult } from "lit/html.js";

import { attackFinds, strength } from "../../../chart/meaning.ts";
import { percentBound, readableBound } from "../../../chart/numbers.ts";
import { promised } from "../../release/meaning.ts";
import { adjacencyWords } from "../../shell/words.ts";
import type { Result } from "../state/state.ts";

/** The most things that the guarantee leaves out that all stand there open. */
const most = 4;

const list = (caveats: readonly string[]): TemplateResult =>
  html`<ul class="small">
    ${caveats.map((c) => html`<li>${c}</li>`)}
  </ul>`;

/** What the model promises each person, in odds first and in symbols last. */
export function promise(result: Result): TemplateResult {
  const { guarantee, schema } = result.release;
  const many = guarantee.caveats.length;
  const first = many > most ? 2 : many;
  return promised(
    guarantee,
    nothing,
    html`${attack(result)}
      <p class="small">
        In symbols: ${guarantee.covers ? "the model is" : "given its schema, the model is"} (ε =
        ${readableBound(guarantee.epsilon)}, δ = ${readableBound(guarantee.delta)})-differentially
        private under ${adjacencyWords[guarantee.adjacency]}; we call it
        ${strength(guarantee.epsilon)}.
        ${
          guarantee.covers
            ? html`All columns were declared
              public${[...schema.features, schema.label].some((f) => f.provenance === "bought") ? ", or bought" : nothing},
              so it covers the whole release.`
            : nothing
        }
      </p>
      ${
        guarantee.covers
          ? nothing
          : html`<p><strong>It does not cover everything:</strong></p>
              ${list(guarantee.caveats.slice(0, first))}
              ${
                many > first
                  ? html`<details class="disclosure">
                      <summary>And ${many - first} more</summary>
                      ${list(guarantee.caveats.slice(first))}
                    </details>`
                  : nothing
              }`
      }`,
  );
}

function attack(result: Result): TemplateResult | typeof nothing {
  const spent = result.series[0];
  if (!spent) return nothing;
  return html`<p>
    A test that wrongly accuses 1&nbsp;% of outsiders finds at most
    <strong>${percentBound(attackFinds(spent))}</strong> of the people in the data.
  </p>`;
}
