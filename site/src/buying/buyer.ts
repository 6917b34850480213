// Bounds and categories that nobody knows: bought from the file, with noise, through its account.

import type { Account, BoundsRelease, CategoriesRelease } from "../client/types.ts";
import type { BuyerState, forBuyer, Offer } from "../studio/buyer.ts";
import { checkPrice, parseNumber } from "../studio/draft/check.ts";
import { type Sold, wanted } from "../studio/draft/draft.ts";
import { putBought } from "../studio/draft/edit.ts";
import type { Studio } from "../studio/studio.ts";
import { deltaOf, type Part, wares } from "./sold.ts";

export const kinds: readonly Sold[] = ["bounds", "categories"];

export class Buyer {
  private readonly asking = { bounds: 0, categories: 0 };
  private readonly asked = { bounds: "", categories: "" };
  /** What is said by confirming all that was read is shown. */
  readingAll = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was fetched of earlier purchases, by charge. */
  private readonly fetched = new Map<string, readonly Offer[]>();

  constructor(
    private readonly studio: Studio,
    private readonly page: typeof forBuyer,
  ) {}

  private state(sold: Sold): BuyerState {
    return this.studio.state.buying[sold];
  }

  private set(sold: Sold, change: Partial<BuyerState>): void {
    const { buying } = this.studio.state;
    this.studio.store.set({ buying: { ...buying, [sold]: { ...buying[sold], ...change } } });
  }

  /** Another file is open: what came of the last one is not about it. */
  close(): void {
    this.readingAll = false;
    for (const sold of kinds) this.set(sold, { ...this.page.firstBuyer, epsilon: this.state(sold).epsilon });
    this.studio.store.set({ buying: { ...this.studio.state.buying, offers: [] } });
  }

  change(sold: Sold, epsilon: string): void {
    this.set(sold, { epsilon, work: this.page.firstBuyer.work, found: [] });
    this.soon();
  }

  /** Asks, when typing pauses, what a purchase would be good for and what it would leave. No row is looked at. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const sold of kinds) void this.ask(sold);
      void this.recall();
    }, 250);
  }

  /** δ of one purchase, by the account, or by the total as it is typed. */
  private get delta(): number {
    const { account, draft } = this.studio.state.desk;
    return deltaOf(account?.budget ? account : { budget: { adjacency: draft.adjacency, epsilon: 1, delta: parseNumber(draft.delta) ?? 0 } });
  }

  private async ask(sold: Sold): Promise<void> {
    const { keepsAccount } = this.page;
    const { client, state, adjacency } = this.studio;
    const columns = state.draft ? wanted(state.draft, sold).length : 0;
    const epsilon = checkPrice(this.state(sold).epsilon);
    const { account } = state.desk;
    const { delta } = this;
    const question = JSON.stringify([columns, epsilon, delta, adjacency, account?.id, account?.spent]);
    if (question === this.asked[sold]) return;
    this.asked[sold] = question;
    const asking = ++this.asking[sold];
    if (!client || columns === 0 || epsilon === null) return this.set(sold, { plan: null, answer: null });
    try {
      const plan = await wares[sold].plan(client, { columns, adjacency, epsilon, delta });
      const answer = account && keepsAccount(state.desk) ? await client.ledger.afford(account.id, plan.event) : null;
      if (asking === this.asking[sold]) this.set(sold, { plan, answer });
    } catch {
      // What cannot be asked is said where it is bought.
      this.asked[sold] = "";
      if (asking === this.asking[sold]) this.set(sold, { plan: null, answer: null });
    }
  }

