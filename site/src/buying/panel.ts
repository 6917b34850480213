// The panels in which bounds and categories are bought.

import type { html as drawing, nothing as empty, TemplateResult } from "lit";

import { count, readable } from "../chart/numbers.ts";
import type { BoundsPlan, CategoriesPlan } from "../client/types.ts";
import type { BuyerState, BuyingState, Offer } from "../studio/buyer.ts";
import { included, type SchemaDraft, type Sold, soldOf, wanted } from "../studio/draft/draft.ts";
import type { DeskState } from "../studio/ledger/desk.ts";
import type { textField } from "../studio/view/field.ts";
import type { problemNotice } from "../studio/view/notice.ts";
import type { progressBar } from "../studio/view/progress.ts";
import { type Buyer, kinds } from "./buyer.ts";
import { checkPrice } from "../studio/draft/check.ts";

/** What the panels are drawn with and of. */
export interface Buying {
  readonly html: typeof drawing;
  readonly nothing: typeof empty;
  readonly textField: typeof textField;
  readonly problemNotice: typeof problemNotice;
  readonly progressBar: typeof progressBar;
  readonly draft: SchemaDraft;
  readonly buyer: Buyer;
  readonly state: BuyingState;
  readonly desk: DeskState;
  /** There is a total that they are paid from. */
  readonly ready: boolean;
  readonly busy: boolean;
  readonly cancel: () => void;
}

/** One of the two. */
interface Panel extends Omit<Buying, "state"> {
  readonly sold: Sold;
  readonly state: BuyerState;
  readonly names: readonly string[];
}

/** Buying bounds and categories: of which columns, for how much, what that is good for, and what came of it. */
export function panel(b: Buying): TemplateResult {
  const { html, nothing } = b;
  return html`${before(b)}
  ${kinds.map((sold) => {
    const state = b.state[sold];
    const names = wanted(b.draft, sold).map((c) => c.name);
    if (names.length === 0 && state.found.length === 0 && state.work.phase !== "running") return nothing;
    const p: Panel = { ...b, sold, state, names };
    return html`<section class="account" id="buy-${sold}" tabindex="-1" aria-labelledby="buy-${sold}-title">
      <h3 id="buy-${sold}-title">Private ${sold}</h3>
      ${outcome(p)} ${names.length > 0 || state.work.phase === "running" ? purchase(p) : nothing}
    </section>`;
  })}`;
}

/** What was bought of the file before and is not in its description: the tab may have been closed before it was. */
function before({ html, nothing, draft, buyer, state }: Buying): TemplateResult | symbol {
  const offers = state.offers.flatMap((o): (Offer & { id: string })[] => {
    const { label } = draft;
    const column = included(draft).find((c) => c.name.trim() === o.name && soldOf(c) === o.sold);
    const part = column ?? (o.sold === "bounds" && label.kind === "numeric" && label.name === o.name ? label : undefined);
    return part?.provenance === "suggested" && part.decision !== "accept" ? [{ ...o, id: column?.id ?? "label" }] : [];
  });
  if (offers.length === 0) return nothing;
  return html`<section class="account" id="bought-before" aria-labelledby="bought-before-title">
    <h3 id="bought-before-title">Bought before</h3>
    <p>The ledger has these from an earlier purchase of this file. They are paid for: using them again costs nothing.</p>
    <ul>
      ${offers.map((o) => html`<li><strong>${o.name}</strong>: ${o.text} <span class="soft small">for ε = ${readable(o.put.epsilon)}, charge ${o.put.charge.slice(0, 8)}</span></li>`)}
    </ul>
    <p class="actions"><button class="button" type="button" id="bought-again" @click=${() => buyer.again(offers)}>Use what was bought</button></p>
  </section>`;
}

function outcome({ html, nothing, sold, state }: Panel): TemplateResult | symbol {
  const { found } = state;
  if (found.length === 0) return nothing;
  const none = found.some((f) => f.text === null);
  return html`<div class="notice ${none ? "notice-warn" : "notice-good"}" id="${sold}-found">
    <ul>
      ${found.map(({ name, text }) => html`<li><strong>${name}</strong>: ${text === null ? `no ${sold} could be told from the noise` : html`${text}, bought`}</li>`)}
    </ul>
    ${
      none
        ? html`<p>
            ${sold === "bounds" ? "Too few rows lie close together there for this ε." : "Too few rows share a category there for this ε."} A larger ε sees smaller groups; public knowledge
            costs nothing.
          </p>`
        : sold === "categories"
          ? html`<p>Rows of any other category count as none of these. Each column’s form says so, and can be changed there.</p>`
          : nothing
    }
  </div>`;
}

