// Reads the two published documents of an element: as text or as objects, separately or as one.

import { CloisterError, reason } from "../../client/error.ts";
import type { AnySchema, Choice } from "../../client/types.ts";
import { survey, utf8 } from "../../client/json-text.ts";

export interface Documents {
  readonly release: unknown;
  readonly report: unknown;
}

/** No release or report comes near it. */
export const mostBytes = 32e6;

/**
 * Reads JSON text. What is given twice in it is refused: two readers could take it for two things.
 */
export function parse(text: string, what: "release" | "report", name: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  if (bare.trim() === "") throw new CloisterError(what, `${name} is empty.`);
  const { cut, twice, beyond } = survey(bare);
  let tree: unknown;
  try {
    tree = JSON.parse(bare);
  } catch (error) {
    throw new CloisterError(
      what,
      cut
        ? `${name} is not whole: it ends in the middle, as if it had been cut off.`
        : `${name} is not JSON: ${reason(error)}`,
      {},
      { cause: error },
    );
  }
  try {
    structuredClone(tree); // as it is when a worker is sent it
  } catch {
    throw new CloisterError(what, `${name} is nested more deeply than any release or report.`);
  }
  if (beyond !== undefined)
    throw new CloisterError(what, `${name} gives ${beyond} a number too large for any program.`, {
      field: beyond,
    });
  if (twice !== undefined)
    throw new CloisterError(
      what,
      `${name} says ${twice} twice: two readers could take it for two things.`,
      { field: twice },
    );
  return tree;
}

/** The text of a document as it was chosen or fetched. What is not UTF-8 is refused likewise. */
export async function textOf(
  source: Blob | Response,
  what: "release" | "report",
  name: string,
): Promise<string> {
  const text = utf8(await source.arrayBuffer());
  if (text !== undefined) return text;
  throw new CloisterError(
    what,
    `${name} is not UTF-8 text: two readers could take it for two things.`,
  );
}

/** What a document is, by what it says of itself. */
export function kindOf(tree: unknown): "release" | "report" | "both" | undefined {
  if (typeof tree !== "object" || tree === null) return undefined;
  const { format, release, report } = tree as Record<string, unknown>;
  if (format === "cloister-release") return "release";
  if (format === "cloister-report") return "report";
  return release !== undefined && report !== undefined ? "both" : undefined;
}

/** Puts what was found together; whatever of it holds both will do. */
export function together(first: unknown, second: unknown): Documents {
  for (const one of [first, second]) if (kindOf(one) === "both") return one as Documents;
  // Given in the wrong order, they are still what they are.
  if (kindOf(first) === "report" && kindOf(second) === "release")
    return { release: second, report: first };
  return { release: first, report: second };
}

export async function fetchText(url: URL, what: "release" | "report"): Promise<string> {
  try {
    const response = await fetch(url, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    if (Number(response.headers.get("content-length") ?? 0) > mostBytes)
      throw new Error("it is larger than any such file");
    return await textOf(response, what, "it");
  } catch (error) {
    throw new CloisterError(
      "load",
      `The ${what === "release" ? "release" : "privacy report"} could not be fetched from ${url.href}: ${reason(error)}`,
      {},
      { cause: error },
    );
  }
}

/** The schema of a release that the core has read. */
export const schemaOf = (documents: Documents): AnySchema =>
  (documents.release as { schema: AnySchema }).schema;

/** How such a release says that its model was chosen. */
export const choiceOf = (documents: Documents): Choice | undefined =>
  (documents.release as { choice?: Choice }).choice;
