import { straight } from "../client/straight.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A {@link straight} text as HTML or SVG, in an element or in a quoted attribute. */
export const escaped = (text: string): string =>
  straight(text).replace(/[&<>"']/g, (c) => entities[c]!);

/** The same between quotation marks. */
export const quote = (text: string): string => `“${escaped(text)}”`;
