// Buys bounds and categories that nobody knows: from the file, with noise, charged to its
// account.

import {
  type Account,
  type BoundsRelease,
  type CategoriesRelease,
  CloisterError,
} from "../../../../client/types.ts";
import { Pace } from "../../../shell/pace.ts";
import { isAborted, problemOf } from "../../../shell/problem.ts";
import { keepsAccount } from "../../account/file-account.ts";
import type { Editor } from "../../state/editor.ts";
import { calledIn } from "../../state/called.ts";
import { type BuyerState, firstBuyer, type Offer } from "../../state/purchase.ts";
import { busy } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";
import { check, checkPrice } from "../../draft/check.ts";
import { putBought } from "../../draft/edit.ts";
import { parseNumber } from "../../draft/number.ts";
import { type Purchasable, wanted } from "../../draft/source.ts";
import { deltaOf, type Part, purchases } from "./purchasable.ts";

export const kinds: readonly Purchasable[] = ["bounds", "categories"];

/** Of the list of what was read: the spellings of a missing value that the rows gave away. */
export const learntId = "missing-values";

export class Buyer {
  private readonly asking = { bounds: 0, categories: 0 };
  private readonly asked = { bounds: "", categories: "" };
  /** The list of what was read from the file, to be confirmed at once, is open. */
  readingAll = false;
  /** Of that list, what is not ticked. */
  readonly notRead = new Set<string>();
  /** Where it is written, as the person says. */
  reason = "";
  /** It was asked to be confirmed without that. */
  reasonMissing = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was fetched of earlier purchases, by charge. */
  private readonly fetched = new Map<string, readonly Offer[]>();

  constructor(private readonly studio: Workspace & { readonly editor: Editor }) {}

  private state(item: Purchasable): BuyerState {
    return this.studio.state.buying[item];
  }

  private set(item: Purchasable, change: Partial<BuyerState>): void {
    const { buying } = this.studio.state;
    this.studio.store.set({ buying: { ...buying, [item]: { ...buying[item], ...change } } });
  }

  /** Opens or closes the list of what was read. */
  readAll(open: boolean): void {
    this.readingAll = open;
    this.reasonMissing = false;
    this.notRead.clear();
    // What the page asked about is known beforehand only if the person says so.
    this.notRead.add(learntId);
    this.studio.store.set({
      announcement: open ? "Check what you say, then confirm it." : "",
    });
  }

  /** Ticks an entry of the list, or takes the tick away. */
  choose(id: string, on: boolean): void {
    if (on) this.notRead.delete(id);
    else this.notRead.add(id);
    this.studio.store.set({});
  }

  because(reason: string): void {
    this.reason = reason;
    this.reasonMissing = false;
    this.studio.store.set({});
  }

  /** Says that nothing is confirmed before the person said where it is written. */
  askReason(): void {
    this.reasonMissing = true;
    this.studio.store.set({ announcement: "Not yet. Say where it is written." });
  }

  /** Another file is open: what came of the last one is not about it. */
  close(): void {
    this.readingAll = false;
    this.reason = "";
    this.notRead.clear();
    for (const item of kinds) this.set(item, { ...firstBuyer, epsilon: this.state(item).epsilon });
    this.studio.store.set({ buying: { ...this.studio.state.buying, offers: [] } });
  }

  change(item: Purchasable, epsilon: string): void {
    this.set(item, { epsilon, work: firstBuyer.work, found: [] });
    this.soon();
  }

