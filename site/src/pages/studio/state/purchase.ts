// The state of buying unknown bounds and categories. ../schema/purchase buys them.

import type { Affordance, BoundsPlan, CategoriesPlan } from "../../../client/types.ts";
import type { BoughtPart } from "../draft/draft.ts";
import type { Purchasable } from "../draft/source.ts";
import { idle, type Work } from "./work.ts";

export interface BuyerState {
  /** ε of all that is bought together, as it is typed. */
  readonly epsilon: string;
  readonly attempted: boolean;
  /** What it would be good for, and what it would leave; null while that is not known. */
  readonly plan: BoundsPlan | CategoriesPlan | null;
  readonly answer: Affordance | null;
  readonly work: Work;
  /**
   * What came of the last purchase: each column with what was bought, null where nothing was found.
   */
  readonly found: readonly { readonly name: string; readonly text: string | null }[];
}

/** What was bought of a column before, with its charge. */
export interface Offer {
  readonly item: Purchasable;
  readonly name: string;
  readonly put: BoughtPart;
  readonly text: string;
}

export interface BuyingState extends Readonly<Record<Purchasable, BuyerState>> {
  /** What the ledger keeps of earlier purchases, of each column the last. */
  readonly offers: readonly Offer[];
}

export const firstBuyer: BuyerState = {
  epsilon: "0.3",
  attempted: false,
  plan: null,
  answer: null,
  work: idle,
  found: [],
};

export const firstBuying: BuyingState = { bounds: firstBuyer, categories: firstBuyer, offers: [] };
