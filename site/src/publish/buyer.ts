// Bounds that nobody knows: bought from the file, with noise, through its account.

import type { LedgerCharge } from "../client/types.ts";
import { readable } from "../chart/numbers.ts";
import { putBought } from "../studio/draft/edit.ts";
import type { BuyerState, forBuyer } from "../studio/buyer.ts";
import type { Studio } from "../studio/studio.ts";

export class Buyer {
  private asking = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = "";

  constructor(
    private readonly studio: Studio,
    private readonly page: typeof forBuyer,
  ) {}

  private get state(): BuyerState {
    return this.studio.state.buyer;
  }

  private set(change: Partial<BuyerState>): void {
    this.studio.store.set({ buyer: { ...this.state, ...change } });
  }

  /** Another file is open: what came of the last one is not about it. */
  close(): void {
    this.set({ ...this.page.firstBuyer, epsilon: this.state.epsilon });
  }

  change(epsilon: string): void {
    this.set({ epsilon, work: this.page.firstBuyer.work, found: [] });
    this.soon();
  }

  /** Asks, when typing pauses, what the purchase would be good for and what it would leave. No row is looked at. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), 250);
  }

  private async ask(): Promise<void> {
    const { wanted, checkPrice, keepsAccount } = this.page;
    const { client, state, adjacency } = this.studio;
    const columns = state.draft ? wanted(state.draft).length : 0;
    const epsilon = checkPrice(this.state.epsilon);
    const { account } = state.desk;
    const question = JSON.stringify([columns, epsilon, adjacency, account?.id, account?.spent]);
    if (question === this.asked) return;
    this.asked = question;
    const asking = ++this.asking;
    if (!client || columns === 0 || epsilon === null) return this.set({ plan: null, answer: null });
    try {
      const plan = await client.planBounds({ columns, adjacency, epsilon });
      const answer = account && keepsAccount(state.desk) ? await client.ledger.afford(account.id, plan.event) : null;
      if (asking === this.asking) this.set({ plan, answer });
    } catch {
      // What cannot be asked is said where it is bought.
      this.asked = "";
      if (asking === this.asking) this.set({ plan: null, answer: null });
    }
  }

  /** Buys the bounds that are wanted, and puts them in place. */
  async buy(): Promise<void> {
    const { studio } = this;
    const { busy, check, CloisterError, checkPrice, isAborted, keepsAccount, Pace, problemOf, wanted } = this.page;
    const { client, running, state, adjacency } = studio;
    const { source, draft } = state;
    const epsilon = checkPrice(this.state.epsilon);
    this.set({ attempted: true });
    if (!client || !draft || !source || epsilon === null || busy(state) || !keepsAccount(state.desk)) return;
    const columns = wanted(draft);
    const missingValues = check(draft).schema?.missing_values;
    if (columns.length === 0 || !missingValues) return;
    studio.planner.stop();
    studio.desk.stopAsking();
    const control = running.start();
    const pace = new Pace();
    this.set({ work: { phase: "running", progress: null }, found: [] });
    studio.store.set({ announcement: "Buying bounds." });
    try {
      const { release, charge } = await client.ledger.bounds(source.parts, {
        columns: columns.map((c) => c.name),
        missingValues,
        adjacency,
        epsilon,
        signal: control.signal,
        onProgress: (progress) => running.is(control) && this.set({ work: { phase: "running", progress: pace.with(progress) } }),
      });
      if (running.is(control)) this.put(columns, release, charge);
    } catch (error) {
      if (!running.is(control)) return;
      const charged = error instanceof CloisterError && error.charged !== undefined;
      this.set({ work: isAborted(error) ? { phase: "cancelled", ...(charged && { charged: "unknown" }) } : { phase: "failed", problem: problemOf(error) } });
      studio.store.set({ announcement: isAborted(error) ? "Buying bounds was cancelled." : "No bounds were bought." });
    } finally {
      running.done(control);
      await studio.charged();
    }
  }

  private put(
    asked: readonly { readonly id: string; readonly name: string }[],
    { columns, epsilon }: { readonly columns: readonly { name: string; min?: number; max?: number }[]; readonly epsilon: number },
    charge: LedgerCharge,
  ): void {
    const found: [string, readonly [number, number] | null][] = [];
    for (const [i, { min, max, name }] of columns.entries()) {
      const bounds = min === undefined || max === undefined ? null : ([min, max] as const);
      found.push([name, bounds]);
      if (bounds) this.studio.editor.edit((d) => putBought(d, asked[i]!.id, { charge: charge.id, epsilon, min: String(min), max: String(max) }));
    }
    this.set({ work: { phase: "done" }, attempted: false, found: found.map(([name, bounds]) => ({ name, bounds })) });
    this.studio.store.set({ announcement: found.map(([name, b]) => `${name}: ${b ? `${readable(b[0])} to ${readable(b[1])}` : "no bounds found"}.`).join(" ") });
  }
}