  /**
   * Asks, when typing pauses, what a purchase would be good for and what it would leave. No row is
   * looked at.
   */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const item of kinds) void this.ask(item);
      void this.recall();
    }, 250);
  }

  /** δ of one purchase, by the account, or by the total as it is typed. */
  private get delta(): number {
    const { account, draft } = this.studio.state.fileAccount;
    return deltaOf(
      account?.budget
        ? account
        : {
            budget: {
              adjacency: draft.adjacency,
              epsilon: 1,
              delta: parseNumber(draft.delta) ?? 0,
            },
          },
    );
  }

  private async ask(item: Purchasable): Promise<void> {
    const { client, state, adjacency } = this.studio;
    const columns = state.draft ? wanted(state.draft, item).length : 0;
    const epsilon = checkPrice(this.state(item).epsilon);
    const { account } = state.fileAccount;
    const { delta } = this;
    const question = JSON.stringify([
      columns,
      epsilon,
      delta,
      adjacency,
      account?.id,
      account?.spent,
    ]);
    if (question === this.asked[item]) return;
    this.asked[item] = question;
    const asking = ++this.asking[item];
    if (!client || columns === 0 || epsilon === null)
      return this.set(item, { plan: null, answer: null });
    try {
      const plan = await purchases[item].plan(client, { columns, adjacency, epsilon, delta });
      const answer =
        account && keepsAccount(state.fileAccount)
          ? await client.ledger.afford(account.id, plan.event)
          : null;
      if (asking === this.asking[item]) this.set(item, { plan, answer });
    } catch {
      // What cannot be asked is said where it is bought.
      this.asked[item] = "";
      if (asking === this.asking[item]) this.set(item, { plan: null, answer: null });
    }
  }

  /** Buys what is wanted, and puts it in place. */
  async buy(item: Purchasable): Promise<void> {
    const { studio } = this;
    const { client, running, state, adjacency } = studio;
    const { source, draft } = state;
    const epsilon = checkPrice(this.state(item).epsilon);
    this.set(item, { attempted: true });
    if (
      !client ||
      !draft ||
      !source ||
      epsilon === null ||
      busy(state) ||
      !keepsAccount(state.fileAccount)
    )
      return;
    const columns = wanted(draft, item);
    const missingValues = check(draft).schema?.missing_values;
    if (columns.length === 0 || !missingValues) return;
    studio.planner.stop();
    studio.fileAccount.stopAsking();
    const control = running.start();
    const pace = new Pace();
    this.set(item, { work: { phase: "running", progress: null }, found: [] });
    studio.store.set({ announcement: `Buying ${item}.` });
    try {
      const { release, charge } = await purchases[item].buy(client, source.parts, {
        columns: columns.map((c) => c.name),
        header: source.header,
        delimiter: source.delimiter,
        names: calledIn(state),
        missingValues: [...missingValues],
        adjacency,
        epsilon,
        delta: this.delta,
        signal: control.signal,
        onProgress: (progress) =>
          running.is(control) &&
          this.set(item, { work: { phase: "running", progress: pace.with(progress) } }),
      });
      if (running.is(control)) this.put(item, columns, purchases[item].parts(release, charge));
    } catch (error) {
      if (!running.is(control)) return;
      const charged = error instanceof CloisterError && error.charged !== undefined;
      this.set(item, {
        work: isAborted(error)
          ? { phase: "cancelled", ...(charged && { charged: "unknown" }) }
          : { phase: "failed", problem: problemOf(error) },
      });
      studio.store.set({
        announcement: isAborted(error)
          ? `Buying ${item} was cancelled.`
          : `No ${item} were bought.`,
      });
    } finally {
      running.done(control);
      await studio.charged();
    }
  }

  private put(
    item: Purchasable,
    asked: readonly { readonly id: string }[],
    parts: readonly Part[],
  ): void {
    const { editor, store } = this.studio;
    for (const [i, { put }] of parts.entries())
      if (put) editor.edit((d) => putBought(d, asked[i]!.id, put));
    const found = parts.map(({ name, put }) => ({ name, text: put && purchases[item].words(put) }));
    this.set(item, { work: { phase: "done" }, attempted: false, found });
    store.set({
      announcement: found
        .map(({ name, text }) => `${name}: ${text ?? `no ${item} found`}.`)
        .join(" "),
    });
  }

  /**
   * Fetches what was bought of this file before: it was stored with its charge, so that a closed
   * tab takes nothing away.
   */
  private async recall(): Promise<void> {
    const { client, state, store } = this.studio;
    const { account } = state.fileAccount;
    if (!client || !account) return;
    for (const charge of account.charges) {
      const item = kinds.find((k) => k === charge.purpose);
      if (!item || !charge.kept || this.fetched.has(charge.id)) continue;
      this.fetched.set(charge.id, []);
      try {
        const { release } = await client.ledger.kept<BoundsRelease | CategoriesRelease>(charge.id);
        const offers = purchases[item]
          .parts(release, charge)
          .flatMap(({ name, put }): Offer[] =>
            put ? [{ item, name, put, text: purchases[item].words(put) }] : [],
          );
        this.fetched.set(charge.id, offers);
      } catch {
        // A ledger that cannot be read says so where the account is.
      }
    }
    const offers = offersOf(account, this.fetched);
    const before = this.studio.state.buying;
    if (offers.length !== before.offers.length || offers.some((o, i) => o !== before.offers[i]))
      store.set({ buying: { ...before, offers } });
  }

  /** Puts back in place what was bought before. */
  again(offers: readonly (Offer & { readonly id: string })[]): void {
    for (const { id, put } of offers) this.studio.editor.edit((d) => putBought(d, id, put));
    this.studio.store.set({
      announcement: `${offers.map((o) => o.name).join(", ")}: put back in place, for nothing.`,
    });
  }
}

/** Of each column what was bought last. */
function offersOf(
  { charges }: Account,
  fetched: ReadonlyMap<string, readonly Offer[]>,
): readonly Offer[] {
  const last = new Map<string, Offer>();
  for (const { id } of charges)
    for (const offer of fetched.get(id) ?? []) last.set(`${offer.item} ${offer.name}`, offer);
  return [...last.values()];
}
