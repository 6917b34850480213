import type { Choice } from "../../../client/types.ts";
import { pledgeOn, withStance } from "../state/choice.ts";
import type { Pledge } from "../state/choices.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import * as storage from "./storage.ts";

/**
 * What the person says about choosing among models, and what they promised for a look at the
 * private figures.
 */
export class Chooser {
  constructor(private readonly store: Store) {}

  private get state(): State {
    return this.store.state;
  }

  /**
   * Takes in what was promised in earlier visits and in other tabs. Without a place for it, it
   * holds for this visit.
   */
  async refresh(): Promise<void> {
    const pledges = Object.entries(await storage.pledges().catch(() => ({})));
    const stances = { ...this.state.stances };
    for (const [rows, pledge] of pledges) stances[rows] = { ...stances[rows], pledge };
    this.store.set({ stances });
  }

  /** Says of the model that is looked at, and of all others of its rows, how it was chosen. */
  say(stated: Choice | null): void {
    const { result } = this.state;
    if (result) this.store.set(withStance(this.state, result.rows, { stated }));
  }

  /** Is about to promise. */
  consider(pledging: Pledge): void {
    this.store.set({ pledging });
  }

  /**
   * Promises what was considered, and opens the fence. It is not taken back: where another tab has
   * had a promise for the same rows, that one stands.
   */
  async look(): Promise<void> {
    const { result, pledging } = this.state;
    if (!result || !pledging || pledgeOn(this.state, result.rows)) return;
    // Rows that have no account are not known again in another visit.
    const pledge = result.charge
      ? await storage.promise(result.rows, pledging).catch(() => pledging)
      : pledging;
    this.store.set({
      ...withStance(this.state, result.rows, { pledge }),
      pledging: null,
      announcement: `The private figures are shown. You have said that you publish ${pledge === "all" ? "every model of this file" : "no model of this file"}.`,
    });
  }
}
