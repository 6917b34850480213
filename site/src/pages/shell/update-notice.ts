import { html, type TemplateResult } from "lit/html.js";

import type { Update } from "./offline/register.ts";

/**
 * That there is a newer version of the page, to be had at once unless the page `waits` for
 * something.
 */
export function updateNotice(update: Update, waits = false): TemplateResult {
  return html`<div class="notice notice-plain update">
    <p>
      A newer version of this page is ready. It opens by itself once every tab of this one is
      closed.
    </p>
    <p class="actions">
      <button class="button" type="button" ?disabled=${waits} @click=${() => update.use()}>
        Load it now
      </button>
    </p>
  </div>`;
}
