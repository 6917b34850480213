import { html, nothing, type TemplateResult } from "lit/html.js";

import { count } from "../../../../chart/numbers.ts";
import type { Choice } from "../../../../client/types.ts";
import { radios } from "../../../shell/field.ts";
import { choiceOf, choicesFor, isOwn, mayPublish, modelsOf } from "../../state/choice.ts";
import type { Result, State } from "../../state/state.ts";

/**
 * How the model came to be the one that is published, as its release will say. Where no other is
 * known it is a line that opens; where there is nothing to choose, a sentence.
 */
export function choicePanel(
  say: (choice: Choice | null) => void,
  state: State,
  result: Result,
): TemplateResult | typeof nothing {
  if (!isOwn(result)) return nothing;
  const models = modelsOf(state, result);
  if (!mayPublish(state, result)) {
    return html`<p id="choice">
      <strong>Not to be published.</strong> Before you looked at the private figures you said that
      you publish no model of this file. So the page saves none.
    </p>`;
  }
  const choices = choicesFor(state, result);
  if (choices[0] === "private-selection") {
    return html`<p class="small" id="choice">
      The release says that <strong>the rows chose its setting</strong>, by a noisy score, and that
      ε pays for the choice. The file shows it.
    </p>`;
  }
  if (choices.length === 1) {
    return html`<p class="small" id="choice">
      The release says that <strong>all ${count(models)} models</strong> of this file are published,
      as you said before you looked at the private figures. Save and publish each of them.
    </p>`;
  }
  const value = choiceOf(state, result);
  const asked = html`${radios({
      name: "choice",
      legend:
        models > 1
          ? `${count(models)} models were fitted to this file. How was this one chosen?`
          : html`<span class="hidden">Were other models fitted to these rows?</span>`,
      value: value ?? "unstated",
      choices: choices.map((c) => ({
        value: c ?? "unstated",
        id: `choice-${c ?? "unstated"}`,
        label: label(c, models),
      })),
      choose: (said) => say(said === "unstated" ? null : (said as Choice)),
    })}
    <p class="small">
      The release and the model card will say so. Figures that nobody paid for must have no part in
      it.
    </p>`;
  if (models > 1) return html`<div id="choice">${asked}</div>`;
  return html`<details class="disclosure" id="choice">
    <summary>Any other models? <span class="soft">${answers[value ?? "unstated"]}</span></summary>
    <div>${asked}</div>
  </details>`;
}

/** The answer in the folded line. */
const answers: Readonly<Record<Choice | "unstated", string>> = {
  "only-model": "No",
  "all-published": "All published",
  "paid-figures": "Chosen by paid figures",
  "private-selection": "Chosen privately",
  unstated: "Not said",
};

function label(choice: Choice | null, models: number): TemplateResult {
  if (choice === "only-model")
    return html`No, this is the only one, here and elsewhere.
      <span class="hint">The page knows only what was fitted in this browser.</span>`;
  if (choice === "all-published")
    return models > 1
      ? html`It was not: all ${count(models)} are published.`
      : html`There may be others, and all are published.
          <span class="hint">As you said before you looked at the private figures.</span>`;
  if (choice === "paid-figures")
    return html`By what was paid for: the models themselves, or bought evaluations.
      <span class="hint">Nobody looked at how they do on these rows.</span>`;
  return html`The release does not say. <span class="hint">Its readers are told to ask you.</span>`;
}
