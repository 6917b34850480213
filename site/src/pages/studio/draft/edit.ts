// Every change that the editor makes to a draft, each as a pure function.

import type { Provenance } from "../../../client/types.ts";
import { parseNumber } from "./check.ts";
import {
  type BoughtPart,
  classesOf,
  classesText,
  type ColumnDraft,
  type Decision,
  emptyColumn,
  idIn,
  type LabelDraft,
  type LabelKind,
  linesOf,
  type RuleDraft,
  type SchemaDraft,
  purchasableOf,
  textOf,
  undecided,
} from "./draft.ts";

type ColumnChange = Partial<
  Pick<
    ColumnDraft,
    | "name"
    | "place"
    | "include"
    | "type"
    | "min"
    | "max"
    | "log"
    | "categories"
    | "missing"
    | "unknown"
    | "reason"
  >
>;

/**
 * Changes a column. Bounds that were read from the file count as replaced, and the column as
 * public, once both have been changed by the person: then nothing of the file's is left in it. A
 * list of categories cannot be judged so: it stays marked until it is confirmed, or bought.
 */
export function changeColumn(draft: SchemaDraft, id: string, change: ColumnChange): SchemaDraft {
  return withColumn(draft, id, (before) => {
    const after = { ...before, ...change };
    if (after.type !== before.type)
      return {
        ...afterType(after),
        missing: keptRule(after.missing),
        unknown: keptRule(after.unknown),
      };
    if (change.reason !== undefined) return afterReason(after);
    return change.min !== undefined ||
      change.max !== undefined ||
      (change.categories !== undefined && after.bought)
      ? afterValues(after)
      : after;
  });
}

/**
 * Who says why a column is public says that it is. Typing is taken back as easily: without its
 * reason the column is what it was.
 */
function afterReason<T extends ColumnDraft | LabelDraft>(column: T): T {
  const given = (column.reason ?? "").trim() !== "";
  if (given && column.provenance === "suggested")
    return { ...column, provenance: "public", reasoned: true };
  if (given || !column.reasoned) return column;
  const { reasoned: _, ...rest } = column;
  return { ...rest, provenance: "suggested" } as T;
}

/** Says why a column is public, or the label. */
export function sayWhy(draft: SchemaDraft, id: string, reason: string): SchemaDraft {
  return id === "label"
    ? { ...draft, label: afterReason({ ...draft.label, reason }) }
    : changeColumn(draft, id, { reason });
}

/**
 * What was bought of numbers is not of categories: a column that becomes the other is what it was
 * before, and is bought again when it is turned back. Nor is what was said of the one said of the
 * other: a column that is again what the file's values are in is marked as read.
 */
function afterType(column: ColumnDraft): ColumnDraft {
  if (column.provenance === "bought")
    return isBought(column)
      ? column
      : { ...column, provenance: column.read ? "suggested" : "public" };
  return isBought(column) || (column.provenance === "public" && column.read?.type === column.type)
    ? afterValues({ ...withoutReplaced(column), provenance: "suggested" })
    : column;
}

/** Whether there is a purchase of what the column is now. */
export function isBought(c: ColumnDraft | LabelDraft): boolean {
  return (
    c.bought !== undefined &&
    (c.bought.categories === undefined ? "bounds" : "categories") === purchasableOf(c)
  );
}

/**
 * Says anew whether a column is public because its bounds were replaced. Typing goes through
 * half-written numbers, so this is taken back as easily.
 */
function afterValues(column: ColumnDraft): ColumnDraft {
  if (isBought(column) && column.provenance !== "public")
    return { ...column, provenance: keepsBought(column) ? "bought" : "suggested" };
  const replaced = boundsReplaced(column);
  if (replaced && column.provenance === "suggested")
    return { ...column, ...free(column), provenance: "public", replaced: true };
  if (!replaced && column.replaced) {
    const { replaced: _, ...rest } = column;
    return { ...rest, provenance: "suggested" };
  }
  return column;
}

/**
 * Whether nothing of the file's is in what was bought: each bound or category is one that was
 * bought, or was not read.
 */
function keepsBought({ bought, read, ...column }: ColumnDraft): boolean {
  if (bought?.categories !== undefined) {
    const mine = linesOf(bought.categories);
    const theirs = read ? linesOf(read.categories) : [];
    return linesOf(column.categories).every((x) => mine.includes(x) || !theirs.includes(x));
  }
  const same = (
    part: "min" | "max",
    as: { readonly min: string; readonly max: string } | undefined,
  ) => as !== undefined && parseNumber(column[part]) === parseNumber(as[part]);
  return (["min", "max"] as const).every((part) => same(part, bought) || !same(part, read));
}

/** Without what it was public for but the person's own word. */
function withoutReplaced({ replaced: _, reasoned: __, ...column }: ColumnDraft): ColumnDraft {
  return column;
}

