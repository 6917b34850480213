// The panels in which bounds and categories are bought.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { count, readableBound, readableLeast } from "../../../../chart/numbers.ts";
import type { BoundsPlan, CategoriesPlan } from "../../../../client/types.ts";
import type { BuyerState, Offer } from "../../state/purchase.ts";
import { included, type SchemaDraft } from "../../draft/draft.ts";
import { provenanceOf, type Purchasable, purchasableOf, wanted } from "../../draft/source.ts";
import { keepsAccount } from "../../account/file-account.ts";
import { busy } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";
import { textField } from "../../../shell/field.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { progressBar } from "../../../shell/progress.ts";
import { type Buyer, kinds } from "./buyer.ts";
import { checkPrice } from "../../draft/check.ts";

/** One of the two, as it stands. */
interface Panel {
  readonly studio: Workspace;
  readonly buyer: Buyer;
  readonly item: Purchasable;
  readonly state: BuyerState;
  readonly names: readonly string[];
}

/**
 * Buying bounds and categories: for which columns, at what price, what to expect, and the result.
 */
export function panel(studio: Workspace, buyer: Buyer, draft: SchemaDraft): TemplateResult {
  return html`${before(studio, buyer, draft)}
  ${kinds.map((item) => {
    const state = studio.state.buying[item];
    const names = wanted(draft, item).map((c) => c.name);
    if (names.length === 0 && state.found.length === 0 && state.work.phase !== "running")
      return nothing;
    const p: Panel = { studio, buyer, item, state, names };
    return html`<section
      class="account"
      id="buy-${item}"
      tabindex="-1"
      aria-labelledby="buy-${item}-title"
    >
      <h3 id="buy-${item}-title">Private ${item}</h3>
      ${outcome(p)} ${names.length > 0 || state.work.phase === "running" ? purchase(p) : nothing}
    </section>`;
  })}`;
}

/**
 * What was bought of the file before and is not in its description: the tab may have been closed
 * before it was.
 */
function before(
  { state }: Workspace,
  buyer: Buyer,
  draft: SchemaDraft,
): TemplateResult | typeof nothing {
  const offers = state.buying.offers.flatMap((o): (Offer & { id: string })[] => {
    const { label } = draft;
    const column = included(draft).find(
      (c) => c.name.trim() === o.name && purchasableOf(c) === o.item,
    );
    const part =
      column ??
      (o.item === "bounds" && label.kind === "numeric" && label.name === o.name
        ? label
        : undefined);
    return part && provenanceOf(part) === "suggested" && part.decision !== "accept"
      ? [{ ...o, id: column?.id ?? "label" }]
      : [];
  });
  if (offers.length === 0) return nothing;
  return html`<section class="account" id="bought-before" aria-labelledby="bought-before-title">
    <h3 id="bought-before-title">Bought before</h3>
    <p>
      The ledger has these from an earlier purchase of this file. They are paid for: using them
      again costs nothing.
    </p>
    <ul>
      ${offers.map((o) => html`<li><strong>${o.name}</strong>: ${o.text} <span class="soft small">for ε = ${readableBound(o.put.epsilon)}, charge ${o.put.charge.slice(0, 8)}</span></li>`)}
    </ul>
    <p class="actions">
      <button class="button" type="button" id="bought-again" @click=${() => buyer.again(offers)}>
        Use what was bought
      </button>
    </p>
  </section>`;
}

function outcome({ item, state }: Panel): TemplateResult | typeof nothing {
  const { found } = state;
  if (found.length === 0) return nothing;
  const none = found.some((f) => f.text === null);
  return html`<div class="notice ${none ? "notice-warn" : "notice-good"}" id="${item}-found">
    <ul>
      ${found.map(({ name, text }) => html`<li><strong>${name}</strong>: ${text === null ? `no ${item} could be told from the noise` : html`${text}, bought`}</li>`)}
    </ul>
    ${
      none
        ? html`<p>
            ${item === "bounds" ? "Too few rows lie close together there for this ε." : "Too few rows share a category there for this ε."}
            A larger ε sees smaller groups; public knowledge costs nothing.
          </p>`
        : item === "categories"
          ? html`<p>
              Rows of any other category count as none of these. Each column’s form says so, and can
              be changed there.
            </p>`
          : nothing
    }
  </div>`;
}

const how: Readonly<Record<Purchasable, string>> = {
  bounds:
    "the page counts rows in fixed ranges of values, such as 80 to 100, adds noise to every count, and takes the ranges that still stand out.",
  categories:
    "the page counts the rows of each category and keeps those that enough rows share. Chance decides near the limit, so that no single row does.",
};

