import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readableBound, readableLeast } from "../../../chart/numbers.ts";
import { samples, sampleWords } from "../sample/samples.ts";
import { checkBudget } from "../account/budget.ts";
import { budgetErrors, exploring, makingCard, notCovered } from "../state/card.ts";
import { openRows, pledgeOn } from "../state/choice.ts";
import { checkCard } from "../draft/card-check.ts";
import { check, fieldFor } from "../draft/check.ts";
import { included } from "../draft/draft.ts";
import type { Problem } from "../../shell/problem.ts";
import { canBuy, keepsAccount } from "../account/file-account.ts";
import { adjacencyWords } from "../../shell/words.ts";
import {
  adjacencyOf,
  busy,
  buyingMore,
  checkMethod,
  chosenWay,
  needsAccount,
  spentTogether,
  type State,
  usualWay,
  waitsForMore,
  wayOf,
} from "../state/state.ts";
import type { Work } from "../state/work.ts";
import type { Studio } from "./studio.ts";
import { idOf } from "../../shell/field.ts";
import { problemNotice } from "../../shell/notice.ts";
import { progressBar } from "../../shell/progress.ts";
import { step } from "../../shell/step.ts";

/** Step 4: what is about to happen, the button, and how it went. */
export function fitStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const making = makingCard(state);
  return step({
    id: "fit",
    number: "4",
    title: "Fit",
    body: html`
      ${
        making
          ? html`${studio.later?.cardBudget.intention(state)}
            ${studio.later?.cardBudget.pointsChoice(studio.editor, state)}`
          : html`${intention(studio)} ${methods(studio)}`
      }
      ${uncovered(state)} ${leaves(studio)} ${again(state)} ${bound(state)}
      ${
        state.fit.phase === "running"
          ? progressBar(
              state.fileAccount.phase === "looking"
                ? "Looking the file up in the ledger"
                : "Starting",
              state.fileAccount.phase === "looking"
                ? state.fileAccount.progress
                : state.fit.progress,
              () => studio.cancel(),
            )
          : html`<p class="actions">
              <button
                class="button button-main"
                type="button"
                id="fit-button"
                ?disabled=${!possible(state)}
                @click=${() => void studio.fitter.fit()}
              >
                ${exploring(state) ? "Buy the noisy counts" : making ? "Choose the scorecard" : "Fit the model"}
              </button>
              ${possible(state) ? nothing : html`<span class="soft small">${why(state)}</span>`}
            </p>`
      }
      ${state.fit.phase === "failed" ? failure(studio, state.fit.problem) : nothing}
      ${state.fit.phase === "cancelled" ? cancelled(state.fit.charged) : nothing}
    `,
    note: html`<h3>What the fit does</h3>
      <p>
        ${
          exploring(state)
            ? "The cost is noted first. Then noise is drawn for each count. The counts with their noise are all that the cards on them are made from."
            : making
              ? "The cost is noted first. Then noise is drawn for each card, and all cards are looked through to the end, without a time limit: stopping early would tell something. If you cancel, it is paid for, and nothing is shown."
              : studio.later?.accuracy.wayWords[wayOf(state)].run
        }
        The noise comes from the secure random numbers of this computer, so no two fits are the
        same.
      </p>`,
  });
}

/** What a fit that was cancelled cost. */
function cancelled(charged: (Work & { readonly phase: "cancelled" })["charged"]): TemplateResult {
  const words = {
    unknown: html`Cancelled. Nothing was released.
      <strong>It may have been noted in the ledger already</strong>, and then it counts: step 3
      shows what is left.`,
    yes: html`Cancelled. Nothing was released, but
      <strong>its cost had been noted in the ledger, and counts</strong>. The page does not run it
      again for free: a second run would draw new noise, and choosing between runs is another look
      at the data.`,
    unnoted: html`Cancelled. Nothing was released, but
      <strong>noise had been drawn, so its cost counts</strong>, though there is no ledger here to
      note it in. A second run draws new noise, and choosing between runs is another look at the
      data.`,
    no: html`Cancelled before its cost was noted in the ledger. Nothing was released, and nothing of
    the budget was used.`,
  };
  return html`<div
    class="notice ${charged === undefined || charged === "no" ? "" : "notice-warn"}"
    id="fit-cancelled"
  >
    <p>
      ${charged ? words[charged] : "Cancelled. Nothing was released, and nothing of the budget was used."}
    </p>
  </div>`;
}

