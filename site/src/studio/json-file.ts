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
  return tree;
}
