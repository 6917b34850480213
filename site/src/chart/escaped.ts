const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * What would turn round the line that it stands in, the words after it included, or end it, stands
 * as its number.
 */
export const straight = (text: string): string =>
  text.replace(/[\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);

/** A {@link straight} text as HTML or SVG, in an element or in a quoted attribute. */
export const escaped = (text: string): string =>
  straight(text).replace(/[&<>"']/g, (c) => entities[c]!);
