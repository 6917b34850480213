// Every change that the editor makes to a draft, each as a pure function.

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
  type Source,
  type Sources,
  textOf,
} from "./draft.ts";
import {
  isFree,
  provenanceOf,
  purchasableOf,
  saying,
  sourceElsewhere,
  sourceOf,
  textsRead,
  undecided,
  valuesOf,
  wasRead,
} from "./source.ts";

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

/** Changes a column. What its values come from then, ./source.ts says. */
export function changeColumn(draft: SchemaDraft, id: string, change: ColumnChange): SchemaDraft {
  return withColumn(draft, id, (before) => {
    const after = afterTyping({ ...before, ...change }, change);
    return after.type === before.type
      ? after
      : { ...after, missing: keptRule(after.missing), unknown: keptRule(after.unknown) };
  });
}

/**
 * What the person says, as it is after something was typed. Who says why a column is public says
 * that it is, and typing is taken back as easily: without its reason the column is what it was.
 * Values that are typed over are not kept as the rows'.
 */
function afterTyping<T extends ColumnDraft | LabelDraft>(
  c: T,
  change: { readonly reason?: string } & object,
): T {
  const { said } = sourceOf(c);
  if (change.reason !== undefined) {
    if (change.reason.trim() === "") return { ...c, from: withoutReason(c.from) };
    return provenanceOf(c) === "suggested" ? saying(c, "reason") : c;
  }
  return said === "rows" && ["min", "max", "categories"].some((part) => part in change)
    ? saying(c, undefined)
    : c;
}

/** Without what a reason was typed for, of whatever the column was then. */
function withoutReason(from: Sources): Sources {
  const kept = Object.entries(from).map(([part, { said, ...rest }]: [string, Source]) => [
    part,
    said === undefined || said === "reason" ? rest : { ...rest, said },
  ]);
  return Object.fromEntries(kept) as Sources;
}

/** Says why a column is public, or the label. */
export function sayWhy(draft: SchemaDraft, id: string, reason: string): SchemaDraft {
  return id === "label"
    ? { ...draft, label: afterTyping({ ...draft.label, reason }, { reason }) }
    : changeColumn(draft, id, { reason });
}

/** The rules that mean the same for numbers and for categories outlive a change of type. */
function keptRule(rule: RuleDraft): RuleDraft {
  return rule.action === "drop" || rule.action === "indicator"
    ? rule
    : { action: "error", value: "" };
}

/**
 * Where bounds or categories come from, as the person has it: public knowledge, what was bought, or
 * what was read, to be bought or kept.
 */
export type ProvenanceChoice = "public" | "bought" | Decision;

/** Says where a column's bounds or categories come from, or the label's bounds. */
export function decide(draft: SchemaDraft, id: string, choice: ProvenanceChoice): SchemaDraft {
  if (id === "label") return { ...draft, label: decided(draft.label, choice) };
  return withColumn(draft, id, (c) => decided(c, choice));
}

function decided<T extends ColumnDraft | LabelDraft>(c: T, choice: ProvenanceChoice): T {
  const { bought, read } = sourceOf(c);
  if (choice === "public") return saying(c, "word");
  if (choice === "bought") return bought ? { ...saying(c, undefined), ...valuesOf(bought) } : c;
  return {
    ...saying(c, "rows"),
    decision: choice,
    ...(bought && read && valuesOf(read)),
  };
}

/**
 * What is done about missing values, without what the file said. The rule that was proposed tells
 * whether there are any, and no mark would be left that says so. So a column whose values are no
 * longer the file's has an indicator, whatever the file has, unless the person chose another rule.
 */
export function freeRule({ missing, proposed }: ColumnDraft): RuleDraft {
  const action = proposed?.missing.action;
  const suggested = action === "drop" || action === "indicator";
  return suggested && missing.action === action ? { action: "indicator", value: "" } : missing;
}

/**
 * The rule, and the scale: a logarithmic one that was proposed is taken back, since no mark would
 * be left that says that the file proposed it. Who knows better chooses it again.
 */
const free = (c: ColumnDraft): Pick<ColumnDraft, "missing" | "log"> => ({
  missing: freeRule(c),
  log: c.log && !c.proposed?.log,
});

/** What is not the rows' by its values has rules of its own. */
const withRules = (c: ColumnDraft): ColumnDraft => forBought({ ...c, ...free(c) });

/**
 * Bought categories are those that many share: the others have to count as something, and no rule
 * can name one that is not listed.
 */
function forBought(c: ColumnDraft): ColumnDraft {
  if (provenanceOf(c) !== "bought" || purchasableOf(c) !== "categories") return c;
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
  const part = bought.categories === undefined ? "bounds" : "categories";
  const put = <T extends ColumnDraft | LabelDraft>({ decision: _, ...c }: T): T => {
    const { said: __, ...source } = c.from[part] ?? {};
    return {
      ...(c as unknown as T),
      ...valuesOf(bought),
      from: { ...c.from, [part]: { ...source, bought } },
    };
  };
  if (id === "label") return { ...draft, label: put(draft.label) };
  return withColumn(draft, id, (c) => forBought(put(c)));
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
        ? { ...saying(c, "word"), ...why }
        : !chosen && c.include && wasRead(c) && provenanceOf(c) === "public"
          ? saying(c, "word")
          : c,
    ),
    label: is(draft.label) ? { ...saying(draft.label, "word"), ...why } : draft.label,
  };
}

