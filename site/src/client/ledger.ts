import { type CallSettings, type Engine, WorkerReplaced } from "./engine.ts";
import { ordered, toText } from "./document.ts";
import { CloisterError } from "./error.ts";
import { Held } from "./held.ts";
import type * as types from "./types.ts";
import type { Purchases } from "./wire/calls.ts";

/** How a method that costs privacy is called. */
export type Send = <M extends keyof Purchases>(
  method: M,
  params: Purchases[M]["params"],
  options: CallSettings,
) => Promise<Purchases[M]["result"]>;

/** Calls it through the ledger, which charges first. */
export function buying(engine: Engine): Send {
  return async <M extends keyof Purchases>(
    method: M,
    params: Purchases[M]["params"],
    options: CallSettings,
  ) => {
    let begun = false;
    const onProgress = (update: unknown) => {
      begun ||= (update as types.Progress).phase === "reserving";
      options.onProgress?.(update);
    };
    try {
      return (await engine.ask(
        "ledger.buy",
        { purchase: method, request: params },
        { ...options, onProgress },
      )) as Purchases[M]["result"];
    } catch (error) {
      if (!begun || (error instanceof CloisterError && !ended.has(error.code))) throw error;
      // The worker is gone, and whether the charge was stored it can no longer say.
      const why =
        error instanceof CloisterError
          ? error
          : new CloisterError(
              "terminated",
              "The worker was ended for the sake of another call. Nothing was released.",
            );
      if (!(error instanceof CloisterError) && !(error instanceof WorkerReplaced)) throw error;
      throw new CloisterError(
        why.code,
        `${why.message} The charge for it may stand.`,
        { ...why, charged: "unknown" },
        { cause: why.cause },
      );
    }
  };
}

/**
 * Calls it without a ledger. One whose noise was drawn is not made anew if its worker is ended for
 * the sake of another call. Noise that is drawn anew until a run may finish has another law than
 * what was paid for: the person may have aborted the other call because of how this one went.
 */
export function unledgered(engine: Engine): Send {
  return async (method, params, options) => {
    let drawn = false;
    const onProgress = (update: unknown) => {
      drawn ||= isDrawn(update as types.Progress);
      options.onProgress?.(update);
    };
    try {
      return await engine.ask(method, params, { ...options, onProgress });
    } catch (error) {
      if (!drawn || !(error instanceof WorkerReplaced)) throw error;
      throw new CloisterError(
        "terminated",
        "The worker was ended for the sake of another call, after noise had been drawn. Nothing was released, and what it costs is spent.",
      );
    }
  };
}

/** Whether noise has been drawn: what ends then is paid for. */
export const isDrawn = ({ phase }: types.Progress): boolean =>
  phase === "solving" || phase === "searching" || phase === "releasing";

/** Errors after which the worker is gone. */
const ended = new Set(["aborted", "terminated", "crashed", "out-of-memory", "internal"]);

/** The purchases, as the client makes them when it is told how to call. */
export interface Sold {
  fit<L extends types.AnyLabel>(
    dataset: types.Dataset<L>,
    options: types.FitOptions,
  ): Promise<types.Bought<types.FitResult<L>>>;
  evaluate<L extends types.AnyLabel>(
    release: types.Release<L>,
    dataset: types.Dataset<L>,
    options: types.EvaluateOptions,
  ): Promise<types.Bought<types.EvaluateResult<L>>>;
  bounds(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.BoundsOptions,
  ): Promise<types.Bought<types.BoundsResult>>;
  report(
    dataset: types.Dataset<types.AnyLabel>,
    release: types.Release<types.AnyLabel>,
    options: types.ReportOptions,
  ): Promise<types.Bought<types.ReportResult>>;
  categories(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.CategoriesOptions,
  ): Promise<types.Bought<types.CategoriesResult>>;
  scorecard(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.ScorecardOptions,
  ): Promise<types.Bought<types.ScorecardResult>>;
  evaluateScorecard(
    release: types.ScorecardRelease,
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.EvaluateScorecardOptions,
  ): Promise<types.Bought<types.EvaluateScorecardResult>>;
  noisyCells(
    of: types.Dataset<types.AnyLabel> | types.Content | types.Source,
    options: types.NoisyCellsOptions,
  ): Promise<types.Bought<types.NoisyCellsResult>>;
}

export class LedgerClient implements types.Ledger {
  readonly #engine: Engine;
  readonly fit: types.Ledger["fit"];
  readonly evaluate: types.Ledger["evaluate"];
  readonly bounds: types.Ledger["bounds"];
  readonly report: types.Ledger["report"];
  readonly categories: types.Ledger["categories"];
  readonly scorecard: types.Ledger["scorecard"];
  readonly evaluateScorecard: types.Ledger["evaluateScorecard"];
  readonly noisyCells: types.Ledger["noisyCells"];

