// Where what is said of a column comes from: the person, the rows, or a purchase. Nothing else
// decides whether it is public. Values and their sources go together (./draft.ts), and this is
// worked out anew from both whenever it is asked, so no sequence of edits can lose it.

import type { Provenance } from "../../../client/types.ts";
import {
  type ColumnDraft,
  included,
  type LabelDraft,
  linesOf,
  type Part,
  type SchemaDraft,
  type Source,
  type Sources,
  textOf,
  type Values,
} from "./draft.ts";
import { parseNumber } from "./number.ts";

/** What values a column, or the label, has at the moment. */
export function partOf(c: ColumnDraft | LabelDraft): Part {
  if ("kind" in c) return c.kind === "numeric" ? "bounds" : c.kind;
  return c.type === "numeric" ? "bounds" : "categories";
}

/** The source of the values that it has at the moment. */
export const sourceOf = (c: ColumnDraft | LabelDraft): Source => c.from[partOf(c)] ?? {};

/** Whether anything was read of it, whatever it is at the moment. */
export const wasRead = ({ from }: { readonly from: Sources }): boolean =>
  Object.values(from).some(({ read }) => read !== undefined);

/** Whether anything of it was read or bought, whatever it is at the moment. */
export const hasSource = ({ from }: { readonly from: Sources }): boolean =>
  Object.values(from).some(({ read, bought }) => read ?? bought);

/**
 * Whether its values are public, bought or of the rows.
 *
 * - What the person says of these very values decides.
 * - Where a bound or category is left that was bought, each other has to be bought too, or one that
 *   was not read.
 * - What was not read is public.
 * - Of a column that was read, bounds are public that both differ from every number that was read,
 *   as a bound or as a category. A list of texts cannot be judged so.
 */
export function provenanceOf(c: ColumnDraft | LabelDraft): Provenance {
  const { bought, said } = sourceOf(c);
  if (c.marked || said === "rows") return "suggested";
  if (said) return "public";
  if (bought && hasOf(c, bought)) return keeps(c, bought) ? "bought" : "suggested";
  return !wasRead(c) || replaced(c) ? "public" : "suggested";
}

/**
 * Whether something was read of it, and its values are public or bought by themselves, not by the
 * person's word.
 */
export const isFree = (c: ColumnDraft): boolean =>
  wasRead(c) && sourceOf(c).said === undefined && provenanceOf(c) !== "suggested";

/** Whether one of its values at least was bought. */
function hasOf(c: ColumnDraft | LabelDraft, bought: Values): boolean {
  if ("categories" in c && bought.categories !== undefined) {
    const theirs = linesOf(bought.categories);
    return linesOf(c.categories).some((x) => theirs.includes(x));
  }
  return (["min", "max"] as const).some((part) => {
    const x = parseNumber(c[part]);
    return x !== null && x === parseNumber(bought[part]);
  });
}

function keeps(c: ColumnDraft | LabelDraft, bought: Values): boolean {
  if ("categories" in c && bought.categories !== undefined) {
    const mine = linesOf(bought.categories);
    const theirs = linesOf(sourceOf(c).read?.categories ?? "");
    return linesOf(c.categories).every((x) => mine.includes(x) || !theirs.includes(x));
  }
  const seen = numbersRead(c);
  return (["min", "max"] as const).every((part) => {
    const x = parseNumber(c[part]);
    return x === parseNumber(bought[part]) || !seen.includes(x);
  });
}

function replaced(c: ColumnDraft | LabelDraft): boolean {
  if (!("type" in c) || c.type !== "numeric") return false;
  const seen = numbersRead(c);
  return [c.min, c.max].map(parseNumber).every((x) => x !== null && !seen.includes(x));
}

/** All numbers that were read of it, as bounds or as texts. */
const numbersRead = ({ from }: ColumnDraft | LabelDraft): (number | null)[] =>
  Object.values(from)
    .flatMap(({ read }: Source) =>
      read ? [read.min, read.max, ...(read.earlier ?? []), ...linesOf(read.categories ?? "")] : [],
    )
    .flatMap((text) => parseNumber(text) ?? []);

/** What was read of any of these lists of texts. */
export function textsRead(...sources: readonly (Source | undefined)[]): Pick<Source, "read"> {
  const lists = sources.flatMap((source) => source?.read?.categories ?? []);
  const all = [...new Set(lists.flatMap(linesOf))];
  return lists.length === 0 ? {} : { read: { min: "", max: "", categories: textOf(all) } };
}

/** The same with something else said of its values. */
export function saying<T extends ColumnDraft | LabelDraft>(c: T, said: Source["said"]): T {
  const { said: _, ...rest } = sourceOf(c);
  return withSource(c, said ? { ...rest, said } : rest);
}

/** The same with another source of its values. */
export const withSource = <T extends ColumnDraft | LabelDraft>(c: T, source: Source): T => ({
  ...c,
  from: { ...c.from, [partOf(c)]: source },
});

/**
 * The source of texts that are used for something else: what was bought of categories is no
 * purchase of classes, and has to be confirmed as what was read has.
 */
export function sourceElsewhere(source: Source = {}): Source {
  const { read = source.bought, said } = source;
  return { ...(read && { read: plain(read) }), ...(said && { said }) };
}

/** Both sources of a column: what was read of one, and what was said and bought of the other. */
export function merged(read: Sources, known: Sources): Sources {
  const all = { ...read };
  for (const part of Object.keys(known) as Part[]) all[part] = { ...read[part], ...known[part] };
  return all;
}

const plain = ({ min, max, categories }: Values): Values =>
  categories === undefined ? { min, max } : { min, max, categories };

/** Values as they are put in place. */
export const valuesOf = ({ min, max, categories }: Values): Partial<Values> =>
  categories === undefined ? { min, max } : { categories };

/** What is read from the file, by its own sources, and still waits for a decision. */
export function undecided(draft: SchemaDraft): (ColumnDraft | LabelDraft)[] {
  return [...included(draft), draft.label].filter(
    (c) => provenanceOf(c) === "suggested" && !c.decision,
  );
}

/** What can be bought about a column. */
export type Purchasable = "bounds" | "categories";

/** What of a column can be bought. */
export const purchasableOf = (c: ColumnDraft | LabelDraft): Purchasable =>
  "type" in c && c.type === "categorical" ? "categories" : "bounds";

/** Whose bounds or categories the person wants to buy: columns by id, and the label as "label". */
export function wanted(
  draft: SchemaDraft,
  item: Purchasable,
): { readonly id: string; readonly name: string }[] {
  const asked = (c: ColumnDraft | LabelDraft) =>
    partOf(c) === item && provenanceOf(c) === "suggested" && c.decision === "buy";
  const columns = included(draft).filter(asked);
  return [
    ...columns.map(({ id, name }) => ({ id, name: name.trim() })),
    ...(asked(draft.label) ? [{ id: "label", name: draft.label.name }] : []),
  ];
}
