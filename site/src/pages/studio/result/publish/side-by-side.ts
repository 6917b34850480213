import { html, nothing, type TemplateResult } from "lit/html.js";

import { figureRows } from "../../../../chart/figures.ts";
import { readableBound, signed } from "../../../../chart/numbers.ts";
import type { Vector } from "../../../../client/types.ts";
import type { Result, State } from "../../state/state.ts";
import { wayWords } from "../../state/way-words.ts";

const first = 12;

/**
 * Models of one file and one label beside each other: what each cost, how well it does where that
 * was bought, and its coefficients.
 */
export function sideBySide({
  results,
  result,
  classShown,
  allCoefficients,
}: State): TemplateResult | string {
  const key = ({ source, release: { schema } }: Result): string =>
    JSON.stringify([
      source.id,
      schema.label.name,
      schema.label.type,
      "classes" in schema.label ? schema.label.classes : 0,
    ]);
  const alike = result ? results.filter((r) => key(r) === key(result)) : [];
  if (!result || alike.length < 2) return "";
  const models = [...alike].sort((a, b) => a.number - b.number);
  const vectors = models.map(({ release: { model } }) =>
    "classes" in model
      ? model.classes[Math.min(classShown, model.classes.length - 1)]!
      : (model as Vector),
  );
  const shown = vectors[models.indexOf(result)]!;
  const ofClass = "class" in shown ? String(shown.class) : "";
  // Other models may know other columns and categories.
  const tables = vectors.map(
    (v) => new Map(v.original.map((o, i) => [name(o), v.coefficients[i]!])),
  );
  const names = [...new Set(tables.flatMap((t) => [...t.keys()]))];
  const strength = (n: string): number => Math.max(...tables.map((t) => Math.abs(t.get(n) ?? 0)));
  const rows = names.sort((a, b) => strength(b) - strength(a));
  const few = allCoefficients || rows.length <= first + 3 ? rows : rows.slice(0, first);
  const best = models.map((r) => r.figures && figureRows(r.figures)[0]);
  const figure = best.find((f) => f);
  const numbers = (title: string, cells: readonly (TemplateResult | string)[]) =>
    html`<tr>
      <th scope="row">${title}</th>
      ${cells.map((c) => html`<td class="number">${c}</td>`)}
    </tr>`;
  return html`<details class="disclosure">
    <summary>Models of these rows side by side</summary>
    <div>
      <div class="scroll" role="region" tabindex="0" aria-label="Models of these rows side by side">
        <table class="plain side-by-side">
          <caption>
            What each cost, how well it does, and its coefficients on the model’s
            scale${ofClass ? html`, of “${ofClass}”` : nothing}
          </caption>
          <thead>
            <tr>
              <td></td>
              ${models.map(
                (r) =>
                  html`<th scope="col" class="number ${r === result ? "side-shown" : ""}">
                    Model ${r.number}<span class="hint">${wayWords[r.way].place}</span>
                  </th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${numbers(
              "ε",
              models.map(({ release }) => readableBound(release.guarantee.epsilon)),
            )}
            ${numbers(
              "δ",
              models.map(({ release }) => readableBound(release.guarantee.delta)),
            )}
            ${numbers(
              figure?.name ??
                ("numeric" === result.release.schema.label.type
                  ? "Variance explained"
                  : "Predicted right"),
              best.map((f) =>
                f
                  ? html`${f.estimate}<span class="hint">${f.range}</span>`
                  : html`<span class="soft">not bought</span>`,
              ),
            )}
            ${few.map((n) =>
              numbers(
                n,
                tables.map((t) => (t.has(n) ? signed(t.get(n)!) : "–")),
              ),
            )}
          </tbody>
          <tfoot>
            ${numbers(
              "Intercept",
              vectors.map((v) => signed(v.intercept)),
            )}
          </tfoot>
        </table>
      </div>
      <p class="small soft">
        All coefficients carry noise, so models differ by luck as
        well.${few.length < rows.length ? ` These are the ${first} strongest; those of the others stand where all of a model’s are shown, below.` : ""}
        What stands here comes from the releases alone.
      </p>
    </div>
  </details>`;
}

const name = ({
  feature,
  category,
}: {
  readonly feature: string;
  readonly category?: string;
}): string => (category === undefined ? feature : `${feature}: ${category}`);
