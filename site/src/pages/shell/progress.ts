import { html, nothing, type TemplateResult } from "lit/html.js";

import { percentBound, size } from "../../chart/numbers.ts";
import type { Progress } from "../../client/types.ts";
import { leftWords, type Paced } from "./pace.ts";

const doing: Record<Progress["phase"], string> = {
  reading: "Reading the file",
  calibrating: "Choosing the noise",
  reserving: "Noting the cost in the ledger",
  solving: "Solving",
  searching: "Searching for the card",
  releasing: "Adding the output noise",
  committing: "Noting the release in the ledger",
};

/**
 * Work under way: what is being done, how far it is where that can be known, and a way to stop it.
 */
export function progressBar(
  start: string,
  progress: Paced | null,
  cancel: () => void,
): TemplateResult {
  const text = progress ? doing[progress.phase] : start;
  const detail =
    progress?.phase === "reading" && progress.bytes !== undefined
      ? `${size(progress.bytes)}${progress.totalBytes === undefined ? "" : ` of ${size(progress.totalBytes)}`}`
      : progress?.phase === "solving" && progress.iteration !== undefined
        ? `round ${progress.iteration}`
        : progress?.phase === "searching" && progress.fraction !== undefined
          ? `at most ${percentBound(1 - progress.fraction)} of all cards left`
          : "";
  const more = [detail, leftWords(progress?.left)].filter(Boolean).join(", ");
  return html`<div class="progress">
    <label for="progress"
      >${text}${more ? html`<span class="soft">, ${more}</span>` : nothing}</label
    >
    ${
      progress?.fraction === undefined
        ? html`<progress id="progress"></progress>`
        : html`<progress id="progress" max="1" .value=${progress.fraction}></progress>`
    }
    <button class="button button-quiet" type="button" @click=${cancel}>Cancel</button>
  </div>`;
}
