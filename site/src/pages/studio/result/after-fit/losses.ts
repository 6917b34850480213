import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { percent, readable, readableBound } from "../../../../chart/numbers.ts";
import type { LossSummary, TrueLosses } from "../../../../client/types.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { section } from "../../../shell/section.ts";
import { isOpen } from "../../state/choice.ts";
import type { Result } from "../../state/state.ts";
import type { Reporter } from "./reporter.ts";

/** What the model really cost each of the rows: exact, and so for the data holder alone. */
export function lossesPanel(reporter: Reporter, result: Result): TemplateResult | typeof nothing {
  if (
    reporter.why(result.release) ||
    !reporter.open(result) ||
    !isOpen(reporter.studio.state, result)
  )
    return nothing;
  const { losses } = reporter.entry(result);
  const body = html`<p class="small">
      A person’s exact loss depends on all rows, and would give something of them away. You may
      look, but publish none of it and decide nothing by it. The noise added at the very end adds a
      little to each loss. Reports count that; these figures do not.
    </p>
    ${losses.phase === "done" ? found(losses.found, result) : nothing}
    ${losses.phase === "failed" ? problemNotice(losses.problem, { id: "losses-failed" }) : nothing}
    ${
      losses.phase === "done"
        ? nothing
        : html`<p class="actions">
            <button
              class="button button-quiet"
              type="button"
              id="losses-look"
              ?disabled=${losses.phase === "running"}
              @click=${() => void reporter.lookAtLosses(result)}
            >
              ${losses.phase === "running" ? "Working it out…" : "Work it out"}
            </button>
          </p>`
    }`;
  return section("losses", "For your eyes only: what it really cost each row", body, {
    open: losses.phase !== "idle",
    fenced: true,
  });
}

const names = {
  "data-independent": "Free report",
  "data-dependent": "Bought report",
  adaptive: "Bought report",
};

function found({ summary, histogram, bounds }: TrueLosses, result: Result): TemplateResult {
  const { epsilon, delta } = result.release.guarantee;
  const row = (name: string, s: LossSummary) =>
    html`<tr>
      <th scope="row">${name}</th>
      ${[s.median, s.p90, s.p99, s.largest].map((x) => html`<td class="number">${readable(x)}</td>`)}
    </tr>`;
  return html`<p id="losses-says">
      Half of the rows lost less than <strong>${readable(summary.median)}</strong>, 99&nbsp;% less
      than <strong>${readable(summary.p99)}</strong>, none more than
      <strong>${readable(summary.largest)}</strong>. What was promised to everybody is ε =
      ${readableBound(epsilon)}, δ = ${readableBound(delta)}.
    </p>
    ${chart(histogram, bounds, epsilon, result)}
    <div class="scroll" role="region" tabindex="0" aria-label="Losses of the rows">
      <table class="plain losses-table">
        <caption>
          Loss of a row, in nats as ε is
        </caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col" class="number">Half below</th>
            <th scope="col" class="number">90 % below</th>
            <th scope="col" class="number">99 % below</th>
            <th scope="col" class="number">Largest</th>
          </tr>
        </thead>
        <tbody>
          ${row("Truth", summary)} ${bounds.map((b) => row(names[b.kind], b.summary))}
        </tbody>
      </table>
    </div>
    <p class="small">
      ${bounds.map((b) => {
        const share =
          b.above /
          Math.max(
            1,
            histogram.counts.reduce((a, n) => a + n, 0),
          );
        return html`The ${names[b.kind].toLowerCase()} tells too little to ${percent(share)} of the
        rows; up to ${percent(b.rho)} may be expected. `;
      })}
    </p>`;
}

/**
 * Rows by what they lost, and as lines by what reports tell them. The sentence and the table say
 * the same, so it is hidden from readers of the page's text.
 */
function chart(
  { high, counts }: TrueLosses["histogram"],
  bounds: TrueLosses["bounds"],
  epsilon: number,
  { number }: Result,
): TemplateResult {
  // Heights by the square root: a long thin tail is what there is to see.
  const most = Math.sqrt(Math.max(...counts, ...bounds.flatMap((b) => b.counts)));
  const y = (n: number) => 100 * (1 - Math.sqrt(n) / most);
  const step = 100 / counts.length;
  const outline = (list: readonly number[]) =>
    list.flatMap((n, k) => [`${k * step},${y(n)}`, `${(k + 1) * step},${y(n)}`]).join(" ");
  const worst = (100 * epsilon) / high;
  return html`<figure class="loss-chart losses-chart" aria-hidden="true" data-result=${number}>
    <p class="loss-unit small">rows, on a square-root scale</p>
    <div class="loss-plot">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        <line class="loss-rule" x1="0" x2="100" y1="100" y2="100" />
        ${counts.map((n, k) => (n > 0 ? svg`<rect class="losses-bar" x=${k * step + 0.2} width=${step - 0.4} y=${y(n)} height=${100 - y(n)} />` : ""))}
        ${bounds.map((b, k) => svg`<polyline class="loss-line losses-told losses-told-${k}" points=${outline(b.counts)} />`)}
        <line class="losses-worst" x1=${worst} x2=${worst} y1="0" y2="100" />
      </svg>
      ${[0, high / 2, high].map((x) => html`<span class="loss-x" style="left:${(100 * x) / high}%">${readable(x)}</span>`)}
    </div>
    <p class="loss-unit loss-below small">loss in nats</p>
    <figcaption class="loss-legend small">
      <span
        ><svg viewBox="0 0 24 6" class="loss-key">
          <rect class="losses-bar" width="24" height="6" />
        </svg>
        truth</span
      >
      ${bounds.map(
        (b, k) =>
          html`<span
            ><svg viewBox="0 0 24 6" class="loss-key">
              <line class="loss-line losses-told losses-told-${k}" x1="0" x2="24" y1="3" y2="3" />
            </svg>
            ${names[b.kind].toLowerCase()}</span
          >`,
      )}
      <span
        ><svg viewBox="0 0 24 6" class="loss-key">
          <line class="losses-worst" x1="0" x2="24" y1="3" y2="3" />
        </svg>
        promised to all, ε = ${readableBound(epsilon)}</span
      >
    </figcaption>
  </figure>`;
}
