// What a guarantee leaves out, as lines for people.

/** None where it covers everything. */
export const leftUncovered = ({ covers, caveats }) =>
  covers
    ? []
    : ["", "The guarantee does not cover everything:", ...caveats.map((caveat) => `  ${caveat}`)];
