// The levels of a schema by their names, and how many records noisy cells count in each.

import type { CardSchema, NoisyCells } from "../client/types.ts";

/** The levels that cut points make, as the card calls them. */
export function levelNames(cuts: readonly number[]): string[] {
  if (cuts.length === 0) return [];
  return [
    `below ${cuts[0]}`,
    ...cuts.slice(1).map((cut, i) => `${cuts[i]} to below ${cut}`),
    `${cuts.at(-1)} or more`,
  ];
}

/** Those of an attribute. */
export const namesOf = (attribute: CardSchema["attributes"][number]): string[] =>
  attribute.type === "numeric"
    ? levelNames(attribute.cuts)
    : attribute.levels.map(({ name }) => name);

/** Records of a level by the noisy counts. */
export interface Counted {
  readonly name: string;
  positives: number;
  negatives: number;
}

/** The noisy counts added up, for each attribute by its levels. */
export function byLevel({ schema, counts }: NoisyCells): Counted[][] {
  const tables = schema.attributes.map((attribute) =>
    namesOf(attribute).map((name): Counted => ({ name, positives: 0, negatives: 0 })),
  );
  for (let cell = 0; cell < counts.positives.length; cell++) {
    let rest = cell;
    for (const table of tables.toReversed()) {
      const level = table[rest % table.length]!;
      level.positives += counts.positives[cell]!;
      level.negatives += counts.negatives[cell]!;
      rest = Math.floor(rest / table.length);
    }
  }
  return tables;
}
