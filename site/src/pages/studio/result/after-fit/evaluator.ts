// A private evaluation: how a model does on rows that it was not fitted to, bought for readers of
// the release.

import {
  type Account,
  type AnyLabel,
  type Client,
  CloisterError,
  type Content,
  type Dataset,
  type EvaluateOptions,
  type ProgressOptions,
} from "../../../../client/types.ts";
import { isDrawn } from "../../../../client/ledger.ts";
import { readableBound } from "../../../../chart/numbers.ts";
import {
  canBuy,
  closedFileAccount,
  FileAccount,
  keepsAccount,
} from "../../account/file-account.ts";
import { Pace } from "../../../shell/pace.ts";
import { aboutHeldOut, problemOf, spentOn } from "../../../shell/problem.ts";
import { parseNumber } from "../../draft/number.ts";
import type * as Made from "../../sample/tables.ts";
import {
  busy,
  buyingMore,
  emptyEvaluation,
  type EvaluationState,
  type Result,
  withEvaluation,
  withResult,
} from "../../state/state.ts";
import { shownCard } from "../../state/card.ts";
import type { CardResult } from "../../state/card-state.ts";
import { idle } from "../../state/work.ts";
import type { Store } from "../../state/store.ts";

/** ε of an evaluation as it is typed; null if it cannot be one. */
export function checkEvaluation(text: string): number | null {
  const epsilon = parseNumber(text);
  return epsilon !== null && epsilon > 0 ? epsilon : null;
}

const heldOutRows = 4000;

