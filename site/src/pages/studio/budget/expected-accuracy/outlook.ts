import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readable } from "../../../../chart/numbers.ts";
import { outlook } from "../../../../client/outlook.ts";
import type { Expectation, Signal } from "../../../../client/types.ts";
import { leastGain, mostly, usually } from "../../../../client/wire/methods.ts";
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

const meanOf = (trials: readonly Expectation[], of: (e: Expectation) => number): number =>
  trials.reduce((sum, trial) => sum + of(trial), 0) / trials.length;
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
  const buys = outlook(medium, strong);
  if (strong.length < fewest || buys === null || buys === "something") return nothing;
  const known = meanOf(strong, (e) => e.known);
  const [naming, unit] =
    kind === "numeric"
      ? ["naming the mean of every row", "explained of 100 parts of the variance"]
      : ["naming the largest class of every row", "right out of 100"];
  const end = hundredths(meanOf(strong, (e) => e.private[0]!));
  const where = `${count(records)} rows at ε = ${readable(epsilon)}`;
  const few = (trials: readonly Expectation[]) =>
    trials.filter((e) => e.private[0]! - e.known < leastGain).length;
  if (buys === "uncertain") {
    return html`<div class="notice notice-warn" id="outlook">
      <h4>This budget may buy nothing here</h4>
      <p>
        With ${where}, the fits of ${few(medium)} of ${medium.length} made-up tables whose columns
        tell something gained less than one in 100 over ${naming}, which needs no rows.
      </p>
    </div>`;
  }
  const most = few(medium) >= usually * medium.length && few(strong) < mostly * strong.length;
  const none = meanOf(most ? medium : strong, (e) => e.plain) - known < leastGain;
  return html`<div class="notice notice-bad" id="outlook">
    <h4>This budget buys nothing here${most ? ", unless columns tell a lot" : ""}</h4>
    <p>
      With ${where},
      ${
        most
          ? html`the fits of ${few(medium)} of ${medium.length} made-up tables whose columns tell
            something gain less than one in 100 over ${naming}, which needs no rows. Where columns
            tell a lot, a fit ends at ${end} ${unit}, and that at`
          : html`even where made-up columns tell a lot a fit ends at ${end} ${unit}, and
            ${few(strong)} of ${strong.length} gain less than one; ${naming}, which needs no rows,
            ends at`
      }
      ${hundredths(known)}.
      ${none ? "A fit without privacy gains no more: a model may still rank rows well, which these figures do not tell." : "A fit is charged all the same. Raise ε, leave out columns, or fit nothing."}
    </p>
  </div>`;
}
