import { html, type TemplateResult } from "lit/html.js";

import { learntOf } from "../draft/learnt.ts";
import { undecided } from "../draft/source.ts";
import type { Studio } from "./studio.ts";

/** What is done to the table as a whole: taken back, done again, confirmed by a code book. */
export function schemaTools(studio: Studio, add: TemplateResult): TemplateResult {
  const { draft, history } = studio.state;
  const left = draft ? undecided(draft).length + learntOf(draft).length : 0;
  const open = studio.buyer?.readingAll ?? false;
  return html`<div class="tools" role="group" aria-label="The table of columns">
    ${
      left > 0 && studio.buyer
        ? html`<button
            class="button"
            type="button"
            id="read-all"
            aria-expanded=${open ? "true" : "false"}
            @click=${() => studio.buyer?.readAll(!open)}
          >
            From our code book…
          </button>`
        : ""
    }
    ${tool("undo", "Undo", history.past.at(-1)?.about, () => studio.editor.undo())}
    ${tool("redo", "Redo", history.future.at(-1)?.about, () => studio.editor.redo())} ${add}
  </div>`;
}

/** A button that keeps the focus where there is nothing left for it to do. */
function tool(
  id: string,
  words: string,
  about: string | undefined,
  act: () => void,
): TemplateResult {
  return html`<button
    class="button button-quiet"
    type="button"
    id=${id}
    aria-disabled=${about === undefined ? "true" : "false"}
    title=${about === undefined ? "There is nothing to do here" : `${words}: ${about}`}
    @click=${act}
  >
    ${words}
  </button>`;
}
