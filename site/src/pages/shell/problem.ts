// Failures in the words of the page: a title that says what happened, the core's own sentence, and
// what to do next.

import { CloisterError, type ErrorCode } from "../../client/types.ts";

export interface Problem {
  readonly code: ErrorCode | "page";
  readonly title: string;
  /** What was wrong and what would be right. */
  readonly message: string;
  readonly row?: number;
  readonly column?: string;
  readonly field?: string;
  /** The first line of the file, which looks like a person. */
  readonly line?: readonly string[];
  /** What to do next, when the message alone does not say it. */
  readonly advice?: string;
}

const titles: Record<ErrorCode, string> = {
  parameter: "A setting is out of range",
  schema: "The description of the columns needs a correction",
  data: "The file cannot be used as it is",
  header: "Is the first line a person?",
  "too-large": "The file is too large",
  "dataset-lost": "The file has to be opened again",
  numerical: "The numbers ran out of range",
  refused: "Nothing was released",
  entropy: "No secure random numbers",
  release: "This is not a release that can be read",
  report: "This report cannot be read",
  internal: "A fault in this page",
  budget: "The budget does not allow it",
  ledger: "The ledger cannot be used",
  storage: "The ledger cannot be kept here",
  aborted: "Cancelled",
  terminated: "Stopped",
  "out-of-memory": "Not enough memory",
  crashed: "The computation stopped",
  load: "A part of the page could not be loaded",
  source: "The file could not be read",
};

const advice: Partial<Record<ErrorCode, string>> = {
  header: "Say in step 1 what that line is, or begin the file with the names of its columns.",
  "dataset-lost": "Choose the file once more. Your schema and your budget are kept.",
  refused:
    "The solver could not certify its solution, so no model left it. Try again; if it happens twice, please report it. The attempt counts as a use of the budget.",
  entropy:
    "Without secure random numbers there is no privacy, so nothing was released. Try another browser.",
  internal:
    "This is our mistake. Nothing was released. The page can be used again at once; please report what you did.",
  "out-of-memory":
    "Close other tabs or use a smaller part of the file. The page can be used again at once.",
  crashed:
    "The page can be used again at once. If it happens with this file every time, please report it.",
  load: "Check the connection and load the page again. No file can be chosen until then.",
  storage: "Nothing was released.",
  source:
    "It may have been moved, changed or closed to this page since it was chosen. Choose it once more.",
};

const overBudget =
  "It would go beyond what may be spent on these people in all. Nothing was run, and nothing was spent.";

/** Any thrown thing as a Problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof CloisterError) {
    const next = advice[error.code];
    return {
      code: error.code,
      title: titles[error.code],
      message:
        error.code === "header"
          ? "The first line looks like a person, not like the names of columns."
          : error.code === "data"
            ? inPageWords(error.message)
            : error.code === "budget"
              ? overBudget
              : error.message,
      ...(error.row !== undefined && { row: error.row }),
      ...(error.column !== undefined && { column: error.column }),
      ...(error.line && { line: error.line }),
      ...(error.field !== undefined && { field: error.field }),
      ...(next !== undefined && { advice: next }),
    };
  }
  return {
    code: "page",
    title: "Something went wrong in this page",
    message: error instanceof Error ? error.message : String(error),
    advice: "This is our mistake. The page can be used again; please report what you did.",
  };
}

/** The same of a purchase without a ledger that ended once noise had been drawn. */
export function spentOn(error: unknown): Problem {
  const problem = problemOf(error);
  // That a refusal counts is what is said of it anyway.
  if (problem.code === "refused") return problem;
  const cost =
    "Noise had been drawn, so its cost counts, though there is no ledger here to note it in.";
  return { ...problem, advice: problem.advice ? `${cost} ${problem.advice}` : cost };
}

/** A problem that the page itself noticed. */
export function pageProblem(title: string, message: string, field?: string): Problem {
  return { code: "page", title, message, ...(field !== undefined && { field }) };
}

/**
 * What the core advises in the schema's own notation, as this page has it: the same rules are
 * chosen in step 2. The core speaks to the command line and to programs as well, where the notation
 * is what helps.
 */
const notation: readonly (readonly [RegExp, string])[] = [
  [
    /say in the schema what a missing value becomes: .*\.$/,
    "say in step 2 what becomes of a missing value.",
  ],
  [
    /say in the schema what an unknown value becomes \(.*\)\.$/,
    "say in step 2 what becomes of a category that is not listed.",
  ],
  [
    /list (.*) under missing_values in the schema if it means that there is none/,
    "add $1 to the spellings of a missing value in step 2 if it means that there is none",
  ],
  [
    /: capital and small letters must be the same as in the schema/,
    ": capital and small letters count",
  ],
  [
    /let the schema's label have missing: "drop", which leaves the record out/,
    "let step 2 leave out the rows in which it is missing",
  ],
];

/**
 * A sentence about a file as the page says it. One that begins with the file's name is left to
 * begin so.
 */
export function inPageWords(message: string): string {
  const text = notation.reduce((t, [pattern, words]) => t.replace(pattern, words), message);
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/**
 * The same about a row to predict, whose schema is settled: what could be changed in it is left
 * out.
 */
export function aboutRow(message: string): string {
  return inPageWords(
    message.replace(/, (?:or say in the schema|or list|add it to the categories).*$/, "."),
  );
}

const heldOut: readonly (readonly [RegExp, string])[] = [
  [
    /(?:A label has two values; c|C)orrect (?:this one|it), or add it to the spellings of the class that it means.*$/,
    "Change the file so that it spells the label as the release does.",
  ],
  [
    /Correct it, add it to the categories, or say .*$/,
    "Change the file so that it spells the categories as the release does.",
  ],
  [/Fill it in, or (?:say|let) .*$/, "Fill it in, or leave the row out of the file."],
  [/, or list .* under missing_values in the schema if it means that there is none/, ""],
  [/ as the schema does, letter/, " as the release does, letter"],
];

/**
 * The same about held-out rows, which are read by the description of a release: only the file can
 * be changed.
 */
export function aboutHeldOut(error: unknown): unknown {
  if (!(error instanceof CloisterError) || error.code !== "data") return error;
  return new CloisterError(
    error.code,
    heldOut.reduce((text, [pattern, words]) => text.replace(pattern, words), error.message),
    error,
  );
}

/** Whether a call ended because it was told to. */
export function isAborted(error: unknown): boolean {
  return error instanceof CloisterError && error.code === "aborted";
}
