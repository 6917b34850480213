import { html, nothing, svg, type TemplateResult } from "lit";

import { count, readable } from "../../chart/numbers.ts";
import { checkBudget } from "../budget.ts";
import { check } from "../draft/check.ts";
import { wayOf } from "../state.ts";
import type { Studio } from "../studio.ts";
import { textField } from "./field.ts";

export const tools = { html, svg, textField, readable, count };

/** What a choice of ε costs in accuracy; it is drawn by what was fetched beside the page. */
export function expectationPanel({ state, expectation, planner }: Studio): TemplateResult {
  const options = {
    expectation: state.expectation,
    described: state.draft !== null && check(state.draft).schema !== null,
    epsilon: checkBudget(state.budget).budget?.epsilon,
    way: wayOf(state),
    numeric: state.draft?.label.kind === "numeric",
    changeRecords: (records: string) => {
      expectation?.expecter.changeRecords(records);
      planner.soon();
    },
  };
  return html`<section id="expectation" class="expectation" aria-label="Expected accuracy" data-trials=${state.expectation.trials.strong.length}>
    ${expectation ? expectation.panel(tools, options) : nothing}
  </section>`;
}
