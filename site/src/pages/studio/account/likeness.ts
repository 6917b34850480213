// Which account a file may belong to, by its name.

import type { Account } from "../../../client/types.ts";

/**
 * What is left of a file's name when dates, numbers, copies and versions are taken off:
 * "Stays_2024-05 (2).csv" is "stays".
 */
function core(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.(csv|tsv|txt)\b/g, " ")
    .replace(/[\d_.,()\-]+/g, " ")
    .replace(/\b(copy|kopie|final|new|old|v|version|corrected|updated|part)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The accounts, those first whose name is like this one; and how many those are. */
export function byLikeness(
  accounts: readonly Account[],
  name: string,
): { readonly accounts: readonly Account[]; readonly like: number } {
  const mine = core(name);
  const alike = (a: Account) => {
    const theirs = core(a.name);
    return (
      mine !== "" &&
      theirs !== "" &&
      (mine === theirs || mine.startsWith(`${theirs} `) || theirs.startsWith(`${mine} `))
    );
  };
  const like = accounts.filter(alike);
  return { accounts: [...like, ...accounts.filter((a) => !alike(a))], like: like.length };
}
