// The claims that the core checks, in plain words. A claim is a statement of the release, or a
// fact that such a statement needs.

import { powerOfTen } from "../../chart/numbers.ts";
import type { Repriced } from "../../client/types.ts";

export interface Claim {
  readonly title: string;
  readonly text: string;
  /** "unchecked": nothing in the file allows to check it, which the text says. */
  readonly outcome: "true" | "false" | "unchecked";
}

export interface ClaimGroup {
  readonly title: string;
  readonly claims: readonly Claim[];
}

type Finding = Repriced["findings"][number];

const groups: readonly (readonly [title: string, claims: Readonly<Record<string, string>>])[] = [
  [
    "What is promised",
    {
      guarantee: "ε and δ",
      adjacency: "What one record is",
      theorem: "The theorem",
      coverage: "What is covered",
      unsaid: "What it leaves unsaid",
      bounds: "Bounds and categories that were bought",
      choice: "How the model was chosen",
    },
  ],
  [
    "The mechanism",
    {
      event: "Its parameters",
      mechanism: "Its kind",
      steps: "Its steps",
      records: "The number of records",
      row_norm: "The length of a record",
      dimension: "The number of columns",
      loss: "The loss",
      classes: "The number of classes",
      smoothness: "The loss’s curvature",
      clip: "The clipping",
      sensitivity: "The sensitivity",
      lambda: "The regulariser, λ",
    },
  ],
  [
    "The model",
    {
      model: "Its columns and label",
      names: "Names that look alike",
      grid: "Its coefficients",
      reach: "How long they are",
      noise: "How short they are",
      moments: "The moments they follow from",
      told: "The noise of its coefficients",
      tests: "What the tests told",
      selected: "Which candidate it is",
    },
  ],
  [
    "The card",
    {
      card: "Its points",
      card_size: "Its attributes and levels",
    },
  ],
  ["The counts", { counts: "How many they are", counts_noise: "How near 0 they are" }],
  [
    "The evaluation",
    {
      evaluation: "Its form",
      evaluation_event: "Its noise",
      evaluation_epsilon: "Its ε",
      evaluation_numbers: "Its numbers",
    },
  ],
];

/** A claim's title; one that this page does not know goes by its own name. */
export function titleOf(claim: string): string {
  for (const [, claims] of groups) if (claims[claim] !== undefined) return claims[claim];
  return claim;
}

/**
 * The core's text as the page sets it: its numbers digit for digit ("1.00002e-05" is 1.00002 ×
 * 10⁻⁵), and its apostrophes.
 */
export function typeset(text: string): string {
  return text
    .replace(/(?<=\w)'(?=\w)/g, "’")
    .replace(
      /(\d(?:\.\d+)?)e([+-]\d+)/g,
      (_, digits: string, exponent: string) =>
        (digits === "1" ? "" : `${digits}\u00a0×\u00a0`) + powerOfTen(Number(exponent)),
    );
}

function claimOf({ claim, holds, text }: Finding): Claim {
  return {
    title: titleOf(claim),
    text: typeset(text),
    outcome: !holds ? "false" : text.startsWith("Not checked") ? "unchecked" : "true",
  };
}

/** The findings in the order of the page, those of one kind together. */
export function grouped(findings: readonly Finding[]): ClaimGroup[] {
  const known = new Set(groups.flatMap(([, claims]) => Object.keys(claims)));
  const list = groups.map(([title, claims]) => ({
    title,
    claims: Object.keys(claims).flatMap((name) =>
      findings.filter((f) => f.claim === name).map(claimOf),
    ),
  }));
  const rest = findings.filter((f) => !known.has(f.claim)).map(claimOf);
  return [...list, { title: "Besides", claims: rest }].filter((g) => g.claims.length > 0);
}

/**
 * How many claims can be checked from the file, and how many are the word of whoever published it.
 */
export function counted(findings: readonly Finding[]): {
  readonly checked: number;
  readonly word: number;
} {
  const word = findings.filter((f) => claimOf(f).outcome === "unchecked").length;
  return { checked: findings.length - word, word };
}

/** Those that are not so: group and title, as they are named above the rest. */
export function failed(
  findings: readonly Finding[],
): { readonly group: string; readonly claim: Claim }[] {
  return grouped(findings).flatMap(({ title: group, claims }) =>
    claims.filter((c) => c.outcome === "false").map((claim) => ({ group, claim })),
  );
}
