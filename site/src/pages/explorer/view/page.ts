// The page: a head with the presets, the plot with its panel, and the words below.

import { html, nothing, type TemplateResult } from "lit/html.js";

import { updateNotice } from "../../shell/update-notice.ts";
import type { Explorer } from "../explorer.ts";
import { presets } from "../presets.ts";
import { curveList } from "./curves.ts";
import { settings } from "./settings.ts";
import { after, type Seen, stage } from "./stage.ts";
import { presetWords, theorem } from "./words.ts";

export function page(explorer: Explorer, seen: Seen, before: Node | undefined): TemplateResult {
  const { state, trouble, update } = explorer;
  const papers = [...new Set(presets.map(({ group }) => group))];
  return html`<main id="main" tabindex="-1">
    <div class="head">
      <h1>Privacy curves, compared</h1>
      <div class="head-tools">
        <label for="preset">Show</label>
        <select
          class="input"
          id="preset"
          @change=${(event: Event) => explorer.choosePreset((event.target as HTMLSelectElement).value)}
        >
          ${state.preset === "" ? html`<option value="" selected>A comparison of your own</option>` : nothing}
          ${papers.map(
            (group) =>
              html`<optgroup label=${group}>
                ${presets.filter((one) => one.group === group).map(({ id, name }) => html`<option value=${id} .selected=${id === state.preset} ?selected=${id === state.preset}>${name}</option>`)}
              </optgroup>`,
          )}
        </select>
        <button type="button" class="button button-quiet" @click=${() => void share(explorer)}>
          Copy link
        </button>
      </div>
    </div>
    <p class="hidden" role="status">${explorer.announcement}</p>
    ${update ? updateNotice(update) : nothing}
    ${
      trouble
        ? html`<div class="notice notice-warn" id="trouble" role="alert">
            <p><strong>This link cannot be read, so the default is shown.</strong> ${trouble}</p>
          </div>`
        : nothing
    }
    <div class="bench">
      <div class="instrument">
        ${stage(explorer, seen, before)}
        <div class="panel">
          ${curveList(explorer, seen.drawing, seen.stop)} ${settings(explorer)}
        </div>
      </div>
      ${after(explorer, seen)}
      <div class="below">${presetWords(explorer)} ${theorem(explorer)}</div>
    </div>
    <footer class="foot">
      <p>
        Every number is an upper bound on δ or ε, certified and computed in your browser by the
        library that prices Cloister’s fits; the floor is the exact price of a Gaussian mechanism. A
        curve that is still being certified is paler and marked ≈. No data is involved, and nothing
        is sent anywhere. Free software (<a href="license.txt">Apache-2.0</a>, with
        <a href="notices.txt">parts by others</a>).
      </p>
    </footer>
  </main>`;
}

async function share(explorer: Explorer): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    explorer.say("The link is copied.");
  } catch {
    explorer.say("The link could not be copied. Copy it from the address bar.");
  }
}

/** The right end of the header. */
export function tools(explorer: Explorer): TemplateResult {
  const other = explorer.theme === "dark" ? "light" : "dark";
  return html`<button
    class="button button-quiet"
    type="button"
    @click=${() => explorer.setTheme(other)}
  >
    ${other === "dark" ? "Dark" : "Light"} theme
  </button>`;
}
