import { html, nothing, type TemplateResult } from "lit/html.js";

import { problemNotice } from "../../../shell/notice.ts";
import { radios } from "../../../shell/field.ts";
import type { Chooser } from "../../notes/chooser.ts";
import type { Pledge } from "../../state/choices.ts";
import type { State } from "../../state/state.ts";

/**
 * Stands in the place of the private figures until the person has promised what a look will not
 * change.
 */
export function promising(chooser: Chooser, { pledging, unread }: State): TemplateResult {
  return html`<p>
      These numbers come straight from your rows, and nobody paid for them. So they stay closed: the
      guarantee covers nothing that is decided by them, neither which model you publish, nor whether
      you publish this one, nor what you fit next.
    </p>
    <p>
      <strong>Looking at these binds you to publish all models of this file, or none.</strong> Say
      which of the two before you look. It is kept in this browser, and holds for later models too.
    </p>
    <form
      @submit=${(e: Event) => {
        e.preventDefault();
        void chooser.look();
        document.getElementById("fence-title")?.focus({ preventScroll: true });
      }}
    >
      ${radios({
        name: "pledge",
        legend: "Whatever the numbers say,",
        value: pledging ?? "",
        choices: [
          {
            value: "all",
            id: "pledge-all",
            label: html`I publish <strong>every</strong> model of this file.
              <span class="hint">What I fit next was planned before I looked.</span>`,
          },
          {
            value: "none",
            id: "pledge-none",
            label: html`I publish <strong>no</strong> model of this file.
              <span class="hint">It is for myself; the page will save no release of it.</span>`,
          },
        ],
        choose: (pledge) => chooser.consider(pledge as Pledge),
      })}
      <p class="actions">
        <button class="button" type="submit" id="pledge-look" ?disabled=${!pledging}>
          Show the numbers
        </button>
        <span class="small soft">This cannot be taken back.</span>
      </p>
      ${unread ? problemNotice(unread, { id: "look-unread" }) : nothing}
    </form>
    <p class="small soft">
      To choose among models, or to see whether one is good enough, buy an evaluation instead. By
      its figures you may decide.
    </p>`;
}

/** What was said before the look. */
export function promised(pledge: Pledge): TemplateResult {
  return html`<p class="small" id="fence-pledge">
    Before you looked you said that you publish
    <strong>${pledge === "all" ? "every model of this file" : "no model of this file"}</strong>,
    whatever stands here. Decide nothing else by it either: fit next only what you had planned
    before.
  </p>`;
}