/** The rules that mean the same for numbers and for categories outlive a change of type. */
function keptRule(rule: RuleDraft): RuleDraft {
  return rule.action === "drop" || rule.action === "indicator"
    ? rule
    : { action: "error", value: "" };
}

function boundsReplaced(column: ColumnDraft): boolean {
  const read = column.read;
  if (column.type !== "numeric" || !read) return false;
  const [min, max] = [parseNumber(column.min), parseNumber(column.max)];
  return (
    min !== null && max !== null && min !== parseNumber(read.min) && max !== parseNumber(read.max)
  );
}

/**
 * Where bounds or categories come from, as the person has it: public knowledge, what was bought, or
 * what was read, to be bought or kept.
 */
export type ProvenanceChoice = "public" | "bought" | Decision;

/** Says where a column's bounds or categories come from, or the label's bounds. */
export function decide(draft: SchemaDraft, id: string, choice: ProvenanceChoice): SchemaDraft {
  if (id === "label") return changeLabel(draft, decided(draft.label, choice));
  return withColumn(draft, id, (c) => withRules({ ...withoutReplaced(c), ...decided(c, choice) }));
}

function decided(
  { bought, read }: ColumnDraft | LabelDraft,
  choice: ProvenanceChoice,
): Partial<Pick<ColumnDraft, "min" | "max" | "categories" | "provenance" | "decision">> {
  if (choice === "public") return { provenance: choice };
  if (choice === "bought") return bought ? { provenance: choice, ...valuesOf(bought) } : {};
  return {
    provenance: "suggested",
    decision: choice,
    ...(bought &&
      typeof read === "object" &&
      valuesOf(bought.categories === undefined ? { ...read, categories: undefined } : read)),
  };
}

const valuesOf = ({
  min,
  max,
  categories,
}: {
  readonly min: string;
  readonly max: string;
  readonly categories?: string | undefined;
}) => (categories === undefined ? { min, max } : { categories });

/**
 * What is done about missing values, without what the file said. The rule that was proposed tells
 * whether there are any, and no mark would be left that says so. So a column whose values are no
 * longer the file's has an indicator, whatever the file has, unless the person chose another rule.
 */
function freeRule({ missing, read }: ColumnDraft): RuleDraft {
  const proposed = read?.missing;
  const suggested = proposed?.action === "drop" || proposed?.action === "indicator";
  return suggested && missing.action === proposed.action
    ? { action: "indicator", value: "" }
    : missing;
}

/**
 * The rule, and the scale: a logarithmic one that was proposed is taken back, since no mark would
 * be left that says that the file proposed it. Who knows better chooses it again.
 */
const free = (c: ColumnDraft): Pick<ColumnDraft, "missing" | "log"> => ({
  missing: freeRule(c),
  log: c.log && !c.read?.log,
});

/**
 * Bought categories are those that many share: the others have to count as something, and no rule
 * can name one that is not listed.
 */
function withRules(column: ColumnDraft): ColumnDraft {
  if (column.provenance !== "bought") return column;
  const c = { ...column, ...free(column) };
  if (purchasableOf(c) !== "categories") return c;
  const list = linesOf(c.categories);
  const lost = (rule: RuleDraft) => rule.action === "category" && !list.includes(rule.value);
  return {
    ...c,
    ...(lost(c.missing) && { missing: { action: "drop", value: "" } }),
    ...((lost(c.unknown) || c.unknown.action === "error") && {
      unknown: { action: "zero", value: "" },
    }),
  };
}

/** Puts bounds or categories that were bought in place, of a column or of the label. */
export function putBought(draft: SchemaDraft, id: string, bought: BoughtPart): SchemaDraft {
  const put = { ...valuesOf(bought), provenance: "bought" as const, bought };
  const undecided = <T extends { readonly decision?: Decision }>({ decision: _, ...rest }: T) =>
    rest;
  if (id === "label") return { ...draft, label: { ...undecided(draft.label), ...put } };
  return withColumn(draft, id, (c) => withRules({ ...undecided(withoutReplaced(c)), ...put }));
}

/**
 * Confirms what will be in the schema and is undecided, at once: the person has read the list.
 * `chosen` says of which, columns by id and the label as "label"; all of them if left out. The
 * reason is kept with each.
 */
export function confirmAll(
  draft: SchemaDraft,
  chosen?: ReadonlySet<string>,
  reason = "",
): SchemaDraft {
  const open = new Set(undecided(draft).map(idIn));
  const is = (c: ColumnDraft | LabelDraft) => open.has(idIn(c)) && (chosen?.has(idIn(c)) ?? true);
  const why = reason.trim() === "" ? {} : { reason: reason.trim() };
  return {
    ...draft,
    columns: draft.columns.map((c) =>
      is(c)
        ? { ...withoutReplaced(c), ...why, provenance: "public" as Provenance }
        : !chosen && c.include && c.provenance === "public"
          ? withoutReplaced(c)
          : c,
    ),
    label: is(draft.label) ? { ...draft.label, ...why, provenance: "public" } : draft.label,
  };
}

