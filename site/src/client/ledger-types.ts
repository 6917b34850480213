import type { PrivacyEvent, Adjacency } from "./event.ts";
import type { AnyLabel, Label } from "./schema.ts";
import type { Release } from "./release.ts";
import type { PrivacyReport, ReportOptions, ReportResult } from "./report-types.ts";
import type { BoundsOptions, BoundsRelease, BoundsResult, CallOptions, CategoriesOptions, CategoriesRelease, CategoriesResult, Content, Dataset, EvaluateOptions, EvaluateResult, FitOptions, FitResult, Source } from "./types.ts";

/** What may be spent on a data set, in all. */
export interface DatasetBudget {
  adjacency: Adjacency;
  epsilon: number;
  delta: number;
}

/** One event paid for. A charge is never taken back. */
export interface LedgerCharge {
  id: string;
  event: PrivacyEvent;
  /** What it was for: `fit`, `evaluate`, `bounds`, `categories`, `report`. */
  purpose: string;
  /** By the clock of the machine, for people: `2026-05-04T10:00:00Z`. Nothing depends on it. */
  time: string;
  /** `reserved`: the program ended before anything was handed out. The charge stands all the same. */
  state: "reserved" | "committed";
  /** SHA-256 of the release's canonical JSON; none for a mechanism that refused. */
  digest?: string;
  /** Reserved when nothing of the data set had been released. */
  opening: boolean;
  /** The release is kept with the charge in this browser: {@link Ledger.kept} hands it out again. */
  kept?: boolean;
}

/** Anything that is bought, as it may be published. */
export type AnyRelease = Release<AnyLabel> | BoundsRelease | CategoriesRelease | PrivacyReport;

/**
 * What can still be done.
 *
 * - `unset`: there is no budget yet.
 * - `open`: `left` can be spent, in whatever portions.
 * - `closed`: what was reserved before the first release used the budget up in a way that nothing can follow.
 * - `exceeded`: accounts were put together that are more than the budget; no promise holds, nothing more is afforded.
 */
export type AccountCondition = "unset" | "open" | "closed" | "exceeded";

/** The account of one data set. */
export interface Account {
  id: string;
  /** Accounts that were put together with this one, by ID. */
  also?: string[];
  name: string;
  created: string;
  budget?: DatasetBudget;
  charges: LedgerCharge[];
  condition: AccountCondition;
  /** ε at the budget's δ that the charges amount to, whatever each was chosen by (a privacy filter). With `budget`. */
  spent?: number;
  /** What is left of the budget's ε. With `budget`. */
  left?: number;
  /** Of the budget's δ: what purchases that can fail with some probability, such as that of categories, have for that, all together. With `budget`. */
  aside?: number;
}

/** What the charges together cost had all of them been fixed in advance: their composition, certified. */
export interface AccountTotal {
  epsilon: number;
  /** No smaller ε could be promised; 0 where the method knows no better. */
  epsilonLower: number;
  delta: number;
  method: "closed" | "pld" | "rdp";
}

/** What charging an event would do. */
export type Affordance = { affords: true; spent: number; closes: boolean } | { affords: false; reason: string };

/** What an import changed. */
export interface ImportResult {
  changed: boolean;
  /** New accounts, new charges, charges that were known as reserved and are committed, accounts with another budget. */
  accounts: number;
  added: number;
  committed: number;
  budgets: number;
}

/** How safe the browser keeps what it stores. */
export interface Persistence {
  /** The browser promises not to evict it when room is short. */
  persisted: boolean;
  /** Bytes, as far as the browser tells. */
  usage?: number;
  quota?: number;
}

export interface JoinOptions extends CallOptions {
  /** Where two accounts of one data set have different budgets: keep the smaller ε and the smaller δ. Else that is an error. */
  smaller?: boolean;
}

/** A purchase's result, and what was charged for it. */
export type Bought<T> = T & { charge: LedgerCharge };

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
  create(dataset: Dataset<AnyLabel> | Content, name: string, budget?: DatasetBudget, options?: CallOptions): Promise<Account>;
  /** Gives an account its budget, which stays once something is charged. */
  setBudget(id: string, budget: DatasetBudget, options?: CallOptions): Promise<Account>;
  /** Says that a file is another version of a data set that has an account. If it had one of its own, its charges follow. */
  same(dataset: Dataset<AnyLabel> | Content, id: string, options?: JoinOptions): Promise<Account>;

  /** What charging an event would do. Nothing is charged. */
  afford(id: string, event: PrivacyEvent, options?: CallOptions): Promise<Affordance>;

  /**
   * As the client's own fit, and charged: the charge is stored before the data
   * is looked at, and committed before the release is handed out. Rejects with
   * `budget` if it is not afforded. An error with `charged` leaves the charge.
   */
  fit<L extends AnyLabel = Label>(dataset: Dataset<L>, options: FitOptions): Promise<Bought<FitResult<L>>>;
  /** As the client's own evaluation, and charged in the same way, to the account of the held-out file. */
  evaluate<L extends AnyLabel = Label>(release: Release<L>, dataset: Dataset<L>, options: EvaluateOptions): Promise<Bought<EvaluateResult<L>>>;

  /** Bounds of columns. Whoever writes them into a schema names the charge there. */
  bounds(of: Dataset<AnyLabel> | Content | Source, options: BoundsOptions): Promise<Bought<BoundsResult>>;

  /** A privacy report, charged; that which costs nothing is not. */
  report(dataset: Dataset<AnyLabel>, release: Release<AnyLabel>, options: ReportOptions): Promise<Bought<ReportResult>>;

  /** Categories of columns. Whoever writes them into a schema names the charge there. */
  categories(of: Dataset<AnyLabel> | Content | Source, options: CategoriesOptions): Promise<Bought<CategoriesResult>>;

  /**
   * What a purchase released, again and for nothing: it was stored with its charge, in
   * one step, so that neither a closed tab nor a crash takes it away. Rejects with
   * `ledger` for a charge that nothing was released under, or that this browser does not
   * keep the release of.
   */
  kept<R extends AnyRelease = AnyRelease>(charge: string, options?: CallOptions): Promise<{ release: R; text: string; charge: LedgerCharge }>;

  /**
   * The charge that a release was made under. Rejects with `ledger` if there is none here.
   * Two purchases of bounds can come to the same release, to the last bit; each was
   * charged, and one of the charges is named.
   */
  paidBy(release: AnyRelease, options?: CallOptions): Promise<{ charge: LedgerCharge; account: string }>;

  /** The whole ledger as a file, with a checksum. Nothing in it lets anybody check a guess of the data. */
  export(options?: CallOptions): Promise<string>;
  /** Takes in a file without losing anything of either ledger. */
  import(text: string, options?: JoinOptions): Promise<ImportResult>;

  /** Asks the browser not to evict the ledger, unless `ask` is false, and says how it stands. Only a page can ask, not a worker. */
  persistence(ask?: boolean): Promise<Persistence>;
}
