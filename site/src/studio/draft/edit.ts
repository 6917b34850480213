// Every change that the editor makes to a draft, each as a pure function.

import type { Provenance } from "../../client/types.ts";
import { parseNumber } from "./check.ts";
import { classesOf, classesText, type ColumnDraft, emptyColumn, type LabelDraft, type LabelKind, linesOf, type RuleDraft, type SchemaDraft, textOf } from "./draft.ts";

type ColumnChange = Partial<Pick<ColumnDraft, "name" | "include" | "type" | "min" | "max" | "log" | "categories" | "missing" | "unknown">>;

/**
 * Changes a column. Bounds that were read from the file count as replaced, and the column as public, once both have been
 * changed by the person: then nothing of the file's is left in it. A list of categories cannot be judged so: it stays
 * marked until it is confirmed.
 */
export function changeColumn(draft: SchemaDraft, id: string, change: ColumnChange): SchemaDraft {
  return withColumn(draft, id, (before) => {
    const after = { ...before, ...change };
    if (after.type !== before.type) return { ...after, missing: keptRule(after.missing), unknown: keptRule(after.unknown) };
    return change.min !== undefined || change.max !== undefined ? afterBounds(after) : after;
  });
}

/** Says anew whether a column is public because its bounds were replaced. Typing goes through half-written numbers, so this is taken back as easily. */
function afterBounds(column: ColumnDraft): ColumnDraft {
  const replaced = boundsReplaced(column);
  if (replaced && column.provenance === "suggested") return { ...column, provenance: "public", replaced: true };
  if (!replaced && column.replaced) return { ...withoutReplaced(column), provenance: "suggested" };
  return column;
}

function withoutReplaced({ replaced: _, ...column }: ColumnDraft): ColumnDraft {
  return column;
}

/** The rules that mean the same for numbers and for categories outlive a change of type. */
function keptRule(rule: RuleDraft): RuleDraft {
  return rule.action === "drop" ? rule : { action: "error", value: "" };
}

function boundsReplaced(column: ColumnDraft): boolean {
  const read = column.read;
  if (column.type !== "numeric" || !read) return false;
  const [min, max] = [parseNumber(column.min), parseNumber(column.max)];
  return min !== null && max !== null && min !== parseNumber(read.min) && max !== parseNumber(read.max);
}

/** Marks a column as public knowledge, or takes that back. A column that never came from the file stays public. */
export function confirmColumn(draft: SchemaDraft, id: string, known: boolean): SchemaDraft {
  return withColumn(draft, id, (c) => ({ ...withoutReplaced(c), provenance: known || !c.read ? "public" : "suggested" }));
}

/** Confirms everything that will be in the schema at once: the person has read the list. */
export function confirmAll(draft: SchemaDraft): SchemaDraft {
  return {
    ...draft,
    columns: draft.columns.map((c) => (c.include ? { ...withoutReplaced(c), provenance: "public" as Provenance } : c)),
    label: { ...draft.label, provenance: "public" },
  };
}

export function changeLabel(draft: SchemaDraft, change: Partial<LabelDraft>): SchemaDraft {
  return { ...draft, label: { ...draft.label, ...change } };
}

/** Marks the label as public knowledge, or takes that back. A label that never came from the file stays public. */
export function confirmLabel(draft: SchemaDraft, known: boolean): SchemaDraft {
  return changeLabel(draft, { provenance: known || !draft.label.read ? "public" : "suggested" });
}

export function changeRows(draft: SchemaDraft, change: Partial<Pick<SchemaDraft, "norm" | "intercept" | "missingValues" | "emptyIsMissing">>): SchemaDraft {
  return { ...draft, ...change };
}

/**
 * Says what the label is. What is known of the one kind is carried over to the other: the spellings of two outcomes are
 * classes of their own, and of several classes the first is positive.
 */
export function changeKind(draft: SchemaDraft, kind: LabelKind): SchemaDraft {
  const { label } = draft;
  const outcomes = label.kind === "two" ? [...linesOf(label.negative), ...linesOf(label.positive)].map((x) => [x]) : classesOf(label.classes);
  const [first = [], ...rest] = outcomes;
  return changeLabel(draft, {
    kind,
    ...(kind === "classes" && label.classes === "" && { classes: classesText(outcomes) }),
    ...(kind === "two" && label.positive === "" && label.negative === "" && { positive: textOf(first), negative: textOf(rest.flat()) }),
  });
}

/**
 * Makes another column the label: numbers with their bounds, two categories as negative and positive, or more of them as
 * classes, for the person to put right. The former label becomes a column that is left out: it is often a consequence of
 * what is to be predicted, so using it is a decision.
 */
export function chooseLabel(draft: SchemaDraft, id: string): SchemaDraft {
  const chosen = draft.columns.find((c) => c.id === id);
  if (!chosen) return draft;
  const categories = linesOf(chosen.categories);
  const before = draft.label;
  const { added: _, ...empty } = emptyColumn(`c${draft.next}`);
  const former: ColumnDraft = {
    ...empty,
    name: before.name,
    include: false,
    ...(before.kind === "numeric"
      ? { type: "numeric", min: before.min, max: before.max }
      : { type: "categorical", categories: before.kind === "classes" ? textOf(classesOf(before.classes).flat()) : textOf([...linesOf(before.negative), ...linesOf(before.positive)]) }),
    provenance: before.provenance,
  };
  const read = { type: former.type, min: former.min, max: former.max, categories: former.categories };
  const columns = draft.columns.flatMap((c) => {
    if (c.id !== id) return [c];
    if (before.name === "") return [];
    return [before.read ? { ...former, read } : former];
  });
  const [negative, positive] = categories;
  const several = chosen.type === "categorical" && categories.length > 2;
  return {
    ...draft,
    columns,
    label: {
      name: chosen.name,
      kind: chosen.type === "numeric" ? "numeric" : several ? "classes" : "two",
      negative: several || negative === undefined ? "" : textOf([negative]),
      positive: several || positive === undefined ? "" : textOf([positive]),
      classes: several ? classesText(categories.map((x) => [x])) : "",
      min: chosen.type === "numeric" ? chosen.min : "",
      max: chosen.type === "numeric" ? chosen.max : "",
      missing: "error",
      provenance: chosen.provenance,
      ...(chosen.read && { read: true }),
    },
    next: draft.next + 1,
  };
}

/** Exchanges what counts as positive and negative: the probabilities and the signs of all coefficients turn round. */
export function swapClasses(draft: SchemaDraft): SchemaDraft {
  return changeLabel(draft, { negative: draft.label.positive, positive: draft.label.negative });
}

export function addColumn(draft: SchemaDraft): SchemaDraft {
  return { ...draft, columns: [...draft.columns, emptyColumn(`c${draft.next}`)], next: draft.next + 1 };
}

export function removeColumn(draft: SchemaDraft, id: string): SchemaDraft {
  return { ...draft, columns: draft.columns.filter((c) => c.id !== id) };
}

function withColumn(draft: SchemaDraft, id: string, change: (c: ColumnDraft) => ColumnDraft): SchemaDraft {
  return { ...draft, columns: draft.columns.map((c) => (c.id === id ? change(c) : c)) };
}
