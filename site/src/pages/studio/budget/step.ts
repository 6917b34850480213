import { html, nothing, type TemplateResult } from "lit/html.js";
import { live } from "lit/directives/live.js";

import { readable, readableBound } from "../../../chart/numbers.ts";
import type { Bound } from "../../../client/types.ts";
import { fitMethods } from "../../../client/wire/methods.ts";
import { checkBudget, sliderPosition, sliderValue } from "../account/budget.ts";
import { oneIn, strength } from "../../../chart/meaning.ts";
import { budgetErrors, epsilonOf, makingCard } from "../state/card.ts";
import { lossOf } from "../state/choices.ts";
import { ableAs, boundNames, busy, needsAccount, type State, wayOf } from "../state/state.ts";
import type { Studio } from "./studio.ts";
import { accountPanel } from "../account/panel.ts";
import { booksDisclosure } from "../account/books-panel.ts";
import { accuracyPanel } from "./accuracy-part.ts";
import { radios, textField } from "../../shell/field.ts";
import { meaning } from "../../release/meaning.ts";
import { problemNotice } from "../../shell/notice.ts";
import { step } from "../../shell/step.ts";

/** Step 3: ε and δ, and what they mean for one person. */
export function budgetStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const { budget } = checkBudget(state.budget);
  const errors = budgetErrors(state);
  const epsilon = epsilonOf(state) ?? undefined;
  const card = makingCard(state);
  const what = card ? "scorecard" : "model";
  const errorOf = (key: string) => errors.find((e) => e.field === key)?.message;
  return step({
    id: "budget",
    number: "3",
    title: "Budget",
    body: html`
      ${
        needsAccount(state)
          ? html`${accountPanel({
                fileAccount: studio.fileAccount,
                state: state.fileAccount,
                books: state.books,
                id: "account",
                title: "In all, for these people",
                next: `the ${what} below`,
                quiet: state.fit.phase === "running",
                again: studio.again,
                busy: busy(state),
                look: () => void studio.look(),
                save: () => void studio.books.export(),
              })}
              <h3>For this ${what}</h3>`
          : nothing
      }
      <p>
        How much may the published ${what} tell about any one person, at most? A smaller ε tells
        less and makes the ${what} less accurate.
      </p>
      <div class="epsilon">
        ${textField({
          key: "epsilon",
          label: html`ε, the privacy loss`,
          value: state.budget.epsilon,
          short: true,
          numeric: true,
          error: errorOf("epsilon"),
          input: (epsilon) => studio.editor.changeBudget({ epsilon }),
        })}
        ${slider(studio, epsilon)}
      </div>
      ${
        card
          ? html`${epsilon === undefined ? nothing : meaning(epsilon, { data: "your data", pure: true })}
              ${accuracyPanel(studio)}
              <p class="small soft">
                δ is 0: no outcome has to be set aside, as with a model. The noise is on the choice
                among the cards, and its proof has no small allowance.
              </p>`
          : html`${budget ? meaning(budget.epsilon, { data: "your data", caught: caughtBy(state, budget) }) : nothing}
            ${accuracyPanel(studio)}
            ${textField({
              key: "delta",
              label: html`δ, a small allowance`,
              hint: budget
                ? `${oneIn(budget.delta)}. Roughly the chance of an outcome for which ε is not kept. Choose it far below one divided by the number of people.`
                : "Roughly the chance of an outcome for which ε is not kept. Choose it far below one divided by the number of people.",
              value: state.budget.delta,
              short: true,
              numeric: true,
              error: errorOf("delta"),
              input: (delta) => studio.editor.changeBudget({ delta }),
            })}
            ${details(studio, errorOf)}`
      }
      ${state.core.phase === "ready" ? booksDisclosure(studio.books, state.books) : nothing}
    `,
    note: html`<h3>Budgets add up</h3>
      <p>
        Every model made from the same people tells a little more about each. The page keeps a
        ledger of it, in this browser: each data set has a total, and what a model costs is noted
        <em>before</em> the model is shown.
      </p>
      <p>Every model counts, even one that you do not publish.</p>
      <p>
        You may choose among models by the models themselves, or by evaluations that you bought. You
        may not choose by how well they do on your own rows: <em>nobody paid for those figures</em>.
        Decide nothing by them, not even what to fit next.
      </p>
      ${needsAccount(state) ? nothing : html`<p>A made-up table is nobody’s data, so nothing is noted for it.</p>`}`,
  });
}

