import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readableBound } from "../../../../chart/numbers.ts";
import { attributesOf, cardOf, enteredOf, sizeOf } from "../../draft/card.ts";
import { chooseMany, choosePoints } from "../../draft/card-edit.ts";
import { samples, sampleWords } from "../../sample/samples.ts";
import { epsilonOf, exploring } from "../../state/card.ts";
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
    ${exploring(state) ? "Buy noisy counts to explore scorecards" : "Choose a scorecard"} for
    <strong>${draft.label.name || "the outcome"}</strong> from ${columns.length}
    ${columns.length === 1 ? "attribute" : "attributes"} with ${levels} levels of ${from}, with
    <strong class="whole">ε = ${readableBound(epsilon)}</strong> and
    <strong class="whole">δ = 0</strong>, under
    ${adjacencyWords[adjacencyOf(state)]}.${card.plan ? html` There are ${cards(card.plan.cards)} to choose from.` : nothing}${card.cells ? html` There are ${count(2 * card.cells.cells)} counts. What they say of a card will be off by about ${count(Math.ceil(card.cells.deviation))} rows.` : nothing}
  </p>`;
}

/** One card, or counts to explore many on; and how large the points may be. */
export function pointsChoice(editor: Editor, state: State): TemplateResult | typeof nothing {
  const { draft } = state;
  if (!draft) return nothing;
  return html`${radios({
    name: "many",
    legend: "What to buy",
    value: cardOf(draft).many ? "many" : "one",
    choices: [
      {
        value: "one",
        label: html`One card<span class="hint"
            >The best of all, found in spite of the noise. The usual choice.</span
          >`,
      },
      {
        value: "many",
        label: html`Noisy counts, to explore scorecards<span class="hint"
            >Then try attributes and points by hand, as often as you like, for no more. Each card is
            worse than one that is bought by itself.</span
          >`,
      },
    ],
    choose: (many) => editor.edit((d) => chooseMany(d, many === "many")),
  })}
  ${radios({
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
  })}`;
}
