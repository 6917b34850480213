// The ledger as a whole: every account in this browser, its copy as a file, and whether the browser
// will keep it.

import {
  type Account,
  type Client,
  CloisterError,
  type ImportResult,
  type Persistence,
} from "../../../client/types.ts";
import { utf8 } from "../../../client/json-text.ts";
import { download } from "../../shell/download.ts";
import { type Problem, problemOf } from "../../shell/problem.ts";
import { plural } from "../../shell/words.ts";

export interface BooksState {
  readonly accounts: readonly Account[];
  /** Why there is no ledger here. */
  readonly missing: Problem | null;
  /** Of the last import. */
  readonly problem: Problem | null;
  readonly said: string;
  /** A file whose budgets differ from those here: it can be taken in with the smaller ones. */
  readonly differs: { readonly name: string; readonly text: string } | null;
  readonly persistence: Persistence | null;
  /** The list as it was when it was saved as a file last. */
  readonly copied: boolean;
}

export const firstBooks: BooksState = {
  accounts: [],
  missing: null,
  problem: null,
  said: "",
  differs: null,
  persistence: null,
  copied: false,
};

export interface BooksHost {
  client(): Client | null;
  get(): BooksState;
  set(change: Partial<BooksState>): void;
  announce(text: string): void;
  /** Accounts were taken in. */
  imported(): void;
}

export class Books {
  constructor(private readonly host: BooksHost) {}

  /** Reads the list, and asks nothing of the browser. */
  async read(): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    try {
      const accounts = await client.ledger.accounts();
      this.host.set({ accounts, missing: null });
      if (accounts.some((a) => a.charges.length > 0))
        this.host.set({ persistence: await client.ledger.persistence(false) });
    } catch (error) {
      this.host.set({ missing: problemOf(error) });
    }
  }

  /** Asks the browser to keep the ledger, once there is something in it to lose. */
  async keep(): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.host.set({
      copied: false,
      persistence: await client.ledger.persistence(!this.host.get().persistence),
    });
  }

  async export(): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    try {
      download("ledger.json", "application/json", await client.ledger.export());
      this.host.set({
        copied: true,
        problem: null,
        said: "A copy of the ledger was saved. It holds what was spent and when, and nothing of the data.",
      });
    } catch (error) {
      this.host.set({ problem: problemOf(error), said: "" });
    }
  }

  async import(file: File): Promise<void> {
    await this.take(file.name, () => textOf(file), false);
  }

  /** Takes in the file whose budgets differ, with the smaller of each two. */
  async importSmaller(): Promise<void> {
    const { differs } = this.host.get();
    if (differs) await this.take(differs.name, async () => differs.text, true);
  }

  private async take(name: string, read: () => Promise<string>, smaller: boolean): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.host.set({ problem: null, said: "", differs: null });
    let text = "";
    try {
      text = await read();
      const result = await client.ledger.import(text, { smaller });
      const said = mergeWords(name, result);
      this.host.set({ said });
      this.host.announce(said);
      await this.read();
      this.host.imported();
    } catch (error) {
      const conflict =
        error instanceof CloisterError &&
        error.code === "ledger" &&
        error.field === "budget" &&
        !smaller;
      this.host.set({ problem: problemOf(error), ...(conflict && { differs: { name, text } }) });
      this.host.announce("The ledger file was not taken in.");
    }
  }
}

async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new CloisterError("source", "The ledger file could not be read.");
  });
  const text = utf8(bytes);
  if (text !== undefined) return text;
  throw new CloisterError("ledger", "The ledger file is not UTF-8 text. Save it as UTF-8.");
}

/** What an import changed, in words. */
function mergeWords(
  name: string,
  { changed, accounts, added, committed, budgets }: ImportResult,
): string {
  if (!changed) return `${name} has nothing that was not here already.`;
  const parts = [
    accounts > 0 ? `${accounts} new ${plural(accounts, "data set", "data sets")}` : "",
    added > 0
      ? `${added} ${plural(added, "charge", "charges")} that ${plural(added, "was", "were")} not here`
      : "",
    committed > 0
      ? `${committed} ${plural(committed, "charge", "charges")} now known to have ended in a release`
      : "",
    budgets > 0 ? `${budgets} ${plural(budgets, "total", "totals")} changed` : "",
  ].filter(Boolean);
  return `${name} was taken in: ${parts.join(", ")}. Nothing that was here is lost.`;
}