/** By the curve of the noise that is planned; null while that is not known. */
function caughtBy(
  { preview }: State,
  { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
): number | null {
  const planned = preview?.calibration.guarantee;
  return (planned?.epsilon === epsilon && planned.delta === delta && preview?.found) || null;
}

function slider(studio: Studio, epsilon: number | undefined): TemplateResult {
  return html`<div class="slider">
    <input
      type="range"
      min="0"
      max="200"
      step="1"
      aria-label="ε on a scale from 0.05, very strong protection, to 10, very weak"
      aria-valuetext=${epsilon === undefined ? nothing : `${readableBound(epsilon)}, ${strength(epsilon)}`}
      .value=${live(String(sliderPosition(epsilon ?? 1)))}
      @input=${(e: Event) => studio.editor.changeBudget({ epsilon: String(sliderValue(Number((e.target as HTMLInputElement).value))) })}
    />
    <p class="slider-ends" aria-hidden="true">
      <span>stronger protection</span><span>more accurate</span>
    </p>
  </div>`;
}

const bounds: readonly Bound[] = ["auto", "profile", "rdp", "kifer"];

const boundNotes: Partial<Record<Bound, string>> = {
  auto: "This project’s own proof: the least noise for the same promise. Its bound is tested against exact values.",
  profile: "Redberg, Koskela & Wang. For comparison: more noise for the same promise.",
  rdp: "The same paper, through Rényi divergences. For comparison.",
  kifer: "An earlier proof. For comparison: much more noise.",
};

function details(studio: Studio, errorOf: (key: string) => string | undefined): TemplateResult {
  const { state } = studio;
  const joint = lossOf(state.method, state.draft?.label.kind ?? "two") === "softmax";
  return html`<details class="disclosure">
    <summary>Details: the proof that is used, and the noise</summary>
    <div>
      ${
        fitMethods[ableAs(wayOf(state))].tuned
          ? html`${radios({
              name: "bound",
              legend: "Which proof sets the noise",
              value: joint ? "auto" : state.budget.bound,
              choices: bounds.map((value) => ({
                value,
                disabled: joint && value !== "auto",
                label: html`${boundNames[value]}<span class="hint">${boundNotes[value]}</span>`,
              })),
              choose: (bound) => studio.editor.changeBudget({ bound: bound as Bound }),
            })}
            ${textField({
              key: "radius",
              label: "Expected length of the coefficients, B",
              hint: "A public guess, used to choose the regulariser. It changes accuracy, never the guarantee. Empty for the usual value.",
              value: state.budget.radius,
              short: true,
              numeric: true,
              error: errorOf("radius"),
              input: (radius) => studio.editor.changeBudget({ radius }),
            })}`
          : html`<p class="soft">
              The way to fit that is chosen in step 4 has a proof and settings of its own.
            </p>`
      }
      ${noise(state)}
    </div>
  </details>`;
}

function noise(state: State): TemplateResult | typeof nothing {
  const { preview, previewProblem } = state;
  if (previewProblem && previewProblem.code !== "schema") return problemNotice(previewProblem);
  if (!preview) return nothing;
  const { event, guarantee } = preview.calibration;
  const [part] = event.mechanism === "composition" ? event.parts : [{ event, count: 1 }];
  if (part?.event.mechanism !== "approximate-minima-perturbation") return nothing;
  const one = part.event;
  const rows: [string, string][] = [
    ["Row length, R", readable(one.row_norm ?? Number.NaN)],
    ["Longest gradient of a row, L", readable(one.lipschitz)],
    ["Noise in the objective, σ", readable(one.sigma)],
    ["Regulariser, λ", readable(one.lambda)],
    ["Accuracy of the solution, τ", readable(one.tau)],
    ["Noise on the output, σ_out", readable(one.sigma_out)],
  ];
  return html`<table class="plain">
      <caption>
        What will be used, worked out from the schema and the budget
        alone${part.count > 1 ? `: the same for each of ${part.count} classes, whose costs are composed` : nothing}
      </caption>
      <tbody>
        ${rows.map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="small soft">${guarantee.theorem}</p>`;
}
