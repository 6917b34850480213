import type { html as drawing, TemplateResult } from "lit";

import type { Studio } from "../studio/studio.ts";
import type { filePicker as picker } from "../studio/view/file-picker.ts";

/** The schema saved as a file, and taken from one. */
export function files({ html, filePicker }: { readonly html: typeof drawing; readonly filePicker: typeof picker }, { state, editor }: Studio): TemplateResult {
  return html`<details class="disclosure">
    <summary>Schema as a file</summary>
    <div>
      <p class="small">
        The schema can be written before anyone opens the data, shared with colleagues, and used again. Import one before choosing a file, and the page need not
        look at the file to propose anything.
      </p>
      <p class="actions">
        <button class="button button-quiet" type="button" ?disabled=${!state.draft} @click=${() => editor.exportSchema()}>Save the schema</button>
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
