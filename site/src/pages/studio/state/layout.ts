import { count } from "../../../chart/numbers.ts";
import type { Layout } from "../../../client/types.ts";

/** What separates fields, in words. */
export const signs: Readonly<Record<string, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
  " ": "spaces",
};

/** How a file is laid out, in a sentence. */
export function layoutWords({ delimiter, quoted, columns, header }: Layout): string {
  return `Fields are separated by ${signs[delimiter] ?? `the sign ${delimiter}`}; ${quoted ? "some stand in double quotes" : "none is quoted"}; ${count(columns)} ${columns === 1 ? "column" : "columns"}; the first line ${header ? "names them" : "is a row, not a header"}.`;
}
