// The page's actions: each takes what the person did, talks to the core, and puts a new State in place. It draws nothing.
// A step of the path is a class of its own; here they are put together with the core and the account.

import { type AnySchema, type Client, CloisterError, type FitOptions } from "../client/types.ts";
import { forBuyer } from "./buyer.ts";
import { check } from "./draft/check.ts";
import { forAfterwards } from "./afterwards.ts";
import { forAgain } from "./again.ts";
import { Editor } from "./editor.ts";
import { Evaluator } from "./evaluator.ts";
import { Fitter } from "./fitter.ts";
import { Books } from "./ledger/books.ts";
import { Desk, keepsAccount } from "./ledger/desk.ts";
import { Keeper } from "./notes/keeper.ts";
import type { Update } from "./offline/register.ts";
import { Planner } from "./planner.ts";
import { Predictor } from "./predictor.ts";
import { problemOf } from "./problem.ts";
import { Reader } from "./reader.ts";
import { Running } from "./running.ts";
import { Shelf } from "./shelf.ts";
import { adjacencyOf, busy, buyingMore, firstState, needsAccount, type State } from "./state.ts";
import { Store } from "./store.ts";
import { chooseTheme, currentTheme, type Theme } from "./theme.ts";
import { Verifier } from "./verifier.ts";

/** What is fetched apart from the page itself: what writes models out, what buys for a schema, what tries out beforehand what privacy costs, and what
 * can be done with a model afterwards. */
export type Publisher = typeof import("../publish/index.ts");
export type Buying = typeof import("../buying/index.ts");
export type Expectation = typeof import("../expectation/index.ts");
export type Afterwards = typeof import("../afterwards/index.ts");

/** What the studio needs of the page: the core, what is fetched beside it, and the seal that has to be in place before a file can be chosen. */
export interface Host {
  /** `answered` is called when nothing more of the core is asked of the network. */
  load(answered: () => void): Promise<Client>;
  publisher(): Promise<Publisher>;
  buying(): Promise<Buying>;
  expectation(): Promise<Expectation>;
  afterwards(): Promise<Afterwards>;
  seal(): void;
}

export class Studio {
  readonly store: Store;
  readonly running = new Running();
  readonly reader = new Reader(this);
  readonly editor = new Editor(this);
  readonly planner = new Planner(this);
  readonly fitter = new Fitter(this);
  readonly shelf = new Shelf(this);
  /** Keeps what is entered, for the next visit. */
  readonly keeper: Keeper;
  buyer: InstanceType<Buying["Buyer"]> | null = null;
  readonly predictor: Predictor;
  readonly verifier: Verifier;
  readonly evaluator: Evaluator;
  readonly books: Books;
  /** The account of the open file. */
  readonly desk: Desk;

  /** Called when a result has been put in place, to move the focus there. */
  onResult: (() => void) | undefined;

  /** The core, once it runs under the seal. */
  client: Client | null = null;
  publisher: Publisher | null = null;
  again: InstanceType<Publisher["Again"]> | null = null;
  buying: Buying | null = null;
  private loaded: Promise<Client> | null = null;
  expectation: Pick<Expectation, "panel" | "methods" | "happens"> & { readonly expecter: InstanceType<Expectation["Expecter"]> } | null = null;
  afterwards: InstanceType<Afterwards["Afterwards"]> | null = null;
  /** The schema by which the file was looked up last: one that failed is not tried again until it is changed. */
  private lookedWith = "";

  constructor(
    private readonly host: Host,
    changed: () => void,
  ) {
    this.store = new Store(firstState(currentTheme()), () => {
      changed();
      this.keeper.soon();
    });
    this.predictor = new Predictor(this.store, () => this.client);
    this.verifier = new Verifier(this.store, () => this.client);
    this.evaluator = new Evaluator(this.store, () => this.client, () => void this.evaluated());
    const shared = { client: () => this.client, announce: (announcement: string) => this.set({ announcement }) };
    this.keeper = new Keeper({ ...shared, get: () => this.state, set: (change) => this.set({ notes: { ...this.state.notes, ...change } }) });
    this.books = new Books({
      ...shared,
      get: () => this.state.books,
      set: (change) => this.set({ books: { ...this.state.books, ...change } }),
      imported: () => void this.lookAgain(),
    });
    this.desk = new Desk({
      ...shared,
      get: () => this.state.desk,
      set: (change) => this.set({ desk: { ...this.state.desk, ...change } }),
      changed: () => this.accountChanged(),
    });
  }

  get state(): State {
    return this.store.state;
  }

  private set(change: Partial<State>): void {
    this.store.set(change);
  }

