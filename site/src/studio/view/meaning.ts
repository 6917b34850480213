import { html, svg, type TemplateResult } from "lit";

import { bestTruePositiveRate, falsePositives, posterior, strength } from "../../chart/meaning.ts";
import { percentBound, readable, readableBound } from "../../chart/numbers.ts";

export interface MeaningOptions {
  /** The data, as it stands in a sentence. */
  readonly data: string;
  /** The best attack's true-positive rate, if more is known than (ε, δ) alone says. */
  readonly caught?: number;
}

/** What (ε, δ) means for one person: odds, and the best attack. */
export function meaning(epsilon: number, delta: number, { data, caught = bestTruePositiveRate(falsePositives, epsilon, delta) }: MeaningOptions): TemplateResult {
  const sure = posterior(0.5, epsilon);
  return html`<div class="meaning">
    <p class="meaning-head">ε = ${readable(epsilon)} is <strong>${strength(epsilon)}</strong> protection, in our words. In numbers:</p>
    <dl>
      <div>
        <dt>Odds</dt>
        <dd>
          ${meter(0.5, sure)} Somebody who thought it <strong class="before">50&nbsp;%</strong> likely that a given person is in ${data} can become at most
          <strong class="after">${percentBound(sure)}</strong> sure. Odds grow by at most a factor of ${readableBound(Math.exp(epsilon))}.
        </dd>
      </div>
      <div>
        <dt>The best attack</dt>
        <dd>
          ${meter(falsePositives, caught)} A test for who is in the data that wrongly accuses <strong class="before">1&nbsp;%</strong> of outsiders finds at most
          <strong class="after">${percentBound(caught)}</strong> of the people in it. Guessing finds 1&nbsp;%.
        </dd>
      </div>
    </dl>
    <p class="small soft">This holds for any attacker, whatever else they know, outcomes within δ aside.</p>
  </div>`;
}

/** From what there was before to what there can be at most, on a scale from 0 to 100 %. The text beside it says the same. */
function meter(before: number, after: number): TemplateResult {
  const width = 240;
  return html`<svg class="meter" viewBox="0 0 ${width} 14" aria-hidden="true" preserveAspectRatio="none">
    ${svg`<rect class="meter-all" x="0" y="3" width=${width} height="8" rx="1" />
      <rect class="meter-more" x="0" y="3" width=${after * width} height="8" rx="1" />
      <rect class="meter-before" x="0" y="3" width=${before * width} height="8" rx="1" />`}
  </svg>`;
}
