/**
 * A text literal as JavaScript, Python, R and Go all read it, which is safe in a comment too: what
 * ends a line there (U+2028 does, in JavaScript), what turns the direction of a line round, and
 * what is not seen at all stands as its number.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    c.length === 1 ? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}` : c,
  );

/** A text that is no literal: a comment's, on one line. */
export const bare = (text: string): string => text.replace(/[^ -~]|["'\\`]/g, "?");