  /**
   * Asks for the core, seals the page as soon as nothing more is asked of the network, opens on the sample, and starts the core's worker under the seal once it
   * is compiled. A file can be chosen from the seal on; what needs the core waits for it.
   */
  async begin(): Promise<void> {
    let sample: Promise<void> | undefined;
    this.loaded = (async () => {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const loading = this.host.load(answer);
      const [, publisher, buying, expectation, afterwards] = await Promise.all([Promise.race([answered, loading]), this.host.publisher(), this.host.buying(), this.host.expectation(), this.host.afterwards(), this.keeper.begin()]);
      this.publisher = publisher;
      this.again = new publisher.Again(this, forAgain);
      this.expectation = { ...expectation, expecter: new expectation.Expecter(this.expecterHost()) };
      this.afterwards = new afterwards.Afterwards(this, forAfterwards);
      this.buying = buying;
      this.buyer = new buying.Buyer(this, forBuyer);
      this.host.seal();
      this.set({ core: { phase: "sealed" }, announcement: "The page is sealed. A file can be chosen." });
      sample = this.reader.useSample();
      const client = await loading;
      const about = await client.start();
      this.client = client;
      this.set({ core: { phase: "ready", library: about.library } });
      return client;
    })();
    try {
      await this.loaded;
    } catch (error) {
      this.set({ core: { phase: "failed", problem: problemOf(error) }, announcement: "The page could not be opened." });
      return;
    }
    await sample;
    this.planner.soon();
    await this.books.read();
  }

  /** The core, when it runs; an error if it does not come to that, or the signal fires before. */
  async core(signal: AbortSignal): Promise<Client> {
    if (this.client) return this.client;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new CloisterError("aborted", "Cancelled before the page was ready.")), { once: true });
      this.loaded?.then(resolve, reject);
    });
  }

  private expecterHost(): ConstructorParameters<Expectation["Expecter"]>[0] {
    return {
      client: () => this.client,
      get: () => this.state.expectation,
      set: (change) => this.set({ expectation: { ...this.state.expectation, ...change } }),
      planned: (way) => this.planner.planned(way),
      account: () => (keepsAccount(this.state.desk) ? this.state.desk.account : null),
      busy: () => busy(this.state),
      problemOf,
    };
  }

  /** Ends the long work that is under way, a fit or the reading of a file. */
  cancel(): void {
    this.running.cancel();
    this.desk.cancel();
  }

  // The account of the open file

  /** Whose guarantee a fit gives: what the data set's total is for. */
  get adjacency(): FitOptions["adjacency"] {
    return adjacencyOf(this.state);
  }

  /** Whether the file should be looked up by itself: it was not, or failed to be with another description. */
  isLookDue(schema: AnySchema): boolean {
    const { phase, problem } = this.state.desk;
    return phase === "idle" || (phase === "unread" && problem !== null && this.lookedWith !== JSON.stringify(schema));
  }

  /** Finds the account of the open file, once its description is whole. What was looked up for the same description already is not read again. */
  async look(): Promise<void> {
    const { source } = this.state;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!source || !needsAccount(this.state) || !schema || buyingMore(this.state)) return;
    this.lookedWith = JSON.stringify(schema);
    await this.desk.look((options) => this.reader.known(source, options), source.names.join(", "));
    this.accountChanged();
  }

  /** After accounts were taken in from elsewhere. */
  private async lookAgain(): Promise<void> {
    if (this.state.desk.phase !== "idle" && !busy(this.state)) await this.look();
  }

  private accountChanged(): void {
    this.desk.forgetQuote();
    void this.books.read();
    this.editor.forgetRefusal();
    this.planner.soon();
    this.buyer?.soon();
  }

  /** The page is looked at again: another tab may have bought something. */
  async refresh(): Promise<void> {
    if (busy(this.state)) return;
    await this.desk.refresh();
  }

  /** Something was bought, or may have been. */
  async charged(): Promise<void> {
    await this.desk.refresh();
    await this.books.keep();
    await this.books.read();
    this.planner.soon();
    this.buyer?.soon();
  }

  /** An evaluation was bought, of the open file's account maybe. */
  private async evaluated(): Promise<void> {
    await this.books.keep();
    await this.books.read();
    await this.desk.refresh();
  }

  // The page

  setTheme(theme: Theme): void {
    chooseTheme(theme);
    this.followTheme();
  }

  /** A newer version of the page was fetched. It is used when the person says so, or when every tab of this one is closed. */
  offerUpdate(update: Update): void {
    this.set({ update, announcement: "A newer version of this page is ready." });
  }

  /** Takes note of the theme in force, after a choice or after the system's own changed. */
  followTheme(): void {
    this.set({ theme: currentTheme() });
  }
}
