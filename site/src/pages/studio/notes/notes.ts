// What is kept of unfinished work for the next visit: what the person entered about a file, and
// nothing that was read from it.

import { chooseLabel, freeRule } from "../draft/edit.ts";
import {
  type ColumnDraft,
  emptyColumn,
  type LabelDraft,
  linesOf,
  type Part,
  type RuleDraft,
  type SchemaDraft,
} from "../draft/draft.ts";
import { withoutLearnt } from "../draft/learnt.ts";
import { nameInFile } from "../draft/places.ts";
import { merged, partOf, provenanceOf, sourceOf, wasRead } from "../draft/source.ts";
import type { ColumnNote, Known, Notes } from "../state/notes.ts";
import type { State } from "../state/state.ts";

const owesNothing = ({ columns, label, learnt = [] }: SchemaDraft): boolean =>
  learnt.length === 0 && ![label, ...columns].some(wasRead);

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
  return {
    version: 2,
    names: source.names,
    time: new Date().toISOString(),
    budget,
    records: accuracy.records,
    method,
    hint,
    rows: { norm, intercept, missingValues: withoutLearnt(draft), emptyIsMissing },
    columns: columns.flatMap((c) => columnNote(c) ?? []),
    label: {
      ...named(label),
      ...(provenanceOf(label) !== "suggested" && { known: knownOf(label) }),
    },
    ...(owesNothing(draft) && { whole: { draft, origin } }),
  };
}

/** A column of a file without a header is known by its place. */
const named = ({ name, place }: Pick<ColumnDraft, "name" | "place">) => ({
  name,
  ...(place !== undefined && { place }),
});

/** What stands in the fields of each kind of values. */
const fields = {
  bounds: ["min", "max"],
  categories: ["categories"],
  two: ["negative", "positive"],
  classes: ["classes"],
} as const;

/**
 * Of one of which something was read: the fields of the values that it has at the moment alone, and
 * what was said and bought of them. What is in the others nobody looks at.
 */
function knownOf<T extends ColumnDraft | LabelDraft>(c: T): Known<T> {
  if (!wasRead(c)) return c;
  const part = partOf(c);
  const { read: _, ...source } = sourceOf(c);
  const others = (Object.keys(fields) as Part[]).filter((one) => one !== part);
  const hidden = new Set<string>(others.flatMap((one) => fields[one]));
  const kept = Object.entries(c).filter(([name]) => !hidden.has(name) && name !== "proposed");
  return { ...(Object.fromEntries(kept) as Partial<T>), from: { [part]: source } } as Known<T>;
}

/**
 * What the person has said about a column; null if nothing. Of one that is marked, a rule that was
 * proposed is left out, and so is one that names a category: it may be the file's.
 */
function columnNote(c: ColumnDraft): ColumnNote | null {
  const { include, proposed } = c;
  const list = linesOf(c.categories);
  const suggested = provenanceOf(c) === "suggested";
  const told = (rule: RuleDraft, usual?: RuleDraft) =>
    rule.action === "category"
      ? !suggested && list.includes(rule.value)
      : !suggested || rule.action !== usual?.action || rule.value !== usual.value;
  const { missing, unknown, ...rest } = c;
  const rules = {
    ...(told(missing, proposed?.missing) && { missing }),
    ...(told(unknown, { action: "error", value: "" }) && { unknown }),
  };
  if (!suggested) {
    const { id: _, ...known } = knownOf({ ...rest, ...rules } as ColumnDraft);
    return { ...named(c), include, known };
  }
  const said = Object.keys(rules).length > 0 || !include || nameInFile(c) !== c.name.trim();
  return said ? { ...named(c), include, ...rules } : null;
}

/** What was read, with what is known of it. */
const over = <T extends ColumnDraft | LabelDraft>(read: T, known?: Known<T>): T => ({
  ...read,
  ...known,
  from: merged(read.from, known?.from ?? {}),
});

/** What was read from the file, with what had been entered about it. */
export function withNotes(read: SchemaDraft, { rows, columns, label }: Notes): SchemaDraft {
  const other =
    nameInFile(read.label) === nameInFile(label)
      ? undefined
      : read.columns.find((c) => nameInFile(c) === nameInFile(label));
  const draft = other ? chooseLabel(read, other.id) : read;
  const left = new Map(columns.map((c) => [nameInFile(c), c]));
  const all = draft.columns.map((c): ColumnDraft => {
    const note = left.get(nameInFile(c));
    if (!note) return c;
    left.delete(nameInFile(c));
    const { known, ...said } = note;
    const told = { ...c, ...said };
    // Where the note has no rule, the one that was proposed is the file's.
    return over(known ? { ...told, missing: freeRule(told) } : told, known);
  });
  // Those that the person added have no counterpart.
  let { next } = draft;
  for (const { known } of left.values())
    if (known?.added) all.push({ ...emptyColumn(`c${next}`), ...known, id: `c${next++}` });
  return {
    ...draft,
    ...rows,
    columns: all,
    label:
      nameInFile(label) === nameInFile(draft.label)
        ? over({ ...draft.label, name: label.name }, label.known)
        : draft.label,
    next,
  };
}
