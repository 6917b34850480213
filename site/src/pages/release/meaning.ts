import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { falsePositives, posterior, strength } from "../../chart/meaning.ts";
import { percentBound, readableBound } from "../../chart/numbers.ts";

export interface MeaningOptions {
  /** The data, as it stands in a sentence. */
  readonly data: string;
  /**
   * What the best attack finds ({@link attackFinds}). null: not known yet. Left out: nothing is
   * said of it.
   */
  readonly caught?: number | null | undefined;
  /** δ is 0: no outcome has to be set aside. */
  readonly pure?: boolean;
}

/** What ε means for one person: odds, and the best attack. */
export function meaning(epsilon: number, { data, caught, pure }: MeaningOptions): TemplateResult {
  const sure = posterior(0.5, epsilon);
  return html`<div class="meaning">
    <p class="meaning-head">
      ε&nbsp;=&nbsp;${readableBound(epsilon)} is what we call
      <strong>${strength(epsilon)}</strong> protection. In numbers:
    </p>
    <dl>
      <div>
        <dt>Odds</dt>
        <dd>
          ${meter(0.5, sure)} Somebody who thought it
          <strong class="before">50&nbsp;%</strong> likely that a given person is in ${data} can
          become at most <strong class="after">${percentBound(sure)}</strong> sure. Odds grow by at
          most a factor of ${readableBound(Math.exp(epsilon))}.
        </dd>
      </div>
      ${
        caught === undefined
          ? nothing
          : html`<div>
              <dt>The best attack</dt>
              <dd>
                ${meter(falsePositives, caught ?? falsePositives)} A test for who is in the data
                that wrongly accuses <strong class="before">1&nbsp;%</strong> of outsiders finds at
                most
                <strong class="after">${caught === null ? "…" : percentBound(caught)}</strong> of
                the people in it. Guessing finds
                1&nbsp;%.${caught === null ? html` <span class="soft">Worked out from the noise that is planned.</span>` : nothing}
              </dd>
            </div>`
      }
    </dl>
    <p class="small soft">
      This holds for any attacker, whatever else they
      know${pure ? "" : ", outcomes within δ aside"}.
    </p>
  </div>`;
}

/**
 * From what there was before to what there can be at most, on a scale from 0 to 100 %. The text
 * beside it says the same.
 */
export function meter(before: number, after: number): TemplateResult {
  const width = 240;
  return html`<svg
    class="meter"
    viewBox="0 0 ${width} 14"
    aria-hidden="true"
    preserveAspectRatio="none"
  >
    ${svg`<rect class="meter-all" x="0" y="3" width=${width} height="8" rx="1" />
      <rect class="meter-more" x="0" y="3" width=${after * width} height="8" rx="1" />
      <rect class="meter-before" x="0" y="3" width=${before * width} height="8" rx="1" />`}
  </svg>`;
}

/** A promise to each person: the odds, and what more is said of them, then the rest. */
export function promised(
  { epsilon, covers }: { readonly epsilon: number; readonly covers: boolean },
  more: TemplateResult | typeof nothing,
  rest: TemplateResult,
): TemplateResult {
  const sure = posterior(0.5, epsilon);
  return html`<section
    class="verdict ${covers ? "" : "verdict-partly"}"
    id="promise"
    aria-labelledby="promise-title"
  >
    <h3 class="verdict-head" id="promise-title">The promise to each person</h3>
    ${meter(0.5, sure)}
    <p>
      Somebody who thought it <strong class="before">50&nbsp;%</strong> likely that they are in the
      data can become at most <strong class="after">${percentBound(sure)}</strong> sure. ${more}
    </p>
    ${rest}
  </section>`;
}
