import { CloisterError } from "../client/types.ts";
import { releaseInCard } from "../publish/release-in-card.ts";

/** Reads a file that the page saved earlier. What is not JSON is an error of the kind that the core itself would give. */
export async function readJSON(file: Blob, what: "schema" | "release"): Promise<unknown> {
  let text = (await file.text()).replace(/^\uFEFF/, "");
  if (what === "release") text = releaseInCard(text) ?? text;
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CloisterError(what, `This file is not JSON (${why}). It must be a ${what} as this page saves it.`);
  }
  // The core would take null for a request without any.
  if (tree === null) throw new CloisterError(what, `This file holds nothing but null. It must be a ${what} as this page saves it.`);
  const other = otherKind(tree, what);
  if (other) throw new CloisterError(what, `${other} This page shows logistic models and the like of two classes so far; scripts/${what === "schema" ? "fit.mjs fits the others" : "account.mjs checks the others"}.`);
  return tree;
}

/** What a document is about that the page has no view of yet, as a sentence; what is wrong with it otherwise is for the core to say. */
function otherKind(tree: unknown, what: "schema" | "release"): string | undefined {
  const member = (value: unknown, name: string): unknown => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined);
  const schema = what === "schema" ? tree : member(tree, "schema");
  const type = member(member(schema, "label"), "type");
  if (type === "classes") return `The label of this ${what} has several classes.`;
  if (type === "numeric") return `The label of this ${what} is a number.`;
  const mechanism = member(member(tree, "event"), "mechanism");
  if (what === "release" && typeof mechanism === "string" && mechanism !== "approximate-minima-perturbation" && member(tree, "version") === 2) {
    return `This release was made by another mechanism (${mechanism}).`;
  }
  return undefined;
}
