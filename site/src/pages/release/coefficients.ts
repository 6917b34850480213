import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { signedBars } from "../../chart/bars.ts";
import { signed } from "../../chart/numbers.ts";
import type { AnyLabel, OriginalCoefficient, Release, Schema, Vector } from "../../client/types.ts";
import { selectField } from "../shell/field.ts";

/** What of a model's coefficients is shown. */
export interface Shown {
  readonly allCoefficients: boolean;
  /** Whose, of several classes. */
  readonly classShown: number;
}

/** How that is changed. */
export interface Showing {
  showAllCoefficients(all: boolean): void;
  showClass(k: number): void;
}

const barWidth = 160;
const first = 12;

/**
 * The coefficients, the strongest first, each with a bar, on the model's scale and on that of the
 * file. Of several classes the one is chosen here, unless it is elsewhere on the page.
 */
export function coefficients(
  shown: Shown,
  showing: Showing,
  release: Release<AnyLabel>,
  chooses: boolean,
): TemplateResult {
  const { schema } = release;
  const { label } = schema;
  const several = "classes" in release.model ? release.model.classes : null;
  const chosen = Math.min(shown.classShown, (several?.length ?? 1) - 1);
  const model: Vector = several ? several[chosen]! : (release.model as Vector);
  // The intercept, the last of the coefficients, has no original: it stands below the others.
  const rows = model.original
    .map((original, i) => ({ original, value: model.coefficients[i] ?? Number.NaN }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const drawn = signedBars(
    rows.map((r) => r.value),
    barWidth,
  );
  const all = shown.allCoefficients || rows.length <= first + 3;
  const outcome = several
    ? several[chosen]!.class
    : label.type === undefined
      ? (label.positive[0] ?? "")
      : "";
  return html`
    ${
      several && chooses
        ? selectField({
            key: "class",
            label: `Which ${label.name} to show`,
            hint: "The model has a score for each, against all others, and says the one whose score is largest.",
            value: String(chosen),
            choices: several.map((c, k) => ({ value: String(k), text: c.class })),
            choose: (k) => showing.showClass(Number(k)),
          })
        : nothing
    }
    <p class="small">
      A bar to the right
      ${label.type === "numeric" ? html`raises ${label.name}, one to the left lowers it` : html`makes “${outcome}” more likely, one to the left less`}.
      On the model’s scale every column runs from 0 to 1, so lengths can be compared. All of them
      carry noise: the sign of a short bar means little.
    </p>
    <div class="scroll" role="region" tabindex="0" aria-label="Coefficients">
      <table class="coefficients">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <td></td>
            <th scope="col" class="number">Model’s scale</th>
            <th scope="col" class="number">File’s scale</th>
          </tr>
        </thead>
        <tbody>
          ${(all ? rows : rows.slice(0, first)).map(({ value, original }, i) => {
            const bar = drawn.bars[i]!;
            return html`<tr>
              <th scope="row">
                ${original.feature}${original.category === undefined && original.unit !== "missing" ? nothing : html`<span class="category">${original.category ?? "is missing"}</span>`}
              </th>
              <td class="bar">
                <svg viewBox="0 0 ${barWidth} 16" preserveAspectRatio="none" aria-hidden="true">
                  ${svg`<rect class=${bar.negative ? "bar-less" : "bar-more"} x=${bar.x} y="3" width=${bar.width} height="10" />
                    <line class="bar-zero" x1=${drawn.zero} x2=${drawn.zero} y1="0" y2="16" />`}
                </svg>
              </td>
              <td class="number">${signed(value)}</td>
              <td class="number">${signed(original.coefficient)}${unit(original)}</td>
            </tr>`;
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Intercept</th>
            <td></td>
            <td class="number">${signed(model.intercept)}</td>
            <td class="number">${signed(model.intercept)}</td>
          </tr>
          <tr>
            <th scope="row">Constant</th>
            <td></td>
            <td></td>
            <td class="number">${signed(model.original_constant)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${
      rows.length > first + 3
        ? html`<p class="actions">
            <button
              class="button button-quiet"
              type="button"
              aria-expanded=${all ? "true" : "false"}
              @click=${() => showing.showAllCoefficients(!all)}
            >
              ${all ? `Show the ${first} strongest` : `Show all ${rows.length}`}
            </button>
          </p>`
        : nothing
    }
    <p class="small soft">
      On the file’s scale the score${outcome ? html` for “${outcome}”` : nothing} is
      ${schema.rows.norm === "scale" ? "constant + sum of coefficient × value" : "(constant + sum of coefficient × value) ÷ N"}
      + intercept${meaning(release)}.${lengthOf(schema.rows.norm)} A category counts 1 or 0, and so
      does a missing value that has a column of its own.
    </p>
  `;
}

/** What N is, where scores have one. */
export function lengthOf(norm: Schema<AnyLabel>["rows"]["norm"]): string {
  if (norm === "scale") return "";
  return ` N is the length that the row’s features have before ${
    norm === "unit"
      ? "they are brought to length 1"
      : "they are shortened to length 1, or 1 if they are shorter"
  }.`;
}

/** What the coefficient multiplies, where it is not the value itself. */
function unit(original: OriginalCoefficient): TemplateResult | typeof nothing {
  if (original.unit !== "log1p(x - offset)") return nothing;
  const offset = original.offset ?? 0;
  const shifted = offset === 0 ? "x" : offset > 0 ? `x − ${offset}` : `x + ${-offset}`;
  return html`<span class="unit">of log(1 + ${shifted})</span>`;
}

/** What the score says. */
function meaning({ schema: { label }, model }: Release<AnyLabel>): string {
  if (label.type === "numeric") return `: −1 stands for ${label.min} and +1 for ${label.max}`;
  if (label.type === "classes") return "; the largest score wins";
  return model.loss === "logistic"
    ? ": 0 means even odds, and near 0 it is the log-odds"
    : ": above 0 it is the likelier answer";
}