type LabelChange = Partial<
  Pick<
    LabelDraft,
    "name" | "place" | "negative" | "positive" | "classes" | "min" | "max" | "missing"
  >
>;

/** Changes the label, as {@link changeColumn} does a column. */
export function changeLabel(draft: SchemaDraft, change: LabelChange): SchemaDraft {
  return { ...draft, label: afterTyping({ ...draft.label, ...change }, change) };
}

/**
 * Marks the label as public knowledge, or takes that back. A label that never came from the file
 * stays public.
 */
export const confirmLabel = (draft: SchemaDraft, known: boolean): SchemaDraft => ({
  ...draft,
  label: saying(draft.label, known ? "word" : undefined),
});

export function changeRows(
  draft: SchemaDraft,
  change: Partial<Pick<SchemaDraft, "norm" | "intercept" | "missingValues" | "emptyIsMissing">>,
): SchemaDraft {
  return { ...draft, ...change };
}

/**
 * Says what the label is. Of two outcomes, or of several classes, what is known is carried over to
 * the other kind, and where it comes from, but not what was said of it: the spellings of two
 * outcomes are classes of their own, and of several classes the first is positive. What was read of
 * either stays read.
 */
export function changeKind(draft: SchemaDraft, kind: LabelKind): SchemaDraft {
  const { label } = draft;
  const before = label.kind === "two" ? "two" : "classes";
  const outcomes =
    before === "two"
      ? [...linesOf(label.negative), ...linesOf(label.positive)].map((x) => [x])
      : classesOf(label.classes);
  const [first = [], ...rest] = outcomes;
  const carried =
    label.kind === "numeric" || kind === before
      ? null
      : kind === "classes" && label.classes === ""
        ? { classes: classesText(outcomes) }
        : kind === "two" && label.positive === "" && label.negative === ""
          ? { positive: textOf(first), negative: textOf(rest.flat()) }
          : null;
  const { said: _, ...source } = label.from[before] ?? {};
  const both = { ...source, ...textsRead(label.from.two, label.from.classes) };
  return {
    ...draft,
    label: {
      ...label,
      kind,
      ...carried,
      ...(carried && { from: { ...label.from, [kind]: both } }),
    },
  };
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
  const { label: before } = draft;
  const gone = before.name === "" && !wasRead(before);
  return {
    ...draft,
    columns: draft.columns.flatMap((c) =>
      c.id !== id ? [c] : gone ? [] : [columnOf(before, `c${draft.next}`)],
    ),
    label: labelOf(chosen),
    next: draft.next + 1,
  };
}

const placeOf = ({ place }: ColumnDraft | LabelDraft) => place !== undefined && { place };
const reasonOf = ({ reason }: ColumnDraft | LabelDraft) => reason !== undefined && { reason };

/** A column as the label. */
function labelOf(chosen: ColumnDraft): LabelDraft {
  const { name, from, min, max } = chosen;
  const numeric = chosen.type === "numeric";
  const categories = linesOf(chosen.categories);
  const several = !numeric && categories.length > 2;
  const [negative, positive] = categories;
  const one = (text: string | undefined) => (several || text === undefined ? "" : textOf([text]));
  return {
    name,
    ...placeOf(chosen),
    kind: numeric ? "numeric" : several ? "classes" : "two",
    negative: one(negative),
    positive: one(positive),
    classes: several ? classesText(categories.map((x) => [x])) : "",
    min: numeric ? min : "",
    max: numeric ? max : "",
    missing: "error",
    ...reasonOf(chosen),
    from: {
      ...(from.bounds && { bounds: from.bounds }),
      ...(from.categories && { [several ? "classes" : "two"]: sourceElsewhere(from.categories) }),
    },
  };
}

/**
 * A label as a column that is left out. What was read of outcomes and of classes was read of its
 * categories, whichever of the two it is at the moment.
 */
function columnOf(label: LabelDraft, id: string): ColumnDraft {
  const { added: _, ...empty } = emptyColumn(id);
  const { name, kind, min, max, from } = label;
  const texts = {
    two: [label.negative, label.positive].flatMap(linesOf),
    classes: classesOf(label.classes).flat(),
  };
  const said = kind === "numeric" ? {} : from[kind];
  const source: Source = { ...said, ...textsRead(from.two, from.classes) };
  return {
    ...empty,
    name,
    ...placeOf(label),
    include: false,
    ...reasonOf(label),
    ...(kind === "numeric"
      ? { type: "numeric", min, max }
      : { type: "categorical", categories: textOf(texts[kind]) }),
    from: {
      ...(from.bounds && { bounds: from.bounds }),
      categories: source,
    },
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

/** Changes a column. One that is not the rows' any more, by its values, has rules of its own. */
function withColumn(
  draft: SchemaDraft,
  id: string,
  change: (c: ColumnDraft) => ColumnDraft,
): SchemaDraft {
  const changed = (before: ColumnDraft) => {
    const after = change(before);
    return isFree(after) && !isFree(before) ? withRules(after) : after;
  };
  return { ...draft, columns: draft.columns.map((c) => (c.id === id ? changed(c) : c)) };
}
