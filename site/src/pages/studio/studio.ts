// What the studio does: it puts the steps together with the core and the account of the open
// file. Each step has its own class, which takes the person's action, asks the core, and sets a
// new State. page.ts draws the State.

import { type AnySchema, type Client, CloisterError, type FitOptions } from "../../client/types.ts";
import { count } from "../../chart/numbers.ts";
import type { Update } from "../shell/offline/register.ts";
import { problemOf } from "../shell/problem.ts";
import { chooseTheme, currentTheme, type Theme } from "../shell/theme.ts";
import { Books } from "./account/books.ts";
import { FileAccount, keepsAccount } from "./account/file-account.ts";
import { Planner } from "./budget/planner.ts";
import { Reader } from "./data/reader.ts";
import { CardFitter } from "./fit/card-fitter.ts";
import { Fitter } from "./fit/fitter.ts";
import { Gate } from "./fit/gate.ts";
import type * as Parts from "./later.ts";
import { Autosave } from "./notes/autosave.ts";
import { Evaluator } from "./result/after-fit/evaluator.ts";
import { Models } from "./result/models.ts";
import { Predictor } from "./result/predictor.ts";
import { Verifier } from "./result/verifier.ts";
import { Navigator } from "./navigator.ts";
import { Chooser } from "./notes/chooser.ts";
import { check } from "./draft/check.ts";
import { Editor } from "./state/editor.ts";
import { type SampleName, samples } from "./sample/samples.ts";
import { Running } from "./state/running.ts";
import {
  adjacencyOf,
  busy,
  buyingMore,
  firstState,
  needsAccount,
  type State,
} from "./state/state.ts";
import { Store } from "./state/store.ts";
import type { Workspace } from "./state/workspace.ts";

/** What the first drawing of the page does without. */
export type Later = typeof Parts;

/**
 * What the studio needs of the page: the core, what is fetched beside it, and the seal that has to
 * be in place before a file can be chosen.
 */
export interface Host {
  /** `answered` is called when nothing more of the core is asked of the network. */
  load(answered: () => void): Promise<Client>;
  later(): Promise<Later>;
  seal(): void;
}

export class Studio implements Workspace {
  readonly store: Store;
  readonly navigator: Navigator;
  readonly running = new Running();
  readonly reader = new Reader(this);
  readonly editor = new Editor(this);
  readonly planner = new Planner(this);
  readonly gate = new Gate(this);
  readonly cardFitter = new CardFitter(this);
  readonly fitter = new Fitter(this);
  readonly models = new Models(this);
  readonly chooser: Chooser;
  /** Keeps what is entered, for the next visit. */
  readonly autosave: Autosave;
  readonly predictor: Predictor;
  readonly verifier: Verifier;
  readonly evaluator: Evaluator;
  readonly books: Books;
  /** The account of the open file. */
  readonly fileAccount: FileAccount;

  /** Called when a result has been put in place, to bring it on the screen. */
  onResult: (() => void) | undefined;

  /** The core, once it runs under the seal. */
  client: Client | null = null;
  private loaded: Promise<Client> | null = null;

  /** What comes later, and what is made with it: null until it is there. */
  later: Later | null = null;
  made: Later["made"] | null = null;
  buyer: InstanceType<Later["purchase"]["Buyer"]> | null = null;
  lookalikes: InstanceType<Later["lookalikes"]["LookalikeFinder"]> | null = null;
  accuracyTrials: InstanceType<Later["accuracy"]["AccuracyTrials"]> | null = null;
  afterFit: InstanceType<Later["afterFit"]["AfterFit"]> | null = null;
  again: InstanceType<Later["publish"]["Again"]> | null = null;
  cards: InstanceType<Later["cardResult"]["Cards"]> | null = null;

  /**
   * The schema by which the file was looked up last: one that failed is not tried again until it is
   * changed.
   */
  private lookedWith = "";

