import type { Client } from "../../../../client/types.ts";
import { defaultFitMethod, fitMethods } from "../../../../client/wire/methods.ts";
import { problemOf } from "../../../shell/problem.ts";
import type { Way } from "../../state/choices.ts";
import type { Asked } from "../../state/state.ts";
import type { PlannedFit } from "../../state/workspace.ts";
import { Comparer } from "./comparer.ts";
import { expected } from "./expected.ts";
import type { AccuracyHost } from "./host.ts";
import { idle, pause } from "./idle.ts";
import {
  type AccuracyState,
  noTrials,
  rarerOf,
  signals,
  triedEpsilons,
  triedSizes,
} from "../../state/expected-accuracy.ts";

/** What the rows choose. */
const chosenBy = ({ chooseLambda, chooseMethod }: Asked): Way | undefined =>
  chooseLambda ? "chooseLambda" : chooseMethod && "chooseMethod";

/** What is tried: a fit, with these numbers of rows, at these ε. */
interface Request {
  readonly way: Way | "usual";
  readonly plan: PlannedFit;
  readonly rarer?: number;
  readonly sizes: readonly number[];
  readonly epsilons: readonly number[];
}

/**
 * Of each strength of signal, and each number of rows. The many steps of DP-SGD take ten times as
 * long, and so do the fits of a choice by the rows.
 */
export const trialsOf = (asked: Asked, sizes: readonly number[]): number =>
  chosenBy(asked) || (asked.method && fitMethods[asked.method].slow)
    ? 4
    : sizes.length > 1
      ? 6
      : 12;

/**
 * Tries out beforehand what privacy costs in accuracy, on made-up rows, in a worker of its own that
 * never sees a file: first in a second or so, then more exactly while the page has nothing else to
 * do. Where it is not shown, it waits.
 */
export class AccuracyTrials {
  private worker: Client | null = null;
  private control: AbortController | null = null;
  /** A step where it is shown was on the screen: before that nobody asks. */
  private wanted = false;
  /** Does the same for other ways to fit. */
  private readonly comparer: Comparer;

  constructor(private readonly host: AccuracyHost) {
    this.comparer = new Comparer(host);
  }

  private get state(): AccuracyState {
    return this.host.get();
  }

  private set(change: Partial<AccuracyState>): void {
    this.host.set(change);
  }

  change(change: Partial<Pick<AccuracyState, "records" | "rarer">>): void {
    this.set(change);
    this.soon();
  }

  /** "Compare methods" was opened, or closed. */
  compare(open: boolean): void {
    this.comparer.show(open);
  }

  /** Starts, or starts anew if what is asked has changed. */
  soon(): void {
    this.comparer.soon();
    this.wanted ||= this.host.near();
    if (!this.wanted) return;
    const request = this.request();
    const key = request ? JSON.stringify(request) : "";
    if (key === this.state.key && (this.control || !request || this.done(request))) return;
    this.control?.abort();
    this.control = null;
    if (key !== this.state.key) {
      const runs = (request?.sizes ?? []).map((records) => ({ records, trials: noTrials }));
      this.set({
        key,
        way: request?.way ?? "usual",
        epsilons: request?.epsilons ?? [],
        runs,
        problem: null,
      });
    }
    if (!request) return;
    this.control = new AbortController();
    void this.run(request, this.control);
  }

  private done({ plan, sizes }: Request): boolean {
    const { problem, runs } = this.state;
    return (
      problem !== null || runs.every(({ trials }) => trials.strong.length >= trialsOf(plan, sizes))
    );
  }

  /**
   * What the trials are of: public things alone. The chosen ε changes nothing while it is within
   * those tried.
   */
  private request(): Request | null {
    const plan = this.host.planned();
    const sizes = triedSizes(this.state.records);
    if (!plan || sizes.length === 0) return null;
    const { method, records } = plan;
    // Where no number was said, a fit is told of none, whatever number is tried.
    const chosen = chosenBy(plan);
    const told =
      chosen || method || records !== undefined ? plan : { ...plan, method: defaultFitMethod };
    return {
      way: chosen ?? method ?? "usual",
      plan: { ...told, epsilon: 1 },
      ...rarerOf(plan, this.state),
      sizes,
      epsilons: triedEpsilons(plan.epsilon),
    };
  }

  private async run(
    { plan, rarer, sizes, epsilons }: Request,
    control: AbortController,
  ): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.worker ??= client.beside();
    const current = () => control === this.control;
    try {
      for (let trial = 1; trial <= trialsOf(plan, sizes); trial++) {
        for (const signal of signals) {
          for (const records of sizes) {
            await idle();
            while (current() && (this.host.busy() || !this.host.near())) await pause(300);
            if (!current()) return;
            const answer = await expected(
              this.worker,
              { ...plan, ...(rarer && { rarer }), records, epsilons, signal, trial },
              { signal: control.signal },
            );
            if (!current()) return;
            this.set({
              runs: this.state.runs.map((run) =>
                run.records === records
                  ? {
                      records,
                      trials: { ...run.trials, [signal]: [...run.trials[signal], answer] },
                    }
                  : run,
              ),
            });
          }
        }
      }
    } catch (error) {
      const problem = problemOf(error);
      if (!current() || problem.code === "aborted") return;
      this.set({ problem });
    }
    this.control = null;
    this.worker?.terminate();
  }
}
