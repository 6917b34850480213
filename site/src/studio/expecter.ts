import type { Client, ExpectationRequest } from "../client/types.ts";
import { checkBudget } from "./budget.ts";
import { check } from "./draft/check.ts";
import { checkRecords, type ExpectationState, noTrials, signals, triedEpsilons } from "./expectation.ts";
import { isAborted, problemOf } from "./problem.ts";
import { busy, checkMethod } from "./state.ts";
import type { Studio } from "./studio.ts";

/** Of each strength of signal. */
const trials = 12;

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

  constructor(private readonly studio: Studio) {}

  private get state(): ExpectationState {
    return this.studio.state.expectation;
  }

  private set(change: Partial<ExpectationState>): void {
    this.studio.store.set({ expectation: { ...this.state, ...change } });
  }

  changeRecords(records: string): void {
    this.set({ records });
    this.soon();
  }

  /** Starts, or starts anew if what is asked has changed. */
  soon(): void {
    if (!this.wanted) return this.watch();
    const request = this.request();
    const key = request ? JSON.stringify(request) : "";
    if (key === this.state.key && (this.control || !request || this.done)) return;
    this.control?.abort();
    this.control = null;
    if (key !== this.state.key) this.set({ key, epsilons: request?.epsilons ?? [], trials: noTrials, problem: null });
    if (!request) return;
    this.control = new AbortController();
    void this.run(request, this.control);
  }

  private get done(): boolean {
    return this.state.problem !== null || this.state.trials.strong.length >= trials;
  }

  /** What the trials are of: public things alone. The chosen ε changes nothing while it is within those tried. */
  private request(): Omit<ExpectationRequest, "signal" | "trial"> | null {
    const { state, adjacency } = this.studio;
    const schema = state.draft && check(state.draft).schema;
    const { budget } = checkBudget(state.budget);
    const { options: method } = checkMethod(state);
    const { records } = checkRecords(this.state.records);
    if (!schema || !budget || !method || records === null) return null;
    return { schema, records, adjacency, ...budget, ...method, epsilon: 1, epsilons: triedEpsilons(budget.epsilon) };
  }

  private async run(request: Omit<ExpectationRequest, "signal" | "trial">, control: AbortController): Promise<void> {
    const { client } = this.studio;
    if (!client) return;
    this.worker ??= client.beside();
    const current = () => control === this.control;
    try {
      for (let trial = 1; trial <= trials; trial++) {
        for (const signal of signals) {
          await idle();
          while (current() && busy(this.studio.state)) await pause(300);
          if (!current()) return;
          const answer = await this.worker.expectation({ ...request, signal, trial }, { signal: control.signal });
          if (!current()) return;
          this.set({ trials: { ...this.state.trials, [signal]: [...this.state.trials[signal], answer] } });
        }
      }
    } catch (error) {
      if (!current() || isAborted(error)) return;
      this.set({ problem: problemOf(error) });
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

/** Until the browser has nothing better to do, or half a second. */
function idle(): Promise<void> {
  if (!("requestIdleCallback" in globalThis)) return pause(0);
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