  constructor(
    private readonly host: Host,
    changed: () => void,
  ) {
    this.store = new Store(firstState(currentTheme()), () => {
      changed();
      this.autosave.soon();
    });
    this.navigator = new Navigator(this.store);
    this.navigator.onSample = (name) => void this.reader.useSample(name);
    this.chooser = new Chooser(this.store, () => this.client);
    this.predictor = new Predictor(this.store, () => this.client);
    this.verifier = new Verifier(this.store, () => this.client);
    this.evaluator = new Evaluator(
      this.store,
      () => this.client,
      () => this.made,
      () => void this.evaluated(),
    );
    const shared = {
      client: () => this.client,
      announce: (announcement: string) => this.set({ announcement }),
    };
    this.autosave = new Autosave({
      ...shared,
      get: () => this.state,
      set: (change) => this.set({ notes: { ...this.state.notes, ...change } }),
    });
    this.books = new Books({
      ...shared,
      get: () => this.state.books,
      set: (change) => this.set({ books: { ...this.state.books, ...change } }),
      imported: () => void this.lookAgain(),
    });
    this.fileAccount = new FileAccount({
      ...shared,
      get: () => this.state.fileAccount,
      set: (change) => this.set({ fileAccount: { ...this.state.fileAccount, ...change } }),
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
   * Asks for the core, seals the page as soon as nothing more is asked of the network, opens on the
   * sample, and starts the core's worker under the seal once it is compiled. A file can be chosen
   * from the seal on; what needs the core waits for it.
   */
  async begin(): Promise<void> {
    let sample: Promise<void> | undefined;
    this.loaded = (async () => {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const loading = this.host.load(answer);
      const [, later] = await Promise.all([
        Promise.race([answered, loading]),
        this.host.later().then((later) => this.described(later)),
        this.autosave.begin(),
        this.chooser.refresh(),
      ]);
      // What was described is of a file that has to be chosen again: the first step says so.
      if (this.state.notes.found) this.navigator.startOver();
      this.add(later);
      this.host.seal();
      this.set({
        core: { phase: "sealed" },
        announcement: "The page is sealed. A file can be chosen.",
      });
      sample = this.reader.makeSample();
      const client = await loading;
      const about = await client.start();
      this.client = client;
      this.set({ core: { phase: "ready", library: about.library } });
      return client;
    })();
    try {
      await this.loaded;
    } catch (error) {
      this.set({
        core: { phase: "failed", problem: problemOf(error) },
        announcement: "The page could not be opened.",
      });
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
      signal.addEventListener(
        "abort",
        () => reject(new CloisterError("aborted", "Cancelled before the page was ready.")),
        { once: true },
      );
      this.loaded?.then(resolve, reject);
    });
  }

  /** A made-up table is described as soon as its code book is there. */
  private described(later: Later): Later {
    this.made = later.made;
    this.reader.describeSample(this.state.sample);
    return later;
  }

  private add(later: Later): void {
    this.later = later;
    this.again = new later.publish.Again(this);
    this.cards = new later.cardResult.Cards(this);
    this.afterFit = new later.afterFit.AfterFit(this);
    this.buyer = new later.purchase.Buyer(this);
    this.lookalikes = new later.lookalikes.LookalikeFinder(this);
    this.accuracyTrials = new later.accuracy.AccuracyTrials({
      client: () => this.client,
      get: () => this.state.accuracy,
      set: (change) => this.set({ accuracy: { ...this.state.accuracy, ...change } }),
      planned: (way) => this.planner.planned(way),
      account: () => (keepsAccount(this.state.fileAccount) ? this.state.fileAccount.account : null),
      near: () => ["public", "budget", "fit"].includes(this.state.screen),
      busy: () => busy(this.state),
    });
  }

  /** Ends the long work that is under way, a fit or the reading of a file. */
  cancel(): void {
    this.running.cancel();
    this.fileAccount.cancel();
  }

  // The account of the open file

  /** Whose guarantee a fit gives: what the data set's total is for. */
  get adjacency(): FitOptions["adjacency"] {
    return adjacencyOf(this.state);
  }

  /**
   * Whether the file should be looked up by itself: it was not, or failed to be with another
   * description.
   */
  isLookDue(schema: AnySchema): boolean {
    const { phase, problem } = this.state.fileAccount;
    return (
      phase === "idle" ||
      (phase === "unread" && problem !== null && this.lookedWith !== JSON.stringify(schema))
    );
  }

  /**
   * Finds the account of the open file, once its description is whole. What was looked up for the
   * same description already is not read again.
   */
  async look(): Promise<void> {
    const { source } = this.state;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!source || !needsAccount(this.state) || !schema || buyingMore(this.state)) return;
    this.lookedWith = JSON.stringify(schema);
    await this.fileAccount.look(
      (options) => this.reader.known(source, options),
      source.names.join(", "),
    );
    this.accountChanged();
  }

  /** After accounts were taken in from elsewhere. */
  private async lookAgain(): Promise<void> {
    if (this.state.fileAccount.phase !== "idle" && !busy(this.state)) await this.look();
  }

  private accountChanged(): void {
    this.fileAccount.forgetQuote();
    void this.books.read();
    this.editor.forgetRefusal();
    this.planner.soon();
    this.buyer?.soon();
  }

  /** The page is looked at again: another tab may have bought or promised something. */
  async refresh(): Promise<void> {
    await this.chooser.refresh();
    if (busy(this.state)) return;
    await this.fileAccount.refresh();
  }

  /** Something was bought, or may have been. */
  async charged(): Promise<void> {
    await this.fileAccount.refresh();
    await this.books.keep();
    await this.books.read();
    this.planner.soon();
    this.buyer?.soon();
  }

  /** An evaluation was bought, of the open file's account maybe. */
  private async evaluated(): Promise<void> {
    await this.books.keep();
    await this.books.read();
    await this.fileAccount.refresh();
  }

  // The page

  /** A file was read, as the first step asks: the next one asks about its columns. */
  onOpened(): void {
    if (this.state.screen === "data") this.navigator.go("public");
  }

  /** Brings a field on the screen, with the column that it belongs to opened. */
  show(id: string): void {
    const column = this.state.draft?.columns.find((c) => id.startsWith(`${c.id}-`));
    if (column && !this.state.open.has(column.id)) this.editor.toggleColumn(column.id);
    this.navigator.show(id, column && "public");
  }

  /** Opens a made-up table, and names it in the address. */
  openSample(name: SampleName): void {
    if (buyingMore(this.state)) return;
    this.navigator.openSample(name);
    const { title, rows } = samples[name];
    this.set({ announcement: `Open now: ${title}, ${count(rows)} made-up rows.` });
  }

  /** Tries the sample as it is: from the first step to a model at once. */
  async trySample(): Promise<void> {
    this.navigator.go("fit");
    await this.fitter.fit();
  }

  setTheme(theme: Theme): void {
    chooseTheme(theme);
    this.followTheme();
  }

  /**
   * A newer version of the page was fetched. It is used when the person says so, or when every tab
   * of this one is closed.
   */
  offerUpdate(update: Update): void {
    this.set({ update, announcement: "A newer version of this page is ready." });
  }

  /** Takes note of the theme in force, after a choice or after the system's own changed. */
  followTheme(): void {
    this.set({ theme: currentTheme() });
  }
}
