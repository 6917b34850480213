// Bounds and categories that nobody knows, as they are being bought: what the page knows of it. What is done is in src/buying, fetched beside the page.

import { type Affordance, type BoundsPlan, type CategoriesPlan, CloisterError } from "../client/types.ts";
import { check } from "./draft/check.ts";
import type { BoughtPart, Sold } from "./draft/draft.ts";
import { keepsAccount } from "./ledger/desk.ts";
import { Pace } from "./pace.ts";
import { isAborted, problemOf } from "./problem.ts";
import { busy, type Work } from "./state.ts";

export interface BuyerState {
  /** ε of all that is bought together, as it is typed. */
  readonly epsilon: string;
  readonly attempted: boolean;
  /** What it would be good for, and what it would leave; null while that is not known. */
  readonly plan: BoundsPlan | CategoriesPlan | null;
  readonly answer: Affordance | null;
  readonly work: Work;
  /** What came of the last purchase: each column with what was bought, null where nothing was found. */
  readonly found: readonly { readonly name: string; readonly text: string | null }[];
}

/** What was bought of a column before, with its charge. */
export interface Offer {
  readonly sold: Sold;
  readonly name: string;
  readonly put: BoughtPart;
  readonly text: string;
}

export interface BuyingState extends Readonly<Record<Sold, BuyerState>> {
  /** What the ledger keeps of earlier purchases, of each column the last. */
  readonly offers: readonly Offer[];
}

export const firstBuyer: BuyerState = { epsilon: "0.3", attempted: false, plan: null, answer: null, work: { phase: "idle" }, found: [] };

export const firstBuying: BuyingState = { bounds: firstBuyer, categories: firstBuyer, offers: [] };

/** What the buyer uses of the page, handed to it so that it has no copy of its own. */
export const forBuyer = { busy, check, CloisterError, firstBuyer, isAborted, keepsAccount, Pace, problemOf };
