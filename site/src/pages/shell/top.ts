import { html, type TemplateResult } from "lit/html.js";

import type { Core } from "./core.ts";
import type { Theme } from "./theme.ts";

/** What a page has that is sealed and has a theme. */
export interface SealedPage {
  readonly state: { readonly core: Core; readonly theme: Theme };
  setTheme(theme: Theme): void;
}

const seal: Record<Core["phase"], { readonly style: string; readonly text: string }> = {
  loading: { style: "seal-open", text: "Opening…" },
  sealed: { style: "seal-closed", text: "Page sealed" },
  ready: { style: "seal-closed", text: "Page sealed" },
  failed: { style: "seal-failed", text: "Not opened" },
};

/** The right end of the header: what the seal is, and the theme. */
export function top(page: SealedPage): TemplateResult {
  const { core, theme } = page.state;
  const { style, text } = seal[core.phase];
  const other = theme === "dark" ? "light" : "dark";
  return html`<button class="seal ${style}" type="button" popovertarget="seal-card">
      <span class="seal-dot" aria-hidden="true"></span><span class="seal-text">${text}</span>
    </button>
    <div class="seal-card" id="seal-card" popover>
      ${core.phase === "failed" ? failed : core.phase === "loading" ? notYet : sealed}
    </div>
    <button class="button button-quiet" type="button" @click=${() => page.setTheme(other)}>
      ${other === "dark" ? "Dark" : "Light"} theme
    </button>`;
}

const notYet = html`<p>
  The page is fetching its own parts. No file can be chosen until it has closed the network behind
  them.
</p>`;

const failed = html`<p>
  The page could not fetch its own parts, so no file can be chosen. Load it again.
</p>`;

const sealed = html`<p>
    <strong>Before a file could be chosen, this page told the browser to refuse its requests</strong
    >, and that cannot be taken back until you leave the page. Page and worker can no longer fetch,
    open sockets, send beacons, load pictures, scripts, styles or frames from anywhere, or submit
    forms. Your file is read in the browser’s memory.
  </p>
  <p>
    The seal does not close three things: going to another address, WebRTC connections of the page
    itself, and looking up a host’s name. The page’s own code does none of them. Browser extensions,
    and anything else that runs on this computer, are outside its reach.
  </p>`;
