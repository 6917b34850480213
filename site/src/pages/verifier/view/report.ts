import "../../../elements/define.ts";

import { html, nothing, type TemplateResult } from "lit/html.js";

import { choiceIsWord, choiceWords } from "../../../chart/choice.ts";
import { figuresTable } from "../../../chart/figures-table.ts";
import { attackFinds } from "../../../chart/meaning.ts";
import { percent, readable, readableBound } from "../../../chart/numbers.ts";
import type { Figures, Label } from "../../../client/types.ts";
import { adjacencyWords } from "../../shell/words.ts";
import { coefficients } from "../../release/coefficients.ts";
import { findings } from "../../release/findings.ts";
import { meaning } from "../../release/meaning.ts";
import { step } from "../../shell/step.ts";
import { grouped } from "../claims.ts";
import type { Checked, CheckedCard } from "../state.ts";
import type { Verifier } from "../verifier.ts";
import { derivedModel } from "./derived.ts";
import { mark } from "./mark.ts";
import { privacyReport } from "./privacy-report.ts";
import { checkedVerdict } from "./verdict.ts";

/**
 * Everything about a release that could be read: the verdict; what the model found, what it
 * promises and how well it does; each claim and the curve. Of one that does not tell the truth the
 * claims come first.
 */
export function report(verifier: Verifier, checked: Checked): TemplateResult {
  const { answer } = checked;
  return html`${checkedVerdict(checked)} ${privacyReport(checked)} ${derivedModel(checked)}
    <div class="steps">
      ${
        answer.holds
          ? html`${model(verifier, checked)} ${promise(checked)}
            ${answer.figures ? evaluation(answer.figures) : nothing} ${claims(checked)}
            ${curve(verifier, checked)}`
          : html`${claims(checked)} ${promise(checked)} ${curve(verifier, checked)}
            ${model(verifier, checked)} ${answer.figures ? evaluation(answer.figures) : nothing}`
      }
      ${limits("the noise was drawn as stated, and the clipping done", "fit", "model")}
    </div>`;
}

