import { html, nothing, type TemplateResult } from "lit/html.js";

import { checkBudget } from "../account/budget.ts";
import { check } from "../draft/check.ts";
import { makingCard } from "../state/card.ts";
import { chosenWay } from "../state/state.ts";
import type { PanelOptions } from "./expected-accuracy/panel.ts";
import type { Studio } from "./studio.ts";

/** What a choice of ε costs in accuracy; it is drawn by what was fetched beside the page. */
export function accuracyPanel({
  state,
  later,
  accuracyTrials,
  planner,
}: Studio): TemplateResult | undefined {
  const change: PanelOptions["change"] = (change) => {
    accuracyTrials?.change(change);
    planner.soon();
  };
  if (makingCard(state)) return later?.cardBudget.excess(state, (records) => change({ records }));
  const options = {
    accuracy: state.accuracy,
    described: state.draft !== null && check(state.draft).schema !== null,
    epsilon: checkBudget(state.budget).budget?.epsilon,
    way: chosenWay(state),
    kind: state.draft?.label.kind ?? "two",
    change,
  };
  return html`<section
    id="expectation"
    class="expectation"
    aria-label="Expected accuracy"
    data-trials=${Math.min(...state.accuracy.runs.map(({ trials }) => trials.strong.length), state.accuracy.runs.length > 0 ? Infinity : 0)}
  >
    ${later ? later.accuracy.panel(options) : nothing}
  </section>`;
}
