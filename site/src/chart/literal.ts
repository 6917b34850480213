// What ends a line or turns it round, and what is not seen at all: format characters, and those
// that Unicode lets a program leave out, as fillers and variation selectors.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const literal = (text: string, beyond: (digits: string) => string): string =>
  JSON.stringify(text).replace(hidden, (c) => {
    const digits = c.codePointAt(0)!.toString(16);
    return c.length === 1 ? `\\u${digits.padStart(4, "0")}` : beyond(digits);
  });

/**
 * A text literal as Python, R and Go all read it, which is safe in a comment of any language too:
 * what ends a line there (U+2028 does, in JavaScript), what turns the direction of a line round,
 * and what is not seen at all stands as its number. R reads no literal with U+0000: no name has it
 * (core/data refuses it).
 */
export const quoted = (text: string): string =>
  literal(text, (digits) => `\\U${digits.padStart(8, "0")}`);

/** {@link quoted} as JavaScript reads it, which has another way to write numbers above U+FFFF. */
export const quotedInJavaScript = (text: string): string =>
  literal(text, (digits) => `\\u{${digits}}`);

/** A text that is no literal: a comment's, on one line. */
export const bare = (text: string): string => text.replace(/[^ -~]|["'\\`]/g, "?");
