import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readable } from "../../../../chart/numbers.ts";
import { judge } from "../../../../client/outlook.ts";
import type { Expectation, Signal } from "../../../../client/types.ts";
import type { LabelKind } from "../../draft/draft.ts";
import { type AccuracyState, between, type Run } from "../../state/expected-accuracy.ts";

/** The trials of a signal at any ε in their range. */
function at(epsilons: readonly number[], trials: readonly Expectation[], epsilon: number) {
  const [left, right, t] = between(epsilons, epsilon);
  return trials.map((trial) => {
    const [a, b] = [trial.private[left], trial.private[right]];
    return { ...trial, private: [a == null || b == null ? null : a + t * (b - a)] };
  });
}

/** Trials of each signal before it is said. */
const fewest = 4;
const hundredths = (share: number): string => (100 * share).toFixed(1);

/** That the budget buys nothing, or may not; nothing where it buys something. */
export function outlookNotice(
  { epsilons }: AccuracyState,
  { records, trials }: Run,
  epsilon: number,
  kind: LabelKind,
): TemplateResult | typeof nothing {
  const of = (signal: Signal) => at(epsilons, trials[signal], epsilon);
  const [medium, strong] = [of("medium"), of("strong")];
  const verdict = judge(medium, strong);
  if (strong.length < fewest || !verdict || verdict.buys === "something") return nothing;
  const { reason, without, plainToo, raise } = verdict;
  const [end, known] = [hundredths(verdict.end), hundredths(verdict.known)];
  const [named, gets, of100] =
    kind === "numeric"
      ? ["the mean", "explains", "of 100 parts of the variance"]
      : ["the largest class", "gets", "of 100 rows right"];
  const naming = `naming ${named} of every row, which needs no rows`;
  const [few, tried, tell] =
    reason === "both" ? [without.strong, strong, "a lot"] : [without.medium, medium, "something"];
  const only = reason === "medium";
  return html`<div class="notice notice-${reason ? "bad" : "warn"}" id="outlook">
    <h4>
      This budget ${reason ? "buys" : "may buy"} nothing
      here${only ? ", unless columns tell a lot" : ""}
    </h4>
    <p>
      With ${count(records)} rows at ε = ${readable(epsilon)},
      ${
        reason === "strong"
          ? `even where made-up columns tell a lot, a fit ${gets} ${end} ${of100} on average, and ${naming}, ${known}.`
          : `the fits of ${few} of ${tried.length} made-up tables whose columns tell ${tell} gain less than one in 100 over ${naming}.`
      }
      ${reason && plainToo ? `${only ? "There, a" : "A"} fit without privacy gains no more.` : ""}
      ${only ? `Where columns tell a lot, a fit ${gets} ${end} ${of100} instead of ${known}.` : ""}
    </p>
    ${
      reason
        ? html`<p>
            A fit is charged all the same.
            ${raise ? "Raise ε, leave out columns, or fit nothing." : "A model may still rank rows well, which these figures do not tell."}
          </p>`
        : ""
    }
  </div>`;
}
