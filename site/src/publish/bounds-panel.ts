// The panel in which bounds are bought. Few visits need it, so it is fetched beside the page, before the seal, with what writes models out; it draws with
// what the page hands it, and has no copy of that of its own.

import type { html as drawing, nothing as empty, TemplateResult } from "lit";

import { count, readable } from "../chart/numbers.ts";
import type { BuyerState } from "../studio/buyer.ts";
import type { DeskState } from "../studio/ledger/desk.ts";
import type { textField } from "../studio/view/field.ts";
import type { problemNotice } from "../studio/view/notice.ts";
import type { progressBar } from "../studio/view/progress.ts";

/** What the panel is drawn with and of. */
export interface BoundsPanel {
  readonly html: typeof drawing;
  readonly nothing: typeof empty;
  readonly textField: typeof textField;
  readonly problemNotice: typeof problemNotice;
  readonly progressBar: typeof progressBar;
  /** Columns whose bounds are to be bought. */
  readonly names: readonly string[];
  readonly state: BuyerState;
  readonly desk: DeskState;
  /** There is a total that they are paid from. */
  readonly ready: boolean;
  readonly busy: boolean;
  /** What is typed for ε is no price. */
  readonly wrong: boolean;
  readonly change: (epsilon: string) => void;
  readonly buy: () => void;
  readonly cancel: () => void;
}

/** Buying bounds: of which columns, for how much, what that is good for, and what came of it. */
export function boundsPanel(p: BoundsPanel): TemplateResult {
  const { html, nothing } = p;
  return html`<section class="account" id="buy-bounds" tabindex="-1" aria-labelledby="buy-bounds-title">
    <h3 id="buy-bounds-title">Private bounds</h3>
    ${outcome(p)} ${p.names.length > 0 || p.state.work.phase === "running" ? purchase(p) : nothing}
  </section>`;
}

function outcome({ html, nothing, state }: BoundsPanel): TemplateResult | symbol {
  const { found } = state;
  if (found.length === 0) return nothing;
  const none = found.some((f) => f.bounds === null);
  return html`<div class="notice ${none ? "notice-warn" : "notice-good"}" id="bounds-found">
    <ul>
      ${found.map(({ name, bounds }) => html`<li><strong>${name}</strong>: ${bounds ? html`${readable(bounds[0])} to ${readable(bounds[1])}, bought` : "no bounds could be told from the noise"}</li>`)}
    </ul>
    ${none ? html`<p>Too few rows lie close together there for this ε. A larger ε sees smaller groups; public knowledge costs nothing.</p>` : nothing}
  </div>`;
}

function purchase(p: BoundsPanel): TemplateResult {
  const { html, nothing, textField, problemNotice, progressBar, names, ready } = p;
  const { epsilon, attempted, work } = p.state;
  if (work.phase === "running") return progressBar("Buying bounds", work.progress, p.cancel);
  return html`<form
    @submit=${(e: Event) => {
      e.preventDefault();
      p.buy();
    }}
  >
    <p>For <strong>${names.join(", ")}</strong>: the page counts rows in fixed ranges of values, such as 80 to 100, adds noise to every count, and takes the ranges that still stand out.</p>
    ${textField({
      key: "bounds.epsilon",
      label: names.length > 1 ? `ε for these ${names.length} columns together` : "ε for this column",
      hint: "A part of what is left for these people. Its δ is 0. A larger ε sees smaller groups.",
      value: epsilon,
      short: true,
      numeric: true,
      error: attempted && p.wrong ? "Enter a finite number above 0, such as 0.3." : undefined,
      input: p.change,
    })}
    ${ready ? price(p) : missing(p)}
    ${
      ready
        ? html`<p class="actions"><button class="button" type="submit" id="bounds-buy" ?disabled=${p.busy}>Buy ${names.length > 1 ? "these bounds" : "its bounds"}</button></p>`
        : nothing
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: "bounds-failed" }) : nothing}
    ${
      work.phase === "cancelled"
        ? html`<div class="notice"><p>Cancelled. Nothing was handed out${work.charged ? ", but it may have been noted in the ledger, and then it counts" : ""}.</p></div>`
        : nothing
    }
  </form>`;
}

/** What it costs and what it is good for, before it is bought. */
function price({ html, nothing, state, desk }: BoundsPanel): TemplateResult | symbol {
  const { plan, answer } = state;
  const budget = desk.account?.budget;
  if (!plan || !answer || !budget) return nothing;
  if (!answer.affords) return html`<div class="notice notice-bad"><p>This is more than is left for these people. Nothing would be bought.</p></div>`;
  const left = Math.max(0, budget.epsilon - answer.spent);
  const more = answer.spent - (desk.account?.spent ?? 0) > 1.05 * plan.epsilon;
  return html`<p id="bounds-price">
      A range is seen if some <strong>${count(plan.threshold)} rows</strong> fall in it, and surely from ${count(2 * plan.threshold - 1)} on. Values beyond the last range that is seen are
      moved to its end. By itself this costs <strong class="whole">ε = ${readable(plan.epsilon)}</strong>.
      ${answer.closes ? "Nothing could follow it." : html`After it, <strong class="whole">ε = ${readable(left)}</strong> of ${readable(budget.epsilon)} would be left.`}
    </p>
    ${more && !answer.closes ? html`<p class="small soft">First purchases take more off than their own ε, and later ones less: the total has to hold whatever is bought next.</p>` : nothing}`;
}

function missing({ html, desk }: BoundsPanel): TemplateResult {
  const { phase } = desk;
  if (phase === "unavailable") return html`<div class="notice notice-warn"><p>Bounds can be bought only where the price can be noted, and there is no ledger here. Enter what is publicly known instead.</p></div>`;
  if (phase === "looking" || phase === "idle") return html`<p class="soft">The file is looked up in the ledger first.</p>`;
  const target = phase === "unknown" || phase === "open" ? "account-epsilon" : "account";
  return html`<div class="notice">
    <p>Fix first, in step 3, what everything made from this file may spend. The bounds are paid from it.</p>
    <p class="actions"><button class="button button-quiet" type="button" id="bounds-account" @click=${() => document.getElementById(target)?.focus()}>Go to the total</button></p>
  </div>`;
}
