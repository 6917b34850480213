// Every change that is made to a scorecard's description, each as a pure function.

import { attributesOf, cardOf, enteredOf, levelsOf, proposedCuts } from "./card.ts";
import type { AttributeDraft, CardDraft, LevelDraft } from "./card-draft.ts";
import { type ColumnDraft, included, type SchemaDraft } from "./draft.ts";
import { provenanceOf, saying } from "./source.ts";

const changed = (draft: SchemaDraft, change: Partial<CardDraft>): SchemaDraft => ({
  ...draft,
  card: { ...cardOf(draft), ...change },
});

/** A scorecard, or a model. */
export const chooseMaking = (draft: SchemaDraft, making: boolean): SchemaDraft =>
  changed(draft, { making });

export const choosePoints = (draft: SchemaDraft, points: 1 | 2): SchemaDraft =>
  changed(draft, { points });

/** One card, or counts to explore many on. */
export const chooseMany = (draft: SchemaDraft, many: boolean): SchemaDraft =>
  changed(draft, { many });

/** Makes a column an attribute of the card, or takes it off. */
export function chooseAttribute(draft: SchemaDraft, id: string, on: boolean): SchemaDraft {
  const now = new Set(attributesOf(draft).map((c) => c.id));
  if (on) now.add(id);
  else now.delete(id);
  const chosen = included(draft)
    .map((c) => c.id)
    .filter((one) => now.has(one));
  return changed(draft, { chosen });
}

function enter(draft: SchemaDraft, id: string, change: Partial<AttributeDraft>): SchemaDraft {
  const { entered } = cardOf(draft);
  return changed(draft, {
    entered: { ...entered, [id]: { ...entered[id], ...change } },
  });
}

/**
 * Types cut points. Those that the page had proposed are remembered if they came from bounds that
 * are not public, or are by the person's word alone, which can be taken back.
 */
export function typeCuts(draft: SchemaDraft, column: ColumnDraft, cuts: string): SchemaDraft {
  const { read = [] } = enteredOf(draft, column.id);
  const own = provenanceOf(saying(column, undefined)) === "public";
  const shown = own ? [] : proposedCuts(column);
  return enter(draft, column.id, {
    cuts,
    read: [...new Set([...read, ...shown])],
  });
}

/** Goes back to the cut points that the page proposes. */
export function proposeCuts(draft: SchemaDraft, id: string): SchemaDraft {
  const { entered } = cardOf(draft);
  const { cuts: _, read: __, ...rest } = enteredOf(draft, id);
  return changed(draft, { entered: { ...entered, [id]: rest } });
}

/** The person says that the cut points were known without looking at the file. */
export const knewCuts = (draft: SchemaDraft, id: string): SchemaDraft =>
  enter(draft, id, { read: [] });

/** Puts the levels that have these categories together, under a name made of theirs. */
export function mergeLevels(
  draft: SchemaDraft,
  column: ColumnDraft,
  categories: ReadonlySet<string>,
): SchemaDraft {
  const levels = levelsOf(column, enteredOf(draft, column.id));
  const together = levels.filter(({ values }) => values.some((x) => categories.has(x)));
  if (together.length < 2) return draft;
  const one: LevelDraft = {
    name: together.map(({ name }) => name).join(" or "),
    values: together.flatMap(({ values }) => values),
  };
  return enter(draft, column.id, {
    merged: [...levels.filter((l) => l.values.length > 1 && !together.includes(l)), one],
  });
}

/** Takes a merged level apart again. */
export function splitLevel(draft: SchemaDraft, id: string, level: LevelDraft): SchemaDraft {
  const { merged = [] } = enteredOf(draft, id);
  const left = merged.filter(({ values }) => !values.some((x) => level.values.includes(x)));
  return enter(draft, id, { merged: left });
}

/** Names a merged level. */
export function nameLevel(
  draft: SchemaDraft,
  id: string,
  level: LevelDraft,
  name: string,
): SchemaDraft {
  const { merged = [] } = enteredOf(draft, id);
  const is = ({ values }: LevelDraft) => values.some((x) => level.values.includes(x));
  return enter(draft, id, {
    merged: merged.map((one) => (is(one) ? { ...one, name, named: true } : one)),
  });
}