  /** Buys what is wanted, and puts it in place. */
  async buy(sold: Sold): Promise<void> {
    const { studio } = this;
    const { busy, check, CloisterError, isAborted, keepsAccount, Pace, problemOf } = this.page;
    const { client, running, state, adjacency } = studio;
    const { source, draft } = state;
    const epsilon = checkPrice(this.state(sold).epsilon);
    this.set(sold, { attempted: true });
    if (!client || !draft || !source || epsilon === null || busy(state) || !keepsAccount(state.desk)) return;
    const columns = wanted(draft, sold);
    const missingValues = check(draft).schema?.missing_values;
    if (columns.length === 0 || !missingValues) return;
    studio.planner.stop();
    studio.desk.stopAsking();
    const control = running.start();
    const pace = new Pace();
    this.set(sold, { work: { phase: "running", progress: null }, found: [] });
    studio.store.set({ announcement: `Buying ${sold}.` });
    try {
      const { release, charge } = await wares[sold].buy(client, source.parts, {
        columns: columns.map((c) => c.name),
        missingValues: [...missingValues],
        adjacency,
        epsilon,
        delta: this.delta,
        signal: control.signal,
        onProgress: (progress) => running.is(control) && this.set(sold, { work: { phase: "running", progress: pace.with(progress) } }),
      });
      if (running.is(control)) this.put(sold, columns, wares[sold].parts(release, charge));
    } catch (error) {
      if (!running.is(control)) return;
      const charged = error instanceof CloisterError && error.charged !== undefined;
      this.set(sold, { work: isAborted(error) ? { phase: "cancelled", ...(charged && { charged: "unknown" }) } : { phase: "failed", problem: problemOf(error) } });
      studio.store.set({ announcement: isAborted(error) ? `Buying ${sold} was cancelled.` : `No ${sold} were bought.` });
    } finally {
      running.done(control);
      await studio.charged();
    }
  }

  private put(sold: Sold, asked: readonly { readonly id: string }[], parts: readonly Part[]): void {
    const { editor, store } = this.studio;
    for (const [i, { put }] of parts.entries()) if (put) editor.edit((d) => putBought(d, asked[i]!.id, put));
    const found = parts.map(({ name, put }) => ({ name, text: put && wares[sold].words(put) }));
    this.set(sold, { work: { phase: "done" }, attempted: false, found });
    store.set({ announcement: found.map(({ name, text }) => `${name}: ${text ?? `no ${sold} found`}.`).join(" ") });
  }

  /** Fetches what was bought of this file before: it was stored with its charge, so that a closed tab takes nothing away. */
  private async recall(): Promise<void> {
    const { client, state, store } = this.studio;
    const { account } = state.desk;
    if (!client || !account) return;
    for (const charge of account.charges) {
      const sold = kinds.find((k) => k === charge.purpose);
      if (!sold || !charge.kept || this.fetched.has(charge.id)) continue;
      this.fetched.set(charge.id, []);
      try {
        const { release } = await client.ledger.kept<BoundsRelease | CategoriesRelease>(charge.id);
        const offers = wares[sold].parts(release, charge).flatMap(({ name, put }): Offer[] => (put ? [{ sold, name, put, text: wares[sold].words(put) }] : []));
        this.fetched.set(charge.id, offers);
      } catch {
        // A ledger that cannot be read says so where the account is.
      }
    }
    const offers = offersOf(account, this.fetched);
    const before = this.studio.state.buying;
    if (offers.length !== before.offers.length || offers.some((o, i) => o !== before.offers[i])) store.set({ buying: { ...before, offers } });
  }

  /** Puts back in place what was bought before. */
  again(offers: readonly (Offer & { readonly id: string })[]): void {
    for (const { id, put } of offers) this.studio.editor.edit((d) => putBought(d, id, put));
    this.studio.store.set({ announcement: `${offers.map((o) => o.name).join(", ")}: put back in place, for nothing.` });
  }
}

/** Of each column what was bought last. */
function offersOf({ charges }: Account, fetched: ReadonlyMap<string, readonly Offer[]>): readonly Offer[] {
  const last = new Map<string, Offer>();
  for (const { id } of charges) for (const offer of fetched.get(id) ?? []) last.set(`${offer.sold} ${offer.name}`, offer);
  return [...last.values()];
}
