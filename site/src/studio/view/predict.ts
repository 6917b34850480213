import { html, nothing, type TemplateResult } from "lit";

import { percent } from "../../chart/numbers.ts";
import type { Feature } from "../../client/types.ts";
import type { Result } from "../state.ts";
import type { Studio } from "../studio.ts";
import { areaField, selectField, textField } from "./field.ts";
import { problemNotice } from "./notice.ts";

/** One row, typed or pasted, and what the model says of it. Computed from the release alone. */
export function prediction(studio: Studio, result: Result): TemplateResult {
  const { predict } = studio.state;
  const features = result.release.schema.features;
  const submit = (go: () => Promise<void>) => (e: Event) => {
    e.preventDefault();
    void go();
  };
  return html`
    <h3>Try it on one row</h3>
    <p class="small">The answer comes from the release alone. What you enter stays in this page.</p>
    <details class="disclosure" open>
      <summary>Enter the values</summary>
      <form class="predict" @submit=${submit(() => studio.predictor.predictForm())}>
        <div class="predict-fields">${features.map((f, i) => field(studio, f, i))}</div>
        <button class="button" type="submit">Predict</button>
        ${predict.from === "form" ? answer(studio, result) : nothing}
      </form>
    </details>
    <details class="disclosure">
      <summary>Paste a row instead</summary>
      <form class="predict" @submit=${submit(() => studio.predictor.predictPasted())}>
        ${areaField({
          key: "predict.pasted",
          label: "A row of the file",
          hint: html`In this order: <span class="mono">${features.map((f) => f.name).join(", ")}</span>. Or paste the file’s header line above it.`,
          rows: 2,
          value: predict.pasted,
          input: (text) => studio.predictor.changePasted(text),
        })}
        <button class="button" type="submit">Predict</button>
        ${predict.from === "pasted" ? answer(studio, result) : nothing}
      </form>
    </details>
  `;
}

function field(studio: Studio, feature: Feature, i: number): TemplateResult {
  const value = studio.state.predict.fields[feature.name] ?? "";
  const key = `predict.${i}`;
  const put = (text: string) => studio.predictor.changeField(feature.name, text);
  if (feature.type === "categorical") {
    return selectField({
      key,
      label: feature.name,
      value,
      choices: [{ value: "", text: "(missing)" }, ...feature.categories.map((c) => ({ value: c, text: c }))],
      choose: put,
    });
  }
  return textField({ key, label: html`${feature.name} <span class="soft">${feature.min} to ${feature.max}</span>`, value, numeric: true, input: put });
}

function answer(studio: Studio, result: Result): TemplateResult {
  const { answer, problem } = studio.state.predict;
  const { label } = result.release.schema;
  return html`<div class="answer" role="status">
    ${
      answer
        ? html`<p>
              <strong class="answer-number">${percent(answer.probability)}</strong> probability that ${label.name} is “${label.positive[0]}”. The likelier answer is
              “${answer.label}”.
            </p>
            ${answer.notes.length > 0 ? html`<ul class="small">${answer.notes.map((n) => html`<li>${n.feature}: ${n.text}</li>`)}</ul>` : nothing}`
        : nothing
    }
    ${problem ? problemNotice(problem) : nothing}
  </div>`;
}