function purchase(p: Panel): TemplateResult {
  const { studio, item, names, buyer } = p;
  const ready = keepsAccount(studio.state.fileAccount);
  const { epsilon, attempted, work } = p.state;
  if (work.phase === "running")
    return progressBar(`Buying ${item}`, work.progress, () => studio.cancel());
  const several = names.length > 1;
  return html`<form
    @submit=${(e: Event) => {
      e.preventDefault();
      void buyer.buy(item);
    }}
  >
    <p>For <strong>${names.join(", ")}</strong>: ${how[item]}</p>
    ${textField({
      key: `${item}.epsilon`,
      label: several ? `ε for these ${names.length} columns together` : "ε for this column",
      hint: `A part of what is left for these people${several ? ", shared evenly among the columns" : ""}.${item === "bounds" ? " Its δ is 0." : ""} A larger ε sees smaller groups.`,
      value: epsilon,
      short: true,
      numeric: true,
      error:
        attempted && checkPrice(epsilon) === null
          ? "Enter a finite number above 0, such as 0.3."
          : undefined,
      input: (text) => buyer.change(item, text),
    })}
    ${ready ? price(p) : missing(p)}
    ${
      ready
        ? html`<p class="actions">
            <button class="button" type="submit" id="${item}-buy" ?disabled=${busy(studio.state)}>
              Buy ${several ? `these ${item}` : `its ${item}`}
            </button>
          </p>`
        : nothing
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: `${item}-failed` }) : nothing}
    ${
      work.phase === "cancelled"
        ? html`<div class="notice">
            <p>
              Cancelled. Nothing was handed
              out${work.charged ? ", but it may have been noted in the ledger, and then it counts. What was bought by then is offered above" : ""}.
            </p>
          </div>`
        : nothing
    }
  </form>`;
}

/** What it costs and what it is good for, before it is bought. */
function price({ studio, item, state, names }: Panel): TemplateResult | typeof nothing {
  const { fileAccount } = studio.state;
  const { plan, answer } = state;
  const budget = fileAccount.account?.budget;
  if (!plan || !answer || !budget) return nothing;
  if (!answer.affords)
    return html`<div class="notice notice-bad">
      <p>This is more than is left for these people. Nothing would be bought.</p>
    </div>`;
  const left = Math.max(0, budget.epsilon - answer.spent);
  const more = answer.spent - (fileAccount.account?.spent ?? 0) > 1.05 * plan.epsilon;
  const share =
    names.length > 1 ? html` (${readableBound(plan.epsilon / names.length)} a column)` : nothing;
  return html`<p id="${item}-price">
      ${seen(plan)} By itself this costs
      <strong class="whole">ε = ${readableBound(plan.epsilon)}</strong
      >${share}${"delta" in plan ? html` and <span class="whole">δ = ${readableBound(plan.delta)}</span>` : nothing}.
      ${answer.closes ? "Nothing could follow it." : html`After it, <strong class="whole">ε = ${readableLeast(left)}</strong> of ${readableBound(budget.epsilon)} would be left.`}
    </p>
    ${more && !answer.closes ? html`<p class="small soft">The first purchases take more than their own ε off the total, and later ones less: the total has to hold whatever is bought next.</p>` : nothing}`;
}

function seen(plan: BoundsPlan | CategoriesPlan): TemplateResult {
  return "threshold" in plan
    ? html`A range is seen if some <strong>${count(plan.threshold)} rows</strong> fall in it, and
        surely from ${count(2 * plan.threshold - 1)} on. Values beyond the last range that is seen
        are moved to its end.`
    : html`A category is kept more likely than not from
        <strong>${count(plan.even)} rows</strong> on, and surely from ${count(plan.sure)} on. Rows
        of the others count as none of those that are kept.`;
}

function missing({ studio, item }: Panel): TemplateResult {
  const { phase } = studio.state.fileAccount;
  if (phase === "unavailable")
    return html`<div class="notice notice-warn">
      <p>
        ${title(item)} can be bought only with a ledger, which notes the price, and there is none
        here. Enter what is publicly known instead.
      </p>
    </div>`;
  if (phase === "looking" || phase === "idle")
    return html`<p class="soft">The file is looked up in the ledger first.</p>`;
  const target = phase === "unknown" || phase === "open" ? "account-epsilon" : "account";
  return html`<div class="notice">
    <p>
      Fix first, in step 3, what everything made from this file may spend. The ${item} are paid from
      it.
    </p>
    <p class="actions">
      <button
        class="button button-quiet"
        type="button"
        id="${item}-account"
        @click=${() => studio.show(target)}
      >
        Go to the total
      </button>
    </p>
  </div>`;
}

const title = (item: Purchasable): string => (item === "bounds" ? "Bounds" : "Categories");
