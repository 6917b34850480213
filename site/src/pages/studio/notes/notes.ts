// What is kept of unfinished work for the next visit: what the person entered about a file, and
// nothing that was read from it.

import { chooseLabel } from "../draft/edit.ts";
import type { ColumnDraft, LabelDraft, SchemaDraft } from "../draft/draft.ts";
import { withoutLearnt } from "../draft/learnt.ts";
import { nameInFile } from "../draft/places.ts";
import type { ColumnNote, Notes } from "../state/notes.ts";
import type { State } from "../state/state.ts";

const owesNothing = ({ columns, label, learnt = [] }: SchemaDraft): boolean =>
  learnt.length === 0 && !label.read && columns.every((c) => !c.read);

/** What there is to note of the open file; null if nothing. */
export function notesOf({
  source,
  draft,
  budget,
  accuracy,
  method,
  hint,
  origin,
}: State): Notes | null {
  if (source?.kind !== "file" || !draft) return null;
  const { norm, intercept, emptyIsMissing, columns, label } = draft;
  const known = knownOf(label);
  return {
    version: 1,
    names: source.names,
    time: new Date().toISOString(),
    budget,
    records: accuracy.records,
    method,
    hint,
    rows: { norm, intercept, missingValues: withoutLearnt(draft), emptyIsMissing },
    columns: columns.filter(hasWord).map(columnNote),
    label: { ...named(label), ...(label.provenance !== "suggested" && { known }) },
    ...(owesNothing(draft) && { whole: { draft, origin } }),
  };
}

/** A column of a file without a header is known by its place. */
const named = ({ name, place }: Pick<ColumnDraft, "name" | "place">) => ({
  name,
  ...(place !== undefined && { place }),
});

/**
 * Whether the person has said something about it. A suggestion leaves records without a value out,
 * and refuses categories that it does not know.
 */
function hasWord(column: ColumnDraft): boolean {
  const { provenance, include, missing, unknown } = column;
  return (
    nameInFile(column) !== column.name.trim() ||
    provenance !== "suggested" ||
    !include ||
    missing.action !== "drop" ||
    unknown.action !== "error"
  );
}

/** The label but for what the file gave away of a kind that it is not. */
function knownOf({ read, ...label }: LabelDraft): Omit<LabelDraft, "read"> {
  return {
    ...label,
    ...(read && label.kind !== "two" && { negative: "", positive: "" }),
    ...(read && label.kind !== "classes" && { classes: "" }),
    ...(read && label.kind !== "numeric" && { min: "", max: "" }),
  };
}

/** Of a type that the column is not, too. */
function columnNote({ id: _, read, ...values }: ColumnDraft): ColumnNote {
  const other = values.type === "numeric" ? { categories: "" } : { min: "", max: "" };
  const column = read ? { ...values, ...other } : values;
  const { include, missing, unknown, provenance } = column;
  // A category that was read from the file may stand in a rule.
  const own = (rule: ColumnDraft["missing"]) =>
    rule.action === "category" ? { action: "error" as const, value: "" } : rule;
  return {
    ...named(column),
    include,
    ...(provenance === "suggested"
      ? { missing: own(missing), unknown: own(unknown) }
      : { missing, unknown, known: column }),
  };
}

/** What was read from the file, with what had been entered about it. */
export function withNotes(read: SchemaDraft, { rows, columns, label }: Notes): SchemaDraft {
  const other =
    nameInFile(read.label) === nameInFile(label)
      ? undefined
      : read.columns.find((c) => nameInFile(c) === nameInFile(label));
  const draft = other ? chooseLabel(read, other.id) : read;
  const left = new Map(columns.map((c) => [nameInFile(c), c]));
  const merged = draft.columns.map((c): ColumnDraft => {
    const note = left.get(nameInFile(c));
    if (!note) return c;
    left.delete(nameInFile(c));
    const { known, ...said } = note;
    return { ...c, ...said, ...known };
  });
  // Those that the person added have no counterpart.
  let { next } = draft;
  for (const { known } of left.values())
    if (known?.added) merged.push({ ...known, id: `c${next++}` });
  return {
    ...draft,
    ...rows,
    columns: merged,
    label:
      nameInFile(label) === nameInFile(draft.label)
        ? { ...draft.label, name: label.name, ...label.known }
        : draft.label,
    next,
  };
}
