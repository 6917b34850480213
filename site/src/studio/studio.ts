// The page's actions: each takes what the person did, talks to the core, and puts a new State in place. It draws nothing.

import { type AnyLabel, type CalibrateRequest, type Calibration, CloisterError, type Client, type Dataset, type FitOptions, type FitResult, type LedgerCharge, type Progress, type ProgressOptions, type Schema } from "../client/types.ts";
import { readable } from "../chart/numbers.ts";
import { type Language, languages } from "../publish/languages.ts";
import { type BudgetDraft, checkBudget } from "./budget.ts";
import { curvesOf } from "./curves.ts";
import { download } from "./download.ts";
import { check } from "./draft/check.ts";
import { draftOf, linesOf, type SchemaDraft } from "./draft/draft.ts";
import { readJSON } from "./json-file.ts";
import { Books } from "./ledger/books.ts";
import { canBuy, Desk, keepsAccount } from "./ledger/desk.ts";
import { Evaluator } from "./evaluator.ts";
import type { Update } from "./offline/register.ts";
import { Predictor } from "./predictor.ts";
import { pageProblem, problemOf } from "./problem.ts";
import { sampleCSV, sampleName, sampleSchema } from "./sample.ts";
import { busy, checkMethod, emptyPredict, firstHint, firstState, idle, needsAccount, type LabelHint, type Method, type Result, settingsKey, type Source, type State } from "./state.ts";
import { Store } from "./store.ts";
import { chooseTheme, currentTheme, type Theme } from "./theme.ts";
import { Verifier } from "./verifier.ts";

/** What is fetched apart from the page itself, and only needed when there is a model. */
export type Publisher = typeof import("../publish/index.ts");

/** What the studio needs of the page: the core, what writes models out, and the seal that has to be in place before a file can be chosen. */
export interface Host {
  load(): Promise<Client>;
  publisher(): Promise<Publisher>;
  seal(): void;
}

export class Studio {
  readonly store: Store;
  readonly predictor: Predictor;
  readonly verifier: Verifier;
  readonly evaluator: Evaluator;
  readonly books: Books;
  /** The account of the open file. */
  readonly desk: Desk;

  /** Called when a result has been put in place, to move the focus there. */
  onResult: (() => void) | undefined;

  private client: Client | null = null;
  private publisher: Publisher | null = null;
  private readonly sources = new Map<string, number>();
  private running: AbortController | null = null;
  /** The schema by which the file was looked up last: one that failed is not tried again until it is changed. */
  private lookedWith = "";
  private opened: { readonly source: number; readonly key: string; readonly dataset: Dataset<AnyLabel> } | null = null;
  private readonly plans = new Map<string, Calibration>();
  private previewTimer: ReturnType<typeof setTimeout> | undefined;
  private previewing: AbortController | null = null;

