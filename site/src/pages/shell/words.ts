// The pages' words for terms of the core.

import type { Adjacency } from "../../client/types.ts";

export const adjacencyWords: Record<Adjacency, string> = {
  "add-remove": "adding or removing one row",
  "replace-one": "replacing one row by another",
};

/** A charge's time as the reader's clock has it. */
export function timeWords(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime())
    ? time
    : at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export const plural = (n: number, one: string, many: string): string => (n === 1 ? one : many);
