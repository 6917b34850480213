// The receipt: what the planned model would cost and be good for, in sight on every step.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readableBound, readableLeast } from "../../chart/numbers.ts";
import { checkBudget } from "./account/budget.ts";
import { keepsAccount, quoted } from "./account/file-account.ts";
import { attributesOf, cardUnconfirmed, makesCard } from "./draft/card.ts";
import { included } from "./draft/draft.ts";
import { unconfirmed } from "./draft/learnt.ts";
import { epsilonOf, exploring, makingCard, shownCard } from "./state/card.ts";
import { lossAt, losses, triedSizes } from "./state/expected-accuracy.ts";
import { needsAccount, chosenWay, type State } from "./state/state.ts";
import type { Studio } from "./studio.ts";

/** One line: what it is, the figure, and what is to be said of it. */
interface Line {
  readonly name: string;
  readonly figure: string;
  readonly note?: TemplateResult | string;
}

/** Beside the step; on a small window a bar at the bottom that opens. */
export function receipt(studio: Studio): TemplateResult {
  const { state } = studio;
  const shown = shownResult(state);
  const lines = shown
    ? [total(state), itsEpsilon(state, shown), leftNow(state)]
    : [
        total(state),
        price(state),
        left(state),
        makingCard(state) ? excess(state) : accuracy(state),
      ];
  const open = state.receiptOpen;
  return html`<aside class="receipt" aria-label="Receipt" data-open=${open ? "true" : "false"}>
    <button
      class="receipt-bar"
      type="button"
      aria-expanded=${open ? "true" : "false"}
      aria-controls="receipt-sheet"
      @click=${() => studio.store.set({ receiptOpen: !open })}
    >
      <span>Receipt</span> <span class="receipt-short">${short(state)}</span>
      <span class="receipt-turn" aria-hidden="true"></span>
    </button>
    <div class="receipt-sheet" id="receipt-sheet">
      <h2 class="receipt-title">Receipt</h2>
      <dl>
        ${lines.map(
          ({ name, figure, note }) =>
            html`<div>
              <dt>${name}</dt>
              <dd>
                <span class="receipt-figure">${figure}</span>
                ${note ? html`<span class="receipt-note">${note}</span>` : nothing}
              </dd>
            </div>`,
        )}
        <div>
          <dt>What will be published</dt>
          <dd>${published(state)}</dd>
        </div>
      </dl>
    </div>
  </aside>`;
}

const own = (state: State) =>
  makingCard(state) ? (epsilonOf(state) ?? undefined) : checkBudget(state.budget).budget?.epsilon;
const epsilonWords = (x: number | undefined) => (x === undefined ? "–" : `ε = ${readableBound(x)}`);

/** The account of the open file, where purchases go through it. */
const accountOf = ({ fileAccount }: State) =>
  keepsAccount(fileAccount) ? fileAccount.account : null;

function total(state: State): Line {
  const name = "Total for these people";
  if (!needsAccount(state))
    return {
      name,
      figure: "none needed",
      note: "A made-up table is nobody’s data.",
    };
  const budget = accountOf(state)?.budget;
  if (budget)
    return {
      name,
      figure: epsilonWords(budget.epsilon),
      note: `for everything ever made from this file, at δ = ${readableBound(budget.delta)}`,
    };
  return state.fileAccount.phase === "unavailable"
    ? {
        name,
        figure: "not kept",
        note: "There is no ledger here: you keep count yourself.",
      }
    : { name, figure: "not fixed yet", note: "You fix it once, in step 3." };
}

/** What is looked at of the open file, and its ε. */
interface Shown {
  readonly what: "model" | "card";
  readonly epsilon: number;
}

/** While a result is looked at, the receipt is of it and not of another to come. */
function shownResult(state: State): Shown | null {
  const { screen, result, source } = state;
  const card = shownCard(state);
  if (screen !== "result" || !source) return null;
  if (card)
    return card.source === source.id
      ? { what: "card", epsilon: card.release.guarantee.epsilon }
      : null;
  return result?.source.id === source.id
    ? { what: "model", epsilon: result.release.guarantee.epsilon }
    : null;
}

