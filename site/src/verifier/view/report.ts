import "../../elements/define.ts";

import { html, nothing, type TemplateResult } from "lit";

import { figuresTable } from "../../chart/figures-table.ts";
import { bestTruePositiveRateOn, falsePositives } from "../../chart/meaning.ts";
import { percent, readable } from "../../chart/numbers.ts";
import type { Figures } from "../../client/types.ts";
import { adjacencyWords } from "../../studio/ledger/words.ts";
import { coefficients } from "../../studio/view/coefficients.ts";
import { meaning } from "../../studio/view/meaning.ts";
import { step } from "../../studio/view/step.ts";
import { grouped } from "../claims.ts";
import type { Checked } from "../state.ts";
import type { Verifier } from "../verifier.ts";
import { mark } from "./mark.ts";
import { privacyReport } from "./privacy-report.ts";
import { checkedVerdict } from "./verdict.ts";

/** Everything about a release that could be read: the verdict, what it promises, each claim, the curve, the model. */
export function report(verifier: Verifier, checked: Checked): TemplateResult {
  const { answer } = checked;
  return html`${checkedVerdict(checked)} ${privacyReport(checked)}
    <div class="steps">
      ${answer.holds ? html`${promise(checked)} ${claims(checked)}` : html`${claims(checked)} ${promise(checked)}`} ${curve(checked)} ${model(verifier, checked)}
      ${answer.figures ? evaluation(answer.figures) : nothing} ${limits}
    </div>`;
}

function promise({ release, answer, series }: Checked): TemplateResult {
  const { epsilon, delta, adjacency } = release.guarantee;
  const [spent] = series;
  const caught = spent && bestTruePositiveRateOn(falsePositives, spent.epsilon, spent.logDelta);
  return step({
    id: "promise",
    number: "",
    title: answer.holds ? "What it promises" : "What it claims to promise",
    body: html`<p class="promised">
        (ε = ${readable(epsilon)}, δ = ${readable(delta)})-differential privacy under ${adjacencyWords[adjacency]}
      </p>
      ${answer.holds ? meaning(epsilon, delta, { data: "the data", ...(caught !== undefined && { caught }) }) : nothing} ${prices(answer, epsilon, delta)}`,
    note: html`<h3>Claimed, and worked out</h3>
      <p>
        ${
          answer.holds
            ? "The second line is the same proof, run here on the noise that the file states. It must not be above the first."
            : "The second line is what the noise in the file gives by the proof that the file names. The first is only what it says."
        }
      </p>`,
  });
}

function prices({ claimed, epsilon, delta, best }: Checked["answer"], at: number, allowed: number): TemplateResult {
  const rows = [
    ["The file claims", claimed.epsilon, claimed.delta],
    ["Its noise gives, by the proof it names", epsilon, delta],
    ["By the sharpest proof known here", best.epsilon, best.delta],
  ] as const;
  return html`<div class="scroll" role="region" tabindex="0" aria-label="Claimed, and worked out">
    <table class="plain prices">
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="number">ε at δ = ${readable(allowed)}</th>
          <th scope="col" class="number">δ at ε = ${readable(at)}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([who, e, d]) =>
            html`<tr>
              <th scope="row">${who}</th>
              <td class="number">${Number.isFinite(e) ? readable(e) : "no bound"}</td>
              <td class="number">${readable(d)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function claims({ answer }: Checked): TemplateResult {
  return step({
    id: "claims",
    number: "",
    title: "Claim by claim",
    body: html`${grouped(answer.findings).map(
      (group) => html`<h3>${group.title}</h3>
        <ul class="claims">
          ${group.claims.map(
            (claim) =>
              html`<li class="claim claim-${claim.outcome}">
                ${mark(claim.outcome)}
                <div>
                  <strong>${claim.title}</strong>${claim.outcome === "false" ? html` <span class="tag tag-bad">not so</span>` : nothing}
                  <span class="claim-text">${claim.text}</span>
                </div>
              </li>`,
          )}
        </ul>`,
    )}
      <p class="small soft after-claims">
        Besides, the file is whole, knows no field that a release has not, and its coefficients in the units of the data follow from those on the model’s scale: else it
        would have been refused.
      </p>`,
  });
}

function curve({ release, answer, series }: Checked): TemplateResult {
  const { epsilon, delta, theorem } = release.guarantee;
  return step({
    id: "curve",
    number: "",
    title: "The whole curve",
    body:
      series.length > 0
        ? html`<p class="small">
              ${
                answer.holds
                  ? "Every point of the first line is a guarantee of this release. The ring is the one it states."
                  : "What the noise in the file gives, worked out here. The ring is what the file states; below the first line nothing proves it."
              }
            </p>
            <curve-chart .series=${series} .promise=${{ epsilon, delta }}></curve-chart>`
        : html`<p>For these parameters there is no curve to draw.</p>`,
    note: html`<h3>The theorem it names</h3>
      <p>${theorem}</p>
      ${answer.best.theorem !== "" && answer.best.theorem !== theorem ? html`<h3>The sharpest that applies</h3><p>${answer.best.theorem}</p>` : nothing}`,
  });
}

function model(verifier: Verifier, { release }: Checked): TemplateResult {
  const { label, features } = release.schema;
  const what =
    label.type === "numeric"
      ? html`a number between ${readable(label.min)} and ${readable(label.max)}`
      : label.type === "classes"
        ? html`one of ${label.classes.length} classes`
        : html`“${label.positive[0]}” against “${label.negative[0]}”`;
  return step({
    id: "model",
    number: "",
    title: "The model in it",
    body: html`<p>It predicts <strong>${label.name}</strong>, ${what}, from ${features.length === 1 ? "one column" : html`${features.length} columns`}.</p>
      ${coefficients(verifier.state, verifier, release)}`,
  });
}

function evaluation(figures: Figures): TemplateResult {
  return step({
    id: "evaluation",
    number: "",
    title: "How well it does",
    body: html`${figuresTable(html, figures)}
      <p class="small soft">
        Measured with noise. A range covers the exact figure of those records with probability ${percent(figures.level)}. That they were not used for the fit, only
        whoever measured can say.
      </p>`,
  });
}

const limits = step({
  id: "limits",
  number: "",
  title: "What no file can show",
  body: html`<ul>
    <li>That the noise was drawn as stated, and the clipping done. For that, trust whoever ran the fit.</li>
    <li>What else was released from the same people. Every release adds to what they lose.</li>
    <li>That what is said to be public about the columns is public.</li>
    <li>Whether the model is right, fair, or fit for a decision.</li>
  </ul>`,
});