function possible(state: State): boolean {
  return (
    state.core.phase === "ready" && state.source !== null && state.draft !== null && !busy(state)
  );
}

function why(state: State): string {
  if (state.core.phase !== "ready") return "The page is not ready yet.";
  if (buyingMore(state)) return waitsForMore;
  if (state.reading.phase === "running") return "The file is being read.";
  if (state.fileAccount.phase === "looking") return "The file is being looked up in the ledger.";
  if (!state.source) return "Choose a file in step 1 first.";
  return "Say what is known of the columns in step 2 first.";
}

function intention({ state, adjacency }: Studio): TemplateResult | typeof nothing {
  const { draft, source } = state;
  const { budget } = checkBudget(state.budget);
  if (!draft || !source || !budget) return nothing;
  const n = included(draft).length;
  const { sample } = source;
  const from = sample
    ? `${count(samples[sample].rows)} ${sampleWords(sample)}`
    : source.names.join(", ");
  return html`<p>
    Predict <strong>${draft.label.name || "the outcome"}</strong> from ${n}
    ${n === 1 ? "column" : "columns"} of ${from}, with
    <strong class="whole">ε = ${readableBound(budget.epsilon)}</strong> and
    <strong class="whole">δ = ${readableBound(budget.delta)}</strong>, under
    ${adjacencyWords[adjacency]}.
  </p>`;
}

/** How the model is fitted; it is drawn by what was fetched beside the page. */
function methods({
  state,
  later,
  accuracyTrials,
  editor,
}: Studio): TemplateResult | typeof nothing {
  const { draft, method } = state;
  if (!draft || !later) return nothing;
  return later.accuracy.methods({
    method,
    way: wayOf(state),
    usual: usualWay(state),
    chosen: chosenWay(state),
    label: draft.label,
    replaceOne: adjacencyOf(state) === "replace-one",
    records: state.accuracy.records,
    errors: checkMethod(state).errors,
    change: (change) => editor.changeMethod(change),
    epsilon: checkBudget(state.budget).budget?.epsilon,
    compared: state.accuracy.compared,
    compare: (open) => accuracyTrials?.compare(open),
  });
}

function uncovered(state: State): TemplateResult | typeof nothing {
  const names = notCovered(state);
  if (names.length === 0 || state.reading.phase === "running") return nothing;
  const shown =
    names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
  return html`<div class="notice notice-warn">
    <h3>The guarantee will not cover everything</h3>
    <p>
      ${names.length === 1 ? "One entry was" : `${names.length} entries were`} read from your data
      and not confirmed: ${shown}. You can fit all the same, and the release will say so.
      <a href="#public">Go back to step 2</a> to confirm or replace them.
    </p>
  </div>`;
}

/** What the fit would leave of the data set's total; where it is too much, what would not be. */
function leaves(studio: Studio): TemplateResult | typeof nothing {
  const { state } = studio;
  const { fileAccount } = state;
  if (
    !needsAccount(state) ||
    state.reading.phase === "running" ||
    state.fileAccount.phase === "looking"
  )
    return nothing;
  if (!canBuy(fileAccount)) {
    const what = {
      unavailable: "Without a ledger a fit has to be allowed in step 3.",
      unread: "The file was not looked up in the ledger yet: step 3 does that.",
    }[fileAccount.phase as string];
    return html`<p>
      ${what ?? "What all models from this file together may spend is not fixed yet."}
      <a href="#account">Go to step 3</a>
    </p>`;
  }
  const { quote, account } = fileAccount;
  if (!keepsAccount(fileAccount) || !quote) return nothing;
  const total = account!.budget!.epsilon;
  if (quote.answer.affords) {
    return html`<p>
      ${quote.answer.closes ? "This uses the total up, and nothing could follow it." : html`Of the total of ε = ${readableBound(total)}, <strong>${readableLeast(Math.max(0, total - quote.answer.spent))} would be left</strong> afterwards.`}
    </p>`;
  }
  const { fits } = quote;
  return html`<div class="notice notice-bad" id="too-much">
    <h3>${fits === 0 ? "The total for these people is spent" : "This is more than is left"}</h3>
    <p>
      ε = ${readableLeast(account!.left ?? 0)} is left of ε = ${readableBound(total)} for these
      people, and this fit would need more.
    </p>
    ${
      fits === null
        ? html`<p class="soft">Working out what would fit…</p>`
        : fits === 0
          ? html`<p>
              No further model can be made from them. What was released stays as good as it was; the
              releases of this visit are in step 5.
            </p>`
          : html`<p>
                A model at <strong>ε = ${readableLeast(fits)}</strong> would fit. Costs are
                composed, not simply subtracted, so that can be more than what is left.
              </p>
              <p class="actions">
                <button
                  class="button button-quiet"
                  type="button"
                  @click=${() => studio.editor.changeBudget({ epsilon: String(fits) })}
                >
                  Use ε = ${readableLeast(fits)}
                </button>
              </p>`
    }
  </div>`;
}

