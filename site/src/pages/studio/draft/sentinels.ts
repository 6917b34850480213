// Numbers that stand for a missing value: what it means for a draft that they do.

import type { Sentinel } from "../../../client/types.ts";
import {
  type ColumnDraft,
  type LabelDraft,
  type Learnt,
  linesOf,
  type SchemaDraft,
  textOf,
} from "./draft.ts";
import { nameInFile } from "./places.ts";
import { partOf, provenanceOf, sourceOf, withSource } from "./source.ts";

/** Whether the draft says that it means a missing value. */
export function isMissing({ missingValues }: SchemaDraft, { spellings }: Sentinel): boolean {
  const missing = linesOf(missingValues);
  return spellings.every((x) => missing.includes(x));
}

/**
 * Says that it means a missing value, which it does in every column then. Bounds that were read
 * from the file, and are as they were, become those of the other numbers; they stay marked. What
 * was not in the list before was learnt from the rows, and is noted so.
 */
export function treatAsMissing(
  draft: SchemaDraft,
  { spellings }: Sentinel,
  all: readonly Sentinel[],
): SchemaDraft {
  const missing = [...new Set([...linesOf(draft.missingValues), ...spellings])];
  const next = {
    ...draft,
    missingValues: textOf(missing),
    learnt: learntFrom(draft, spellings, all),
  };
  const boundsOf = (name: string) => {
    const [first, ...more] = all.filter((s) => s.column === name);
    if (!first || ![first, ...more].some((s) => isMissing(next, s))) return null;
    const kept = [first, ...more].filter((s) => !isMissing(next, s)).map((s) => s.value);
    return {
      min: String(Math.min(first.min, ...kept)),
      max: String(Math.max(first.max, ...kept)),
    };
  };
  const moved = <T extends ColumnDraft | LabelDraft>(c: T): T => {
    const source = sourceOf(c);
    const bounds =
      partOf(c) === "bounds" &&
      provenanceOf(c) === "suggested" &&
      c.min === source.read?.min &&
      c.max === source.read.max &&
      boundsOf(nameInFile(c));
    if (!bounds) return c;
    const earlier = [...(source.read!.earlier ?? []), source.read!.min, source.read!.max];
    return { ...withSource(c, { ...source, read: { ...bounds, earlier } }), ...bounds };
  };
  return { ...next, columns: draft.columns.map(moved), label: moved(draft.label) };
}

/** What was learnt before, and the spellings that are new, each with the columns that have it. */
function learntFrom(
  { missingValues, learnt = [] }: SchemaDraft,
  spellings: readonly string[],
  all: readonly Sentinel[],
): Learnt[] {
  const known = linesOf(missingValues);
  const fresh = spellings.filter((x) => !known.includes(x));
  return [
    ...learnt.filter((l) => known.includes(l.spelling)),
    ...fresh.map((spelling) => ({
      spelling,
      columns: all.filter((s) => s.spellings.includes(spelling)).map((s) => s.column),
    })),
  ];
}