function promise({ release, answer, series }: Checked): TemplateResult {
  const { epsilon, delta, adjacency } = release.guarantee;
  const [spent] = series;
  const caught = spent && attackFinds(spent);
  return step({
    id: "promise",
    number: "",
    title: answer.holds ? "What it promises" : "What it claims to promise",
    body: html`<p class="promised">
        (ε = ${readableBound(epsilon)}, δ = ${readableBound(delta)})-differential privacy under
        ${adjacencyWords[adjacency]}
      </p>
      ${answer.holds ? meaning(epsilon, { data: "the data", caught }) : nothing}
      ${prices(answer, epsilon, delta)}`,
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

function prices(
  { claimed, epsilon, delta, best }: Checked["answer"],
  at: number,
  allowed: number,
): TemplateResult {
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
          <th scope="col" class="number">ε at δ = ${readableBound(allowed)}</th>
          <th scope="col" class="number">δ at ε = ${readableBound(at)}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([who, e, d]) =>
            html`<tr>
              <th scope="row">${who}</th>
              <td class="number">${Number.isFinite(e) ? readableBound(e) : "no bound"}</td>
              <td class="number">${readableBound(d)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Every claim, with what was found. */
export function claims({ answer, release }: Checked | CheckedCard): TemplateResult {
  const [kind, agrees] =
    "card" in release
      ? ["a scorecard", "the names on the card are those of its levels"]
      : "counts" in release
        ? ["noisy cells", "all counts are whole numbers"]
        : [
            "a release",
            "its coefficients in the units of the data follow from those on the model’s scale",
          ];
  return step({
    id: "claims",
    number: "",
    title: "Claim by claim",
    body: html`${grouped(answer.findings).map(
        (group) =>
          html`<h3>${group.title}</h3>
            <ul class="claims">
              ${group.claims.map(
                (claim) =>
                  html`<li class="claim claim-${claim.outcome}">
                    ${mark(claim.outcome)}
                    <div>
                      <strong>${claim.title}</strong
                      >${claim.outcome === "false" ? html` <span class="tag tag-bad">not so</span>` : nothing}
                      <span class="claim-text">${claim.text}</span>
                    </div>
                  </li>`,
              )}
            </ul>`,
      )}
      <p class="small soft after-claims">
        The file also passed three checks, or it would have been refused: it is whole, every field
        in it belongs to ${kind}, and ${agrees}.
      </p>`,
  });
}

function curve(verifier: Verifier, checked: Checked): TemplateResult {
  const { release, answer, series } = checked;
  const { epsilon, delta, theorem } = release.guarantee;
  return step({
    id: "curve",
    number: "",
    title: "The whole curve",
    body: html`${
      series.length > 0
        ? html`<p class="small">
              ${
                answer.holds
                  ? "Every point of the first line is a guarantee of this release. The ring is the one it states."
                  : "What the noise in the file gives, worked out here. The ring is what the file states. If it lies below the first line, nothing proves it."
              }
            </p>
            <curve-chart .series=${series} .promise=${{ epsilon, delta }}></curve-chart>`
        : html`<p>For these parameters there is no curve to draw.</p>`
    }
    ${answer.holds ? everyCoefficient(verifier, checked) : nothing}`,
    note: html`<h3>The theorem it names</h3>
      <p>${theorem}</p>
      ${
        answer.best.theorem !== "" && answer.best.theorem !== theorem
          ? html`<h3>The sharpest that applies</h3>
              <p>${answer.best.theorem}</p>`
          : nothing
      }`,
  });
}

/** Folded below all else, but of a file that does not tell the truth. */
function everyCoefficient(
  verifier: Verifier,
  { release, answer, differences }: Checked,
): TemplateResult {
  return html`<details class="disclosure" id="all-coefficients" ?open=${!answer.holds}>
    <summary>Every coefficient, on the model’s scale and the file’s</summary>
    <div>${coefficients(verifier.state, verifier, release, !answer.holds || !differences)}</div>
  </details>`;
}

function model(verifier: Verifier, checked: Checked): TemplateResult {
  const { release, answer, differences } = checked;
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
    title: answer.holds ? "What the model found" : "The model in it",
    body: html`<p>
        It predicts <strong>${label.name}</strong>, ${what}, from
        ${features.length === 1 ? "one column" : html`${features.length} columns`}.
      </p>
      ${
        answer.holds
          ? findings(verifier.state, verifier, release, differences)
          : everyCoefficient(verifier, checked)
      }`,
    note: html`<h3>How it was chosen</h3>
      <p id="chosen">
        ${choiceWords(release.choice)}${choiceIsWord(release.choice) ? " That is the word of whoever published it." : nothing}
      </p>`,
  });
}

/** What an evaluation says; `label` is that of a card. */
export function evaluation(figures: Figures, label?: Label): TemplateResult {
  return step({
    id: "evaluation",
    number: "",
    title: "How well it does",
    body: html`${figuresTable(html, figures, label)}
      <p class="small soft">
        Measured with noise. A range covers the exact figure of those records with probability
        ${percent(figures.level)}. Only whoever measured can say that those records were not used
        for the ${label ? "choice" : "fit"}.
      </p>`,
  });
}

/** What no file can show: that something was done, by whoever ran the `work` on a `what`. */
export const limits = (done: string, work: string, what: string): TemplateResult =>
  step({
    id: "limits",
    number: "",
    title: "What no file can show",
    body: html`<ul>
      <li>That ${done}. For that, trust whoever ran the ${work}.</li>
      <li>What else was released from the same people. Every release adds to what they lose.</li>
      <li>That what is said to be public about the columns is public.</li>
      <li>Whether the ${what} is right, fair, or fit for a decision.</li>
    </ul>`,
  });
