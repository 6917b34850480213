// Bounds that nobody knows, as they are being bought: what the page knows of it. What is done is in src/publish/buyer.ts, fetched beside the page.

import { type Affordance, type BoundsPlan, CloisterError } from "../client/types.ts";
import { check, parseNumber } from "./draft/check.ts";
import { wanted } from "./draft/draft.ts";
import { keepsAccount } from "./ledger/desk.ts";
import { Pace } from "./pace.ts";
import { isAborted, problemOf } from "./problem.ts";
import { busy, idle, type Work } from "./state.ts";

export interface BuyerState {
  /** ε of all bounds that are bought together, as it is typed. */
  readonly epsilon: string;
  readonly attempted: boolean;
  /** What it would be good for, and what it would leave; null while that is not known. */
  readonly plan: BoundsPlan | null;
  readonly answer: Affordance | null;
  readonly work: Work;
  /** What came of the last purchase: each column with its bounds, null where none were found. */
  readonly found: readonly { readonly name: string; readonly bounds: readonly [number, number] | null }[];
}

export const firstBuyer: BuyerState = { epsilon: "0.3", attempted: false, plan: null, answer: null, work: idle, found: [] };

/** ε as it is typed; null if it cannot be one. */
export function checkPrice(text: string): number | null {
  const epsilon = parseNumber(text);
  return epsilon !== null && epsilon > 0 ? epsilon : null;
}

/** What the buyer uses of the page, handed to it so that it has no copy of its own. */
export const forBuyer = { busy, check, checkPrice, CloisterError, firstBuyer, isAborted, keepsAccount, Pace, problemOf, wanted };
