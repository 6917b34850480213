import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound, surely } from "../../../chart/numbers.ts";
import type { Checked } from "../state.ts";

const kinds = {
  "data-independent": "It follows from the release alone and cost nothing.",
  "data-dependent": "It was bought with privacy of its own.",
  adaptive: "It was bought with privacy of its own.",
};

/** What is found of the privacy report that was chosen with a release. */
export function privacyReport({ report, name }: Checked): TemplateResult | typeof nothing {
  if (!report) return nothing;
  const { inspected, problem } = report;
  return html`<div class="notice ${problem ? "notice-bad" : "notice-good"}" id="privacy-report">
    <h3>
      ${problem ? `${report.name} is not its privacy report` : `${report.name} belongs to ${name}`}
    </h3>
    <p>
      ${
        problem ??
        html`${kinds[inspected!.kind]}
        ${
          inspected!.epsilon > 0
            ? html`Its noise gives ε = ${readableBound(inspected!.epsilon)}. The model and the
              report together are covered at ε = ${readableBound(inspected!.total)}, both at δ =
              ${readableBound(inspected!.delta)}.`
            : nothing
        }
        What it tells a person holds for them with probability
        ${surely(inspected!.rho)}${
          inspected!.epsilon > 0
            ? ", if its numbers are what the data and the noise came to: that is the word of whoever made it"
            : nothing
        }.`
      }
    </p>
  </div>`;
}
