/**
 * A text from a file as it may stand among words of ours: what would turn round the line that it
 * stands in, the words after it included, or end it, stands as its number.
 */
export const straight = (text: string): string =>
  text.replace(/[\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