/** What is shown was bought with, and what all purchases come to. */
function itsEpsilon(state: State, { what, epsilon }: Shown): Line {
  const account = accountOf(state);
  const spent = readableBound(account?.spent ?? 0);
  const many = account?.charges.length ?? 0;
  const note = !needsAccount(state)
    ? "Nothing is noted for made-up data."
    : many === 0
      ? undefined
      : many > 1
        ? `All ${many} purchases from these people come to ε = ${spent}.`
        : (account?.spent ?? 0) > 1.005 * epsilon
          ? `It took ${spent} of the total: more than its ε, because later choices may depend on it.`
          : `It took ${spent} of the total.`;
  return {
    name: `This ${what}’s ε`,
    figure: epsilonWords(epsilon),
    ...(note && { note }),
  };
}

function leftNow(state: State): Line {
  const name = "Left";
  if (!needsAccount(state))
    return { name, figure: "no limit", note: "Try it as often as you like." };
  const account = accountOf(state);
  if (!account?.budget) return { name, figure: "–", note: "Known once the total is." };
  return {
    name,
    figure: `ε = ${readableLeast(account.left ?? 0)}`,
    note: `of ${readableBound(account.budget.epsilon)}. Step 4 says what another model would take.`,
  };
}

/** What is left of a total after a purchase, rounded down: nothing of it where it is used up. */
const leaves = (total: number, { spent, closes }: { spent: number; closes: boolean }): string =>
  readableLeast(closes ? 0 : Math.max(0, total - spent));

/** What the planned model takes off the total: more than its ε at first, and less later. */
function price(state: State): Line {
  const name = makingCard(state) ? "This card’s price" : "This model’s price";
  const epsilon = own(state);
  const account = accountOf(state);
  const answer = account && quoted(state.fileAccount)?.answer;
  if (epsilon === undefined) return { name, figure: "–", note: "Its ε needs a correction." };
  if (!needsAccount(state))
    return {
      name,
      figure: epsilonWords(epsilon),
      note: "Nothing is noted for made-up data.",
    };
  if (!answer)
    return {
      name,
      figure: epsilonWords(epsilon),
      note: account
        ? "What it takes off the total is being worked out."
        : "What it takes off the total is worked out once that is fixed.",
    };
  if (!answer.affords)
    return {
      name,
      figure: "more than is left",
      note: `Its own ε is ${readableBound(epsilon)}.`,
    };
  const takes = answer.spent - (account.spent ?? 0);
  return {
    name,
    figure: readableBound(takes),
    note: why(takes, epsilon, answer.closes),
  };
}

function why(takes: number, epsilon: number, closes: boolean): string {
  const itself = `Its own ε is ${readableBound(epsilon)}.`;
  if (closes) return `${itself} It uses the total up.`;
  if (takes > 1.005 * epsilon)
    return `More than its ε of ${readableBound(epsilon)}, because later choices may depend on it.`;
  if (takes < 0.995 * epsilon)
    return `Less than its ε of ${readableBound(epsilon)}: costs are composed, not added up.`;
  return itself;
}

function left(state: State): Line {
  const name = "Left afterwards";
  const account = accountOf(state);
  const answer = account && quoted(state.fileAccount)?.answer;
  if (!needsAccount(state))
    return { name, figure: "no limit", note: "Try it as often as you like." };
  if (!account?.budget) return { name, figure: "–", note: "Known once the total is." };
  const now = account.left ?? 0;
  if (!answer)
    return {
      name,
      figure: "–",
      note: `Now ε = ${readableLeast(now)} is left.`,
    };
  if (!answer.affords)
    return {
      name,
      figure: "–",
      note: `Only ε = ${readableLeast(now)} is left.`,
    };
  return {
    name,
    figure: `ε = ${leaves(account.budget.epsilon, answer)}`,
    note: `of ${readableLeast(now)} that is left now`,
  };
}

/** How far from the best card the one that is chosen may be, with a probability of 95 %. */
function excess({ card }: State): Line {
  if (card.cells)
    return {
      name: "Off by",
      figure: `about ${count(Math.ceil(card.cells.deviation))} rows`,
      note: "what the counts say of a card, one standard deviation",
    };
  const name = "From the best card";
  const most = card.plan?.excess;
  if (most === undefined)
    return {
      name,
      figure: "–",
      note: "Known once the card’s levels are described.",
    };
  return {
    name,
    figure: `${count(Math.ceil(most))} rows at most`,
    note: "more are wrong than by the best of all cards, with a probability of 95 %",
  };
}

