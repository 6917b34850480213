import { html, nothing, type TemplateResult } from "lit/html.js";

import { layoutWords, signs } from "../state/layout.ts";
import { buyingMore } from "../state/state.ts";
import { selectField } from "../../shell/field.ts";
import type { Studio } from "./studio.ts";

const found = "found";

/** How the open file was read, and the way to put that right. */
export function layoutOf({ state, reader }: Studio): TemplateResult | typeof nothing {
  const { source, layout, reading } = state;
  if (source?.kind !== "file" || reading.phase === "running" || buyingMore(state)) return nothing;
  const failed = reading.phase === "failed";
  if (!layout && !failed) return nothing;
  const { header, delimiter } = source;
  return html`${layout ? html`<p class="small" id="layout">${layoutWords(layout)}</p>` : nothing}
    <details class="disclosure" id="layout-change" ?open=${!layout}>
      <summary>${layout ? "Read it in another way" : "How the file is laid out"}</summary>
      <div class="row row-wide">
        ${selectField({
          key: "layout.delimiter",
          label: "Between fields",
          value: delimiter ?? found,
          choices: [
            { value: found, text: "As the page finds it" },
            ...Object.entries(signs).map(([value, text]) => ({ value, text })),
          ],
          choose: (value) =>
            reader.layOut({ header, delimiter: value === found ? undefined : value }),
        })}
        ${selectField({
          key: "layout.header",
          label: "First line",
          value: header ?? found,
          choices: [
            { value: found, text: "As the page finds it" },
            { value: "first", text: "Names the columns" },
            { value: "none", text: "Is a row: there is no header" },
          ],
          choose: (value) =>
            reader.layOut({
              delimiter,
              header: value === "first" || value === "none" ? value : undefined,
            }),
        })}
      </div>
    </details>`;
}
