// What a program needs to use a scorecard, worked out from the release alone: the same for every
// language that ./code.ts writes.

import { bare, quoted } from "../chart/literal.ts";
import { leavesOut } from "../chart/meaning.ts";
import type { ScorecardRelease } from "../client/types.ts";

export type AttributeSpec =
  | {
      readonly name: string;
      /** A number has the points of the level whose place is how many cuts are not above it. */
      readonly cuts: readonly number[];
      readonly points: readonly number[];
    }
  | {
      readonly name: string;
      readonly values: readonly (readonly [text: string, points: number])[];
    };

export interface Spec {
  /** Lines for the head of the file. */
  readonly about: readonly string[];
  readonly attributes: readonly AttributeSpec[];
  /** Spellings of a missing value. */
  readonly missing: readonly string[];
  readonly threshold: number;
  readonly no: string;
  readonly yes: string;
}

/** The spec of a release that was checked before: a release as the library writes it. */
export function specOf({ library, guarantee, card, schema }: ScorecardRelease): Spec {
  const { label } = schema;
  return {
    about: [
      `A scorecard for ${quoted(label.name)}: points are added up, and from ${card.threshold} on it says ${quoted(label.positive[0]!)}.`,
      `Its points were chosen with differential privacy (epsilon = ${guarantee.epsilon}, delta = 0, ${bare(guarantee.adjacency)}).`,
      ...(guarantee.covers ? [] : [leavesOut]),
      `Written from the release by Cloister ${bare(library)}: plain arithmetic, nothing to install.`,
    ],
    attributes: schema.attributes.map((attribute, g) => {
      const points = card.attributes[g]!.levels.map((level) => level.points);
      return attribute.type === "numeric"
        ? { name: attribute.name, cuts: attribute.cuts, points }
        : {
            name: attribute.name,
            values: attribute.levels.flatMap((level, l) =>
              level.values.map((text) => [text, points[l]!] as const),
            ),
          };
    }),
    missing: schema.missing_values ?? ["", "?", "NA"],
    threshold: card.threshold,
    no: label.negative[0]!,
    yes: label.positive[0]!,
  };
}
