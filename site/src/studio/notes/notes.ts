// What is kept of unfinished work: what the person entered about a file, and nothing that was read from it.

import type { BudgetDraft } from "../budget.ts";
import { chooseLabel } from "../draft/edit.ts";
import type { ColumnDraft, LabelDraft, SchemaDraft } from "../draft/draft.ts";
import type { LabelHint, Method, Origin, State } from "../state.ts";

/** A column that the person said something about: that it is left out, what becomes of a missing value, or, of one that is publicly known, all of it. */
type ColumnNote = Pick<ColumnDraft, "name" | "include" | "missing" | "unknown"> & { readonly known?: Omit<ColumnDraft, "id" | "read"> };

export interface Notes {
  readonly version: 1;
  /** The names of the files that it is about. */
  readonly names: readonly string[];
  readonly time: string;
  readonly budget: BudgetDraft;
  /** About how many rows there are, as the person has it; notes of earlier versions of the page lack it. */
  readonly records?: string;
  readonly method: Method;
  readonly hint: LabelHint;
  readonly rows: Pick<SchemaDraft, "norm" | "intercept" | "missingValues" | "emptyIsMissing">;
  readonly columns: readonly ColumnNote[];
  readonly label: { readonly name: string; readonly known?: Omit<LabelDraft, "read"> };
  /** A description that owes nothing to the file is kept whole. */
  readonly whole?: { readonly draft: SchemaDraft; readonly origin: Origin };
}

const owesNothing = ({ columns, label }: SchemaDraft): boolean => !label.read && columns.every((c) => !c.read);

/** What there is to note of the open file; null if nothing. */
export function notesOf({ source, draft, budget, expectation, method, hint, origin }: State): Notes | null {
  if (source?.kind !== "file" || !draft) return null;
  const { norm, intercept, missingValues, emptyIsMissing, columns, label } = draft;
  const { read: _, ...known } = label;
  return {
    version: 1,
    names: source.names,
    time: new Date().toISOString(),
    budget,
    records: expectation.records,
    method,
    hint,
    rows: { norm, intercept, missingValues, emptyIsMissing },
    columns: columns.filter(hasWord).map(columnNote),
    label: { name: label.name, ...(label.provenance !== "suggested" && { known }) },
    ...(owesNothing(draft) && { whole: { draft, origin } }),
  };
}

/** Whether the person has said something about it. A suggestion leaves records without a value out, and refuses categories that it does not know. */
function hasWord({ provenance, include, missing, unknown }: ColumnDraft): boolean {
  return provenance !== "suggested" || !include || missing.action !== "drop" || unknown.action !== "error";
}

function columnNote({ id: _, read: __, ...column }: ColumnDraft): ColumnNote {
  const { name, include, missing, unknown, provenance } = column;
  // A category that was read from the file may stand in a rule.
  const own = (rule: ColumnDraft["missing"]) => (rule.action === "category" ? { action: "error" as const, value: "" } : rule);
  return { name, include, ...(provenance === "suggested" ? { missing: own(missing), unknown: own(unknown) } : { missing, unknown, known: column }) };
}

/** What was read from the file, with what had been entered about it. */
export function withNotes(read: SchemaDraft, { rows, columns, label }: Notes): SchemaDraft {
  const other = read.label.name === label.name ? undefined : read.columns.find((c) => c.name === label.name);
  const draft = other ? chooseLabel(read, other.id) : read;
  const left = new Map(columns.map((c) => [c.name, c]));
  const merged = draft.columns.map((c): ColumnDraft => {
    const note = left.get(c.name);
    if (!note) return c;
    left.delete(c.name);
    const { known, ...said } = note;
    return { ...c, ...said, ...known };
  });
  // Those that the person added have no counterpart.
  let { next } = draft;
  for (const { known } of left.values()) if (known?.added) merged.push({ ...known, id: `c${next++}` });
  return {
    ...draft,
    ...rows,
    columns: merged,
    label: label.known && label.known.name === draft.label.name ? { ...draft.label, ...label.known } : draft.label,
    next,
  };
}
