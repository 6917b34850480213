import type { Choice, Client } from "../../../client/types.ts";
import { problemOf } from "../../shell/problem.ts";
import { namesOf, pledgeOn, withAccount, withStance } from "../state/choice.ts";
import type { Pledge } from "../state/choices.ts";
import type { Result, State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import * as storage from "./storage.ts";

/**
 * What the person says about choosing among models, and what they promised for a look at the
 * private figures.
 */
export class Chooser {
  constructor(
    private readonly store: Store,
    private readonly client: () => Client | null,
  ) {}

  private get state(): State {
    return this.store.state;
  }

  /**
   * Takes in what was promised in earlier visits and in other tabs. Without a place for it, it
   * holds for this visit; what depends on it asks `read`.
   */
  async refresh(): Promise<void> {
    await this.takeIn().catch(() => {});
  }

  private async takeIn(): Promise<void> {
    const kept = Object.entries(await storage.pledges());
    const stances = { ...this.state.stances }; // as they are by then
    for (const [rows, pledge] of kept) stances[rows] = { ...stances[rows], pledge };
    this.store.set({ stances });
  }

  /**
   * Whether all is known that binds the models of some rows: what was promised, and which accounts
   * were put together with theirs, in other tabs too. Where that cannot be read, a promise may
   * stand that is not seen, so nothing is done; `otherwise` is what the page says then.
   */
  async read(
    { rows, charge }: Pick<Result, "rows" | "charge">,
    otherwise: string,
  ): Promise<boolean> {
    // Rows that have no account are not known again in another visit: no promise is kept for them.
    if (!charge) return true;
    try {
      await this.takeIn();
      // Whose rows are told apart by their charge alone has no account here.
      if (!rows.startsWith(chargeRows)) {
        const { account } = await this.client()!.ledger.account(rows);
        this.store.set(withAccount(this.state, account));
      }
      this.store.set({ unread: null });
      return true;
    } catch (error) {
      return this.unread(error, otherwise);
    }
  }

  private unread(error: unknown, title: string): false {
    const problem = { ...problemOf(error), title, advice };
    this.store.set({ unread: problem, announcement: `${title}. ${problem.message}` });
    return false;
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
    const closed = "The private figures stay closed";
    if (!(await this.read(result, closed))) return;
    let pledge = pledgeOn(this.state, result.rows) ?? pledging;
    try {
      if (result.charge) pledge = await storage.promise(namesOf(this.state, result.rows), pledge);
    } catch (error) {
      this.unread(error, closed);
      return;
    }
    this.store.set({
      ...withStance(this.state, result.rows, { pledge }),
      pledging: null,
      announcement: `The private figures are shown. You have said that you publish ${pledge === "all" ? "every model of this file" : "no model of this file"}.`,
    });
  }
}

/** How the name of rows begins that are told apart by a charge alone. */
export const chargeRows = "charge ";

const advice =
  "This browser keeps what you said about publishing models of these rows, and that has to be read first. Try again. Loading the page again helps too, but loses models that no ledger keeps.";
