// What a guarantee leaves out, as lines for people.

import { boughtApart } from "../chart/meaning.ts";

/** None where it covers everything. */
export const leftUncovered = ({ covers, caveats }) =>
  covers
    ? []
    : ["", "The guarantee does not cover everything:", ...caveats.map((caveat) => `  ${caveat}`)];

/** The same of a model, and that its description may have a price of its own. */
export const besideGuarantee = ({ guarantee, schema }) => [
  ...leftUncovered(guarantee),
  ...boughtApart(schema).flatMap((line) => ["", line]),
];
