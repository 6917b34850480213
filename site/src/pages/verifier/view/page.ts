import { html, nothing, type TemplateResult } from "lit/html.js";

import { filePicker } from "../../shell/file-picker.ts";
import { updateNotice } from "../../shell/update-notice.ts";
import type { Verifier } from "../verifier.ts";
import { report } from "./report.ts";
import { scorecard } from "./scorecard.ts";
import { sheet } from "./sheet.ts";
import { refusalVerdict } from "./verdict.ts";

/** The verifier's page below its header. */
export function page(verifier: Verifier): TemplateResult {
  const { core, check, update, announcement } = verifier.state;
  const something = ["done", "scorecard", "refused"].includes(check.phase);
  return html`<main id="main" tabindex="-1">
      ${update ? updateNotice(update) : nothing}
      <div class="intro">
        <div>
          <h1>Does this release tell the truth?</h1>
          <p class="lead">
            A release says what it promises, and with which noise it was made. This page computes
            the promise again from the noise, and checks everything else that follows from the file.
            It needs no data, and sends the file nowhere.
          </p>
        </div>
        ${sheet()}
      </div>
      ${core.phase === "failed" ? html`<div role="alert">${refusalVerdict("", { advice: "", ...core.problem })}</div>` : nothing}
      ${filePicker({
        id: "release-file",
        title: something ? "Check another" : "A release, or a model card",
        hint: "release.json or scorecard.json, as the page or the command line saves it, or the card made from it. Add its privacy report, or a model derived from it, if there is one. Drop the files anywhere on this page, or choose them.",
        button: something ? "Choose another file" : "Choose a file",
        accept: ".json,application/json,.html,text/html",
        disabled: core.phase !== "sealed" && core.phase !== "ready",
        multiple: true,
        take: (files) => void verifier.take(files),
      })}
      ${
        check.phase === "running"
          ? html`<p class="wait working">
              <span class="working-dot" aria-hidden="true"></span>Working out ${check.name}…
              <button class="button" type="button" @click=${() => cancel(verifier)}>Cancel</button>
            </p>`
          : nothing
      }
      ${check.phase === "refused" ? refusalVerdict(check.name, check.refusal) : nothing}
      ${check.phase === "done" ? report(verifier, check.checked) : nothing}
      ${check.phase === "scorecard" ? scorecard(check.checked) : nothing}
      ${something ? nothing : whatIsChecked}
    </main>
    <footer class="foot">
      <p>
        Cloister${core.phase === "ready" ? ` ${core.library}` : ""}. Free software (<a
          href="license.txt"
          >Apache-2.0</a
        >, with <a href="notices.txt">parts by others</a>); everything is computed in this browser.
        <a href="./">The studio</a>, where releases are made.
      </p>
    </footer>
    <p class="hidden" role="status" aria-live="polite">${announcement}</p>`;
}

function cancel(verifier: Verifier): void {
  void verifier.cancel();
  document.getElementById("release-file")?.focus();
}

const whatIsChecked = html`<section class="asked" aria-labelledby="asked-title">
  <h2 id="asked-title">What it looks at</h2>
  <dl class="questions">
    <div>
      <dt>Is the price right?</dt>
      <dd>
        The noise, the clipping and the regulariser in the file give a privacy loss. It must be no
        more than the ε and δ that the file states.
      </dd>
    </div>
    <div>
      <dt>Is it the price of this model?</dt>
      <dd>
        The mechanism has to be one that gives out such coefficients, for records as long as the
        file’s own description of the columns allows.
      </dd>
    </div>
    <div>
      <dt>Does the file agree with itself?</dt>
      <dd>
        If the file says something twice, both must be the same, down to the last digit of a
        coefficient. After an edit by hand they seldom are.
      </dd>
    </div>
    <div>
      <dt>What does it leave out?</dt>
      <dd>
        Parts of the description may have been read from the data. The promise does not cover them,
        and the file has to say so.
      </dd>
    </div>
  </dl>
</section>`;
