// What the page knows of scorecards: what the planned one would take, and those that were made.

import type {
  CheckedScorecard,
  LayoutOptions,
  LedgerCharge,
  NoisyCells,
  NoisyCellsPlan,
  ScorecardPlan,
  ScorecardRelease,
} from "../../../client/types.ts";
import type { Problem } from "../../shell/problem.ts";
import type { SampleName } from "../sample/samples.ts";

/** Noisy counts that were bought, and the card on them that is looked at. */
export interface Explored {
  readonly cells: NoisyCells;
  /** The file of the counts. */
  readonly text: string;
  /** Points are whole numbers from −bound to bound. */
  readonly bound: number;
  /** Which attributes the card has, and the points of all, left out or not. */
  readonly kept: readonly boolean[];
  readonly points: readonly (readonly number[])[];
  /** By the noisy counts: rows that the card gets wrong, and rows in all. */
  readonly wrong: number;
  readonly records: number;
  readonly deviation: number;
  /** The search for the best points: its share done, or what went wrong. */
  readonly search: { readonly done: number } | { readonly problem: Problem } | null;
}

/** A scorecard of this visit. */
export interface CardResult {
  /** The first of the visit is 1. */
  readonly number: number;
  readonly release: ScorecardRelease;
  readonly text: string;
  readonly checked: CheckedScorecard;
  /** What it was made from, by number and in words, and whether that is a file of the person's. */
  readonly source: number;
  readonly from: string;
  readonly own: boolean;
  /** Which of the made-up tables it is; how a file of its kind is read. */
  readonly sample?: SampleName | undefined;
  readonly layout: LayoutOptions;
  /** What it was asked with. */
  readonly key: string;
  /** What the ledger has for it; null where there was none. */
  readonly charge: LedgerCharge | null;
  /** Levels of the person to try, an attribute each; null where none is said yet. */
  readonly person: readonly (number | null)[];
  /** A file holds it. */
  readonly saved: boolean;
  /** Where it is a card on noisy counts, which stay: it can be changed for nothing. */
  readonly explored?: Explored;
}

export interface CardState {
  /** From what is public alone; null while it is worked out, or cannot be. */
  readonly plan: ScorecardPlan | null;
  /** Likewise of noisy counts, where these are to be bought. */
  readonly cells: NoisyCellsPlan | null;
  readonly problem: Problem | null;
  /** Levels that are about to be merged: a column's id, and the categories that are ticked. */
  readonly ticked: Readonly<Record<string, readonly string[]>>;
  /** The latest first. */
  readonly results: readonly CardResult[];
  readonly result: CardResult | null;
}

export const firstCardState: CardState = {
  plan: null,
  cells: null,
  problem: null,
  ticked: {},
  results: [],
  result: null,
};
