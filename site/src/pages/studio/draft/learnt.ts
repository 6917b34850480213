// Spellings of a missing value that were learnt from the rows. A schema has a mark for each column
// and none for its list of spellings. So until the person says that such a spelling was known
// beforehand, the columns that have it are marked as read from the file, whatever is known of them
// otherwise; and where none of these is used, the spelling is left out of the schema.

import { nameInFile } from "./places.ts";
import { included, type Learnt, linesOf, type SchemaDraft, textOf } from "./draft.ts";
import { provenanceOf } from "./source.ts";

/** Those that are still in the list, and of use: some column that has it will be in the schema. */
export function learntOf(draft: SchemaDraft): readonly Learnt[] {
  const { learnt = [], missingValues, label } = draft;
  if (learnt.length === 0) return learnt;
  const listed = linesOf(missingValues);
  const used = new Set([...included(draft), label].map(nameInFile));
  return learnt.filter((l) => listed.includes(l.spelling) && l.columns.some((x) => used.has(x)));
}

/** The list of spellings without the learnt ones that `keep` does not have. */
export function withoutLearnt(
  { missingValues, learnt = [] }: SchemaDraft,
  keep: readonly Learnt[] = [],
): string {
  const lost = new Set(learnt.filter((l) => !keep.includes(l)).map((l) => l.spelling));
  return lost.size === 0
    ? missingValues
    : textOf(linesOf(missingValues).filter((x) => !lost.has(x)));
}

/** The draft as its schema has to say it. */
export function marked(draft: SchemaDraft): SchemaDraft {
  if (!draft.learnt?.length) return draft;
  const learnt = learntOf(draft);
  const names = new Set(learnt.flatMap((l) => l.columns));
  const mark = <T extends SchemaDraft["columns"][number] | SchemaDraft["label"]>(c: T): T =>
    names.has(nameInFile(c)) ? { ...c, marked: true } : c;
  return {
    ...draft,
    columns: draft.columns.map(mark),
    label: mark(draft.label),
    missingValues: withoutLearnt(draft, learnt),
  };
}

/** The person says that these were known without looking at the file. */
export function knewBeforehand(draft: SchemaDraft, known: readonly Learnt[]): SchemaDraft {
  const { learnt = [], ...rest } = draft;
  const left = learnt.filter((l) => !known.includes(l));
  return left.length === 0 ? rest : { ...rest, learnt: left };
}

/**
 * What still stands as read from the file among what will be in the schema: names of columns, and
 * of the label.
 */
export function unconfirmed(draft: SchemaDraft): string[] {
  const { label, ...rest } = marked(draft);
  const names = included({ ...rest, label })
    .filter((c) => provenanceOf(c) === "suggested")
    .map((c) => c.name);
  return provenanceOf(label) === "suggested" ? [...names, label.name] : names;
}

/** "999, −1" */
export const spelt = (learnt: readonly Learnt[]): string =>
  learnt.map((l) => l.spelling.replace(/^-(?=\d)/, "−")).join(", ");
