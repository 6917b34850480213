// What a fit can be expected to lose to privacy, from made-up records: no data takes part.

import type { Budget, MethodOptions } from "./fit-types.ts";
import type { AnySchema } from "./schema.ts";

/** How much the columns tell of the label: of two classes, who knows all is right for 67, 78 or 87 % of the records. */
export type Signal = "weak" | "medium" | "strong";

/** One trial. All of it is public, and the same is answered the same. */
export type ExpectationRequest = Budget &
  MethodOptions & {
    schema: AnySchema;
    /** About how many there will be; of methods that are told of it, it is also what they are told. */
    records: number;
    signal: Signal;
    /** 1, 2, …: another population that the schema allows, other records, other noise. */
    trial: number;
    /** At most 32; the budget's own `epsilon` counts only if it is among them. */
    epsilons: readonly number[];
  };

/** Share of fresh records predicted right; of a numeric label, share of its variance explained. */
export interface Expectation {
  /** Of a fit without noise. */
  plain: number;
  /** Of a private one, for each of `epsilons`; null where no noise gives that ε. */
  private: (number | null)[];
}
