import { html, nothing, type TemplateResult } from "lit/html.js";

import { straight } from "../../../client/straight.ts";
import { readableBound } from "../../../chart/numbers.ts";
import { plural } from "../../shell/words.ts";
import type { Books, BooksState } from "./books.ts";
import { filePicker } from "../../shell/file-picker.ts";
import { problemNotice } from "../../shell/notice.ts";

/** Every account in this browser, and the whole ledger as a file. */
export function booksDisclosure(ledger: Books, books: BooksState): TemplateResult | typeof nothing {
  if (books.missing?.code === "storage") return nothing;
  const { accounts } = books;
  return html`<details class="disclosure" id="books">
    <summary>The ledger: every data set, and a copy as a file</summary>
    <div>
      ${books.missing ? problemNotice(books.missing, { id: "books-missing" }) : nothing}
      ${
        accounts.length === 0
          ? html`<p class="small">
              No data set has an account in this browser yet. If you kept one elsewhere, take its
              file in here before you fit.
            </p>`
          : html`<table class="plain">
              <caption class="hidden">
                Data sets with an account
              </caption>
              <thead>
                <tr>
                  <th scope="col">Data set</th>
                  <th scope="col" class="number">Purchases</th>
                  <th scope="col" class="number">ε spent</th>
                </tr>
              </thead>
              <tbody>
                ${accounts.map(
                  (a) =>
                    html`<tr>
                      <th scope="row">${straight(a.name)}</th>
                      <td class="number">${a.charges.length}</td>
                      <td class="number">
                        ${a.budget ? `${readableBound(a.spent ?? 0)} of ${readableBound(a.budget.epsilon)}` : "no total yet"}
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
      }
      <p class="small">
        The file holds names, totals and charges, and nothing of the data. Another browser that
        takes it in knows what was spent; it asks once which file is which, because the fingerprints
        of files never leave the browser they were made in.
      </p>
      ${
        accounts.length > 0
          ? html`<p class="actions">
              <button
                class="button button-quiet"
                type="button"
                @click=${() => void ledger.export()}
              >
                Save the ledger
                (${`${accounts.length} ${plural(accounts.length, "data set", "data sets")}`})
              </button>
            </p>`
          : nothing
      }
      ${filePicker({
        id: "ledger-file",
        title: "A ledger from a file",
        hint: "Both ledgers are put together, and nothing of either is lost.",
        button: "Take in a ledger file",
        accept: ".json,application/json",
        disabled: false,
        take: ([file]) => void ledger.import(file!),
      })}
      <div role="status">
        ${books.said ? html`<div class="notice notice-good"><p>${books.said}</p></div>` : nothing}
      </div>
      ${
        books.problem
          ? problemNotice(books.problem, {
              id: "books-problem",
              actions: books.differs
                ? html`<button
                    class="button button-quiet"
                    type="button"
                    @click=${() => void ledger.importSmaller()}
                  >
                    Keep the smaller total of each
                  </button>`
                : nothing,
            })
          : nothing
      }
    </div>
  </details>`;
}
