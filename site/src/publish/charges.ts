import type { TemplateResult } from "lit";

import type { Account, LedgerCharge } from "../client/types.ts";
import type { DeskState } from "../studio/ledger/desk.ts";
import type { chargesTools } from "../studio/view/charges.ts";
import type { Again } from "./again.ts";

type Kit = typeof chargesTools;

const purposes: Readonly<Record<string, string>> = { fit: "a model", evaluate: "an evaluation", bounds: "bounds of columns", categories: "categories of columns", report: "a privacy report" };

/** What each does that has one; bounds and categories are offered again where columns are described. */
const handing: Readonly<Record<string, string>> = { fit: "Open it again", evaluate: "Open it again", report: "Save it again" };

/** What an account's total was spent on, each with a way to have it again where it is kept. */
export function charges(kit: Kit, again: Again, { prices, total }: DeskState, account: Account, busy: boolean): TemplateResult {
  const { html, nothing, readable, timeWords } = kit;
  const { charges, budget, spent } = account;
  const known = charges.every((c) => c.id in prices);
  const sum = charges.reduce((s, c) => s + (prices[c.id] ?? 0), 0);
  const reserved = charges.some((c) => c.state === "reserved");
  const kept = charges.filter((c) => c.kept);
  const offered = kept.some((c) => !(c.purpose in handing));
  return html`<details class="disclosure">
    <summary>What it was spent on</summary>
    <div class="scroll" role="region" tabindex="0" aria-label="What the total was spent on">
      <table class="plain charges">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">For</th>
            <th scope="col" class="number">ε by itself</th>
          </tr>
        </thead>
        <tbody>
          ${charges.map(
            (c) => html`<tr>
              <th scope="row">${timeWords(c.time)}</th>
              <td>${purposes[c.purpose] ?? c.purpose}${mark(kit, c)}${c.kept && c.purpose in handing ? hand(kit, again, c, busy) : nothing}</td>
              <td class="number">${c.id in prices ? readable(prices[c.id]!) : "…"}</td>
            </tr>`,
          )}
        </tbody>
        <tfoot>
          ${known && charges.length > 1 ? html`<tr><th scope="row" colspan="2">Added up</th><td class="number">${readable(sum)}</td></tr>` : nothing}
          ${total ? html`<tr><th scope="row" colspan="2">Together, had all been decided in advance</th><td class="number">${readable(total.epsilon)}</td></tr>` : nothing}
          <tr><th scope="row" colspan="2"><strong>Counted against the total</strong></th><td class="number"><strong>${readable(spent ?? 0)}</strong></td></tr>
        </tfoot>
      </table>
    </div>
    ${outcome(kit, again, charges)}
    ${
      kept.length > 0
        ? html`<p class="small">
            What was bought is kept here with its charge. To have it again <strong>costs nothing</strong>, for it is the same, noise and all.
            ${offered ? "Bounds and categories are offered again in step 2." : nothing}
          </p>`
        : nothing
    }
    <p class="small soft">
      All at δ = ${readable(budget?.delta ?? 0)}. The last number holds even if each purchase was chosen by what the earlier ones showed, which costs a little more at
      first and less than the sum in the end.
      ${reserved ? "“Not handed out”: the page ended before the model was shown. It counts all the same, for it may have been seen, and is not run again for nothing: new noise would be another look at the data." : nothing}
    </p>
  </details>`;
}

function mark({ html, nothing }: Kit, { state, digest, kept }: LedgerCharge): TemplateResult | Kit["nothing"] {
  if (state === "reserved") return html` <span class="tag tag-warn">not handed out</span>`;
  if (!digest) return html` <span class="tag">refused</span>`;
  return kept ? nothing : html`<span class="hint">only its cost is known here</span>`;
}

function hand({ html, timeWords }: Kit, again: Again, charge: LedgerCharge, busy: boolean): TemplateResult {
  const words = handing[charge.purpose]!;
  const running = again.asked?.phase === "running";
  return html`<button class="link charge-again" type="button" aria-label="${words}: ${purposes[charge.purpose]} of ${timeWords(charge.time)}" ?disabled=${busy || running} @click=${() => void again.hand(charge)}>
    ${words}
  </button>`;
}

/** What came of the last that was asked for, if it is one of these. */
function outcome({ html, nothing, problemNotice }: Kit, { asked }: Again, charges: readonly LedgerCharge[]): TemplateResult | Kit["nothing"] {
  const charge = charges.find((c) => c.id === asked?.charge);
  if (!charge || !asked || asked.phase === "running") return nothing;
  if (asked.problem) return problemNotice(asked.problem, { id: "again-problem" });
  return html`<p class="small" id="again-done">${charge.purpose === "report" ? "Saved as privacy-report.json." : html`The model is in <a href="#result">step 5</a> again.`}</p>`;
}
