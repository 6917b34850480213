import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound, readableLeast, surely } from "../../../../chart/numbers.ts";
import { checkbox, radios, textField } from "../../../shell/field.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { progressBar } from "../../../shell/progress.ts";
import { canBuy, keepsAccount } from "../../account/file-account.ts";
import { checkPrice } from "../../draft/check.ts";
import { mayPublish } from "../../state/choice.ts";
import { busy, type Result } from "../../state/state.ts";
import { cancelled } from "./cancelled.ts";
import { mostColumns, type Reporter } from "./reporter.ts";

/**
 * The report with which each reader can see what the model cost them: the one that was made, and
 * the price of another.
 */
export function reportPanel(reporter: Reporter, result: Result): TemplateResult {
  const why = reporter.why(result.release);
  return html`${
    why
      ? html`<p class="small">${why}</p>`
      : html`<p class="small">
            ε = ${readableBound(result.release.guarantee.epsilon)} is the worst case, promised to
            everybody. Most people lost far less. With a privacy report beside the release, anybody
            can type in their own row, on their own machine, and see a bound on what it cost
            <em>them</em>. What they type goes nowhere.
          </p>
          ${result.report ? finished(reporter, result) : html``} ${offer(reporter, result)}`
  }`;
}

function finished(reporter: Reporter, result: Result): TemplateResult {
  const { inspected, report } = result.report!;
  if (!inspected) return unread(reporter, result);
  const bought = report.kind !== "data-independent";
  return html`<div class="verdict" id="report-made">
    <p class="verdict-head">The privacy report is ready</p>
    <p>
      ${
        bought
          ? html`It cost ε = ${readableBound(inspected.epsilon)} of its own. The model and the
            report together are (ε = ${readableBound(inspected.total)}, δ =
            ${readableBound(inspected.delta)})-differentially private.`
          : "It follows from the release alone, so it cost nothing."
      }
      What it tells a person holds for them with probability ${surely(inspected.rho)}.
    </p>
    ${
      inspected.intervals
        ? html`<p>
            The model card now has standard errors and intervals for
            ${inspected.intervals.includes(null) ? "those coefficients that can be told apart, as categories and the intercept cannot" : "the coefficients"}.
            They take the noise into account.
          </p>`
        : inspected.noErrors === "hessian"
          ? html`<p>
              There are no standard errors: the noise hides how the columns vary together. There are
              too few rows for this ε, or each column follows from the others, as the categories of
              a column and the intercept do.
            </p>`
          : nothing
    }
    ${saving(reporter, result)}
  </div>`;
}

/** It is made, and paid for, but this page cannot say what follows from it. */
function unread(reporter: Reporter, result: Result): TemplateResult {
  const bought = result.report!.report.kind !== "data-independent";
  return html`<div class="notice notice-bad" id="report-made" role="alert">
    <h3>The privacy report was made${bought ? " and charged" : ""}, but could not be read back</h3>
    <p>
      ${bought ? "What it cost counts, so save it now: buying another is charged once more." : "It cost nothing. Save it, or make it once more."}
      Before publishing it, open it in the verifier with the release.
    </p>
    ${saving(reporter, result)}
  </div>`;
}

function saving(reporter: Reporter, result: Result): TemplateResult {
  return html`<p class="actions">
    <button
      class="button button-main"
      type="button"
      id="report-save"
      ?disabled=${!mayPublish(reporter.studio.state, result)}
      @click=${() => void reporter.save(result)}
    >
      Save the privacy report
    </button>
    <span class="small soft">privacy-report.json: publish it beside release.json</span>
  </p>`;
}

