import { html, type TemplateResult } from "lit/html.js";

import { straight } from "../../../client/straight.ts";
import type { Studio } from "./studio.ts";

/** How many of its fields are shown. */
const shown = 8;

const fieldWords = (field: string) =>
  straight(field.length > 40 ? `${field.slice(0, 40)}…` : field) || "(empty)";

/**
 * Asks what the first line of the open file is, which looks like a person: names are published with
 * a model, so that nobody's record may pass for them.
 */
export function firstLine({ reader }: Studio, line: readonly string[]): TemplateResult {
  return html`<div
    class="notice notice-warn"
    role="alert"
    id="data-problem"
    tabindex="-1"
    aria-labelledby="first-line-title"
  >
    <h3 id="first-line-title">Is this line a person?</h3>
    <p>
      The first line of the file looks like a person, not like the names of the columns. Names are
      published with a model, so the page asks. Only you see this:
    </p>
    <p class="first-line">
      ${line.slice(0, shown).map((field) => html`<span>${fieldWords(field)}</span> `)}${line.length > shown ? `and ${line.length - shown} more` : ""}
    </p>
    <p class="actions">
      <button class="button" type="button" id="header-none" @click=${() => reader.say("none")}>
        A person: the file has no header
      </button>
      <button
        class="button button-quiet"
        type="button"
        id="header-first"
        @click=${() => reader.say("first")}
      >
        These are the names of columns
      </button>
    </p>
    <p class="small">
      Without a header the columns are called c1, c2, c3 and so on, in their order, until you say in
      step 2 what they are.
    </p>
  </div>`;
}