function again(state: State): TemplateResult | typeof nothing {
  const mine = state.spent.filter((s) => s.source === state.source?.id);
  const last = mine[mine.length - 1];
  if (!last || !needsAccount(state) || keepsAccount(state.fileAccount)) return nothing;
  const all = spentTogether(state);
  const evaluations = mine.filter((s) => s.evaluation).length;
  const made = evaluations === 0 ? "fit" : evaluations === mine.length ? "evaluation" : null;
  return html`<div class="notice">
    <p>
      ${
        all
          ? html`${all.count} ${made ? `${made}s` : "fits and evaluations"} were made on this file
            in this visit.
            ${
              all.epsilon === undefined
                ? "Some hide the addition of one row and some its replacement, so what they have spent together is no one ε."
                : html`Together they have spent ε = ${readableBound(all.epsilon)}, δ =
                  ${readableBound(all.delta!)}.`
            }`
          : html`One ${made} was made on this file in this visit, at ε =
            ${readableBound(last.epsilon)}.`
      }
      The next one adds to it, whether you publish it or not.
    </p>
  </div>`;
}

/** What a look at the private figures binds the next fit to. */
function bound(state: State): TemplateResult | typeof nothing {
  if (!state.source || !needsAccount(state)) return nothing;
  const { rows } = openRows(state, state.source);
  const pledge = pledgeOn(state, rows);
  if (!pledge) return nothing;
  return html`<div class="notice notice-warn" id="bound">
    <p>
      You have looked at private figures of this file, and publish
      ${pledge === "all" ? "every model of it, the next one too" : "no model of it"}.
      <strong>Fit only what you had planned before you looked.</strong> A plan made from those
      figures gives something of them away, and the guarantee does not cover that.
    </p>
  </div>`;
}

function failure(studio: Studio, problem: Problem): TemplateResult {
  const field = firstField(studio.state, problem);
  return problemNotice(problem, {
    id: "fit-problem",
    actions: field
      ? html`<button
          class="button button-quiet"
          type="button"
          @click=${() => studio.show(idOf(field))}
        >
          Show me where
        </button>`
      : nothing,
  });
}

/**
 * The field of the page that a problem is about: by its path in the schema, by the column's name,
 * or the first wrong entry.
 */
function firstField(state: State, problem: Problem): string | null {
  const { draft } = state;
  if (problem.field === "account")
    return state.fileAccount.phase === "unknown" ||
      (state.fileAccount.phase === "open" && !state.fileAccount.account?.budget)
      ? "account-epsilon"
      : "account";
  if (problem.code === "page") {
    const card = makingCard(state);
    const wrong = draft && (card ? checkCard(draft) : check(draft)).errors[0];
    return (
      wrong?.field ??
      budgetErrors(state)[0]?.field ??
      (card ? undefined : checkMethod(state).errors[0]?.field) ??
      null
    );
  }
  if (problem.code === "parameter" && problem.field)
    return (
      ["epsilon", "delta", "radius", "huberWidth", "shift", "positiveWeight"].find(
        (f) => f === problem.field,
      ) ?? null
    );
  if (draft && problem.code === "schema" && problem.field)
    return makingCard(state) ? "card.attributes" : fieldFor(draft, problem.field);
  if (draft && problem.column) {
    const headerless = state.source?.header === "none";
    const { label } = draft;
    if (problem.column === label.name)
      return headerless && label.place === undefined ? "label.place" : "label.name";
    const column = included(draft).find((c) => c.name === problem.column);
    if (!column) return null;
    const part = column.type === "numeric" ? "min" : "categories";
    return `${column.id}.${headerless && column.place === undefined ? "place" : part}`;
  }
  return null;
}
