import { CloisterError } from "../../client/types.ts";
import { releaseInCard } from "./release-in-card.ts";
import { survey, utf8 } from "../../client/json-text.ts";

/** What is wrong with a file before anything in it can be looked at. */
export type Fault = "too-large" | "empty" | "cut" | "no-release" | "not-json" | "other" | "twice";

export class FileError extends CloisterError {
  constructor(
    what: "schema" | "release",
    readonly fault: Fault,
    message: string,
    field?: string,
  ) {
    super(what, message, field === undefined ? {} : { field });
  }
}

/** No schema or release comes near it. */
const mostBytes = 32e6;

/** Reads a file that the page saved earlier, as readDocument does. */
export async function readJSON(file: Blob, what: "schema" | "release"): Promise<unknown> {
  return (await readDocument(file, what)).tree;
}

/** A document, and whether a model card held it: by what the file is, whatever it is called. */
export interface Document {
  readonly tree: unknown;
  readonly card: boolean;
}

/**
 * Reads a file that the page saved earlier: what is not JSON, or is not one thing only, is refused
 * here, and all else by the core.
 */
export async function readDocument(file: Blob, what: "schema" | "release"): Promise<Document> {
  const must = `It must be a ${what} as this page saves it.`;
  if (file.size > mostBytes)
    throw new FileError(
      what,
      "too-large",
      `This file has ${Math.round(file.size / 1e6)} MB, more than any ${what}. ${must}`,
    );
  let text = utf8(await file.arrayBuffer());
  if (text === undefined)
    throw new FileError(
      what,
      "not-json",
      `This file is not UTF-8 text: two readers could take it for two things. ${must}`,
    );
  if (text.trim() === "") throw new FileError(what, "empty", `This file is empty. ${must}`);
  const card = what === "release" && /^\s*</.test(text);
  if (card) text = fromCard(text);
  const { cut, twice, beyond } = survey(text);
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    if (cut && /^\s*[{[]/.test(text))
      throw new FileError(
        what,
        "cut",
        `This file is not JSON: it ends in the middle, as if it had been cut off. ${must}`,
      );
    throw new FileError(
      what,
      "not-json",
      `This file is not JSON (${error instanceof Error ? error.message : String(error)}). ${must}`,
    );
  }
  if (twice !== undefined)
    throw new FileError(
      what,
      "twice",
      `${twice} is given twice in this file: two readers could take it for two things.`,
      twice,
    );
  if (beyond !== undefined)
    throw new FileError(
      what,
      "other",
      `${beyond} is a number in this file that is too large for any program. ${must}`,
      beyond,
    );
  // The core would take null for a request without any.
  if (typeof tree !== "object" || tree === null || Array.isArray(tree))
    throw new FileError(what, "other", `This file holds nothing but ${kindOf(tree)}. ${must}`);
  try {
    structuredClone(tree); // as it is when the core's worker is sent it
  } catch {
    throw new FileError(what, "other", `This file is nested more deeply than any ${what}. ${must}`);
  }
  return { tree, card };
}

function kindOf(tree: unknown): string {
  if (Array.isArray(tree)) return "a list";
  return tree === null
    ? "null"
    : typeof tree === "boolean"
      ? String(tree)
      : `a ${typeof tree === "string" ? "text" : "number"}`;
}

function fromCard(text: string): string {
  const release = releaseInCard(text);
  if (release !== undefined) return release;
  if (!/<\/html>\s*$/i.test(text))
    throw new FileError(
      "release",
      "cut",
      "This page ends in the middle, before the release that a model card holds.",
    );
  throw new FileError(
    "release",
    "no-release",
    "This is a web page, and holds no release. A model card as this page saves it does.",
  );
}
