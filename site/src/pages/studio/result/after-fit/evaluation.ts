import { html, nothing, type TemplateResult } from "lit/html.js";

import { figuresTable } from "../../../../chart/figures-table.ts";
import { percent, readableLeast } from "../../../../chart/numbers.ts";
import type { AnyLabel, ExactFigures, Figures, Label } from "../../../../client/types.ts";
import { textField } from "../../../shell/field.ts";
import { filePicker } from "../../../shell/file-picker.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { progressBar } from "../../../shell/progress.ts";
import { canBuy, keepsAccount } from "../../account/file-account.ts";
import { accountPanel } from "../../account/panel.ts";
import { busy, buyingMore, waitsForMore } from "../../state/state.ts";
import { cancelled } from "./cancelled.ts";
import { checkEvaluation } from "./evaluator.ts";
import { exactFigures } from "./fence.ts";
import type { Studio } from "./studio.ts";

/** What is measured, a model or a card, and what is known of how well it does. */
export interface Measured {
  readonly figures: Figures | undefined;
  /** It is of a made-up table. */
  readonly sample: boolean;
  /** That of a card. */
  readonly label?: Label;
  /** Figures of a model without noise stand behind a fence. */
  readonly fenced?: boolean;
  /** Those of the held-out rows, where they may be seen. */
  readonly exact?: ExactFigures<AnyLabel> | undefined;
}

/**
 * How well a model or a card does, for its readers: figures with noise, bought on rows that it was
 * not made from.
 */
export function evaluation(studio: Studio, of: Measured): TemplateResult {
  const { source } = studio.state.evaluation;
  const waits = buyingMore(studio.state);
  const { figures } = of;
  const [what, made] = of.label ? ["card", "chosen on"] : ["model", "fitted to"];
  return html`
    ${
      figures
        ? measured(figures, of)
        : html`<p class="small">
            The release does not say yet how good the ${what} is.
            ${of.fenced ? "Do not publish the figures behind the fence below, and decide nothing by them: they come from the rows without noise." : nothing}
            You can buy figures that you may publish. They are measured with noise, on rows that the
            ${what} was not ${made}. They cost the people in <em>those</em> rows some privacy, and
            you may choose among ${what}s by them.
          </p>`
    }
    <details class="disclosure" ?open=${source !== null}>
      <summary>${figures ? "Measure it again" : "Buy an evaluation"}</summary>
      <div>
        ${filePicker({
          id: "held-file",
          title: source ? source.names.join(", ") : "A held-out table",
          hint: waits
            ? waitsForMore
            : source
              ? `It is read with the description that the ${what} was made with.`
              : `A CSV file with the same columns, of other people than the ${what} was ${made}.`,
          button: source ? "Choose another file" : "Choose a held-out file",
          accept: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain",
          multiple: true,
          disabled: waits || studio.state.core.phase !== "ready",
          take: (files) => void studio.evaluator.choose(files),
        })}
        ${
          of.sample && source === null
            ? html`<p class="actions">
                <button
                  class="button button-quiet"
                  type="button"
                  ?disabled=${waits}
                  @click=${() => studio.evaluator.useSample()}
                >
                  Use more made-up rows
                </button>
              </p>`
            : nothing
        }
        ${source ? purchase(studio, what, made) : nothing}
      </div>
    </details>
  `;
}

function purchase(studio: Studio, what = "", made = ""): TemplateResult {
  const { evaluator, state } = studio;
  const { source, fileAccount, epsilon, attempted, work } = state.evaluation;
  const own = source?.kind === "file";
  const ready = !own || canBuy(fileAccount);
  const same =
    own && fileAccount.account !== null && fileAccount.account.id === state.fileAccount.account?.id;
  const quote = keepsAccount(fileAccount) ? fileAccount.quote : null;
  return html`
    ${
      own
        ? accountPanel({
            fileAccount: evaluator.fileAccount,
            state: fileAccount,
            books: state.books,
            id: "held",
            title: "In all, for the people in the held-out file",
            next: "this evaluation",
            quiet: work.phase === "running",
            again: studio.again,
            busy: busy(state),
            look: () => void evaluator.look(),
            save: () => void studio.books.export(),
          })
        : html`<p class="small soft">
            4,000 more made-up rows: nobody’s data, so nothing is noted.
          </p>`
    }
    ${
      same
        ? html`<div class="notice notice-warn">
            <p>
              The account is that of the file the ${what} was ${made}. On those rows a ${what} looks
              better than it is, and the figures will not say so.
            </p>
          </div>`
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
              error:
                attempted && checkEvaluation(epsilon) === null
                  ? "Enter a finite number above 0, such as 0.5."
                  : undefined,
              input: (text) => evaluator.change(text),
            })}
            ${
              quote && !quote.answer.affords
                ? html`<div class="notice notice-bad">
                    <p>
                      This is more than is left for those people.
                      ${quote.fits === null ? "Working out what would fit…" : quote.fits === 0 ? "Nothing more can be measured on them." : html`An evaluation at <strong>ε = ${readableLeast(quote.fits)}</strong> would fit.`}
                    </p>
                  </div>`
                : nothing
            }
            ${
              work.phase === "running"
                ? progressBar("Measuring", work.progress, () => evaluator.cancel())
                : html`<p class="actions">
                    <button class="button" type="submit" id="held-buy" ?disabled=${busy(state)}>
                      Buy the evaluation
                    </button>
                  </p>`
            }
          </form>`
        : nothing
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: "held-failed" }) : nothing}
    ${work.phase === "cancelled" ? cancelled(work.charged, "Nothing was measured", "held-cancelled") : nothing}
  `;
}

/** What may be published, and beside it, fenced, what it was exactly. */
function measured(figures: Figures, { exact, label }: Measured): TemplateResult {
  return html`${figuresTable(html, figures, label)}
    <p class="small soft">
      A range covers the exact figure of those rows with probability ${percent(figures.level)}. It
      is in the release now, and in the ${label ? "printed" : "model"} card: save them again.
    </p>
    ${
      exact
        ? html`<section class="fence" aria-label="For your eyes only: the exact figures">
            <p class="small"><strong>For your eyes only:</strong> the same without noise.</p>
            <dl class="figures">${exactFigures(exact, "held-out rows")}</dl>
          </section>`
        : nothing
    }`;
}
