import { html, nothing, type TemplateResult } from "lit/html.js";

import { readableBound } from "../../../chart/numbers.ts";
import type { AnyLabel, Release, Repriced } from "../../../client/types.ts";
import type { Studio } from "./studio.ts";
import { filePicker } from "../../shell/file-picker.ts";
import { problemNotice } from "../../shell/notice.ts";
import { step } from "../../shell/step.ts";

/** Beside the five steps: anybody's release, priced anew. */
export function verifyStep(studio: Studio): TemplateResult {
  const { verify, core } = studio.state;
  return step({
    id: "check",
    number: "",
    title: "Check a release",
    body: html`
      <p>
        Whoever receives a release can have its guarantee computed again from the file alone. No
        data is needed. Send them to
        <a href="verify.html" target="_blank" rel="noopener">the verifier</a>, a page that checks a
        release claim by claim.
      </p>
      ${filePicker({
        id: "release-file",
        title: "A release file, or a model card",
        hint: "release.json, as this page or the command line saves it, or the card made of it. Drop it here or choose it.",
        button: "Choose a release",
        accept: ".json,application/json,.html,text/html",
        disabled: core.phase !== "ready",
        take: ([file]) => void studio.verifier.verify(file!),
      })}
      <div role="status">
        ${verify.phase === "running" ? html`<p class="soft">Working out ${verify.name}…</p>` : nothing}
        ${verify.answer && verify.release ? verdict(verify.name, verify.release, verify.answer) : nothing}
      </div>
      ${verify.problem ? problemNotice(verify.problem) : nothing}
    `,
  });
}

function verdict(name: string, release: Release<AnyLabel>, answer: Repriced): TemplateResult {
  const { claimed, best } = answer;
  const good = answer.holds;
  return html`<div
    class="notice ${good ? (release.guarantee.covers ? "notice-good" : "notice-warn") : "notice-bad"}"
  >
    <h3>${good ? "The guarantee holds" : "The guarantee does not hold as written"}</h3>
    <p>
      ${name} claims ε = ${readableBound(claimed.epsilon)} at δ = ${readableBound(claimed.delta)}.
      Worked out anew from its parameters by the same proof: ε =
      <strong>${readableBound(answer.epsilon)}</strong>. By the sharpest proof known here: ε =
      <strong>${readableBound(best.epsilon)}</strong>.
    </p>
    ${
      answer.problems.length > 0
        ? html`<ul>
            ${answer.problems.map((p) => html`<li>${p}</li>`)}
          </ul>`
        : nothing
    }
    ${
      good && !release.guarantee.covers
        ? html`<p>It does not cover everything:</p>
            <ul>
              ${release.guarantee.caveats.map((c) => html`<li>${c}</li>`)}
            </ul>`
        : nothing
    }
    <details class="disclosure">
      <summary>What was checked</summary>
      <ul class="small">
        ${answer.findings.map((f) => html`<li>${f.holds ? nothing : html`<strong>Not so: </strong>`}${f.text}</li>`)}
      </ul>
    </details>
    ${name.startsWith("The release in") ? html`<p class="small">Only the release inside the card was checked, not the rest of what the card says.</p>` : nothing}
    <p class="small">
      This checks arithmetic: that the stated noise gives the stated guarantee. It cannot show that
      the stated noise was really used; for that, trust whoever ran the fit.
    </p>
  </div>`;
}