const how: Readonly<Record<Sold, string>> = {
  bounds: "the page counts rows in fixed ranges of values, such as 80 to 100, adds noise to every count, and takes the ranges that still stand out.",
  categories: "the page counts the rows of each category and keeps those that enough rows share. Chance decides near the limit, so that no single row does.",
};

function purchase(p: Panel): TemplateResult {
  const { html, nothing, sold, textField, problemNotice, progressBar, names, ready, buyer } = p;
  const { epsilon, attempted, work } = p.state;
  if (work.phase === "running") return progressBar(`Buying ${sold}`, work.progress, p.cancel);
  const several = names.length > 1;
  return html`<form
    @submit=${(e: Event) => {
      e.preventDefault();
      void buyer.buy(sold);
    }}
  >
    <p>For <strong>${names.join(", ")}</strong>: ${how[sold]}</p>
    ${textField({
      key: `${sold}.epsilon`,
      label: several ? `ε for these ${names.length} columns together` : "ε for this column",
      hint: `A part of what is left for these people${several ? ", shared evenly among the columns" : ""}.${sold === "bounds" ? " Its δ is 0." : ""} A larger ε sees smaller groups.`,
      value: epsilon,
      short: true,
      numeric: true,
      error: attempted && checkPrice(epsilon) === null ? "Enter a finite number above 0, such as 0.3." : undefined,
      input: (text) => buyer.change(sold, text),
    })}
    ${ready ? price(p) : missing(p)}
    ${
      ready
        ? html`<p class="actions"><button class="button" type="submit" id="${sold}-buy" ?disabled=${p.busy}>Buy ${several ? `these ${sold}` : `its ${sold}`}</button></p>`
        : nothing
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: `${sold}-failed` }) : nothing}
    ${
      work.phase === "cancelled"
        ? html`<div class="notice">
            <p>Cancelled. Nothing was handed out${work.charged ? ", but it may have been noted in the ledger, and then it counts. What was bought by then is offered above" : ""}.</p>
          </div>`
        : nothing
    }
  </form>`;
}

/** What it costs and what it is good for, before it is bought. */
function price({ html, nothing, sold, state, desk, names }: Panel): TemplateResult | symbol {
  const { plan, answer } = state;
  const budget = desk.account?.budget;
  if (!plan || !answer || !budget) return nothing;
  if (!answer.affords) return html`<div class="notice notice-bad"><p>This is more than is left for these people. Nothing would be bought.</p></div>`;
  const left = Math.max(0, budget.epsilon - answer.spent);
  const more = answer.spent - (desk.account?.spent ?? 0) > 1.05 * plan.epsilon;
  const share = names.length > 1 ? html` (${readable(plan.epsilon / names.length)} a column)` : nothing;
  return html`<p id="${sold}-price">
      ${seen(html, plan)} By itself this costs <strong class="whole">ε = ${readable(plan.epsilon)}</strong>${share}${"delta" in plan ? html` and <span class="whole">δ = ${readable(plan.delta)}</span>` : nothing}.
      ${answer.closes ? "Nothing could follow it." : html`After it, <strong class="whole">ε = ${readable(left)}</strong> of ${readable(budget.epsilon)} would be left.`}
    </p>
    ${more && !answer.closes ? html`<p class="small soft">First purchases take more off than their own ε, and later ones less: the total has to hold whatever is bought next.</p>` : nothing}`;
}

function seen(html: typeof drawing, plan: BoundsPlan | CategoriesPlan): TemplateResult {
  return "threshold" in plan
    ? html`A range is seen if some <strong>${count(plan.threshold)} rows</strong> fall in it, and surely from ${count(2 * plan.threshold - 1)} on. Values beyond the last range that is seen
      are moved to its end.`
    : html`A category is kept more likely than not from <strong>${count(plan.even)} rows</strong> on, and surely from ${count(plan.sure)} on. Rows of the others count as none of those that
      are kept.`;
}

function missing({ html, desk, sold }: Panel): TemplateResult {
  const { phase } = desk;
  if (phase === "unavailable") return html`<div class="notice notice-warn"><p>${title(sold)} can be bought only where the price can be noted, and there is no ledger here. Enter what is publicly known instead.</p></div>`;
  if (phase === "looking" || phase === "idle") return html`<p class="soft">The file is looked up in the ledger first.</p>`;
  const target = phase === "unknown" || phase === "open" ? "account-epsilon" : "account";
  return html`<div class="notice">
    <p>Fix first, in step 3, what everything made from this file may spend. The ${sold} are paid from it.</p>
    <p class="actions"><button class="button button-quiet" type="button" id="${sold}-account" @click=${() => document.getElementById(target)?.focus()}>Go to the total</button></p>
  </div>`;
}

const title = (sold: Sold): string => (sold === "bounds" ? "Bounds" : "Categories");