export class Evaluator {
  /** The account of the held-out file. */
  readonly fileAccount: FileAccount;
  private opened: Dataset<AnyLabel> | Content | null = null;
  private running: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly client: () => Client | null,
    private readonly made: () => typeof Made | null,
    private readonly bought: () => void,
  ) {
    this.fileAccount = new FileAccount({
      client,
      get: () => this.state.fileAccount,
      set: (change) => this.set({ fileAccount: { ...this.state.fileAccount, ...change } }),
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

  /**
   * Forgets the held-out file: another model is looked at. Not while an evaluation is under way.
   */
  close(): void {
    this.opened?.close().catch(() => {});
    this.opened = null;
    this.fileAccount.close();
    this.store.set({
      evaluation: {
        ...emptyEvaluation,
        epsilon: this.state.epsilon,
        fileAccount: { ...closedFileAccount, accepted: this.state.fileAccount.accepted },
      },
    });
  }

  /** Takes a file of rows that the model was not fitted to. */
  async choose(files: readonly File[]): Promise<void> {
    if (files.length === 0 || buyingMore(this.store.state)) return;
    this.close();
    this.set({ source: { kind: "file", names: files.map((f) => f.name), parts: [...files] } });
    await this.look();
  }

  /** More rows of the made-up table that the model is of, to try an evaluation with. */
  useSample(): void {
    const made = this.made();
    const { state } = this.store;
    const card = shownCard(state);
    const sample = card ? card.sample : state.result?.source.sample;
    if (!made || !sample || buyingMore(this.store.state)) return;
    this.close();
    this.set({
      source: {
        kind: "sample",
        names: ["held-out rows"],
        parts: [new Blob([...made.csvOf(made.tables[sample], heldOutRows, made.seeds.heldOut)])],
      },
    });
  }

  async look(): Promise<void> {
    const { source } = this.state;
    if (source?.kind !== "file" || buyingMore(this.store.state)) return;
    await this.fileAccount.look((options) => this.open(options), source.names.join(", "));
    this.askSoon();
  }

  change(epsilon: string): void {
    this.set({ epsilon, ...(this.state.work.phase !== "running" && { work: idle }) });
    this.askSoon();
  }

  /**
   * Asks, when typing pauses, what the evaluation would leave: at most ε by itself, whatever it is
   * composed of.
   */
  private askSoon(): void {
    clearTimeout(this.timer);
    this.fileAccount.forgetQuote();
    this.timer = setTimeout(() => {
      const epsilon = checkEvaluation(this.state.epsilon);
      const { adjacency } = this;
      if (epsilon !== null)
        void this.fileAccount.ask(epsilon, async (e) => ({
          mechanism: "pure-dp",
          adjacency,
          epsilon: e,
        }));
    }, 250);
  }

  private get adjacency(): EvaluateOptions["adjacency"] {
    return (
      this.state.fileAccount.account?.budget?.adjacency ?? this.state.fileAccount.draft.adjacency
    );
  }

  /** Reads the held-out file: as the model was read, or to know it again where it is for a card. */
  private async open(options: ProgressOptions): Promise<Dataset<AnyLabel> | Content> {
    const client = this.client();
    const { result } = this.store.state;
    const card = shownCard(this.store.state);
    const { source } = this.state;
    if (this.opened) return this.opened;
    if (!client || !(card ?? result) || !source)
      throw new CloisterError("dataset-lost", "Choose the held-out file again.");
    const reading = card
      ? client
          .suggestSchema(source.parts, {
            ...options,
            ...card.layout,
            label: card.release.schema.label.name,
            positive: card.release.schema.label.positive,
          })
          .then(({ content }) => content)
      : client.openDataset<AnyLabel>(source.parts, result!.release.schema, {
          ...options,
          header: result!.source.header,
          delimiter: result!.source.delimiter,
          names: result!.source.columns,
        });
    const dataset = await reading.catch((error: unknown) => {
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
    const card = shownCard(this.store.state);
    const { source, fileAccount } = this.state;
    const epsilon = checkEvaluation(this.state.epsilon);
    this.set({ attempted: true });
    if (!client || !(card ?? result) || !source || epsilon === null || busy(this.store.state))
      return;
    const own = source.kind === "file";
    if (own && !canBuy(fileAccount)) return;
    const keeps = own && keepsAccount(fileAccount);
    const before = fileAccount.account;
    const control = new AbortController();
    this.running = control;
    const pace = new Pace();
    const current = () => control === this.running;
    let drawn = false as boolean;
    this.set({ work: { phase: "running", progress: null } });
    this.store.set({ announcement: "Evaluating." });
    try {
      const dataset = await this.open({
        signal: control.signal,
        onProgress: (progress) =>
          current() && this.set({ work: { phase: "running", progress: pace.with(progress) } }),
      });
      const options: EvaluateOptions = {
        adjacency: this.adjacency,
        epsilon,
        signal: control.signal,
        onProgress: (progress) => (drawn ||= isDrawn(progress)),
      };
      const buyer = keeps ? client.ledger : client;
      if (card) await this.measure(client, buyer, card, dataset, options);
      else await this.evaluate(buyer, result!, dataset as Dataset<AnyLabel>, options);
      drawn = true;
      this.store.set({
        announcement: `Done. The evaluation is in the release, at ε ${readableBound(epsilon)} for the held-out file.`,
      });
      if (current()) this.set({ work: { phase: "done" } });
    } catch (error) {
      if (current()) {
        const problem = problemOf(error);
        const charged = error instanceof CloisterError && error.charged !== undefined;
        const unnoted = drawn && own && !keeps;
        this.set({
          work:
            problem.code === "aborted"
              ? {
                  phase: "cancelled",
                  ...(charged && { charged: "unknown" }),
                  ...(unnoted && { charged: "unnoted" }),
                }
              : { phase: "failed", problem: unnoted ? spentOn(error) : problem },
        });
        this.store.set({
          announcement:
            problem.code === "aborted"
              ? "The evaluation was cancelled."
              : `The ${card ? "card" : "model"} was not evaluated.`,
        });
      }
    } finally {
      if (current()) this.running = null;
      if (drawn && own && !keeps && this.state.source === source)
        this.store.set({
          spent: withEvaluation(this.store.state, { adjacency: this.adjacency, epsilon }),
        });
      if (keeps) {
        await this.fileAccount.refresh();
        this.settle(before);
        this.bought();
        this.askSoon();
      }
    }
  }

  private async evaluate(
    buyer: Pick<Client, "evaluate">,
    result: Result,
    dataset: Dataset<AnyLabel>,
    options: EvaluateOptions,
  ): Promise<void> {
    const bought = await buyer.evaluate(result.release, dataset, options);
    const { release, text, figures, exact } = bought;
    const saved = new Map(this.store.state.saved);
    saved.delete(result.number);
    this.store.set({
      ...withResult(this.store.state, result.number, { release, text, figures, exact }),
      saved,
    });
  }

  private async measure(
    client: Client,
    buyer: Pick<Client, "evaluateScorecard">,
    card: CardResult,
    of: Dataset<AnyLabel> | Content,
    options: EvaluateOptions,
  ): Promise<void> {
    const { adjacency, epsilon, signal, onProgress } = options;
    const { release, text } = await buyer
      .evaluateScorecard(card.release, of, {
        ...card.layout,
        adjacency,
        epsilon,
        ...(signal && { signal }),
        ...(onProgress && { onProgress }),
      })
      .catch((error: unknown) => {
        throw aboutHeldOut(error);
      });
    const checked = await client.checkScorecard(release);
    // The person to try may be another by now.
    const put = (c: CardResult): CardResult =>
      c.number === card.number ? { ...c, release, text, checked, saved: false } : c;
    const { card: cards } = this.store.state;
    const results = cards.results.map(put);
    const shown = results.find((c) => c.number === cards.result?.number) ?? null;
    this.store.set({ card: { ...cards, results, result: shown } });
  }

  /**
   * Says whether a cancelled evaluation was noted in the ledger, now that its account has been read
   * again: it may have been before the page heard of it.
   */
  private settle(before: Account | null): void {
    const { work, fileAccount } = this.state;
    const { account } = fileAccount;
    if (
      work.phase !== "cancelled" ||
      !account ||
      account.id !== before?.id ||
      fileAccount.phase !== "open" ||
      fileAccount.problem
    )
      return;
    this.set({
      work: { ...work, charged: account.charges.length > before.charges.length ? "yes" : "no" },
    });
  }

  cancel(): void {
    this.running?.abort();
    this.fileAccount.cancel();
  }
}
