import type { Choice } from "../../../client/types.ts";
import { withStance } from "../state/choice.ts";
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
   * Takes in what was promised in earlier visits. Without a place for it, it holds for this visit.
   */
  async begin(): Promise<void> {
    const pledges = await storage.pledges().catch(() => ({}));
    const stances = Object.fromEntries(
      Object.entries(pledges).map(([rows, pledge]) => [rows, { pledge }]),
    );
    this.store.set({ stances: { ...stances, ...this.state.stances } });
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

  /** Promises what was considered, and opens the fence. It is not taken back. */
  look(): void {
    const { result, pledging, stances } = this.state;
    if (!result || !pledging || stances[result.rows]?.pledge) return;
    this.store.set({
      ...withStance(this.state, result.rows, { pledge: pledging }),
      pledging: null,
      announcement: `The private figures are shown. You have said that you publish ${pledging === "all" ? "every model of this file" : "no model of this file"}.`,
    });
    // Rows that have no account are not known again in another visit.
    if (result.charge) void storage.promise(result.rows, pledging).catch(() => {});
  }
}
