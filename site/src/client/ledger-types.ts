// Budgets of data sets, and all that was spent on them.

import type {
  BoundsOptions,
  CallOptions,
  CategoriesOptions,
  EvaluateOptions,
  EvaluateScorecardOptions,
  FitOptions,
  JoinOptions,
  NoisyCellsOptions,
  ReportOptions,
  ScorecardOptions,
} from "./call-types.ts";
import type { Content, Dataset, Source } from "./data-types.ts";
import type {
  AnyRelease,
  BoundsResult,
  Bought,
  CategoriesResult,
  EvaluateResult,
  EvaluateScorecardResult,
  FitResult,
  NoisyCellsResult,
  ReportResult,
  ScorecardResult,
} from "./result-types.ts";
import type {
  Account,
  AccountTotal,
  Affordance,
  AnyLabel,
  DatasetBudget,
  ImportResult,
  Label,
  LedgerCharge,
  PrivacyEvent,
  Release,
  ScorecardRelease,
} from "./wire/types.ts";

/** How safe the browser keeps what it stores. */
export interface Persistence {
  /** The browser promises not to evict it when room is short. */
  persisted: boolean;
  /** Bytes, as far as the browser tells. */
  usage?: number;
  quota?: number;
}

/**
 * The ledger in this browser: budgets of data sets, and all that was ever spent
 * on them. It is kept in IndexedDB, shared by all tabs of the site. Without it
 * every call rejects with `storage`; a ledger that cannot be read rejects with
 * `ledger`, and is never overwritten.
 */
export interface Ledger {
  /** All accounts. */
  accounts(options?: CallOptions): Promise<Account[]>;
  /** One account, and what its charges cost together had they all been fixed in advance. */
  account(id: string, options?: CallOptions): Promise<{ account: Account; total?: AccountTotal }>;

  /** The account of a data set, by its content; null if it has none. */
  find(dataset: Dataset<AnyLabel> | Content, options?: CallOptions): Promise<Account | null>;
  /** Opens an account for a data set that has none. */
  create(
    dataset: Dataset<AnyLabel> | Content,
    name: string,
    budget?: DatasetBudget,
    options?: CallOptions,
  ): Promise<Account>;
  /** Gives an account its budget, which stays once something is charged. */
  setBudget(id: string, budget: DatasetBudget, options?: CallOptions): Promise<Account>;
  /**
   * Says that a file is another version of a data set that has an account. If it had one of its
   * own, its charges follow.
   */
  same(dataset: Dataset<AnyLabel> | Content, id: string, options?: JoinOptions): Promise<Account>;

  /** What charging an event would do. Nothing is charged. */
  afford(id: string, event: PrivacyEvent, options?: CallOptions): Promise<Affordance>;

  /**
   * As the client's own fit, and charged: the charge is stored before the data
   * is looked at, and committed before the release is handed out. Rejects with
   * `budget` if it is not afforded. An error with `charged` leaves the charge.
   */
  fit<L extends AnyLabel = Label>(
    dataset: Dataset<L>,
    options: FitOptions,
  ): Promise<Bought<FitResult<L>>>;
  /**
   * As the client's own evaluation, and charged in the same way, to the account of the held-out
   * file.
   */
  evaluate<L extends AnyLabel = Label>(
    release: Release<L>,
    dataset: Dataset<L>,
    options: EvaluateOptions,
  ): Promise<Bought<EvaluateResult<L>>>;

  /** Bounds of columns. Whoever writes them into a schema names the charge there. */
  bounds(
    of: Dataset<AnyLabel> | Content | Source,
    options: BoundsOptions,
  ): Promise<Bought<BoundsResult>>;

  /** A privacy report, charged; that which costs nothing is not. */
  report(
    dataset: Dataset<AnyLabel>,
    release: Release<AnyLabel>,
    options: ReportOptions,
  ): Promise<Bought<ReportResult>>;

  /** Categories of columns. Whoever writes them into a schema names the charge there. */
  categories(
    of: Dataset<AnyLabel> | Content | Source,
    options: CategoriesOptions,
  ): Promise<Bought<CategoriesResult>>;

  /** A scorecard: what was charged stays charged if the search is ended. */
  scorecard(
    of: Dataset<AnyLabel> | Content | Source,
    options: ScorecardOptions,
  ): Promise<Bought<ScorecardResult>>;

  /** How a card does on held-out rows, charged to the account of the held-out file. */
  evaluateScorecard(
    release: ScorecardRelease,
    of: Dataset<AnyLabel> | Content | Source,
    options: EvaluateScorecardOptions,
  ): Promise<Bought<EvaluateScorecardResult>>;

  /** Noisy cells, charged once; the cards of them are not. */
  noisyCells(
    of: Dataset<AnyLabel> | Content | Source,
    options: NoisyCellsOptions,
  ): Promise<Bought<NoisyCellsResult>>;

  /**
   * What a purchase released, again and for nothing: it was stored with its charge, in
   * one step, so that neither a closed tab nor a crash takes it away. Rejects with
   * `ledger` for a charge that nothing was released under, or that this browser does not
   * keep the release of.
   */
  kept<R extends AnyRelease = AnyRelease>(
    charge: string,
    options?: CallOptions,
  ): Promise<{ release: R; text: string; charge: LedgerCharge }>;

  /**
   * The charge that a release was made under. Rejects with `ledger` if there is none here.
   * A charge that is `fromFile` is the word of whoever wrote that file.
   * Two purchases of bounds can come to the same release, to the last bit; each was
   * charged, and one of the charges is named.
   */
  paidBy(
    release: AnyRelease,
    options?: CallOptions,
  ): Promise<{ charge: LedgerCharge; account: string }>;

  /**
   * The whole ledger as a file, with a checksum. Nothing in it lets anybody check a guess of the
   * data.
   */
  export(options?: CallOptions): Promise<string>;
  /** Takes in a file without losing anything of either ledger. */
  import(text: string, options?: JoinOptions): Promise<ImportResult>;

  /**
   * Asks the browser not to evict the ledger, unless `ask` is false, and says how it stands. Only a
   * page can ask, not a worker.
   */
  persistence(ask?: boolean): Promise<Persistence>;
}
