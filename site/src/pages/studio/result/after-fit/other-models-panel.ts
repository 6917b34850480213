import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { count, percent, readable, signed } from "../../../../chart/numbers.ts";
import type { DerivedCoefficient, DerivedModel } from "../../../../client/types.ts";
import { lengthOf } from "../../../release/coefficients.ts";
import { foundBars } from "../../../release/found.ts";
import { checkbox, selectField, textField } from "../../../shell/field.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { section } from "../../../shell/section.ts";
import { mayPublish } from "../../state/choice.ts";
import type { Result } from "../../state/state.ts";
import type { OtherModels } from "./other-models.ts";

const barWidth = 160;

/** Noise and chance reach so many standard errors to either side, but for one case in twenty. */
const reachOf = 1.96;

/**
 * Other regressions from the moments that were released: what is predicted, from which columns, by
 * which ridge. They follow from the release, so each answer stands there as soon as it is asked.
 */
export function otherModelsPanel(
  models: OtherModels,
  result: Result,
): TemplateResult | typeof nothing {
  if (!result.release.model.moments) return nothing;
  const { answer, problem } = models.question(result);
  return section(
    "other-models",
    "Other models from the same purchase",
    html`<p class="small">
        What was released is the sums of products of all columns, with noise. Every regression that
        can be worked out from them is public already, so it costs nothing more, and none of your
        rows is read for it.
      </p>
      <form @submit=${(e: Event) => e.preventDefault()}>${asked(models, result)}</form>
      ${problem ? problemNotice(problem, { id: "other-failed" }) : nothing}
      ${answer ? found(models, result, answer.derived) : nothing}`,
    {
      toggled: (open) => {
        if (open && !answer && !problem) void models.ask(result);
      },
    },
  );
}

function asked(models: OtherModels, result: Result): TemplateResult {
  const { schema } = result.release;
  const { target, without, ridge } = models.question(result);
  const own = models.predicted(result);
  return html`<div class="row">
      ${selectField({
        key: "other.target",
        label: "What to predict",
        value: target,
        choices: [
          { value: "", text: `${schema.label.name} (as fitted)` },
          ...schema.features.flatMap((f) =>
            f.type === "numeric"
              ? [{ value: f.name, text: f.name }]
              : f.categories.map((c) => ({
                  value: `${f.name}=${c}`,
                  text: `whether ${f.name} is ${c}`,
                })),
          ),
        ],
        choose: (value) => models.change(result, { target: value }),
      })}
      ${textField({
        key: "other.ridge",
        label: html`Ridge, λ <span class="soft">optional</span>`,
        value: ridge,
        short: true,
        numeric: true,
        error: models.ridgeError(result),
        input: (text) => models.change(result, { ridge: text }),
      })}
    </div>
    <fieldset>
      <legend>From which columns</legend>
      <div class="choices-inline">
        ${schema.features.map((f, i) =>
          f.name === own
            ? nothing
            : checkbox({
                id: `other-column-${i}`,
                checked: !without.includes(f.name),
                label: f.name,
                change: (on) => models.tick(result, f.name, on),
              }),
        )}
      </div>
    </fieldset>`;
}

function found(models: OtherModels, result: Result, model: DerivedModel): TemplateResult {
  const rows = model.original
    .map((original, j) => ({
      original,
      value: model.coefficients[j]!,
      reach: reachOf * (model.errors?.[j] ?? Infinity),
    }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const bars = foundBars(rows, barWidth);
  return html`<p class="findings-lead" id="other-says">${lead(model)}</p>
    ${
      rows.length === 0
        ? nothing
        : html`<div
            class="scroll"
            role="region"
            tabindex="0"
            aria-label="Coefficients of the other model"
          >
            <table class="findings" id="other-found">
              <thead>
                <tr>
                  <th scope="col">Column</th>
                  <td class="findings-ends" aria-hidden="true">
                    <span>less</span><span>more</span>
                  </td>
                  <th scope="col" class="number">
                    Coefficient <span class="unit">± standard error</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                ${rows.map(({ original, value, reach }, i) => {
                  const bar = bars[i]!;
                  return html`<tr class=${Math.abs(value) > reach ? "found" : "found-noise"}>
                    <th scope="row">
                      ${original.feature}<span class="between">${per(original)}</span>
                    </th>
                    <td class="bar">
                      <svg
                        viewBox="0 0 ${barWidth} 18"
                        preserveAspectRatio="none"
                        aria-hidden="true"
                      >
                        ${svg`<line class="bar-zero" x1=${bar.zero} x2=${bar.zero} y1="0" y2="18" />
                          <rect class=${value < 0 ? "bar-less" : "bar-more"} x=${bar.x} y="4" width=${bar.width} height="10" />
                          <line class="bar-reach" x1=${bar.low} x2=${bar.high} y1="9" y2="9" />`}
                      </svg>
                    </td>
                    <td class="number">
                      ${signed(original.coefficient)}
                      <span class="unit"
                        >±
                        ${readable(original.error ?? Number.NaN)}${Math.abs(value) > reach ? nothing : ", could be noise"}</span
                      >
                    </td>
                  </tr>`;
                })}
              </tbody>
            </table>
          </div>`
    }
    <p class="actions">
      <button
        class="button"
        type="button"
        id="other-save"
        ?disabled=${!mayPublish(models.studio.state, result)}
        @click=${() => void models.save(result)}
      >
        Save this model
      </button>
      <span class="small soft">derived-model.json: publish it beside release.json</span>
    </p>
    ${how(result, model)}`;
}

function lead(model: DerivedModel): TemplateResult {
  const { r_squared: share, records } = model;
  const from = model.original.length === 0 ? "nothing but its mean" : "these columns";
  return html`<strong>${model.target} from ${from}.</strong> ${
      share === undefined
        ? "The noise leaves nothing to say of how much it explains."
        : share < 0 || share > 1
          ? `How much of the variance it explains is hidden by the noise (the estimate is ${percent(share)}).`
          : `It explains about ${percent(share)} of the variance.`
    }
    ${records === undefined ? nothing : `There are about ${count(Math.round(records))} rows, by the released sums.`}
    λ is ${readable(model.ridge)}.`;
}

function per({ unit, offset = 0, category }: DerivedCoefficient): string {
  if (unit === "category") return category!;
  if (unit === "missing") return "is missing";
  if (unit === "1") return "for one more";
  return `for one more of log(1 + x${offset === 0 ? "" : offset > 0 ? ` − ${offset}` : ` + ${-offset}`})`;
}

function how({ release }: Result, model: DerivedModel): TemplateResult {
  const { intercept, original_constant: constant, target } = model;
  const { norm } = release.schema.rows;
  const over = norm === "scale" ? "" : " ÷ N";
  return html`<details class="disclosure findings-how">
    <summary>How to read this</summary>
    <div class="small">
      <p>
        ${model.label ? target : html`${target}${over}`} is
        ${over ? "(constant + sum of coefficient × value) ÷ N" : "constant + sum of coefficient × value"}
        + intercept, with constant ${signed(constant)} and intercept
        ${signed(intercept)}${model.intercept_error === undefined ? nothing : html` ± ${readable(model.intercept_error)}`}.
        ${lengthOf(norm)} A category counts 1 or 0.
      </p>
      <p>
        A bar is the difference from a column’s lower public bound to its upper one. The line over
        it reaches two standard errors to either side. They are of people drawn anew and of the
        noise. The ridge pulls every coefficient towards 0, which is not in them. An empty λ is
        chosen from the noise. Categories of one column can be compared with each other; one alone
        means little.
      </p>
    </div>
  </details>`;
}
