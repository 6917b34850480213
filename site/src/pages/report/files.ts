// Recognises the published files that were chosen, one after the other or at once.

import { CloisterError } from "../../client/error.ts";
import {
  type Documents,
  kindOf,
  mostBytes,
  parse,
  textOf,
} from "../../elements/my-privacy/documents.ts";
import { releaseInCard } from "../shell/release-in-card.ts";

/** A document, and the file that it came in. */
export interface Named {
  readonly name: string;
  readonly tree: unknown;
}

/** What has been chosen so far. */
export interface Chosen {
  readonly release?: Named;
  readonly report?: Named;
}

/**
 * What was chosen with a file added to it. A second release or report takes the place of the first.
 */
export async function withFile(
  chosen: Chosen,
  file: Blob & { readonly name: string },
): Promise<Chosen> {
  const { name } = file;
  if (file.size > mostBytes)
    throw new CloisterError(
      "release",
      `${name} has ${Math.round(file.size / 1e6)} MB, more than any release or report.`,
    );
  const text = await textOf(file, "release", name);
  if (/^\s*</.test(text)) {
    const release = releaseInCard(text);
    if (release === undefined)
      throw new CloisterError(
        "release",
        `${name} is a web page, and holds no release. A model card does.`,
      );
    return { ...chosen, release: { name, tree: parse(release, "release", name) } };
  }
  const tree = parse(text, "release", name);
  switch (kindOf(tree)) {
    case "release":
      return { ...chosen, release: { name, tree } };
    case "report":
      return { ...chosen, report: { name, tree } };
    case "both": {
      const both = tree as Documents;
      return { release: { name, tree: both.release }, report: { name, tree: both.report } };
    }
  }
  throw new CloisterError(
    "release",
    `${name} is neither a release nor a privacy report, nor one file with both. It may be from another program.`,
  );
}
