import { html, nothing, type TemplateResult } from "lit/html.js";

import { problemNotice } from "../../shell/notice.ts";
import { openSection } from "../../shell/section.ts";
import { mayPublish } from "../state/choice.ts";
import type { Result } from "../state/state.ts";
import { type Language, languages } from "./publish/languages.ts";
import type { Studio } from "./studio.ts";

/** All that may be published of a model, each with what it is for. */
export function publishPanel(studio: Studio, result: Result): TemplateResult {
  const closed = !mayPublish(studio.state, result);
  return html`<div class="publish-panel" id="publish" role="group" aria-labelledby="publish-title">
    <h3 id="publish-title">Publish</h3>
    ${studio.later?.publish.choicePanel((choice) => studio.chooser.say(choice), studio.state, result)}
    ${studio.state.unread ? problemNotice(studio.state.unread, { id: "unread" }) : nothing}
    <ul class="publish-list">
      ${closed ? nothing : card(studio)}
      <li>
        <button
          class="button ${closed ? "" : "button-quiet"}"
          type="button"
          ?disabled=${closed}
          @click=${() => void studio.models.downloadRelease()}
        >
          Save the release
        </button>
        <span class="small soft">to use it, and to check it</span>
      </li>
      ${closed ? nothing : html`${code(studio)} ${report(studio, result)}`}
    </ul>
    ${closed ? nothing : whatMay(result)}
  </div>`;
}

const card = (studio: Studio) =>
  html`<li>
    <button
      class="button button-main"
      type="button"
      @click=${() => void studio.models.downloadCard()}
    >
      Save a model card
    </button>
    <span class="small soft">for readers, on one page</span>
  </li>`;

const code = (studio: Studio) =>
  html`<li>
    <div class="publish-code" role="group" aria-label="Save the model as a program">
      ${(Object.keys(languages) as Language[]).map(
        (language) =>
          html`<button
            class="button button-quiet"
            type="button"
            @click=${() => void studio.models.downloadCode(language)}
          >
            ${languages[language].name}
          </button>`,
      )}
      <button
        class="button button-quiet"
        type="button"
        @click=${() => void studio.models.downloadNotebook()}
      >
        Notebook
      </button>
      <span class="small soft">as a program, with nothing to install</span>
    </div>
  </li>`;

function report({ afterFit }: Studio, result: Result): TemplateResult | typeof nothing {
  if (!afterFit || afterFit.reporter.why(result.release)) return nothing;
  return html`<li>
    <button
      class="button button-quiet"
      type="button"
      id="to-report"
      @click=${() => openSection("report")}
    >
      ${result.report ? "See the privacy report" : "Make a privacy report"}
    </button>
    <span class="small soft">what it cost each person</span>
  </li>`;
}

function whatMay(result: Result): TemplateResult {
  return html`<details class="disclosure">
    <summary>What to keep to yourself</summary>
    <div class="small">
      <p>
        You may publish these files as they are, and whatever is worked out from
        them${result.release.guarantee.covers ? "." : "; but with their caveats: the entries read from your data are in the schema, and not covered."}
        That costs nothing more. Keep to yourself:
      </p>
      <ul>
        <li>the number of rows, in all and in each class</li>
        <li>accuracy on your rows, and everything in the fenced part</li>
        <li>
          what the columns in the file really hold: lowest, highest, mean, the categories found
        </li>
        <li>
          which of several models did better on your rows, and any decision to publish or not that
          you made because of it
        </li>
      </ul>
    </div>
  </details>`;
}
