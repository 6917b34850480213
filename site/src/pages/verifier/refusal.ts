// Describes files that cannot be checked, or that contradict themselves before anything is
// computed: a title, the part of the file, and what to do.

import { CloisterError } from "../../client/types.ts";
import { type Fault, FileError } from "../shell/json-file.ts";
import { own } from "../../client/own.ts";
import { problemOf } from "../shell/problem.ts";

export interface Refusal {
  readonly title: string;
  readonly message: string;
  /** The claim that fails, in the words of ./claims.ts; none where the file claims nothing. */
  readonly part?: string;
  readonly advice: string;
}

const again = "Ask whoever gave it to you for the file once more, just as the page saved it.";
const other =
  "A release is a file called release.json, or a model card, as Cloister’s page or its command line writes it.";

const faults: Readonly<Record<Fault, readonly [title: string, advice: string]>> = {
  "too-large": ["This is not a release", other],
  empty: ["This is not a release", other],
  cut: ["This file is not whole", again],
  "no-release": ["This page holds no release", other],
  "not-json": ["This is not a release", other],
  other: ["This is not a release", other],
  twice: ["This file says two things at once", again],
};

/** The parts of a release, by the first name of a path in it. */
const parts: Readonly<Record<string, string>> = {
  guarantee: "What is promised",
  event: "The mechanism",
  model: "The model",
  card: "The card",
  evaluation: "The evaluation",
  schema: "What is said of the columns",
};

export function refusalOf(error: unknown): Refusal {
  if (error instanceof FileError) {
    const [title, advice] = faults[error.fault];
    return {
      title,
      message: error.message,
      advice,
      ...(error.fault === "twice" && partOf(error.field)),
    };
  }
  if (!(error instanceof CloisterError) || (error.code !== "release" && error.code !== "schema")) {
    const { title, message, advice = "" } = problemOf(error);
    return { title, message, advice };
  }
  const { field, message } = error;
  if (field === "version" && /newer/.test(message)) {
    return {
      title: "This release is newer than this page",
      message,
      advice:
        "Load the page again to get its newest version, or check the release where it was made.",
    };
  }
  if (field === "format" || field === undefined || field === "release")
    return { title: "This is not a release", message, advice: other };
  return {
    title: "This file does not tell the truth",
    message: message.replace(/^This release cannot be read: /, ""),
    ...partOf(field),
    advice: again,
  };
}

function partOf(field: string | undefined): Pick<Refusal, "part"> {
  const part = own(parts, /^\w+/.exec(field ?? "")?.[0] ?? "");
  return { part: part ?? "The file as a whole" };
}
