import {
  type Account,
  type Affordance,
  type AnyLabel,
  CloisterError,
  type InspectedReport,
  type LedgerCharge,
  type PrivacyReport,
  type Progress,
  type Release,
  type ReportRequest,
  type ReportResult,
  type TrueLosses,
} from "../../../../client/types.ts";
import { isDrawn } from "../../../../client/ledger.ts";
import { methodWords } from "../../../../client/wire/method-words.ts";
import { download } from "../../../shell/download.ts";
import { Pace } from "../../../shell/pace.ts";
import { isAborted, type Problem, problemOf, spentOn } from "../../../shell/problem.ts";
import { canBuy, keepsAccount } from "../../account/file-account.ts";
import { checkPrice } from "../../draft/check.ts";
import { busy, type Result, withResult } from "../../state/state.ts";
import { idle, type Work } from "../../state/work.ts";
import type { Workspace } from "../../state/workspace.ts";

/** What is known of one model's report. */
export interface Entry {
  readonly kind: "data-independent" | "data-dependent";
  /** As it is typed. */
  readonly epsilon: string;
  readonly errors: boolean;
  readonly attempted: boolean;
  readonly work: Work;
  /** What buying it would leave; null while that is not known. */
  readonly answer: Affordance | null;
  readonly losses:
    | { readonly phase: "idle" | "running" }
    | { readonly phase: "failed"; readonly problem: Problem }
    | { readonly phase: "done"; readonly found: TrueLosses };
}

const first: Entry = {
  kind: "data-independent",
  epsilon: "0.3",
  errors: true,
  attempted: false,
  work: idle,
  answer: null,
  losses: { phase: "idle" },
};

/** The largest model of which more than the free report is made. */
export const mostColumns = 200;

/**
 * Makes privacy reports of the visit's models, and works out for the data holder what they really
 * cost.
 */
export class Reporter {
  private readonly entries = new Map<number, Entry>();
  private asking = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private buying: AbortController | null = null;

  constructor(readonly studio: Workspace) {}

  entry({ number }: Result): Entry {
    return this.entries.get(number) ?? first;
  }

  private set(result: Result, change: Partial<Entry>): void {
    this.entries.set(result.number, { ...this.entry(result), ...change });
    this.studio.store.set({});
  }

  /** Why there can be no report of a model; null if there can. */
  why({ model, event, guarantee }: Release<AnyLabel>): string | null {
    if ("classes" in model)
      return "There is no privacy report yet for a model of several classes: each class is a release of its own, and a report says what one of them cost.";
    if (guarantee.adjacency !== "add-remove")
      return "A privacy report says what it cost a person to be in the data rather than not. This fit promises something else: that one person could be replaced by another. What that cost depends on the other person, whom nobody knows.";
    if (event.mechanism === "poisson-selection")
      return "There is no privacy report of a model whose setting the rows chose: what its noise tells about one person depends on the fits that were not kept, and those stay secret.";
    if (event.mechanism !== "approximate-minima-perturbation")
      return `Privacy reports work only for “${methodWords.amp.title}”, another method, in step 4. After other fits, the model does not show what its noise tells about one person.`;
    return null;
  }

  /**
   * Whether the rows that the model was fitted to are open still, as they were read for it, in the
   * worker that has its noise: what is bought comes from both.
   */
  open({ dataset, worker, source }: Result): boolean {
    return (
      worker !== undefined &&
      dataset?.worker === worker &&
      this.studio.state.source?.id === source.id
    );
  }

  change(result: Result, change: Partial<Pick<Entry, "kind" | "epsilon" | "errors">>): void {
    this.set(result, {
      ...change,
      answer: null,
      ...(this.entry(result).work.phase !== "running" && { work: idle }),
    });
    this.soon(result);
  }

  /** Asks, when typing pauses, what buying the report would leave. */
  private soon(result: Result): void {
    clearTimeout(this.timer);
    const asking = ++this.asking;
    this.timer = setTimeout(() => void this.ask(result, asking), 250);
  }

  private async ask(result: Result, asking: number): Promise<void> {
    const { client, state } = this.studio;
    const { account } = state.fileAccount;
    const request = this.request(result);
    if (
      !client ||
      !request ||
      request.kind === "data-independent" ||
      result.source.kind !== "file" ||
      !account ||
      !keepsAccount(state.fileAccount)
    )
      return;
    try {
      const { event } = await client.planReport(result.release, request);
      const answer = await client.ledger.afford(account.id, event);
      if (asking === this.asking) this.set(result, { answer });
    } catch {
      // What cannot be asked is said where it is bought.
    }
  }

  private request(result: Result): ReportRequest | null {
    const { kind, errors, epsilon: text } = this.entry(result);
    if (kind === "data-independent") return { kind };
    const epsilon = checkPrice(text);
    return epsilon === null
      ? null
      : { kind, epsilon, delta: result.release.guarantee.delta, errors };
  }