/** At the number of rows that the person states; from made-up rows, so it costs nothing. */
function accuracy(state: State): Line {
  const name = "Expected loss of accuracy";
  const { records, runs, epsilons, way, problem } = state.accuracy;
  const epsilon = own(state);
  const stated = triedSizes(records);
  const of =
    state.draft?.label.kind === "numeric"
      ? "of 100, in the share of the variance that is explained"
      : "of 100, in the share of predictions that are right";
  const change = html`<a href="#records"
    >${records.trim() === "" ? "Say about how many" : "Change"}</a
  >`;
  if (problem) return { name, figure: "not known", note: problem.message };
  const lossWith = (size: number) => {
    const run = way === chosenWay(state) && runs.find((r) => r.records === size);
    return run && epsilon !== undefined
      ? lossAt(epsilons, losses(state.accuracy, run, "medium"), epsilon)
      : null;
  };
  const [size] = stated;
  if (size === undefined)
    return {
      name,
      figure: "–",
      note: html`The number of rows needs a correction. ${change}`,
    };
  if (stated.length > 1) {
    if (runs.length === 0)
      return {
        name,
        figure: "–",
        note: html`It depends on the number of rows most. ${change}`,
      };
    const known = stated.map(lossWith);
    return {
      name,
      figure: known.every((x) => x !== null)
        ? `${points(known.at(-1)!.mean)} to ${points(known[0]!.mean)} points`
        : "depends on the rows",
      note: html`${of}, with ${count(stated.at(-1)!)} or ${count(size)} rows. ${change}`,
    };
  }
  const loss = lossWith(size);
  if (runs.length === 0)
    return {
      name,
      figure: "–",
      note: "Tried out on made-up rows, from the next step on.",
    };
  return {
    name,
    figure: loss ? `${points(loss.mean)} points` : "being tried out",
    note: html`${loss ? `${of}, compared with no privacy${byChance(loss)}` : "on made-up rows"},
    with the ${count(size)} rows you state. ${change}`,
  };
}

const byChance = ({ low, high }: { low: number; high: number }): string =>
  points(low) === points(high) ? "" : ` (${points(low)} to ${points(high)}, by chance)`;

function points(x: number): string {
  return x < 0.05 ? "0" : x < 9.95 ? String(Number(x.toFixed(1))) : String(Math.round(x));
}

function published(state: State): TemplateResult {
  const { draft } = state;
  if (!draft) return html`<span class="receipt-note">Nothing yet: no column is described.</span>`;
  const card = makesCard(draft);
  const n = card ? attributesOf(draft).length : included(draft).length;
  const not = card ? cardUnconfirmed(draft).length : unconfirmed(draft).length;
  return html`<ul>
      <li>
        ${card ? html`the points of ${n} ${n === 1 ? "attribute" : "attributes"}, and their names and levels` : html`the coefficients for ${n} ${n === 1 ? "column" : "columns"}, and their names, bounds and categories`}
      </li>
      <li>${card ? "ε, and the kind of noise" : "ε, δ, the noise, and the theorem"}</li>
      ${not === 0 ? nothing : html`<li><strong>a caveat: ${not} ${not === 1 ? "entry" : "entries"} read from your data, not covered</strong></li>`}
      ${exploring(state) ? html`<li>the noisy counts, if you save them</li>` : nothing}
    </ul>
    <span class="receipt-note"
      >${exploring(state) ? "Never a row, or a count without noise." : "Never a row, their number, or how well it does on them."}</span
    >`;
}

/** The bar's line. */
function short(state: State): string {
  const epsilon = own(state);
  const account = accountOf(state);
  const shown = shownResult(state);
  if (shown)
    return `ε = ${readableBound(shown.epsilon)}${account?.budget ? `, ${readableLeast(account.left ?? 0)} of ${readableBound(account.budget.epsilon)} left` : ""}`;
  const answer = account && quoted(state.fileAccount)?.answer;
  if (account?.budget && answer?.affords)
    return `takes ${readableBound(answer.spent - (account.spent ?? 0))}, leaves ${leaves(account.budget.epsilon, answer)} of ${readableBound(account.budget.epsilon)}`;
  if (answer && !answer.affords) return "more than is left";
  return epsilon === undefined ? "ε needs a correction" : `ε = ${readableBound(epsilon)}`;
}
