import { nothing, type TemplateResult } from "lit/html.js";

import { type ColumnDraft, idIn, type LabelDraft } from "../draft/draft.ts";
import { placeIn } from "../draft/places.ts";
import { textField } from "../../shell/field.ts";
import type { Studio } from "./studio.ts";

/** Of a file without a header: which of its columns this is. */
export function placeField(
  { state }: Studio,
  c: ColumnDraft | LabelDraft,
  change: (place: number | undefined) => void,
): TemplateResult | typeof nothing {
  // Of what was suggested from the file it is known.
  if (state.source?.header !== "none" || state.origin === "read") return nothing;
  return textField({
    key: `${idIn(c)}.place`,
    label: "Where it stands in the file",
    hint: "The file has no header: 1 is its first column.",
    value: String(c.place ?? placeIn(c.name) ?? ""),
    short: true,
    numeric: true,
    input: (typed) => {
      const place = Number(typed);
      change(Number.isInteger(place) && place > 0 ? place : undefined);
    },
  });
}
