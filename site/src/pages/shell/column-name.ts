import { html, type TemplateResult } from "lit/html.js";

/** A column's name, which a narrow cell breaks after an underscore or before a capital letter. */
export function columnName(name: string): TemplateResult[] {
  return name.split(/(?<=_)|(?<=\p{Ll})(?=\p{Lu})/u).map((part) => html`${part}<wbr />`);
}
