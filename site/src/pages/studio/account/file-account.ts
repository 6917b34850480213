// The account of one file: finding it, opening one, and what the next purchase would cost it.

import {
  type Account,
  type AccountTotal,
  type Adjacency,
  type Affordance,
  type AnyLabel,
  type Client,
  CloisterError,
  type Content,
  type Dataset,
  type DatasetBudget,
  type PrivacyEvent,
  type ProgressOptions,
} from "../../../client/types.ts";
import { readableBound } from "../../../chart/numbers.ts";
import { checkBudget } from "./budget.ts";
import type { FieldError } from "../draft/check.ts";
import { Pace, type Paced } from "../../shell/pace.ts";
import { type Problem, problemOf } from "../../shell/problem.ts";
import { byLikeness } from "./likeness.ts";

/** The total as it is typed. */
export interface TotalDraft {
  readonly epsilon: string;
  readonly delta: string;
  readonly adjacency: Adjacency;
}

export interface Quote {
  readonly answer: Affordance;
  /**
   * Where it is refused: the largest ε of such a purchase that is not, rounded down; 0 if there is
   * none worth having, null while it is looked for.
   */
  readonly fits: number | null;
}

export interface FileAccountState {
  /**
   * `idle`: there is no file, or it needs no account. `unread`: the file could not be read through
   * its description yet. `unknown`: it has no account. `unavailable`: there is no ledger here.
   */
  readonly phase: "idle" | "looking" | "unread" | "unknown" | "open" | "unavailable";
  readonly progress: Paced | null;
  readonly problem: Problem | null;
  /** A name for a new account. */
  readonly name: string;
  readonly account: Account | null;
  readonly total: AccountTotal | null;
  /** What each charge costs by itself, at the account's δ, by its ID. */
  readonly prices: Readonly<Record<string, number>>;
  /** Accounts that the file may belong to, likely ones first. */
  readonly others: readonly Account[];
  readonly like: number;
  /** The account that it is said to belong to. */
  readonly same: string;
  readonly draft: TotalDraft;
  readonly attempted: boolean;
  /** Something is being done about the account. */
  readonly working: boolean;
  readonly quote: Quote | null;
  /** The person knows that nothing is kept. */
  readonly accepted: boolean;
}

const firstTotal: TotalDraft = { epsilon: "3", delta: "1e-5", adjacency: "add-remove" };

export const closedFileAccount: FileAccountState = {
  phase: "idle",
  progress: null,
  problem: null,
  name: "",
  account: null,
  total: null,
  prices: {},
  others: [],
  like: 0,
  same: "",
  draft: firstTotal,
  attempted: false,
  working: false,
  quote: null,
  accepted: false,
};

/** The total, or what is wrong with it. */
export function checkTotal(draft: TotalDraft): {
  readonly budget: DatasetBudget | null;
  readonly errors: readonly FieldError[];
} {
  const { budget, errors } = checkBudget({ ...draft, bound: "auto", radius: "" });
  return {
    budget: budget && { adjacency: draft.adjacency, epsilon: budget.epsilon, delta: budget.delta },
    errors,
  };
}

/** Whether purchases go through the ledger now. */
export const keepsAccount = (fileAccount: FileAccountState): boolean =>
  fileAccount.phase === "open" && fileAccount.account?.budget !== undefined;

/** Whether something can be bought: through the ledger, or knowingly without. */
export const canBuy = (fileAccount: FileAccountState): boolean =>
  keepsAccount(fileAccount) || (fileAccount.phase === "unavailable" && fileAccount.accepted);

/** Reads the file, or hands over what is known of it. */
export type Open = (options: ProgressOptions) => Promise<Dataset<AnyLabel> | Content>;

export interface FileAccountHost {
  client(): Client | null;
  get(): FileAccountState;
  set(change: Partial<FileAccountState>): void;
  announce(text: string): void;
  /** An account was changed. */
  changed(): void;
}

const withoutLedger = new Set(["storage", "ledger"]);

export class FileAccount {
  private open: Open | null = null;
  private turn = 0;
  private asking = 0;
  private control: AbortController | null = null;

  constructor(private readonly host: FileAccountHost) {}

  private get state(): FileAccountState {
    return this.host.get();
  }

  /**
   * Another file is coming, or none. What the person said of a missing ledger holds for the visit.
   */
  close(): void {
    this.control?.abort();
    this.turn++;
    this.asking++;
    this.open = null;
    this.host.set({ ...closedFileAccount, accepted: this.state.accepted });
  }

