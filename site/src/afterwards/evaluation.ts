import type { TemplateResult } from "lit";

import { figuresTable } from "../chart/figures-table.ts";
import type { Figures } from "../client/types.ts";
import type { Result } from "../studio/state.ts";
import type { Studio } from "../studio/studio.ts";
import { cancelled } from "./cancelled.ts";
import type { Tools } from "./tools.ts";

/** How well the model does, for its readers: figures with noise, bought on rows that it was not fitted to. */
export function evaluation(tools: Tools, studio: Studio, result: Result): TemplateResult {
  const { buyingMore, filePicker, html, nothing, waitsForMore } = tools;
  const { source } = studio.state.evaluation;
  const waits = buyingMore(studio.state);
  const again = result.figures !== undefined;
  return html`
    <h3>How well it does, for its readers</h3>
    ${
      again
        ? measured(tools, result.figures!, result)
        : html`<p class="small">
            The release says nothing yet of how good the model is.
            ${result.diagnostics ? "What the fence below shows may not be published: it comes from the rows without noise." : nothing} You can buy figures that may be: measured with noise, on rows that the model was not fitted to. They cost the people in <em>those</em> rows some privacy.
          </p>`
    }
    <details class="disclosure" ?open=${source !== null}>
      <summary>${again ? "Measure it anew" : "Buy an evaluation"}</summary>
      <div>
        ${filePicker({
          id: "held-file",
          title: source ? source.names.join(", ") : "A held-out table",
          hint: waits
            ? waitsForMore
            : source
            ? "To be read by the description that the model was made with."
            : "A CSV file with the same columns, of other people than the model was fitted to.",
          button: source ? "Choose another file" : "Choose a held-out file",
          accept: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain",
          multiple: true,
          disabled: waits || studio.state.core.phase !== "ready",
          take: (files) => void studio.evaluator.choose(files),
        })}
        ${
          result.source.kind === "sample" && source === null
            ? html`<p class="actions"><button class="button button-quiet" type="button" ?disabled=${waits} @click=${() => studio.evaluator.useSample()}>Use more synthetic rows</button></p>`
            : nothing
        }
        ${source ? purchase(tools, studio) : nothing}
      </div>
    </details>
  `;
}

function purchase(tools: Tools, studio: Studio): TemplateResult {
  const { accountPanel, busy, canBuy, chargesOf, checkEvaluation, html, keepsAccount, nothing, problemNotice, progressBar, readable, textField } = tools;
  const { evaluator, state } = studio;
  const { source, desk, epsilon, attempted, work } = state.evaluation;
  const own = source?.kind === "file";
  const ready = !own || canBuy(desk);
  const same = own && desk.account !== null && desk.account.id === state.desk.account?.id;
  const quote = keepsAccount(desk) ? desk.quote : null;
  return html`
    ${
      own
        ? accountPanel({
            desk: evaluator.desk,
            state: desk,
            books: state.books,
            id: "held",
            title: "In all, for the people in the held-out file",
            next: "this evaluation",
            quiet: work.phase === "running",
            charges: chargesOf(studio),
            look: () => void evaluator.look(),
            save: () => void studio.books.export(),
          })
        : html`<p class="small soft">4,000 more synthetic rows: nobody’s data, so nothing is noted.</p>`
    }
    ${
      same
        ? html`<div class="notice notice-warn"><p>The account is that of the file the model was fitted to. On those rows a model looks better than it is, and the figures will not say so.</p></div>`
        : nothing
    }
    ${
      ready
        ? html`<form
            @submit=${(e: Event) => {
              e.preventDefault();
              void evaluator.buy();
            }}
          >
            ${textField({
              key: "evaluation.epsilon",
              label: "ε of the evaluation",
              hint: "For the people in the held-out file alone. Its δ is 0. A larger ε makes the ranges narrower.",
              value: epsilon,
              short: true,
              numeric: true,
              error: attempted && checkEvaluation(epsilon) === null ? "Enter a finite number above 0, such as 0.5." : undefined,
              input: (text) => evaluator.change(text),
            })}
            ${
              quote && !quote.answer.affords
                ? html`<div class="notice notice-bad">
                    <p>
                      This is more than is left for those people.
                      ${quote.fits === null ? "Working out what would fit…" : quote.fits === 0 ? "Nothing more can be measured on them." : html`An evaluation at <strong>ε = ${readable(quote.fits)}</strong> would fit.`}
                    </p>
                  </div>`
                : nothing
            }
            ${
              work.phase === "running"
                ? progressBar("Measuring", work.progress, () => evaluator.cancel())
                : html`<p class="actions"><button class="button" type="submit" id="held-buy" ?disabled=${busy(state)}>Buy the evaluation</button></p>`
            }
          </form>`
        : nothing
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: "held-failed" }) : nothing}
    ${work.phase === "cancelled" ? cancelled(tools, work.charged, "Nothing was measured", "held-cancelled") : nothing}
  `;
}

/** What may be published, and beside it, fenced, what it was exactly. */
function measured({ exactFigures, html, nothing, percent }: Tools, figures: Figures, { exact }: Result): TemplateResult {
  return html`${figuresTable(html, figures)}
    <p class="small soft">A range covers the exact figure of those rows with probability ${percent(figures.level)}. It is in the release now, and in the model card: save them again.</p>
    ${
      exact
        ? html`<section class="fence" aria-label="For your eyes only: the exact figures">
            <p class="small"><strong>For your eyes only:</strong> the same without noise.</p>
            <dl class="figures">${exactFigures(exact, "held-out rows")}</dl>
          </section>`
        : nothing
    }`;
}
