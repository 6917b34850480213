// A scorecard as it is being described: which columns are its attributes, and into which few levels
// each is divided. Pure values on top of the description of the columns; ./card-edit.ts changes
// them, ./card-check.ts reads them back.

import { type AttributeDraft, type CardDraft, firstCard, type LevelDraft } from "./card-draft.ts";
import { type ColumnDraft, included, linesOf, type SchemaDraft } from "./draft.ts";
import { marked } from "./learnt.ts";
import { parseNumber } from "./number.ts";
import { provenanceOf } from "./source.ts";

/** What a person can add up. */
export const mostAttributes = 8;

/** So many attributes are taken until the person chooses. */
const fewAttributes = 5;

export const cardOf = ({ card = firstCard }: SchemaDraft): CardDraft => card;

/** Whether a scorecard is made: a card says yes or no, so its label has two values. */
export const makesCard = (draft: SchemaDraft | null): boolean =>
  draft !== null && draft.label.kind === "two" && cardOf(draft).making;

/** The columns that are attributes of the card, in the order of the table. */
export function attributesOf(draft: SchemaDraft): ColumnDraft[] {
  const { chosen } = cardOf(draft);
  const columns = included(draft);
  return chosen ? columns.filter(({ id }) => chosen.includes(id)) : columns.slice(0, fewAttributes);
}

/** The draft as if the card's attributes were all that is used of it. */
export function ofCard(draft: SchemaDraft): SchemaDraft {
  const kept = attributesOf(draft);
  return {
    ...draft,
    columns: draft.columns.map((c) => (kept.includes(c) ? c : { ...c, include: false })),
  };
}

export const enteredOf = (draft: SchemaDraft, id: string): AttributeDraft =>
  cardOf(draft).entered[id] ?? {};

/**
 * Cut points at the thirds of the bounds, in round numbers; on a log scale, of the ratio. They come
 * from the bounds alone, so they tell what these tell. Empty while there are no bounds.
 */
export function proposedCuts({ min, max, log }: ColumnDraft): number[] {
  const [low, high] = [parseNumber(min), parseNumber(max)];
  if (low === null || high === null || low >= high) return [];
  const at = (share: number) =>
    log && low > 0 ? low * (high / low) ** share : low + share * (high - low);
  for (const digits of [2, 3, 4]) {
    const cuts = [1 / 3, 2 / 3].map((share) => Number(at(share).toPrecision(digits)));
    if (cuts[0]! > low && cuts[0]! < cuts[1]! && cuts[1]! < high)
      return low === 0 && high === 1 ? [0.5] : cuts;
  }
  return [low + (high - low) / 2];
}

/** The cut points of a column of numbers as they are typed, or else proposed. */
export const cutsText = (column: ColumnDraft, { cuts }: AttributeDraft): string =>
  cuts ?? proposedCuts(column).join(", ");

/** Cut points as they are typed, between commas, semicolons or spaces; null for no number. */
export function cutsIn(text: string): { readonly text: string; readonly cut: number | null }[] {
  return text
    .split(/[\s;,]+/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, cut: parseNumber(part) }));
}

/**
 * The levels of a column of categories, each where its first category stands: merged ones, and the
 * others by themselves. Categories that the column has no more are left out.
 */
export function levelsOf(column: ColumnDraft, { merged = [] }: AttributeDraft): LevelDraft[] {
  const categories = linesOf(column.categories);
  const levels: LevelDraft[] = [];
  for (const category of categories) {
    if (levels.some(({ values }) => values.includes(category))) continue;
    const found = merged.find(({ values }) => values.includes(category));
    levels.push(found ? ofThese(found, categories) : { name: category, values: [category] });
  }
  return levels;
}

/**
 * A merged level without the categories that are gone, which its name does not keep either: one
 * that was made of them, or typed with one in it, is made anew.
 */
function ofThese(level: LevelDraft, categories: readonly string[]): LevelDraft {
  const values = categories.filter((x) => level.values.includes(x));
  const gone = level.values.filter((x) => !values.includes(x));
  const kept = level.named ? !gone.some((x) => level.name.includes(x)) : gone.length === 0;
  return { ...level, name: kept ? level.name : values.join(" or "), values };
}

/** How many levels an attribute has. */
export const sizeOf = (column: ColumnDraft, entered: AttributeDraft): number =>
  column.type === "numeric"
    ? cutsIn(cutsText(column, entered)).length + 1
    : levelsOf(column, entered).length;

/**
 * The cut points that were proposed from what the file gave away, and would not be from the bounds
 * that there are.
 */
export function readCuts(column: ColumnDraft, { cuts = "", read = [] }: AttributeDraft): number[] {
  const offered = proposedCuts(column);
  return cutsIn(cuts).flatMap(({ cut }) =>
    cut !== null && read.includes(cut) && !offered.includes(cut) ? [cut] : [],
  );
}

/**
 * Whether nothing of an attribute's levels comes from the file: the column is public, and no cut
 * point is left that was proposed from other bounds that the file gave away. What was bought is not
 * public either, and a card has no way to name the purchase.
 */
export const isPublic = (column: ColumnDraft, entered: AttributeDraft): boolean =>
  provenanceOf(column) === "public" && readCuts(column, entered).length === 0;

/** What of the card stands as read from the file: names of columns, and of the label. */
export function cardUnconfirmed(typed: SchemaDraft): string[] {
  const draft = marked(ofCard(typed));
  const names = attributesOf(draft)
    .filter((c) => !isPublic(c, enteredOf(draft, c.id)))
    .map((c) => c.name);
  return provenanceOf(draft.label) === "public" ? names : [...names, draft.label.name];
}