export function changeLabel(draft: SchemaDraft, change: Partial<LabelDraft>): SchemaDraft {
  return { ...draft, label: { ...draft.label, ...change } };
}

/**
 * Marks the label as public knowledge, or takes that back. A label that never came from the file
 * stays public.
 */
export function confirmLabel(draft: SchemaDraft, known: boolean): SchemaDraft {
  const { reasoned: _, ...label } = draft.label;
  return {
    ...draft,
    label: { ...label, provenance: known || !label.read ? "public" : "suggested" },
  };
}

export function changeRows(
  draft: SchemaDraft,
  change: Partial<Pick<SchemaDraft, "norm" | "intercept" | "missingValues" | "emptyIsMissing">>,
): SchemaDraft {
  return { ...draft, ...change };
}

/**
 * Says what the label is. What is known of the one kind is carried over to the other: the spellings
 * of two outcomes are classes of their own, and of several classes the first is positive.
 */
export function changeKind(draft: SchemaDraft, kind: LabelKind): SchemaDraft {
  const { label } = draft;
  const outcomes =
    label.kind === "two"
      ? [...linesOf(label.negative), ...linesOf(label.positive)].map((x) => [x])
      : classesOf(label.classes);
  const [first = [], ...rest] = outcomes;
  return changeLabel(draft, {
    kind,
    provenance: provenanceAs(kind, label),
    ...(kind === "classes" && label.classes === "" && { classes: classesText(outcomes) }),
    ...(kind === "two" &&
      label.positive === "" &&
      label.negative === "" && { positive: textOf(first), negative: textOf(rest.flat()) }),
  });
}

/** What was said or bought of a label of one kind is not of another, as with a column's type. */
function provenanceAs(kind: LabelKind, label: LabelDraft): Provenance {
  if (kind === label.kind) return label.provenance;
  if (label.bought && kind === "numeric") return "bought";
  if (label.read) return "suggested";
  return label.bought ? "public" : label.provenance;
}

/**
 * Makes another column the label: numbers with their bounds, two categories as negative and
 * positive, or more of them as classes, for the person to put right. The former label becomes a
 * column that is left out: it is often a consequence of what is to be predicted, so using it is a
 * decision.
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
    ...(before.place !== undefined && { place: before.place }),
    include: false,
    ...(before.kind === "numeric"
      ? { type: "numeric", min: before.min, max: before.max }
      : {
          type: "categorical",
          categories:
            before.kind === "classes"
              ? textOf(classesOf(before.classes).flat())
              : textOf([...linesOf(before.negative), ...linesOf(before.positive)]),
        }),
    provenance: before.provenance,
    ...(before.bought && { bought: before.bought }),
  };
  const read = {
    type: former.type,
    min: former.min,
    max: former.max,
    categories: former.categories,
  };
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
      ...(chosen.place !== undefined && { place: chosen.place }),
      kind: chosen.type === "numeric" ? "numeric" : several ? "classes" : "two",
      negative: several || negative === undefined ? "" : textOf([negative]),
      positive: several || positive === undefined ? "" : textOf([positive]),
      classes: several ? classesText(categories.map((x) => [x])) : "",
      min: chosen.type === "numeric" ? chosen.min : "",
      max: chosen.type === "numeric" ? chosen.max : "",
      missing: "error",
      // The classes of a label are not bought: what was of the column has to be confirmed.
      provenance:
        chosen.type === "categorical" && chosen.provenance === "bought"
          ? "suggested"
          : chosen.provenance,
      ...((chosen.read || chosen.provenance === "bought") && { read: true }),
      ...(chosen.bought && chosen.type === "numeric" && { bought: chosen.bought }),
    },
    next: draft.next + 1,
  };
}

/**
 * Exchanges what counts as positive and negative: the probabilities and the signs of all
 * coefficients turn round.
 */
export function swapClasses(draft: SchemaDraft): SchemaDraft {
  return changeLabel(draft, { negative: draft.label.positive, positive: draft.label.negative });
}

export function addColumn(draft: SchemaDraft): SchemaDraft {
  return {
    ...draft,
    columns: [...draft.columns, emptyColumn(`c${draft.next}`)],
    next: draft.next + 1,
  };
}

export function removeColumn(draft: SchemaDraft, id: string): SchemaDraft {
  return { ...draft, columns: draft.columns.filter((c) => c.id !== id) };
}

function withColumn(
  draft: SchemaDraft,
  id: string,
  change: (c: ColumnDraft) => ColumnDraft,
): SchemaDraft {
  return { ...draft, columns: draft.columns.map((c) => (c.id === id ? change(c) : c)) };
}
