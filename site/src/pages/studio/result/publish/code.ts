// A release as a program: the model in a language that the reader has, as pure arithmetic.

import type { AnyLabel, Release } from "../../../../client/types.ts";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import type { Language } from "./languages.ts";
import { python } from "./python.ts";
import { r } from "./r.ts";
import { specOf } from "./spec.ts";

export { type Language, languages } from "./languages.ts";

const writers = { python, r, javascript, go };

/**
 * The text of the language's file: it predicts what `Client.predict` does, and raises an error
 * where that rejects.
 */
export function code(release: Release<AnyLabel>, language: Language): string {
  return writers[language](specOf(release));
}
