import { html, type TemplateResult } from "lit/html.js";

import type { Editor } from "../../state/editor.ts";
import type { Workspace } from "../../state/workspace.ts";
import { filePicker } from "../../../shell/file-picker.ts";

/** The schema saved as a file, and taken from one. */
export function schemaFile({
  state,
  editor,
}: Workspace & { readonly editor: Editor }): TemplateResult {
  return html`<details class="disclosure">
    <summary>Schema as a file</summary>
    <div>
      <p class="small">
        The schema can be written before anyone opens the data, shared with colleagues, and used
        again. If you import one before you choose a file, the page does not look at the file for
        proposals.
      </p>
      <p class="actions">
        <button
          class="button button-quiet"
          type="button"
          ?disabled=${!state.draft}
          @click=${() => editor.exportSchema()}
        >
          Save the schema
        </button>
      </p>
      ${filePicker({
        id: "schema-file",
        title: "A schema from a file",
        hint: "A JSON file, as “Save the schema” writes it.",
        button: "Import a schema",
        accept: ".json,application/json",
        disabled: state.core.phase !== "ready",
        take: ([file]) => void editor.importSchema(file!),
      })}
    </div>
  </details>`;
}
