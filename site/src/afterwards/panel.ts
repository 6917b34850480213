import type { TemplateResult } from "lit";

import type { Result } from "../studio/state.ts";
import { cancelled } from "./cancelled.ts";
import { mostColumns, type Reporter } from "./reporter.ts";
import type { Tools } from "./tools.ts";

/** A report for the model's readers, by which each can tell what it cost them: what there is, and what it would cost. */
export function reportPanel(tools: Tools, reporter: Reporter, result: Result): TemplateResult {
  const { html, readable } = tools;
  const why = reporter.why(result.release);
  return html`<section id="report" aria-labelledby="report-title">
    <h3 id="report-title">What it cost each person, for them to see</h3>
    ${
      why
        ? html`<p class="small">${why}</p>`
        : html`<p class="small">
              ε = ${readable(result.release.guarantee.epsilon)} is the worst case, promised to everybody. Most people lost far less. With a privacy report beside the release,
              anybody can type in their own row, on their own machine, and see a bound on what it cost <em>them</em>. What they type goes nowhere.
            </p>
            ${result.report ? finished(tools, reporter, result) : html``} ${offer(tools, reporter, result)}`
    }
  </section>`;
}

function finished(tools: Tools, reporter: Reporter, result: Result): TemplateResult {
  const { html, nothing, percent, readable } = tools;
  const { inspected, report } = result.report!;
  if (!inspected) return unread(tools, reporter, result);
  const bought = report.kind !== "data-independent";
  return html`<div class="verdict" id="report-made">
    <p class="verdict-head">The privacy report is ready</p>
    <p>
      ${
        bought
          ? html`It cost ε = ${readable(inspected.epsilon)} of its own. The model and the report together are (ε = ${readable(inspected.total)}, δ =
            ${readable(inspected.delta)})-differentially private.`
          : "It follows from the release alone, so it cost nothing."
      }
      What it tells a person holds for them with probability ${percent(1 - inspected.rho)}.
    </p>
    ${
      inspected.intervals
        ? html`<p>
            The model card now has standard errors and intervals for ${inspected.intervals.includes(null) ? "those coefficients that can be told apart, as categories and the intercept cannot" : "the coefficients"}.
            They take the noise into account.
          </p>`
        : inspected.noErrors === "hessian"
          ? html`<p>
              There are no standard errors: the noise hides how the columns vary together. There are too few rows for this ε, or all columns say the same as others together, as the
              categories of a column and the intercept do.
            </p>`
          : nothing
    }
    ${saving(tools, reporter, result)}
  </div>`;
}

/** It is made, and paid for, but this page cannot say what follows from it. */
function unread(tools: Tools, reporter: Reporter, result: Result): TemplateResult {
  const { html } = tools;
  const bought = result.report!.report.kind !== "data-independent";
  return html`<div class="notice notice-bad" id="report-made" role="alert">
    <h3>The privacy report was made${bought ? " and charged" : ""}, but could not be read back</h3>
    <p>
      ${bought ? "What it cost counts, so save it now: buying another is charged once more." : "It cost nothing. Save it, or make it once more."}
      Before publishing it, open it in the verifier with the release.
    </p>
    ${saving(tools, reporter, result)}
  </div>`;
}

function saving({ html }: Tools, reporter: Reporter, result: Result): TemplateResult {
  return html`<p class="actions">
    <button class="button button-main" type="button" id="report-save" @click=${() => reporter.save(result)}>Save the privacy report</button>
    <span class="small soft">privacy-report.json: publish it beside release.json</span>
  </p>`;
}

function offer(tools: Tools, reporter: Reporter, result: Result): TemplateResult {
  const { busy, canBuy, checkbox, checkPrice, html, keepsAccount, nothing, problemNotice, progressBar, radios, readable, textField } = tools;
  const { state } = reporter.studio;
  const { kind, epsilon, errors, attempted, work, answer } = reporter.entry(result);
  const { release } = result;
  const own = result.source.kind === "file";
  const open = reporter.open(result);
  const wide = "coefficients" in release.model && release.model.coefficients.length > mostColumns;
  const bought = kind === "data-dependent";
  const blocked = bought && (!open || wide || (own && !canBuy(state.desk)));
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
        { value: "data-independent", id: "report-free", label: html`<strong>From the release alone.</strong> It costs nothing. <span class="soft">It is far from exact for people whose rows are unusual.</span>` },
        {
          value: "data-dependent",
          id: "report-bought",
          label: html`<strong>Closer for most, and bought.</strong> It takes privacy of its own from ${own ? "the file’s total" : "the people in the data"}.
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
            hint: `For the people whom the model was fitted to, beside its ε of ${readable(release.guarantee.epsilon)}. Its δ is ${readable(release.guarantee.delta)}.`,
            value: epsilon,
            short: true,
            numeric: true,
            error: attempted && checkPrice(epsilon) === null ? "Enter a finite number above 0, such as 0.3." : undefined,
            input: (text) => reporter.change(result, { epsilon: text }),
          })}
          ${checkbox({
            id: "report-errors",
            checked: errors,
            label: html`Standard errors for the coefficients, too. <span class="soft">A fourth of the price goes to them. With few rows, or a small ε, the noise hides them.</span>`,
            change: (on) => reporter.change(result, { errors: on }),
          })}
          ${
            answer && !answer.affords
              ? html`<div class="notice notice-bad"><p>This is more than is left for these people. ${answer.reason}</p></div>`
              : answer && state.desk.account?.budget && keepsAccount(state.desk)
                ? html`<p class="small">After it, ε = ${readable(Math.max(0, state.desk.account.budget.epsilon - answer.spent))} of ${readable(state.desk.account.budget.epsilon)} is left for this file.</p>`
                : nothing
          }`
        : nothing
    }
    ${
      blocked
        ? html`<p class="small" id="report-blocked">
            ${
              wide
                ? `The model has more than ${mostColumns} coefficients. How so many vary together cannot be told through the noise, so this report is not made.`
                : !open
                  ? "The noise of this fit is gone, which a closer report is made from. It is kept in memory only, and never saved: it goes when another file is opened, the rows are read by another description, or work is cancelled. A new fit has one, and is paid for."
                  : "The file needs its account first: step 3 opens it."
            }
          </p>`
        : work.phase === "running"
        ? html`${progressBar("Making the privacy report", work.progress, () => reporter.cancel())}
            <p class="small soft">Cancelling ends the work at once. What is noted in the ledger by then counts, and the noise that closer reports of your models are made from is gone with it.</p>`
        : html`<p class="actions">
            <button class="button" type="submit" id="report-make" ?disabled=${busy(state)}>${bought ? "Buy the privacy report" : "Make the privacy report"}</button>
            <span class="small soft">${bought ? nothing : "no cost, no noise, nothing is looked up in the rows"}</span>
          </p>`
    }
    ${work.phase === "failed" ? problemNotice(work.problem, { id: "report-failed" }) : nothing}
    ${work.phase === "cancelled" ? cancelled(tools, work.charged, "No report was made", "report-cancelled") : nothing}
  </form>`;
}
