import { html, nothing, type TemplateResult } from "lit/html.js";

import { percent, readable } from "../../../chart/numbers.ts";
import type { Checked } from "../state.ts";

/** What is found of the derived model that was chosen with a release. */
export function derivedModel({ derived, name }: Checked): TemplateResult | typeof nothing {
  if (!derived) return nothing;
  const { model, problem } = derived;
  return html`<div class="notice ${problem ? "notice-bad" : "notice-good"}" id="derived-report">
    <h3>
      ${problem ? `${derived.name} does not follow from it` : `${derived.name} follows from ${name}`}
    </h3>
    <p>
      ${
        problem ??
        html`It is a linear regression of ${model!.target}, worked out again here from the sums in
        the release.
        ${
          model!.r_squared !== undefined && model!.r_squared >= 0 && model!.r_squared <= 1
            ? html`By these it explains about ${percent(model!.r_squared)} of the variance.`
            : nothing
        }
        λ is ${readable(model!.ridge)}. It costs nothing beyond what the release promises.`
      }
    </p>
  </div>`;
}
