import type { Account, Client } from "../../../../client/types.ts";
import type { AccuracyState } from "../../state/expected-accuracy.ts";
import type { Way } from "../../state/choices.ts";
import type { PlannedFit } from "../../state/workspace.ts";

/** What trials of the expected accuracy need of the page. */
export interface AccuracyHost {
  /** Of the binary that is loaded. */
  client(): Client | null;
  get(): AccuracyState;
  set(change: Partial<AccuracyState>): void;
  /**
   * The fit that is planned, if its description is whole: public things alone. Or the same in
   * another way.
   */
  planned(way?: Way): PlannedFit | null;
  /** That of the open file, where there is one with a total. */
  account(): Account | null;
  /** It is shown on the screen, beside what it depends on. */
  near(): boolean;
  /** The page has something better to do. */
  busy(): boolean;
}
