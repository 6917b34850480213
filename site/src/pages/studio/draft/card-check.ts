// Reads a scorecard's description back into the schema of its levels, or says field by field what
// is wrong. All of it comes from what is public, so what is too large is refused before a row is
// read. The core checks everything again.

import type { CardAttribute, CardSchema, Label } from "../../../client/types.ts";
import {
  attributesOf,
  cardOf,
  cutsIn,
  cutsText,
  enteredOf,
  isPublic,
  levelsOf,
  mostAttributes,
  ofCard,
  sizeOf,
} from "./card.ts";
import type { AttributeDraft } from "./card-draft.ts";
import { check, type FieldError, spellingsOf } from "./check.ts";
import type { ColumnDraft, SchemaDraft } from "./draft.ts";
import { marked } from "./learnt.ts";
import { parseNumber } from "./number.ts";

/** core/search/shape.go has the same limits. */
const mostLevels = 32;
const mostCells = 1 << 16;
const mostCards = 2n ** 63n;

export type CheckedCard =
  | { readonly schema: CardSchema; readonly errors: readonly [] }
  | { readonly schema: null; readonly errors: readonly FieldError[] };

type Complain = (field: string, message: string) => void;

/** The key of an attribute's errors. */
export const fieldOf = (id: string, part: "cuts" | "levels"): string => `card.${id}.${part}`;

/** The description of the columns has to be whole before that of the card is. */
export function checkCard(typed: SchemaDraft): CheckedCard {
  const { schema: whole, errors: first } = check(typed);
  if (!whole) return { schema: null, errors: first };
  const draft = marked(ofCard(typed));
  const errors: FieldError[] = [];
  const complain: Complain = (field, message) => errors.push({ field, message });
  const columns = attributesOf(draft);
  checkSize(draft, columns, complain);
  const attributes = columns.map((c) => attributeOf(c, enteredOf(draft, c.id), complain));
  if (errors.length > 0) return { schema: null, errors };
  return {
    schema: {
      version: 1,
      attributes,
      label: whole.label as Label,
      missing_values: spellingsOf(draft),
    },
    errors: [],
  };
}

/** So many attributes, levels, combinations and cards, and no more. */
function checkSize(draft: SchemaDraft, columns: readonly ColumnDraft[], complain: Complain): void {
  const at = "card.attributes";
  if (columns.length === 0)
    return complain(at, "Choose at least one attribute for the card to ask about.");
  if (columns.length > mostAttributes)
    return complain(
      at,
      `These are ${columns.length} attributes, and ${mostAttributes} are the most that a card asks about. Leave out ${columns.length - mostAttributes}.`,
    );
  const sized = columns.map((c) => ({
    name: c.name,
    n: sizeOf(c, enteredOf(draft, c.id)),
  }));
  const levels = sized.reduce((sum, { n }) => sum + n, 0);
  const widest = sized.reduce((a, b) => (b.n > a.n ? b : a));
  const merge = `merge some levels of ${widest.name}, which has ${widest.n}, or leave out an attribute`;
  if (levels > mostLevels)
    return complain(
      at,
      `These attributes have ${levels} levels together, and ${mostLevels} are the most: ${merge}.`,
    );
  if (sized.reduce((cells, { n }) => cells * n, 1) > mostCells)
    return complain(
      at,
      `There are more than ${mostCells.toLocaleString("en-GB")} combinations of these levels, too many to look through: ${merge}.`,
    );
  const { points } = cardOf(draft);
  if (BigInt(2 * points + 1) ** BigInt(levels) >= mostCards)
    complain(
      at,
      `With points from −${points} to ${points} there are too many cards to choose from: take points from −1 to 1 in step 4, or ${merge}.`,
    );
}

/** The attribute, whole if nothing was complained of. */
function attributeOf(c: ColumnDraft, entered: AttributeDraft, complain: Complain): CardAttribute {
  const common = {
    name: c.name.trim(),
    missing: ruleOf(c, "missing", complain),
    provenance: isPublic(c, entered) ? ("public" as const) : ("suggested" as const),
    ...(isPublic(c, entered) && c.reason?.trim() && { reason: c.reason.trim() }),
  };
  if (c.type === "numeric") {
    const [min, max] = [parseNumber(c.min)!, parseNumber(c.max)!];
    const cuts = cutsOf(c, entered, min, max, complain);
    return { ...common, type: "numeric", min, max, cuts };
  }
  const levels = levelsOf(c, entered);
  const field = fieldOf(c.id, "levels");
  if (levels.length < 2) complain(field, oneLevel(c.name));
  for (const [i, { name }] of levels.entries()) {
    if (name.trim() === "")
      complain(field, "Give each merged level a name: it stands on the card.");
    else if (levels.some((l, j) => j < i && l.name.trim() === name.trim()))
      complain(field, `Two levels are called “${name.trim()}”. Give each a name of its own.`);
  }
  return {
    ...common,
    type: "categorical",
    levels: levels.map(({ name, values }) => ({
      name: name.trim(),
      values: [...values],
    })),
    unknown: ruleOf(c, "unknown", complain),
  };
}

const oneLevel = (name: string): string =>
  `${name} has one level, the same for everybody, so it tells nothing. Give it another, or take it off the card.`;

function cutsOf(
  c: ColumnDraft,
  entered: AttributeDraft,
  min: number,
  max: number,
  complain: Complain,
): number[] {
  const field = fieldOf(c.id, "cuts");
  const typed = cutsIn(cutsText(c, entered));
  if (typed.length === 0) complain(field, oneLevel(c.name));
  const cuts: number[] = [];
  for (const { text, cut } of typed) {
    const before = cuts.at(-1);
    if (cut === null)
      complain(field, `“${text}” is not a number. Write cut points such as 40, 65.`);
    else if (cut <= min || cut >= max)
      complain(
        field,
        `${cut} is not between the bounds of ${c.name}, ${min} and ${max}: nobody could be on one side of it. Take another cut point, or wider bounds.`,
      );
    else if (before !== undefined && cut <= before)
      complain(
        field,
        cut === before
          ? `${cut} is there twice. Write each cut point once.`
          : `${cut} comes after ${before}: write the cut points in order, the smallest first.`,
      );
    if (cut !== null) cuts.push(cut);
  }
  return cuts;
}

/** A card has no line for a value that is not there. */
function ruleOf(c: ColumnDraft, part: "missing" | "unknown", complain: Complain): "error" | "drop" {
  const { action } = c[part];
  if (action === "error" || action === "drop") return action;
  complain(
    `${c.id}.${part}`,
    `A card cannot put something else in place of a value of ${c.name} that is ${part === "missing" ? "missing" : "not listed"}. Choose to stop, or to leave the row out.`,
  );
  return "error";
}
