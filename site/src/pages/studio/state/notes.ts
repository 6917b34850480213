// What is kept of unfinished work for the next visit, as values: see ../notes for how.

import type { BudgetDraft } from "../account/budget.ts";
import type { ColumnDraft, LabelDraft, SchemaDraft } from "../draft/draft.ts";
import type { LabelHint, Method, Origin } from "./choices.ts";

/**
 * A column that the person said something about: that it is left out, what becomes of a missing
 * value, or, of one that is publicly known, all of it.
 */
export type ColumnNote = Pick<ColumnDraft, "name" | "place" | "include"> &
  Partial<Pick<ColumnDraft, "missing" | "unknown">> & { readonly known?: Known<ColumnDraft> };

/** What is publicly known, or bought, without what was read or was there of another kind. */
export type Known<T extends ColumnDraft | LabelDraft> = Partial<T> & Pick<T, "from">;

export interface Notes {
  /** Those of version 1 told what was read from what was entered by marks that could be lost. */
  readonly version: 2;
  /** The names of the files that it is about. */
  readonly names: readonly string[];
  readonly time: string;
  readonly budget: BudgetDraft;
  /** About how many rows there are, as the person has it. */
  readonly records: string;
  readonly method: Method;
  readonly hint: LabelHint;
  readonly rows: Pick<SchemaDraft, "norm" | "intercept" | "missingValues" | "emptyIsMissing">;
  readonly columns: readonly ColumnNote[];
  readonly label: Pick<LabelDraft, "name" | "place"> & {
    readonly known?: Known<LabelDraft>;
  };
  /** A description that owes nothing to the file is kept whole. */
  readonly whole?: { readonly draft: SchemaDraft; readonly origin: Origin };
}

/** What the page knows of notes. */
export interface NotesState {
  /** From an earlier visit, about a file that was not chosen again yet. */
  readonly found: Notes | null;
  /** There were some of an earlier version of the page, and they were deleted. */
  readonly outdated?: true;
  /** `unable`: this browser has no place for them. `off`: the person does not want them. */
  readonly keeping: "on" | "off" | "unable";
}

export const firstNotes: NotesState = { found: null, keeping: "on" };
