// The columns of a file without a header: it calls them c1, c2, … in their order, and the person
// what they are.

import { type ColumnDraft, included, type LabelDraft, type SchemaDraft } from "./draft.ts";

type Named = Pick<ColumnDraft | LabelDraft, "name" | "place">;

/** The place that a name of this kind says; undefined for any other name. */
export function placeIn(name: string): number | undefined {
  const digits = /^c([1-9]\d*)$/.exec(name.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * A description of such a file with the place of each column kept: its name can change. `before`:
 * an earlier one, which may know more places by their names.
 */
export function withPlaces(draft: SchemaDraft, before?: SchemaDraft | null): SchemaDraft {
  const known = new Map(
    before && [...before.columns, before.label].map((c) => [c.name.trim(), c.place]),
  );
  const put = <T extends ColumnDraft | LabelDraft>(c: T): T => {
    const place = known.get(c.name.trim()) ?? placeIn(c.name);
    return place === undefined ? c : { ...c, place };
  };
  return { ...draft, columns: draft.columns.map(put), label: put(draft.label) };
}

/** What the file calls it. */
export const nameInFile = ({ name, place }: Named): string =>
  place === undefined ? name.trim() : `c${place}`;

/**
 * What all columns of such a file are called, in its order, those that are not used ""; undefined
 * while nobody named one.
 */
export function namesOf(draft: SchemaDraft): readonly string[] | undefined {
  const used: Named[] = [...included(draft), draft.label];
  if (used.every((c) => nameInFile(c) === c.name.trim())) return undefined;
  const names: string[] = [];
  for (const { name, place = placeIn(name) } of used)
    if (place !== undefined) names[place - 1] = name.trim();
  return Array.from(names, (name) => name ?? "");
}
