import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readable } from "../../../../chart/numbers.ts";
import { attributesOf, cardOf, enteredOf, sizeOf } from "../../draft/card.ts";
import { choosePoints } from "../../draft/card-edit.ts";
import { samples, sampleWords } from "../../sample/samples.ts";
import { epsilonOf } from "../../state/card.ts";
import { adjacencyOf, type State } from "../../state/state.ts";
import type { Editor } from "../../state/editor.ts";
import { radios } from "../../../shell/field.ts";
import { adjacencyWords } from "../../../shell/words.ts";
import { cards } from "./excess.ts";

/** What is about to be chosen, in a sentence. */
export function intention(state: State): TemplateResult | typeof nothing {
  const { draft, source, card } = state;
  const epsilon = epsilonOf(state);
  if (!draft || !source || epsilon === null) return nothing;
  const columns = attributesOf(draft);
  const levels = columns.reduce((sum, c) => sum + sizeOf(c, enteredOf(draft, c.id)), 0);
  const { sample } = source;
  const from = sample
    ? `${count(samples[sample].rows)} ${sampleWords(sample)}`
    : source.names.join(", ");
  return html`<p id="card-intention">
    Choose a scorecard for
    <strong>${draft.label.name || "the outcome"}</strong> from ${columns.length}
    ${columns.length === 1 ? "attribute" : "attributes"} with ${levels} levels of ${from}, with
    <strong class="whole">ε = ${readable(epsilon)}</strong> and
    <strong class="whole">δ = 0</strong>, under
    ${adjacencyWords[adjacencyOf(state)]}.${card.plan ? html` There are ${cards(card.plan.cards)} to choose from.` : nothing}
  </p>`;
}

/** How large the points may be. */
export function pointsChoice(editor: Editor, state: State): TemplateResult | typeof nothing {
  const { draft } = state;
  if (!draft) return nothing;
  return radios({
    name: "points",
    legend: "Points of a level",
    value: String(cardOf(draft).points),
    choices: [
      {
        value: "1",
        label: html`−1, 0 or 1<span class="hint">The usual choice: easy to add up.</span>`,
      },
      {
        value: "2",
        label: html`−2 to 2<span class="hint"
            >A little better with a large ε and many rows. The search can take minutes.</span
          >`,
      },
    ],
    choose: (points) => editor.edit((d) => choosePoints(d, points === "2" ? 2 : 1)),
  });
}