function offer(reporter: Reporter, result: Result): TemplateResult {
  const { state } = reporter.studio;
  const { kind, epsilon, errors, attempted, work, answer } = reporter.entry(result);
  const { release } = result;
  const own = result.source.kind === "file";
  const open = reporter.open(result);
  const wide = "coefficients" in release.model && release.model.coefficients.length > mostColumns;
  const bought = kind === "data-dependent";
  const blocked = bought && (!open || wide || (own && !canBuy(state.fileAccount)));
  const have = result.report !== undefined;
  return html`<form
    @submit=${(e: Event) => {
      e.preventDefault();
      void reporter.make(result);
    }}
  >
    ${radios({
      name: "report-kind",
      legend: have ? "Make another" : "Which report?",
      value: kind,
      choices: [
        {
          value: "data-independent",
          id: "report-free",
          label: html`<strong>From the release alone.</strong> It costs nothing.
            <span class="soft">It is far from exact for people whose rows are unusual.</span>`,
        },
        {
          value: "data-dependent",
          id: "report-bought",
          label: html`<strong>Closer for most, and bought.</strong> It takes privacy of its own from
            ${own ? "the file’s total" : "the people in the data"}.
            <span class="soft">It says, with noise, how the columns vary together.</span>`,
        },
      ],
      choose: (value) => reporter.change(result, { kind: value as typeof kind }),
    })}
    ${
      bought && !blocked
        ? html`${textField({
            key: "report.epsilon",
            label: "ε of the report",
            hint: `For the people whom the model was fitted to, beside its ε of ${readableBound(release.guarantee.epsilon)}. Its δ is ${readableBound(release.guarantee.delta)}.`,
            value: epsilon,
            short: true,
            numeric: true,
            error:
              attempted && checkPrice(epsilon) === null
                ? "Enter a finite number above 0, such as 0.3."
                : undefined,
            input: (text) => reporter.change(result, { epsilon: text }),
          })}
          ${checkbox({
            id: "report-errors",
            checked: errors,
            label: html`Standard errors for the coefficients, too.
              <span class="soft"
                >A fourth of the price goes to them. With few rows, or a small ε, the noise hides
                them.</span
              >`,
            change: (on) => reporter.change(result, { errors: on }),
          })}
          ${
            answer && !answer.affords
              ? html`<div class="notice notice-bad">
                  <p>This is more than is left for these people. ${answer.reason}</p>
                </div>`
              : answer && state.fileAccount.account?.budget && keepsAccount(state.fileAccount)
                ? html`<p class="small">
                    After it, ε =
                    ${readableLeast(Math.max(0, state.fileAccount.account.budget.epsilon - answer.spent))}
                    of ${readableBound(state.fileAccount.account.budget.epsilon)} is left for this
                    file.
                  </p>`
                : nothing
          }`
        : nothing
    }
    ${
      blocked
        ? html`<p class="small" id="report-blocked">
            ${
              wide
                ? `The model has more than ${mostColumns} coefficients. The noise would hide how so many vary together, so this report is not made.`
                : !open
                  ? "A closer report needs the noise of this fit, and that noise is gone. It is kept in memory only, and never saved. It goes when another file is opened, when the rows are read with another description, or when work is cancelled. A new fit would have its own noise, and would have to be paid for."
                  : "The file needs its account first: step 3 opens it."
            }
          </p>`
        : work.phase === "running"
          ? html`${progressBar("Making the privacy report", work.progress, () => reporter.cancel())}
              <p class="small soft">
                Cancelling ends the work at once. What is noted in the ledger by then counts. The
                noise of your fits is lost too, so closer reports of your models can no longer be
                made.
              </p>`
          : html`<p class="actions">
              <button class="button" type="submit" id="report-make" ?disabled=${busy(state)}>
                ${bought ? "Buy the privacy report" : "Make the privacy report"}
              </button>
              <span class="small soft"
                >${bought ? nothing : "It costs nothing, and looks at no row."}</span
              >
            </p>`
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: "report-failed" }) : nothing}
    ${work.phase === "cancelled" ? cancelled(work.charged, "No report was made", "report-cancelled") : nothing}
  </form>`;
}
