import { html, nothing, type TemplateResult } from "lit/html.js";

import { straight } from "../../../client/straight.ts";
import { readableBound } from "../../../chart/numbers.ts";
import type { Account, LedgerCharge } from "../../../client/types.ts";
import { problemNotice } from "../../shell/notice.ts";
import { own } from "../../../client/own.ts";
import type { Problem } from "../../shell/problem.ts";
import { timeWords } from "../../shell/words.ts";
import type { FileAccountState } from "./file-account.ts";

/** Hands out again what was bought and kept with its charge. */
export interface Again {
  /** The charge that was asked about last, and what came of it. */
  readonly asked: {
    readonly charge: string;
    readonly phase: "running" | "done" | "failed";
    readonly problem?: Problem;
  } | null;
  hand(charge: LedgerCharge): Promise<void>;
}

const purposes: Readonly<Record<string, string>> = {
  fit: "a model",
  evaluate: "an evaluation",
  bounds: "bounds of columns",
  categories: "categories of columns",
  report: "a privacy report",
  scorecard: "a scorecard",
  cells: "noisy counts of a card’s cells",
  "scorecard.evaluate": "an evaluation of a scorecard",
};

/**
 * What each does that has one; bounds and categories are offered again where columns are described.
 */
const handing: Readonly<Record<string, string>> = {
  fit: "Open it again",
  evaluate: "Open it again",
  report: "Save it again",
  scorecard: "Save it again",
  cells: "Save it again",
  "scorecard.evaluate": "Save it again",
};

/** What is saved as a file, and its name. */
const saved: Readonly<Record<string, string>> = {
  report: "privacy-report.json",
  scorecard: "scorecard.json",
  cells: "noisy-cells.json",
  "scorecard.evaluate": "scorecard.json",
};

/** What an account's total was spent on, each with a way to have it again where it is kept. */
export function chargesTable(
  again: Again | null,
  { prices, total }: FileAccountState,
  account: Account,
  busy: boolean,
): TemplateResult {
  const { charges, budget, spent } = account;
  const known = charges.every((c) => Object.hasOwn(prices, c.id));
  const sum = charges.reduce((s, c) => s + (own(prices, c.id) ?? 0), 0);
  const reserved = charges.some((c) => c.state === "reserved");
  const kept = charges.filter((c) => c.kept);
  const offered = kept.some((c) => own(handing, c.purpose) === undefined);
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
            (c) =>
              html`<tr>
                <th scope="row">${timeWords(c.time)}</th>
                <td>
                  ${own(purposes, c.purpose) ?? straight(c.purpose)}${mark(c)}${again && c.kept && own(handing, c.purpose) !== undefined ? hand(again, c, busy) : nothing}
                </td>
                <td class="number">
                  ${Object.hasOwn(prices, c.id) ? readableBound(prices[c.id]!) : "…"}
                </td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          ${
            known && charges.length > 1
              ? html`<tr>
                  <th scope="row" colspan="2">Added up</th>
                  <td class="number">${readableBound(sum)}</td>
                </tr>`
              : nothing
          }
          ${
            total
              ? html`<tr>
                  <th scope="row" colspan="2">Together, if all had been decided in advance</th>
                  <td class="number">${readableBound(total.epsilon)}</td>
                </tr>`
              : nothing
          }
          <tr>
            <th scope="row" colspan="2">
              <strong>Counted against the total</strong>
            </th>
            <td class="number">
              <strong>${readableBound(spent ?? 0)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
    ${outcome(again, charges)}
    ${
      kept.length > 0
        ? html`<p class="small">
            What was bought is kept here with its charge. Getting it again
            <strong>costs nothing</strong>, because it is the same, noise included.
            ${offered ? "Bounds and categories are offered again in step 2." : nothing}
          </p>`
        : nothing
    }
    <p class="small soft">
      All at δ = ${readableBound(budget?.delta ?? 0)}. The last number holds even if each purchase
      was chosen by what the earlier ones released, which costs a little more at first and less than
      the sum in the end. It does not hold if private figures decided.
      ${reserved ? "“Not handed out”: the page ended before the model was shown. It counts all the same, because somebody may have seen it. The page does not run it again for free: new noise would be another look at the data." : nothing}
    </p>
  </details>`;
}

function mark({ state, digest, kept }: LedgerCharge): TemplateResult | typeof nothing {
  if (state === "reserved") return html` <span class="tag tag-warn">not handed out</span>`;
  if (!digest) return html` <span class="tag">refused</span>`;
  return kept ? nothing : html`<span class="hint">only its cost is known here</span>`;
}

function hand(again: Again, charge: LedgerCharge, busy: boolean): TemplateResult {
  const words = handing[charge.purpose]!;
  const running = again.asked?.phase === "running";
  return html`<button
    class="link charge-again"
    type="button"
    aria-label="${words}: ${purposes[charge.purpose]} of ${timeWords(charge.time)}"
    ?disabled=${busy || running}
    @click=${() => void again.hand(charge)}
  >
    ${words}
  </button>`;
}

/** What came of the last that was asked for, if it is one of these. */
function outcome(
  again: Again | null,
  charges: readonly LedgerCharge[],
): TemplateResult | typeof nothing {
  const asked = again?.asked;
  const charge = charges.find((c) => c.id === asked?.charge);
  if (!charge || !asked || asked.phase === "running") return nothing;
  if (asked.problem) return problemNotice(asked.problem, { id: "again-problem" });
  return html`<p class="small" id="again-done">
    ${Object.hasOwn(saved, charge.purpose) ? `Saved as ${saved[charge.purpose]}.` : html`The model is in <a href="#result">step 5</a> again.`}
  </p>`;
}