  constructor(engine: Engine, purchases: Sold) {
    this.#engine = engine;
    this.fit = purchases.fit;
    this.evaluate = purchases.evaluate;
    this.bounds = purchases.bounds;
    this.report = purchases.report;
    this.categories = purchases.categories;
    this.scorecard = purchases.scorecard;
    this.evaluateScorecard = purchases.evaluateScorecard;
    this.noisyCells = purchases.noisyCells;
  }

  async accounts(options: types.CallOptions = {}): Promise<types.Account[]> {
    return (await this.#engine.ask("ledger.list", {}, options)).accounts;
  }

  account(
    id: string,
    options: types.CallOptions = {},
  ): Promise<{ account: types.Account; total?: types.AccountTotal }> {
    return this.#engine.ask("ledger.account", { account: id }, options);
  }

  async find(
    dataset: types.Dataset<types.AnyLabel> | types.Content,
    options: types.CallOptions = {},
  ): Promise<types.Account | null> {
    return held(this.#engine, dataset, "find").use(
      options,
      async (id, epoch) =>
        (await this.#engine.ask("ledger.find", { dataset: id }, { ...options, epoch })).account,
    );
  }

  async create(
    dataset: types.Dataset<types.AnyLabel> | types.Content,
    name: string,
    budget?: types.DatasetBudget,
    options: types.CallOptions = {},
  ): Promise<types.Account> {
    return held(this.#engine, dataset, "create").use(
      options,
      async (id, epoch) =>
        (
          await this.#engine.ask(
            "ledger.create",
            { name, ...(budget && { budget }), dataset: id },
            { ...options, epoch },
          )
        ).account,
    );
  }

  async same(
    dataset: types.Dataset<types.AnyLabel> | types.Content,
    id: string,
    { smaller = false, ...options }: types.JoinOptions = {},
  ): Promise<types.Account> {
    return held(this.#engine, dataset, "same").use(
      options,
      async (number, epoch) =>
        (
          await this.#engine.ask(
            "ledger.same",
            { account: id, smaller, dataset: number },
            { ...options, epoch },
          )
        ).account,
    );
  }

  async setBudget(
    id: string,
    budget: types.DatasetBudget,
    options: types.CallOptions = {},
  ): Promise<types.Account> {
    return (await this.#engine.ask("ledger.budget", { account: id, budget }, options)).account;
  }

  afford(
    id: string,
    event: types.PrivacyEvent,
    options: types.CallOptions = {},
  ): Promise<types.Affordance> {
    return this.#engine.ask("ledger.afford", { account: id, event }, options);
  }

  async kept<R extends types.AnyRelease = types.AnyRelease>(
    charge: string,
    options: types.CallOptions = {},
  ): Promise<{ release: R; text: string; charge: types.LedgerCharge }> {
    const reply = await this.#engine.ask("ledger.kept", { charge }, options);
    const release = reply.release as R;
    return { ...reply, release: ordered(release), text: toText(release) };
  }

  paidBy(
    release: types.AnyRelease,
    options: types.CallOptions = {},
  ): Promise<{ charge: types.LedgerCharge; account: string }> {
    return this.#engine.ask("ledger.paid", { release }, options);
  }

  async export(options: types.CallOptions = {}): Promise<string> {
    return (await this.#engine.ask("ledger.export", {}, options)).text;
  }

  import(
    text: string,
    { smaller = false, ...options }: types.JoinOptions = {},
  ): Promise<types.ImportResult> {
    return this.#engine.ask("ledger.import", { text, smaller }, options);
  }

  async persistence(ask = true): Promise<types.Persistence> {
    const storage = globalThis.navigator?.storage as Partial<StorageManager> | undefined;
    // A browser that has no such promise, or that will not be asked, has made none.
    const no = () => false;
    let persisted = (await storage?.persisted?.().catch(no)) ?? false;
    if (ask && !persisted) persisted = (await storage?.persist?.().catch(no)) ?? false;
    const { usage, quota } = (await storage?.estimate?.().catch(() => undefined)) ?? {};
    return {
      persisted,
      ...(usage !== undefined && { usage }),
      ...(quota !== undefined && { quota }),
    };
  }
}

/** What stands for a file, if the client of this engine holds it. */
function held(
  engine: Engine,
  dataset: types.Dataset<types.AnyLabel> | types.Content,
  method: string,
): Held {
  if (!(dataset instanceof Held && dataset.isOf(engine)))
    throw new CloisterError(
      "dataset-lost",
      `ledger.${method} needs a dataset that this client opened.`,
    );
  return dataset;
}
