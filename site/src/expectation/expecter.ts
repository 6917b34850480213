import type { Account, Client, ExpectationRequest, FitMethod, MethodOptions } from "../client/types.ts";
import type { PlannedFit } from "../studio/planner.ts";
import type { Problem } from "../studio/problem.ts";
import { Comparer } from "./comparer.ts";
import { idle, pause } from "./idle.ts";
import { checkRecords, type ExpectationState, noTrials, signals, triedEpsilons } from "./state.ts";

/** What it needs of the page. */
export interface ExpecterHost {
  /** Of the binary that is loaded. */
  client(): Client | null;
  get(): ExpectationState;
  set(change: Partial<ExpectationState>): void;
  /** The fit that is planned, if its description is whole: public things alone. Or the same in another way. */
  planned(way?: FitMethod): PlannedFit | null;
  /** That of the open file, where there is one with a total. */
  account(): Account | null;
  /** The page has something better to do. */
  busy(): boolean;
  problemOf(error: unknown): Problem;
}

/** Of each strength of signal. The many steps of DP-SGD take ten times as long. */
const trialsOf = ({ method }: MethodOptions): number => (method === "dpsgd" ? 4 : 12);

/**
 * Tries out beforehand what privacy costs in accuracy, on made-up rows, in a worker of its own that never sees a file:
 * first in a second or so, then more exactly while the page has nothing else to do.
 */
export class Expecter {
  private worker: Client | null = null;
  private control: AbortController | null = null;
  /** The part of the page where it is shown has come near: before that nobody asks. */
  private wanted = false;
  private watching: IntersectionObserver | null = null;
  /** Does the same for other ways to fit. */
  private readonly comparer: Comparer;

  constructor(private readonly host: ExpecterHost) {
    this.comparer = new Comparer(host);
  }

  private get state(): ExpectationState {
    return this.host.get();
  }

  private set(change: Partial<ExpectationState>): void {
    this.host.set(change);
  }

  changeRecords(records: string): void {
    this.set({ records });
    this.soon();
  }

  /** "Compare methods" was opened, or closed. */
  compare(open: boolean): void {
    this.comparer.show(open);
  }

  /** Starts, or starts anew if what is asked has changed. */
  soon(): void {
    this.comparer.soon();
    if (!this.wanted) return this.watch();
    const request = this.request();
    const key = request ? JSON.stringify(request) : "";
    if (key === this.state.key && (this.control || !request || this.done(request))) return;
    this.control?.abort();
    this.control = null;
    if (key !== this.state.key) this.set({ key, way: request?.method ?? "amp", epsilons: request?.epsilons ?? [], trials: noTrials, problem: null });
    if (!request) return;
    this.control = new AbortController();
    void this.run(request, this.control);
  }

  private done(request: MethodOptions): boolean {
    return this.state.problem !== null || this.state.trials.strong.length >= trialsOf(request);
  }

  /** What the trials are of: public things alone. The chosen ε changes nothing while it is within those tried. */
  private request(): Omit<ExpectationRequest, "signal" | "trial"> | null {
    const planned = this.host.planned();
    const { records } = checkRecords(this.state.records);
    if (!planned || records === null) return null;
    return { ...planned, records, epsilon: 1, epsilons: triedEpsilons(planned.epsilon) };
  }

  private async run(request: Omit<ExpectationRequest, "signal" | "trial">, control: AbortController): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.worker ??= client.beside();
    const current = () => control === this.control;
    try {
      for (let trial = 1; trial <= trialsOf(request); trial++) {
        for (const signal of signals) {
          await idle();
          while (current() && this.host.busy()) await pause(300);
          if (!current()) return;
          const answer = await this.worker.expectation({ ...request, signal, trial }, { signal: control.signal });
          if (!current()) return;
          this.set({ trials: { ...this.state.trials, [signal]: [...this.state.trials[signal], answer] } });
        }
      }
    } catch (error) {
      const problem = this.host.problemOf(error);
      if (!current() || problem.code === "aborted") return;
      this.set({ problem });
    }
    this.control = null;
    this.worker?.terminate();
  }

  /** Waits until somebody comes near. */
  private watch(): void {
    const panel = globalThis.document?.getElementById("expectation");
    if (!panel || this.watching) return;
    this.watching = new IntersectionObserver(
      ([seen]) => {
        if (!seen?.isIntersecting) return;
        this.watching?.disconnect();
        this.wanted = true;
        this.soon();
      },
      { rootMargin: "400px" },
    );
    this.watching.observe(panel);
  }
}