  /** Finds the account of a file. */
  async look(open: Open, name: string): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.control?.abort();
    const control = new AbortController();
    this.control = control;
    const turn = ++this.turn;
    const current = () => turn === this.turn;
    this.open = open;
    this.host.set({ phase: "looking", progress: null, problem: null, name, quote: null });
    try {
      const { signal } = control;
      const pace = new Pace();
      const dataset = await open({
        signal,
        onProgress: (progress) => current() && this.host.set({ progress: pace.with(progress) }),
      });
      const account = await client.ledger.find(dataset, { signal });
      const accounts = account ? [] : await client.ledger.accounts({ signal });
      if (!current()) return;
      if (account) return await this.put(account);
      const { accounts: others, like } = byLikeness(accounts, name);
      this.host.set({
        phase: "unknown",
        others,
        like,
        same: others[0]?.id ?? "",
        draft: firstTotal,
        attempted: false,
      });
    } catch (error) {
      if (!current()) return;
      const problem = problemOf(error);
      if (problem.code === "aborted") this.host.set({ phase: "unread", problem: null });
      else
        this.host.set({
          phase: withoutLedger.has(problem.code) ? "unavailable" : "unread",
          problem,
        });
    }
  }

  cancel(): void {
    this.control?.abort();
  }

  change(draft: Partial<TotalDraft>): void {
    this.host.set({ draft: { ...this.state.draft, ...draft } });
  }

  choose(same: string): void {
    this.host.set({ same });
  }

  accept(accepted: boolean): void {
    this.host.set({ accepted });
    this.host.changed();
  }

  /** Fixes the total: of a new account, or of one that has none yet. */
  async fix(): Promise<void> {
    const { budget } = checkTotal(this.state.draft);
    this.host.set({ attempted: true });
    if (!budget) return;
    const { account, name } = this.state;
    await this.act(async (client, open) =>
      account
        ? client.ledger.setBudget(account.id, budget)
        : client.ledger.create(await open({}), name, budget),
    );
    if (keepsAccount(this.state))
      this.host.announce(`The total is ε ${readableBound(budget.epsilon)}. All of it is left.`);
  }

  /** Says that the file is another version of a data set that has an account. */
  async join(): Promise<void> {
    const { same } = this.state;
    await this.act(async (client, open) => client.ledger.same(await open({}), same));
    if (this.state.phase === "open")
      this.host.announce(
        "The file counts as that data set from now on. What was spent on that data set counts here too.",
      );
  }

  private async act(work: (client: Client, open: Open) => Promise<Account>): Promise<void> {
    const client = this.host.client();
    const { open, turn } = this;
    if (!client || !open || this.state.working) return;
    this.host.set({ working: true, problem: null });
    try {
      const account = await work(client, open);
      if (turn === this.turn) await this.put(account);
    } catch (error) {
      if (turn === this.turn)
        this.host.set({
          problem: problemOf(error),
          ...(withoutStorage(error) && { phase: "unavailable" }),
        });
    } finally {
      if (turn === this.turn) this.host.set({ working: false });
      this.host.changed();
    }
  }

  private async put(account: Account): Promise<void> {
    this.host.set({ phase: "open", account, problem: null, working: false });
    await this.refresh();
  }

  /** Reads the account anew: a purchase was made, or another tab may have made one. */
  async refresh(): Promise<void> {
    const client = this.host.client();
    const { account } = this.state;
    const { turn } = this;
    if (!client || this.state.phase !== "open" || !account) return;
    try {
      const { account: now, total } = await client.ledger.account(account.id);
      if (turn !== this.turn) return;
      this.host.set({ account: now, total: total ?? null });
      await this.price(now, client, turn);
    } catch (error) {
      if (turn === this.turn)
        this.host.set(
          withoutStorage(error)
            ? { phase: "unavailable", problem: problemOf(error) }
            : { problem: problemOf(error) },
        );
    }
  }

  /** Prices each charge by itself, those that were not before. */
  private async price({ budget, charges }: Account, client: Client, turn: number): Promise<void> {
    if (!budget) return;
    for (const { id, event } of charges) {
      if (id in this.state.prices) continue;
      const { epsilon } = await client.account({ event, delta: budget.delta });
      if (turn !== this.turn) return;
      if (epsilon !== undefined) this.host.set({ prices: { ...this.state.prices, [id]: epsilon } });
    }
  }

  /**
   * Asks what a purchase at this ε would leave; where it is too much, which ε would not be. `event`
   * says what one at another ε would be charged for.
   */
  async ask(epsilon: number, event: (epsilon: number) => Promise<PrivacyEvent>): Promise<void> {
    const client = this.host.client();
    const { account } = this.state;
    const asking = ++this.asking;
    if (!client || !account || !keepsAccount(this.state)) return;
    const afford = async (e: number) => client.ledger.afford(account.id, await event(e));
    const put = (quote: Quote) => {
      if (asking === this.asking) this.host.set({ quote });
    };
    try {
      const answer = await afford(epsilon);
      put({ answer, fits: null });
      if (answer.affords) return;
      let [low, high] = [0, epsilon];
      for (let round = 0; round < 10 && asking === this.asking; round++) {
        const next = low === 0 ? high / 2 : (low + high) / 2;
        if (next < 0.005) break;
        if ((await afford(next)).affords) low = next;
        else high = next;
        if (low > 0 && high - low < 0.03 * low) break;
      }
      put({ answer, fits: roundedDown(low) });
    } catch {
      // What cannot be asked is said where it is bought.
      if (asking === this.asking) this.host.set({ quote: null });
    }
  }

  /** What is asked is not worth waiting for any more. */
  stopAsking(): void {
    this.asking++;
  }

  /** Forgets the last answer: what it was about has changed. */
  forgetQuote(): void {
    this.asking++;
    if (this.state.quote) this.host.set({ quote: null });
  }
}

/** What the next purchase would come to; null while that of before the last one is known alone. */
export function quoted({ quote, account }: FileAccountState): Quote | null {
  const old = quote?.answer.affords && quote.answer.spent <= (account?.spent ?? 0);
  return old ? null : quote;
}

function withoutStorage(error: unknown): boolean {
  return error instanceof CloisterError && error.code === "storage";
}

/** To two significant digits. */
function roundedDown(x: number): number {
  if (x <= 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(x)) - 1);
  return Number((Math.floor(x / unit + 1e-9) * unit).toPrecision(2));
}