  async make(result: Result): Promise<void> {
    const { studio } = this;
    const { client, state } = studio;
    const request = this.request(result);
    this.set(result, { attempted: true });
    if (!client || !request || busy(state)) return;
    const own = result.source.kind === "file";
    const bought = request.kind !== "data-independent";
    const keeps = bought && own && keepsAccount(state.fileAccount);
    if (bought && (!this.open(result) || (own && !canBuy(state.fileAccount)))) return;
    const before = state.fileAccount.account;
    const { signal } = (this.buying = new AbortController());
    const pace = new Pace();
    let [drawn, counted] = [false as boolean, false as boolean];
    const count = () => {
      if (!bought || keeps || counted) return;
      counted = true;
      const { epsilon, delta } = request;
      const { adjacency } = result.release.guarantee;
      const { spent } = studio.state;
      studio.store.set({
        spent: [
          ...spent,
          { source: result.source.id, adjacency, epsilon: epsilon!, delta: delta! },
        ],
      });
    };
    const onProgress = (progress: Progress) => {
      drawn ||= isDrawn(progress);
      // What follows the charge tells nothing of how far it is, and takes the longest.
      if (!signal.aborted)
        this.set(result, {
          work: {
            phase: "running",
            progress: progress.phase === "reserving" ? null : pace.with(progress),
          },
        });
    };
    const options = bought ? { ...request, signal, onProgress } : request;
    this.set(result, { work: { phase: "running", progress: null } });
    studio.store.set({
      reporting: true,
      announcement: bought ? "Buying the privacy report." : "Making the privacy report.",
    });
    try {
      const made: { charge?: LedgerCharge } & ReportResult = keeps
        ? await client.ledger.report(result.dataset!, result.release, options)
        : await client.report(bought ? result.dataset! : null, result.release, options);
      count();
      // From here on it is there, and paid for: whatever else fails, it can be saved.
      const inspected = await this.inspected(result.release, made.report);
      const report = { report: made.report, text: made.text, ...(inspected && { inspected }) };
      studio.store.set({
        ...withResult(studio.state, result.number, { report }),
        announcement: inspected
          ? "The privacy report is ready. Save it beside the release."
          : `The privacy report was made${bought ? " and charged" : ""}, but could not be read back. Save it.`,
      });
      this.set(result, { work: { phase: "done" }, attempted: false, losses: { phase: "idle" } });
    } catch (error) {
      const charged = error instanceof CloisterError && error.charged !== undefined;
      const cancelled = isAborted(error);
      if (drawn) count();
      const unnoted = counted && own;
      this.set(result, {
        work: cancelled
          ? {
              phase: "cancelled",
              ...(charged && { charged: "unknown" }),
              ...(unnoted && { charged: "unnoted" }),
            }
          : { phase: "failed", problem: unnoted ? spentOn(error) : problemOf(error) },
      });
      studio.store.set({
        announcement: cancelled
          ? "The privacy report was cancelled."
          : "No privacy report was made.",
      });
    } finally {
      this.buying = null;
      studio.store.set({ reporting: false });
      if (keeps && before) {
        await studio.charged();
        this.settle(result, before);
      }
    }
  }

  cancel(): void {
    this.buying?.abort();
  }

  /**
   * Says whether a cancelled report was noted in the ledger, once that account has been read again:
   * it may have been before the page heard of it.
   */
  private settle(result: Result, before: Account): void {
    const { work } = this.entry(result);
    const { account, phase, problem } = this.studio.state.fileAccount;
    if (work.phase !== "cancelled" || account?.id !== before.id || phase !== "open" || problem)
      return;
    this.set(result, {
      work: { ...work, charged: account.charges.length > before.charges.length ? "yes" : "no" },
    });
  }

  private async inspected(
    release: Release<AnyLabel>,
    report: PrivacyReport,
  ): Promise<InspectedReport | undefined> {
    try {
      return await this.studio.client!.inspectReport(release, report);
    } catch {
      return undefined;
    }
  }

  /** It tells of the model, so it is saved if that may be published. */
  async save(result: Result): Promise<void> {
    const { report } = result;
    if (report && (await this.studio.models.publishable(result)))
      download("privacy-report.json", "application/json", report.text);
  }

  /** Works out what the model cost each of the rows. Nothing is released. */
  async lookAtLosses(result: Result): Promise<void> {
    const { client } = this.studio;
    if (!client || !this.open(result) || this.entry(result).losses.phase === "running") return;
    this.set(result, { losses: { phase: "running" } });
    try {
      // The free report is always compared: only a bought one tells something else.
      const bought =
        result.report && result.report.report.kind !== "data-independent"
          ? { report: result.report.report }
          : {};
      const found = await client.trueLosses(result.dataset!, result.release, bought);
      this.set(result, { losses: { phase: "done", found } });
      this.studio.store.set({
        announcement: "The losses of your rows are shown. They are for your eyes only.",
      });
    } catch (error) {
      this.set(result, { losses: { phase: "failed", problem: problemOf(error) } });
    }
  }
}
