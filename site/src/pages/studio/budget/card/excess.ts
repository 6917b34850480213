import { html, type TemplateResult } from "lit/html.js";

import { count, readableBound } from "../../../../chart/numbers.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { checkRecords } from "../../state/expected-accuracy.ts";
import type { State } from "../../state/state.ts";
import { textField } from "../../../shell/field.ts";

/** How far from the best card the one that is chosen may be, by the noise alone. */
export function excess(
  { card, accuracy }: State,
  changeRecords: (records: string) => void,
): TemplateResult {
  const { cells, plan, problem } = card;
  if (problem && problem.code !== "schema") return problemNotice(problem, { id: "card-refused" });
  const { records, errors } = checkRecords(accuracy.records);
  const most = plan?.excess === undefined ? undefined : Math.ceil(plan.excess);
  return html`<section class="expectation" id="expectation" aria-label="Expected accuracy">
    <h3 id="expectation-title">How good can it be?</h3>
    ${
      cells
        ? html`<p id="card-deviation">
              There are ${count(2 * cells.cells)} counts, each with noise. What they say of a card
              is off by about
              <strong>${count(Math.ceil(cells.deviation))} rows</strong
              >${records === null ? "" : html`: ${share(Math.ceil(cells.deviation), records)}`}.
            </p>
            <p class="small soft">
              Fewer attributes and levels make it fewer; so does a larger ε. That is one standard
              deviation, for a card that is not chosen by the counts.
            </p>`
        : most === undefined || !plan
          ? html`<p class="soft">
              This is worked out once the card’s attributes and their levels are described.
            </p>`
          : html`<p id="card-excess">
                The card is the best of ${cards(plan.cards)}, found in spite of the noise. With a
                probability of 95&nbsp;% it gets
                <strong>at most ${count(most)} ${most === 1 ? "row" : "rows"} more wrong</strong>
                than the best of all${records === null ? "" : html`: ${share(most, records)}`}.
              </p>
              <p class="small soft">
                Fewer attributes and levels make it fewer; so does a larger ε. How many rows the
                best card itself gets wrong, nobody knows before.
              </p>`
    }
    ${textField({
      key: "records",
      label: "About how many rows there are",
      hint: "As far as it is public, or a guess: never counted for this. It only puts the figure above in proportion.",
      value: accuracy.records,
      short: true,
      numeric: true,
      error: errors[0]?.message,
      input: changeRecords,
    })}
  </section>`;
}

const share = (most: number, records: number): TemplateResult =>
  most >= records
    ? html`more than all ${count(records)} rows, so <strong>a larger ε or fewer levels</strong> are
        needed`
    : html`${readableBound((100 * most) / records)}&nbsp;% of ${count(records)} rows`;

/** How many cards there are to choose from, in words. */
export function cards(n: number): TemplateResult | string {
  if (n < 1e9) return `${count(n)} cards`;
  const [mantissa, exponent] = n.toExponential(1).split("e+");
  return html`${mantissa}·10<sup>${exponent}</sup> cards`;
}
