import "../../../elements/define.ts";

import { html, nothing, type TemplateResult } from "lit/html.js";

import { coefficients } from "../../release/coefficients.ts";
import { section } from "../../shell/section.ts";
import type { Result } from "../state/state.ts";
import type { Studio } from "./studio.ts";

/**
 * What stands folded below a result: what can be bought for its readers, then proofs, curves and
 * all coefficients.
 */
export function beneath(studio: Studio, result: Result): TemplateResult {
  return html`<div class="beneath">
    ${studio.afterFit?.panels(result)}
    ${section(
      "proof",
      result.series.length > 1 ? "Proofs and curves: what was spent" : "The proof and its curve",
      proof(result),
    )}
    ${section(
      "all-coefficients",
      "Every coefficient, on the model’s scale and the file’s",
      coefficients(studio.state, studio.models, result.release, !result.differences),
    )}
  </div>`;
}

function proof(result: Result): TemplateResult {
  const { guarantee } = result.release;
  return html`<p class="small">
      By ${cite(guarantee.theorem)}
      ${result.series.length > 1 ? "Every line prices the same noise. A lower line is a better guarantee." : "Every point of the line is a guarantee of this model."}
      ${
        result.series.length > 0
          ? nothing
          : "The curves could not be worked out this time; the release is not affected."
      }
    </p>
    ${
      result.series.length > 0
        ? html`<curve-chart
            .series=${result.series}
            .promise=${{ epsilon: guarantee.epsilon, delta: guarantee.delta }}
          ></curve-chart>`
        : nothing
    }`;
}

/** A citation as the end of a sentence. */
function cite(theorem: string): string {
  return /[.!?]$/.test(theorem) ? theorem : `${theorem}.`;
}
