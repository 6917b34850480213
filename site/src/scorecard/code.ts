// A scorecard as a program: the card in a language that the reader has, as plain arithmetic.

import type { ScorecardRelease } from "../client/types.ts";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import type { Language } from "./languages.ts";
import { python } from "./python.ts";
import { r } from "./r.ts";
import { specOf } from "./spec.ts";

const writers = { python, r, javascript, go };

/**
 * The text of the language's file: it says what `Client.score` does, and raises an error where that
 * rejects.
 */
export function code(release: ScorecardRelease, language: Language): string {
  return writers[language](specOf(release));
}
