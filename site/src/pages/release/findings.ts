import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import type { AnyLabel, Differences, Release } from "../../client/types.ts";
import { columnName } from "../shell/column-name.ts";
import { selectField } from "../shell/field.ts";
import type { Shown, Showing } from "./coefficients.ts";
import { found, type Found, foundBars, onAverage, references, wrongWay } from "./found.ts";

const barWidth = 160;
const first = 8;

/**
 * What the model found: differences from a reference, those that are more than noise first. The
 * others are drawn hollow, and said to be no more than noise may be.
 */
export function findings(
  shown: Shown,
  showing: Showing,
  release: Release<AnyLabel>,
  differences: Differences | undefined,
): TemplateResult {
  if (!differences)
    return html`<p class="small">
      What the model found could not be worked out this time. The release is not affected.
    </p>`;
  const { label } = release.schema;
  const several = label.type === "classes" ? differences.vectors : null;
  const chosen = Math.min(shown.classShown, differences.vectors.length - 1);
  const all = found(release, differences, chosen);
  const few = shown.allCoefficients || all.rows.length <= first + 2;
  const rows = few ? all.rows : all.rows.slice(0, first);
  const bars = foundBars(all.rows, barWidth);
  return html`${
      several
        ? selectField({
            key: "class",
            label: `Which ${label.name} to show`,
            value: String(chosen),
            choices: several.map((c, k) => ({
              value: String(k),
              text: c.class ?? "",
            })),
            choose: (k) => showing.showClass(Number(k)),
          })
        : nothing
    }
    <p class="findings-lead">${summary(all, differences.share)}</p>
    <div class="scroll" role="region" tabindex="0" aria-label="Differences">
      <table class="findings">
        <thead>
          <tr>
            <th scope="col">Two people who differ only in</th>
            <td class="findings-ends" aria-hidden="true"><span>less</span><span>more</span></td>
            <th scope="col" class="number">${all.scale}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row, i) => {
            const bar = bars[i]!;
            const more = row.value >= 0;
            return html`<tr class=${row.shown ? "found" : "found-noise"}>
              <th scope="row">
                ${columnName(row.feature)}
                <span class="between">${row.between}</span>
              </th>
              <td class="bar">
                <svg viewBox="0 0 ${barWidth} 18" preserveAspectRatio="none" aria-hidden="true">
                  ${svg`<line class="bar-zero" x1=${bar.zero} x2=${bar.zero} y1="0" y2="18" />
                    <rect class=${more ? "bar-more" : "bar-less"} x=${bar.x} y="4" width=${bar.width} height="10" />
                    <line class="bar-reach" x1=${bar.low} x2=${bar.high} y1="9" y2="9" />`}
                </svg>
              </td>
              <td class="number">
                ${row.text}
                <span class="unit">${row.shown ? (row.whole ?? nothing) : "could be noise"}</span>
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    ${
      all.rows.length > first + 2
        ? html`<p class="actions">
            <button
              class="button button-quiet"
              type="button"
              id="findings-all"
              aria-expanded=${few ? "true" : "false"}
              @click=${() => showing.showAllCoefficients(!few)}
            >
              ${few ? `Show the first ${first}` : `Show all ${all.rows.length}`}
            </button>
          </p>`
        : nothing
    }
    ${how(all, release, differences)}`;
}

function summary(all: Found, share: number): TemplateResult | string {
  if (!all.limited) return all.unlimited;
  if (all.rows.length === 0) return "No two people differ in what this model looks at.";
  if (all.shown === 0)
    return html`<strong
        >None of these ${all.rows.length} differences in ${all.of} is surely more than
        noise.</strong
      >
      Each may be true all the same.`;
  return html`<strong
      >${all.shown === all.rows.length ? "All" : all.shown} of ${all.rows.length} differences in
      ${all.of} ${all.shown === 1 ? "is" : "are"} more than noise.</strong
    >
    ${wrongWay(share)}`;
}

function how(
  all: Found,
  release: Release<AnyLabel>,
  differences: Differences,
): TemplateResult | typeof nothing {
  if (all.rows.length === 0) return nothing;
  const compared = references(differences);
  return html`<details class="disclosure findings-how">
    <summary>How to read this</summary>
    <div class="small">
      <p>
        A bar to the right ${all.more}; one to the left ${all.less}. Each is about two people alike
        in all
        else${all.scale === "Odds" ? ", by what factor the odds of one are above the other’s" : ""},
        for somebody in the middle of every
        column.${release.model.loss === "softmax" ? ` The odds are those of “${all.class}” against each of the others, averaged over them.` : ""}
        For a number, the bar goes from its lower public bound to its upper
        one${release.schema.features.some((f) => f.type === "numeric") ? ", the large figure is for one step of it, and the small one for all of it" : ""}.
      </p>
      ${
        compared.length > 0
          ? html`<p>
              Categories are compared with a reference:
              ${compared.map(([feature, reference], i) => html`${i > 0 ? ", " : nothing}${feature} with “${reference}”`)}.
              It is the schema’s first, or one whose name says that it is the usual one. Nobody
              looked at the rows to choose it.
            </p>`
          : nothing
      }
      ${all.shown > 0 ? html`<p>${onAverage}</p>` : nothing}
      <p>
        The thin line says how far noise may reach. It is an upper limit, from the release alone: a
        release does not say how many records there were, so a category that many have cannot be
        told from one that nobody has. The truth may be far closer. A hollow bar is within what
        noise can do. Nothing here says that one thing causes another.
      </p>
    </div>
  </details>`;
}
