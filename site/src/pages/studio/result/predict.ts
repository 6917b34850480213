import { html, nothing, type TemplateResult } from "lit/html.js";

import { percent, readable } from "../../../chart/numbers.ts";
import { own } from "../../../client/own.ts";
import type { AnyLabel, Feature, Prediction } from "../../../client/types.ts";
import type { Result } from "../state/state.ts";
import type { Studio } from "./studio.ts";
import { areaField, selectField, textField } from "../../shell/field.ts";
import { problemNotice } from "../../shell/notice.ts";

/** How many fields stand there open. */
const most = 24;

/** One row, typed or pasted, and what the model says of it. Computed from the release alone. */
export function prediction(studio: Studio, result: Result): TemplateResult {
  const { predict } = studio.state;
  const features = result.release.schema.features;
  const submit = (go: () => Promise<void>) => (e: Event) => {
    e.preventDefault();
    void go();
  };
  return html` <section class="try" aria-labelledby="try-title">
    <h3 id="try-title">Try a person</h3>
    <p class="small">The answer comes from the release alone. What you enter stays in this page.</p>
    <form class="predict" @submit=${submit(() => studio.predictor.predictForm())}>
      ${
        features.length > most
          ? html`<details class="disclosure">
              <summary>A field for each of the ${features.length} columns</summary>
              ${fields(studio, features)}
            </details>`
          : fields(studio, features)
      }
      ${predict.from === "form" ? answer(studio, result) : nothing}
    </form>
    <details class="disclosure" ?open=${features.length > most}>
      <summary>Paste a row instead</summary>
      <form class="predict" @submit=${submit(() => studio.predictor.predictPasted())}>
        ${areaField({
          key: "predict.pasted",
          label: "A row of the file",
          hint: html`In this order:
            <span class="mono">${features.map((f) => f.name).join(", ")}</span>. Or paste the file’s
            header line above it.`,
          rows: 2,
          value: predict.pasted,
          input: (text) => studio.predictor.changePasted(text),
        })}
        <button class="button" type="submit">Predict</button>
        ${predict.from === "pasted" ? answer(studio, result) : nothing}
      </form>
    </details>
  </section>`;
}

const fields = (studio: Studio, features: readonly Feature[]): TemplateResult =>
  html`<div class="predict-fields">
    ${features.map((f, i) => field(studio, f, i))}
    <button class="button" type="submit">Predict</button>
  </div>`;

function field(studio: Studio, feature: Feature, i: number): TemplateResult {
  const value = own(studio.state.predict.fields, feature.name) ?? "";
  const key = `predict.${i}`;
  const put = (text: string) => studio.predictor.changeField(feature.name, text);
  if (feature.type === "categorical") {
    return selectField({
      key,
      label: feature.name,
      value,
      choices: [
        { value: "", text: "(missing)" },
        ...feature.categories.map((c) => ({ value: c, text: c })),
      ],
      choose: put,
    });
  }
  return textField({
    key,
    label: html`${feature.name} <span class="soft">${feature.min} to ${feature.max}</span>`,
    value,
    numeric: true,
    input: put,
  });
}

function answer(studio: Studio, result: Result): TemplateResult {
  const { answer, problem } = studio.state.predict;
  return html`<div class="answer" role="status">
    ${
      answer
        ? html`${said(answer, result)}
          ${
            answer.notes.length > 0
              ? html`<ul class="small">
                  ${answer.notes.map((n) => html`<li>${n.feature}: ${n.text}</li>`)}
                </ul>`
              : nothing
          }`
        : nothing
    }
    ${problem ? problemNotice(problem) : nothing}
  </div>`;
}

/** What the model says, by the kind of its label. */
function said(answer: Prediction<AnyLabel>, { release }: Result): TemplateResult {
  const { label } = release.schema;
  const number = (text: string) => html`<strong class="answer-number">${text}</strong>`;
  if ("value" in answer)
    return html`<p>
      ${number(readable(answer.value))} is the ${label.name} that the model expects.
    </p>`;
  if ("margins" in answer) {
    const { probabilities, margins, label: likeliest } = answer;
    const names =
      label.type === "classes" ? label.classes.map((spellings) => spellings[0] ?? "") : [];
    const order = names
      .map((name, k) => ({
        name,
        margin: margins[k] ?? Number.NaN,
        probability: probabilities?.[k],
      }))
      .sort((a, b) => b.margin - a.margin);
    return html`<p>${number(`“${likeliest}”`)} is the likeliest ${label.name}.</p>
      <table class="plain">
        <caption class="hidden">
          Every class, the likeliest first
        </caption>
        <thead>
          <tr>
            <th scope="col">${label.name}</th>
            <th scope="col" class="number">${probabilities ? "Probability" : "Score"}</th>
          </tr>
        </thead>
        <tbody>
          ${order.map(
            (c) =>
              html`<tr>
                <th scope="row">${c.name}</th>
                <td class="number">
                  ${c.probability === undefined ? readable(c.margin) : percent(c.probability)}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }
  const positive = "positive" in label ? label.positive[0] : "";
  if (answer.probability === undefined) {
    return html`<p>
      ${number(`“${answer.label}”`)} is the likelier answer, by a score of
      ${readable(answer.margin)} for “${positive}”. A model of this loss gives no probability.
    </p>`;
  }
  return html`<p>
    ${number(percent(answer.probability))} probability that ${label.name} is “${positive}”.
    ${release.model.loss === "weighted-logistic" ? "By the weights of the fit the" : "The likelier"}
    answer is “${answer.label}”.
  </p>`;
}
