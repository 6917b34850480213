import type { ScorecardRelease } from "../client/types.ts";

/**
 * The values of the file that a level stands for, to be read beside its name: “B”, “C”. Empty if
 * the name says it all, as that of a range of numbers does.
 */
export function standsFor({ schema }: ScorecardRelease, attribute: number, level: number): string {
  const of = schema.attributes[attribute];
  if (of?.type !== "categorical") return "";
  const { name, values } = of.levels[level]!;
  return values.length === 1 && values[0] === name
    ? ""
    : values.map((value) => `“${value}”`).join(", ");
}