  constructor(
    private readonly host: Host,
    changed: () => void,
  ) {
    this.store = new Store(firstState(currentTheme()), changed);
    this.predictor = new Predictor(this.store, () => this.client);
    this.verifier = new Verifier(this.store, () => this.client);
    this.evaluator = new Evaluator(this.store, () => this.client, () => void this.evaluated());
    const shared = { client: () => this.client, announce: (announcement: string) => this.set({ announcement }) };
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

  // Opening

  /** Loads the core, seals the page, starts the worker under the seal, and opens on the sample. In this order. */
  async begin(): Promise<void> {
    try {
      const [client, publisher] = await Promise.all([this.host.load(), this.host.publisher()]);
      this.publisher = publisher;
      this.host.seal();
      const about = await client.start();
      this.client = client;
      this.set({ core: { phase: "ready", library: about.library } });
    } catch (error) {
      this.set({ core: { phase: "failed", problem: problemOf(error) }, announcement: "The page could not be opened." });
      return;
    }
    await this.useSample();
    await this.books.read();
  }

  // 1 · Data

  /** Generates the sample, a thousand rows at a time, and its public schema with it. */
  async useSample(): Promise<void> {
    this.stop();
    const parts: string[] = [];
    for (const part of sampleCSV()) {
      parts.push(part);
      await breathe();
    }
    const blob = new Blob(parts, { type: "text/csv" });
    this.replaceSource({ kind: "sample", parts: [blob], names: [sampleName], bytes: blob.size }, "sample");
    this.set({ draft: draftOf(sampleSchema), origin: "sample", reading: { phase: "done" }, open: new Set(), touched: new Set(), schemaProblem: null });
    this.previewSoon();
  }

  /**
   * Opens files, read as one table in the order given. A schema that the person imported or wrote is kept; otherwise one
   * is suggested from the file, and marked so.
   */
  async useFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0 || this.state.core.phase !== "ready") return;
    this.stop();
    const keep = this.state.origin === "imported" || this.state.origin === "written";
    const names = files.map((f) => f.name);
    this.replaceSource(
      { kind: "file", parts: [...files], names, bytes: files.reduce((sum, f) => sum + f.size, 0) },
      JSON.stringify(files.map((f) => [f.name, f.size, f.lastModified])),
    );
    if (keep) {
      this.set({ reading: { phase: "done" }, announcement: `${names.join(", ")} opened. Your schema is kept.` });
      this.previewSoon();
      return;
    }
    this.set({ draft: null, hint: firstHint });
    await this.suggest();
  }

  /** Looks at the open file and suggests a schema. Everything in it stays marked until it is confirmed. */
  async suggest(): Promise<void> {
    const { source } = this.state;
    if (!source || !this.client) return;
    const control = this.start();
    this.set({ reading: { phase: "running", progress: null }, schemaProblem: null, announcement: "Reading the file." });
    try {
      const { label, kind, positive } = this.state.hint;
      const named = label.trim() !== "";
      const { schema, leftOut } = await this.client.suggestSchema<AnyLabel>(source.parts, {
        ...(named && { label: label.trim() }),
        ...(named && kind !== "two" && { labelType: kind }),
        ...(named && kind === "two" && linesOf(positive).length > 0 && { positive: linesOf(positive) }),
        signal: control.signal,
        onProgress: (progress) => control === this.running && this.set({ reading: { phase: "running", progress } }),
      });
      if (control !== this.running) return;
      this.set({
        draft: draftOf(schema),
        origin: "read",
        leftOut,
        reading: { phase: "done" },
        open: new Set(),
        touched: new Set(),
        announcement: `The file was read: ${schema.features.length} columns and the label ${schema.label.name}. Please check each.`,
      });
      this.previewSoon();
    } catch (error) {
      if (control !== this.running) return;
      const cancelled = isAborted(error);
      this.set({
        reading: cancelled ? { phase: "cancelled" } : { phase: "failed", problem: problemOf(error) },
        announcement: cancelled ? "Reading was cancelled." : "The file could not be used.",
      });
    } finally {
      if (control === this.running) this.running = null;
    }
  }

  /** Says which column to predict, for the next suggestion. */
  changeHint(change: Partial<LabelHint>): void {
    this.set({ hint: { ...this.state.hint, ...change } });
  }

  /** Opens a source. What was opened before is the same again, and so is what its people have spent. */
  private replaceSource(source: Omit<Source, "id">, identity: string): void {
    this.closeDataset();
    this.desk.close();
    const id = this.sources.get(identity) ?? this.sources.size + 1;
    this.sources.set(identity, id);
    this.set({ source: { id, ...source }, leftOut: [], fit: idle, attempted: false });
  }

  // 2 · What is publicly known

  edit(change: (draft: SchemaDraft) => SchemaDraft): void {
    const { draft, origin } = this.state;
    if (!draft) return;
    const next = change(draft);
    if (next === draft) return;
    this.set({ draft: next, origin: origin === "sample" && this.state.source?.kind === "file" ? "written" : origin, schemaProblem: null });
    this.forgetRefusal();
    this.previewSoon();
  }

  touch(field: string): void {
    if (!this.state.touched.has(field)) this.set({ touched: new Set(this.state.touched).add(field) });
  }

  toggleColumn(id: string): void {
    const open = new Set(this.state.open);
    if (!open.delete(id)) open.add(id);
    this.set({ open });
  }

  /** Reads a schema file. The core checks it, so that nothing half-right gets into the editor. */
  async importSchema(file: File): Promise<void> {
    if (!this.client) return;
    try {
      const checked = await this.client.checkSchema<AnyLabel>(await readJSON(file, "schema"));
      // A suggestion still under way would take the place of what was imported.
      if (this.state.reading.phase === "running") this.stop();
      this.set({
        draft: draftOf(checked.schema),
        origin: "imported",
        schemaProblem: null,
        open: new Set(),
        touched: new Set(),
        reading: this.state.source ? { phase: "done" } : this.state.reading,
        announcement: `${file.name} was imported: ${checked.schema.features.length} columns.`,
      });
      this.previewSoon();
    } catch (error) {
      this.set({ schemaProblem: problemOf(error), announcement: "The schema could not be imported." });
    }
  }

  /** Offers the schema as a file, if it is whole; else shows what is missing. */
  exportSchema(): void {
    const schema = this.schemaOrErrors();
    if (schema) download("schema.json", "application/json", `${JSON.stringify(schema, null, 2)}\n`);
  }

  private schemaOrErrors(): Schema<AnyLabel> | null {
    const { draft } = this.state;
    if (!draft) return null;
    const { schema, errors } = check(draft);
    if (schema) return schema;
    const open = new Set(this.state.open);
    for (const e of errors) open.add(e.field.split(".")[0]!);
    this.set({ attempted: true, open, announcement: `${errors.length} entries of the schema need a correction.` });
    return null;
  }

  // 3 · Budget

  changeBudget(change: Partial<BudgetDraft>): void {
    this.set({ budget: { ...this.state.budget, ...change } });
    this.forgetRefusal();
    this.previewSoon();
  }

  changeMethod(change: Partial<Method>): void {
    this.set({ method: { ...this.state.method, ...change } });
    this.forgetRefusal();
    this.previewSoon();
  }

  /** Takes back "a few entries need a correction" as soon as none does. What the core said of a file stays. */
  private forgetRefusal(): void {
    const { fit, draft, budget } = this.state;
    if (fit.phase !== "failed" || fit.problem.code !== "page") return;
    if (fit.problem.field === "account" ? canBuy(this.state.desk) : draft && check(draft).schema && checkBudget(budget).budget && checkMethod(this.state).options) this.set({ fit: idle });
  }

  /** Works out, when typing pauses, what the schema and the budget mean: dimension, row norm, noise. None of it needs a row. */
  private previewSoon(): void {
    clearTimeout(this.previewTimer);
    this.previewTimer = setTimeout(() => void this.preview(), 250);
  }

  private async preview(): Promise<void> {
    this.previewing?.abort();
    if (!this.client || !this.state.draft || busy(this.state)) return;
    const { schema } = check(this.state.draft);
    const { budget } = checkBudget(this.state.budget);
    const { options: method } = checkMethod(this.state);
    if (!schema || !budget || !method) {
      this.set({ preview: null, previewProblem: null });
      return;
    }
    const control = new AbortController();
    this.previewing = control;
    const current = () => control === this.previewing;
    const client = this.client;
    const adjacency = this.adjacency;
    try {
      const checked = await client.checkSchema<AnyLabel>(schema);
      const { phase, problem } = this.state.desk;
      if (current() && needsAccount(this.state) && (phase === "idle" || (phase === "unread" && problem && this.lookedWith !== JSON.stringify(schema)))) return await this.look();
      const plan = (epsilon: number) => this.plan(client, { adjacency, ...budget, ...method, epsilon, schema });
      const calibration = await plan(budget.epsilon);
      if (!current()) return;
      this.set({ preview: { checked, calibration }, previewProblem: null });
      await this.desk.ask(budget.epsilon, async (epsilon) => (await plan(epsilon)).event);
    } catch (error) {
      if (current() && !isAborted(error)) this.set({ preview: null, previewProblem: problemOf(error) });
    }
  }

  /** What a fit would be charged for. It takes seconds for several classes, so the last few answers are kept. */
  private async plan(client: Client, request: CalibrateRequest): Promise<Calibration> {
    const key = JSON.stringify(request);
    const known = this.plans.get(key);
    if (known) return known;
    const calibration = await client.calibrate(request);
    this.plans.set(key, calibration);
    for (const old of this.plans.keys()) if (this.plans.size > 24) this.plans.delete(old);
    return calibration;
  }

  /** Whose guarantee a fit gives: what the data set's total is for. */
  get adjacency(): FitOptions["adjacency"] {
    return this.state.desk.account?.budget?.adjacency ?? this.state.desk.draft.adjacency;
  }

  /** Finds the account of the open file, once its description is whole. What was looked up for the same description already is not read again. */
  async look(): Promise<void> {
    const { source } = this.state;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!source || !needsAccount(this.state) || !schema) return;
    this.lookedWith = JSON.stringify(schema);
    await this.desk.look((options) => this.anyDataset(source, options), source.names.join(", "));
    this.accountChanged();
  }

  /** After accounts were taken in from elsewhere. */
  private async lookAgain(): Promise<void> {
    if (this.state.desk.phase !== "idle" && !busy(this.state)) await this.look();
  }

  private accountChanged(): void {
    this.desk.forgetQuote();
    void this.books.read();
    this.forgetRefusal();
    this.previewSoon();
  }

  /** The page is looked at again: another tab may have bought something. */
  async refresh(): Promise<void> {
    if (busy(this.state)) return;
    await this.desk.refresh();
  }

  // 4 · Fit

  async fit(): Promise<void> {
    const { source } = this.state;
    const { budget } = checkBudget(this.state.budget);
    const { options: method } = checkMethod(this.state);
    if (!this.client || !source || busy(this.state)) return;
    const schema = this.schemaOrErrors();
    this.set({ attempted: true });
    if (!schema || !budget || !method) {
      this.set({ fit: { phase: "failed", problem: pageProblem("Not yet", "A few entries above need a correction first.") } });
      return;
    }
    if (needsAccount(this.state) && !canBuy(this.state.desk)) {
      if (this.state.desk.phase === "idle" || this.state.desk.phase === "unread") {
        this.set({ fit: { phase: "running", progress: null }, announcement: "Looking the file up in the ledger." });
        await this.look();
        const { phase, problem: why } = this.state.desk;
        if (phase === "unread" && !why) return this.set({ fit: { phase: "cancelled" }, announcement: "The fit was cancelled. Nothing was released." });
      }
      if (!canBuy(this.state.desk)) return this.refuseWithoutAccount();
    }
    clearTimeout(this.previewTimer);
    this.desk.stopAsking();
    const key = settingsKey(this.state);
    const keeps = needsAccount(this.state) && keepsAccount(this.state.desk);
    const control = this.start();
    const onProgress = (progress: Progress) => {
      if (control === this.running) this.set({ fit: { phase: "running", progress } });
    };
    this.set({ fit: { phase: "running", progress: null }, announcement: "Fitting." });
    try {
      const options = { signal: control.signal, onProgress };
      const dataset = await this.dataset(source, schema, options);
      const request: FitOptions = { adjacency: this.adjacency, ...budget, ...method, ...options };
      const bought: { charge?: LedgerCharge } & FitResult<AnyLabel> = keeps ? await this.client.ledger.fit(dataset, request) : await this.client.fit(dataset, request);
      const { release, text, diagnostics } = bought;
      if (!keeps) this.charge(source, release.guarantee);
      else void this.charged();
      // The budget is spent from here on, so the release is handed over even if its picture cannot be drawn.
      const series = await curvesOf(this.client, release.event, release.guarantee).catch(() => []);
      if (control !== this.running) return;
      const number = this.state.results.length + 1;
      const result: Result = { number, release, text, diagnostics, tally: dataset.tally, source, key, series, charge: bought.charge ?? null };
      this.set({
        fit: { phase: "done" },
        result,
        results: [result, ...this.state.results],
        fresh: true,
        predict: emptyPredict,
        classShown: 0,
        announcement: `Done. The model is ready, with ε ${readable(budget.epsilon)} and δ ${readable(budget.delta)}.`,
      });
      this.evaluator.close();
      this.onResult?.();
    } catch (error) {
      // A refusal is an output of the mechanism too, so it is charged (theory §2).
      if (!keeps && error instanceof CloisterError && error.code === "refused") this.charge(source, budget);
      const charged = error instanceof CloisterError && error.charged !== undefined;
      if (keeps) void this.charged();
      if (control !== this.running) return;
      const cancelled = isAborted(error);
      this.set({
        fit: cancelled ? { phase: "cancelled", charged } : { phase: "failed", problem: problemOf(error) },
        announcement: cancelled ? "The fit was cancelled. Nothing was released." : "The fit failed. Nothing was released.",
      });
    } finally {
      if (control === this.running) this.running = null;
    }
  }

  /** Something was bought, or may have been. */
  private async charged(): Promise<void> {
    await this.desk.refresh();
    await this.books.keep();
    await this.books.read();
    this.previewSoon();
  }

  /** An evaluation was bought, of the open file's account maybe. */
  private async evaluated(): Promise<void> {
    await this.books.keep();
    await this.books.read();
    await this.desk.refresh();
  }

  /** Says why a fit has to wait for the account of its file, in the words of what is missing. */
  private refuseWithoutAccount(): void {
    const { desk } = this.state;
    const problem =
      desk.phase === "unread" && desk.problem
        ? desk.problem
        : desk.phase === "unavailable"
          ? pageProblem("Not yet", "There is no ledger here to note this in. Step 3 says why, and how to go on without.", "account")
          : desk.phase === "unread"
            ? pageProblem("Not yet", "The file has to be looked up in the ledger first. Step 3 does that.", "account")
            : pageProblem("Not yet", "Fix first, in step 3, what all models from this file together may spend.", "account");
    this.set({ fit: { phase: "failed", problem }, announcement: "Not fitted yet." });
  }

  private charge(source: Source, { epsilon, delta }: { readonly epsilon: number; readonly delta: number }): void {
    this.set({ spent: [...this.state.spent, { source: source.id, epsilon, delta }] });
  }

  /** The open file as a design matrix; kept for the next fit with the same schema. */
  private async dataset(source: Source, schema: Schema<AnyLabel>, options: ProgressOptions): Promise<Dataset<AnyLabel>> {
    const key = JSON.stringify([source.id, schema]);
    if (this.opened?.key === key) return this.opened.dataset;
    this.closeDataset();
    const dataset = await this.client!.openDataset<AnyLabel>(source.parts, schema, options);
    this.opened = { source: source.id, key, dataset };
    return dataset;
  }

  /** What is open of the file, whatever it was read with; else it is read with the description as it stands. */
  private async anyDataset(source: Source, options: ProgressOptions): Promise<Dataset<AnyLabel>> {
    if (this.opened?.source === source.id) return this.opened.dataset;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!schema) throw new CloisterError("schema", "The description of the columns needs a correction before the file can be read.");
    return this.dataset(source, schema, options);
  }

  private closeDataset(): void {
    this.opened?.dataset.close().catch(() => {});
    this.opened = null;
  }

  private start(): AbortController {
    this.stop();
    this.running = new AbortController();
    return this.running;
  }

  private stop(): void {
    this.running?.abort();
    this.running = null;
  }

  cancel(): void {
    this.running?.abort();
    this.desk.cancel();
  }

  // 5 · Result

  downloadRelease(): void {
    const { result } = this.state;
    if (!result) return;
    download("release.json", "application/json", result.text);
    this.set({ saved: new Set(this.state.saved).add(result.number) });
  }

  /** Draws the rest of a result whose first part is drawn. */
  unfold(): void {
    this.set({ fresh: false });
  }

  /** Looks at another model of this visit. */
  show(number: number): void {
    const result = this.state.results.find((r) => r.number === number);
    if (!result || result === this.state.result) return;
    this.evaluator.close();
    this.set({ result, predict: emptyPredict, classShown: 0 });
  }

  /** The model as a page that can be read, printed and sent. */
  downloadCard(): void {
    const { result } = this.state;
    if (result && this.publisher) download("model-card.html", "text/html", this.publisher.card(result));
  }

  /** The model as a program. */
  downloadCode(language: Language): void {
    const { result } = this.state;
    if (result && this.publisher) download(languages[language].file, "text/plain", this.publisher.code(result.release, language));
  }

  /** There is a model of the person's own data that no file holds yet. */
  get unsaved(): boolean {
    const { results, saved } = this.state;
    return results.some((r) => r.source.kind === "file" && !saved.has(r.number));
  }

  showAllCoefficients(allCoefficients: boolean): void {
    this.set({ allCoefficients });
  }

  showClass(classShown: number): void {
    this.set({ classShown });
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

function isAborted(error: unknown): boolean {
  return error instanceof CloisterError && error.code === "aborted";
}

/** Lets the browser draw and answer in between. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
