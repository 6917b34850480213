import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, percent, readable } from "../../../../chart/numbers.ts";
import type { AnyLabel, ExactFigures } from "../../../../client/types.ts";
import type { Chooser } from "../../notes/chooser.ts";
import { isOpen, isOwn, pledgeOn } from "../../state/choice.ts";
import type { Result, State } from "../../state/state.ts";
import { promised, promising } from "./pledge.ts";

/**
 * Figures that the data holder may see and must not publish: computed from the rows, without noise.
 * They stay closed until the holder has promised what a look will not change.
 */
export function fence(
  chooser: Chooser,
  state: State,
  result: Result,
): TemplateResult | typeof nothing {
  if (result.training === undefined) return nothing;
  const open = isOpen(state, result);
  return html`<section class="fence" aria-labelledby="fence-title">
    <h3 id="fence-title" tabindex="-1">
      For your eyes only${open ? nothing : ": how well it does on your rows"}
    </h3>
    ${leftOut(result)} ${open ? shown(state, result) : promising(chooser, state)}
  </section>`;
}

/** Rows that the rules of the schema left out: nothing else says that the model is not of all. */
function leftOut({ tally, release }: Result): TemplateResult | typeof nothing {
  if (!tally?.dropped) return nothing;
  const all = tally.rows;
  const why = tally.features
    .filter(({ name, missing }) => {
      const rule = release.schema.features.find((f) => f.name === name)?.missing;
      return missing > 0 && rule === "drop";
    })
    .map((f) => f.name);
  if (tally.labelMissing > 0) why.push(release.schema.label.name);
  return html`<p id="left-out">
    <strong
      >${count(tally.dropped)} of ${count(all)} rows (${percent(tally.dropped / all)}) were left
      out</strong
    >${why.length > 0 ? `: they have no value in ${why.join(", ")}` : nothing}. The model describes
    the others, and answers for no one without such a value. This was counted in your rows and is
    not in the release. It may not decide what you publish either.
  </p>`;
}

function shown(state: State, result: Result): TemplateResult {
  const { release } = result;
  const [d, tally, figures] = [result.diagnostics!, result.tally!, result.training];
  const clamped = tally.features.filter((f) => f.clamped > 0);
  const unknown = tally.features.filter((f) => f.unknown > 0);
  const { label } = release.schema;
  return html`<p class="small">
      These numbers come straight from the rows, with no noise. They are not in the release, and the
      guarantee does not cover them.
      ${isOwn(result) ? nothing : "These rows are nobody’s data, so this is open. For your own file it stays closed until you say what you will publish."}
    </p>
    ${isOwn(result) ? promised(pledgeOn(state, result.rows)!) : nothing}
    ${figures ? nothing : html`<p class="small">How well it does on them could not be worked out.</p>`}
    <dl class="figures">
      ${figures && exactFigures(figures, "your rows")}
      <div>
        <dt>Rows used</dt>
        <dd>${count(d.rows)}</dd>
      </div>
      <div>
        <dt>Rows left out</dt>
        <dd>${count(tally.dropped)}</dd>
      </div>
    </dl>
    <details class="disclosure">
      <summary>More of these</summary>
      <div>
        ${figures && confusion(figures, label)}
        ${
          clamped.length + unknown.length + tally.labelClamped > 0
            ? html`<p class="small">
                ${clamped.length > 0 ? `Moved to a bound: ${clamped.map((f) => `${f.name} (${count(f.clamped)})`).join(", ")}. ` : nothing}
                ${tally.labelClamped > 0 ? `${label.name} itself was moved to a bound in ${count(tally.labelClamped)} rows. ` : nothing}
                ${unknown.length > 0 ? `Not among the categories: ${unknown.map((f) => `${f.name} (${count(f.unknown)})`).join(", ")}.` : nothing}
              </p>`
            : nothing
        }
        <p class="small soft">
          ${
            d.gradientNorm === undefined
              ? `${d.iterations} steps of gradient descent.`
              : `Solved in ${d.iterations} rounds to a certified ${readable(d.gradientNorm)}, where ${readable(d.tau!)} was allowed.`
          }
          ${count(Math.round(d.milliseconds))} milliseconds.
        </p>
      </div>
    </details>`;
}

/** How well the model does, exactly, on some rows. */
export function exactFigures(d: ExactFigures<AnyLabel>, on: string): TemplateResult {
  if ("accuracy" in d) {
    return html`<div>
        <dt>Right on ${on}</dt>
        <dd>${percent(d.accuracy)}</dd>
      </div>
      <div>
        <dt>Always the commonest answer</dt>
        <dd>${percent(d.baseline)}</dd>
      </div>`;
  }
  return html`<div>
      <dt>Typical error on ${on}</dt>
      <dd>${readable(Math.sqrt(d.meanSquaredError))}</dd>
    </div>
    ${
      d.rSquared === undefined
        ? nothing
        : html`<div>
            <dt>Variance explained</dt>
            <dd>${percent(Math.max(0, d.rSquared))}</dd>
          </div>`
    }`;
}

/** Rows by what is in the file and what the model says; for a number there is no such table. */
function confusion(d: ExactFigures<AnyLabel>, label: AnyLabel): TemplateResult | typeof nothing {
  if (!("accuracy" in d)) return nothing;
  let names: readonly string[];
  let rows: readonly (readonly number[])[];
  if ("matrix" in d) {
    names = label.type === "classes" ? label.classes.map((c) => c[0] ?? "") : [];
    rows = d.matrix;
  } else {
    const { truePositive, falsePositive, trueNegative, falseNegative } = d.confusion;
    names = "positive" in label ? [label.positive[0] ?? "", label.negative[0] ?? ""] : [];
    rows = [
      [truePositive, falseNegative],
      [falsePositive, trueNegative],
    ];
  }
  return html`<div
    class="scroll"
    role="region"
    tabindex="0"
    aria-label="Rows by what is in the file and what the model says"
  >
    <table class="plain confusion">
      <caption>
        Rows by what is in the file and what the model says
      </caption>
      <thead>
        <tr>
          <td></td>
          ${names.map((name) => html`<th scope="col" class="number">model: “${name}”</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, k) =>
            html`<tr>
              <th scope="row">in the file: “${names[k]}”</th>
              ${row.map((n) => html`<td class="number">${count(n)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
