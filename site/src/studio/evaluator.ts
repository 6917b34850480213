// A private evaluation: how a model does on rows that it was not fitted to, bought for readers of the release.

import { type Account, type AnyLabel, type Client, CloisterError, type Dataset, type EvaluateOptions, type EvaluateResult, type ProgressOptions } from "../client/types.ts";
import { readable } from "../chart/numbers.ts";
import { canBuy, closedDesk, Desk, keepsAccount } from "./ledger/desk.ts";
import { Pace } from "./pace.ts";
import { aboutHeldOut, problemOf } from "./problem.ts";
import { parseNumber } from "./draft/check.ts";
import { heldOutSeed, sampleCSV } from "./sample.ts";
import { busy, buyingMore, emptyEvaluation, idle, type EvaluationState, type Result } from "./state.ts";
import type { Store } from "./store.ts";

/** ε of an evaluation as it is typed; null if it cannot be one. */
export function checkEvaluation(text: string): number | null {
  const epsilon = parseNumber(text);
  return epsilon !== null && epsilon > 0 ? epsilon : null;
}

const heldOutRows = 4000;

export class Evaluator {
  /** The account of the held-out file. */
  readonly desk: Desk;
  private opened: Dataset<AnyLabel> | null = null;
  private running: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly client: () => Client | null,
    private readonly bought: () => void,
  ) {
    this.desk = new Desk({
      client,
      get: () => this.state.desk,
      set: (change) => this.set({ desk: { ...this.state.desk, ...change } }),
      announce: (announcement) => this.store.set({ announcement }),
      changed: () => {
        this.bought();
        this.askSoon();
      },
    });
  }

  private get state(): EvaluationState {
    return this.store.state.evaluation;
  }

  private set(change: Partial<EvaluationState>): void {
    this.store.set({ evaluation: { ...this.state, ...change } });
  }

  /** Forgets the held-out file: another model is looked at. Not while an evaluation is under way. */
  close(): void {
    this.opened?.close().catch(() => {});
    this.opened = null;
    this.desk.close();
    this.store.set({ evaluation: { ...emptyEvaluation, epsilon: this.state.epsilon, desk: { ...closedDesk, accepted: this.state.desk.accepted } } });
  }

  /** Takes a file of rows that the model was not fitted to. */
  async choose(files: readonly File[]): Promise<void> {
    if (files.length === 0 || buyingMore(this.store.state)) return;
    this.close();
    this.set({ source: { kind: "file", names: files.map((f) => f.name), parts: [...files] } });
    await this.look();
  }

  /** More rows of nobody, to try it with. */
  useSample(): void {
    if (buyingMore(this.store.state)) return;
    this.close();
    this.set({ source: { kind: "sample", names: ["held-out sample"], parts: [new Blob([...sampleCSV(heldOutRows, heldOutSeed)])] } });
  }

  async look(): Promise<void> {
    const { source } = this.state;
    if (source?.kind !== "file" || buyingMore(this.store.state)) return;
    await this.desk.look((options) => this.open(options), source.names.join(", "));
    this.askSoon();
  }

  change(epsilon: string): void {
    this.set({ epsilon, ...(this.state.work.phase !== "running" && { work: idle }) });
    this.askSoon();
  }

  /** Asks, when typing pauses, what the evaluation would leave: at most ε by itself, whatever it is composed of. */
  private askSoon(): void {
    clearTimeout(this.timer);
    this.desk.forgetQuote();
    this.timer = setTimeout(() => {
      const epsilon = checkEvaluation(this.state.epsilon);
      const { adjacency } = this;
      if (epsilon !== null) void this.desk.ask(epsilon, async (e) => ({ mechanism: "pure-dp", adjacency, epsilon: e }));
    }, 250);
  }

  private get adjacency(): EvaluateOptions["adjacency"] {
    return this.state.desk.account?.budget?.adjacency ?? this.state.desk.draft.adjacency;
  }

  private async open(options: ProgressOptions): Promise<Dataset<AnyLabel>> {
    const client = this.client();
    const { result } = this.store.state;
    const { source } = this.state;
    if (this.opened) return this.opened;
    if (!client || !result || !source) throw new CloisterError("dataset-lost", "Choose the held-out file again.");
    const dataset = await client.openDataset<AnyLabel>(source.parts, result.release.schema, options).catch((error: unknown) => {
      throw aboutHeldOut(error);
    });
    // Another file may have been chosen in the meantime.
    if (this.state.source !== source) await dataset.close();
    else this.opened = dataset;
    return dataset;
  }

  async buy(): Promise<void> {
    const client = this.client();
    const { result } = this.store.state;
    const { source, desk } = this.state;
    const epsilon = checkEvaluation(this.state.epsilon);
    this.set({ attempted: true });
    if (!client || !result || !source || epsilon === null || busy(this.store.state)) return;
    const own = source.kind === "file";
    if (own && !canBuy(desk)) return;
    const keeps = own && keepsAccount(desk);
    const before = desk.account;
    const control = new AbortController();
    this.running = control;
    const pace = new Pace();
    const current = () => control === this.running;
    this.set({ work: { phase: "running", progress: null } });
    this.store.set({ announcement: "Evaluating." });
    try {
      const dataset = await this.open({ signal: control.signal, onProgress: (progress) => current() && this.set({ work: { phase: "running", progress: pace.with(progress) } }) });
      const options: EvaluateOptions = { adjacency: this.adjacency, epsilon, signal: control.signal };
      const answer: EvaluateResult<AnyLabel> = keeps ? await client.ledger.evaluate(result.release, dataset, options) : await client.evaluate(result.release, dataset, options);
      const { release, text, figures, exact } = answer;
      // Other things may have come to the model meanwhile, such as a privacy report.
      const put = (r: Result): Result => (r.number === result.number ? { ...r, release, text, figures, exact } : r);
      // One value, in the list and shown: the list knows by it which one is.
      const results = this.store.state.results.map(put);
      const saved = new Set(this.store.state.saved);
      saved.delete(result.number);
      this.store.set({
        results,
        result: results.find((r) => r.number === this.store.state.result?.number) ?? null,
        saved,
        announcement: `Done. The evaluation is in the release, at ε ${readable(epsilon)} for the held-out file.`,
      });
      if (current()) this.set({ work: { phase: "done" } });
    } catch (error) {
      if (current()) {
        const problem = problemOf(error);
        const charged = error instanceof CloisterError && error.charged !== undefined;
        this.set({ work: problem.code === "aborted" ? { phase: "cancelled", ...(charged && { charged: "unknown" }) } : { phase: "failed", problem } });
        this.store.set({ announcement: problem.code === "aborted" ? "The evaluation was cancelled." : "The model was not evaluated." });
      }
    } finally {
      if (current()) this.running = null;
      if (keeps) {
        await this.desk.refresh();
        this.settle(before);
        this.bought();
        this.askSoon();
      }
    }
  }

  /** Says whether a cancelled evaluation was noted in the ledger, now that its account has been read again: it may have been before the page heard of it. */
  private settle(before: Account | null): void {
    const { work, desk } = this.state;
    const { account } = desk;
    if (work.phase !== "cancelled" || !account || account.id !== before?.id || desk.phase !== "open" || desk.problem) return;
    this.set({ work: { ...work, charged: account.charges.length > before.charges.length ? "yes" : "no" } });
  }

  cancel(): void {
    this.running?.abort();
    this.desk.cancel();
  }
}
