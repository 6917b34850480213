import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import type { Problem } from "../shell/problem.ts";
import { filePicker } from "../shell/file-picker.ts";
import { updateNotice } from "../shell/update-notice.ts";
import type { Named } from "./files.ts";
import type { ReaderPage } from "./page.ts";

/** The page below its header. */
export function view(page: ReaderPage): TemplateResult {
  const { core, chosen, documents, sample, problem, update, announcement } = page.state;
  const ready = core.phase === "ready";
  const some = chosen.release !== undefined || chosen.report !== undefined;
  return html`<main id="main" tabindex="-1">
      ${update ? updateNotice(update) : nothing}
      <div class="intro">
        <div>
          <h1>What did this release cost you?</h1>
          <p class="lead">
            A model that was made with differential privacy promises everyone a worst case. Most
            people lost less. With the privacy report that was published beside it, and a row of
            your own, this page works out a bound on what you lost. Your row is sent nowhere.
          </p>
        </div>
        ${ornament()}
      </div>
      ${core.phase === "failed" ? notice(core.problem) : nothing}
      ${filePicker({
        id: "published-files",
        title: !some
          ? "The release and its privacy report"
          : documents
            ? "Open others"
            : chosen.release
              ? "Now its privacy report"
              : "Now the release that it belongs to",
        hint: "Both files as they were published, at once or one after the other; or one file with both. Drop them anywhere on this page, or choose them.",
        button: some ? "Choose files" : "Choose the files",
        accept: ".json,application/json,.html,text/html",
        multiple: true,
        disabled: !ready,
        take: (files) => void page.take(files),
      })}
      ${
        some && !sample
          ? html`<ul class="chosen">
              ${file("Release", chosen.release)} ${file("Privacy report", chosen.report)}
            </ul>`
          : nothing
      }
      ${problem ? notice(problem) : nothing}
      ${
        documents
          ? html`<section class="mine" aria-labelledby="mine-title">
              <h2 id="mine-title" tabindex="-1">${sample ? "The sample" : "Your bound"}</h2>
              ${sample ? html`<p>A model of hospital stays that never happened, with its real report: make somebody up, and see what it would have cost them.</p>` : nothing}
              <my-privacy .documents=${documents} .reader=${page.reader}></my-privacy>
            </section>`
          : html`${
              some
                ? nothing
                : html`<p class="or">
                    No files at hand?
                    <button
                      class="button"
                      type="button"
                      ?disabled=${!ready}
                      @click=${() => page.openSample()}
                    >
                      Open the sample
                    </button>
                  </p>`
            }
            ${questions}`
      }
    </main>
    <footer class="foot">
      <p>
        Cloister${ready ? ` ${core.library}` : ""}. Free software (<a href="license.txt"
          >Apache-2.0</a
        >, with <a href="notices.txt">parts by others</a>); everything is computed in this browser.
        <a href="./">The studio</a>, where releases are made.
        <a href="verify.html">The verifier</a>, which says whether a release tells the truth.
      </p>
    </footer>
    <p class="hidden" role="status" aria-live="polite">${announcement}</p>`;
}

/** What went wrong, in the place of a section of its own. */
const notice = ({ title, message, advice }: Problem): TemplateResult =>
  html`<div class="notice notice-bad" role="alert">
    <h2>${title}</h2>
    <p>${message}</p>
    ${advice ? html`<p>${advice}</p>` : nothing}
  </div>`;

const file = (what: string, named: Named | undefined): TemplateResult =>
  html`<li>
    <strong>${what}</strong>: ${named ? named.name : html`<span class="soft">not chosen yet</span>`}
  </li>`;

const questions = html`<section class="asked" aria-labelledby="asked-title">
  <h2 id="asked-title">What you will see</h2>
  <dl class="questions">
    <div>
      <dt>What did it cost me, at most?</dt>
      <dd>
        The largest factor by which anybody who sees the model can become surer that your row was,
        or was not, among those it was made from. It also says how likely that bound is to hold.
      </dd>
    </div>
    <div>
      <dt>Compared with what?</dt>
      <dd>
        With the worst case, which was promised to everyone before anything was released, whatever
        their row.
      </dd>
    </div>
    <div>
      <dt>What does it depend on?</dt>
      <dd>
        On how far a row like yours can pull the model, how badly the model predicts you, and which
        of the columns matter.
      </dd>
    </div>
    <div>
      <dt>Who learns my row?</dt>
      <dd>
        Nobody. The page closed its network before it took anything. It keeps nothing of what you
        type, and forgets it when you leave.
      </dd>
    </div>
  </dl>
</section>`;

/** Rows under an arch, one of them one’s own. */
function ornament(): TemplateResult {
  const rows = [66, 84, 102, 120, 138, 156];
  return html`<svg class="arcade" viewBox="0 0 240 190" width="240" height="190" aria-hidden="true">
    ${svg`<path d="M34,172V94a86,86 0 0 1 172,0V172" /><path class="arcade-thin" d="M44,172V94a76,76 0 0 1 152,0V172" />
      <path d="M2,172H238M2,182H238" /><path class="arcade-thin" d="M2,188H238" />`}
    ${rows.map((y, i) => svg`<path class="arcade-thin" d=${`M${[84, 70, 64, 64, 64, 64][i]},${y}H${[156, 170, 176, 176, 176, 176][i]}`} />`)}
    ${svg`<path class="own-row" d="M64,120H176" /><circle class="own-dot" cx="120" cy="120" r="5" />`}
  </svg>`;
}
