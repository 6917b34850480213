import {
  type AnyLabel,
  CloisterError,
  type Content,
  type Dataset,
  type Header,
  type ProgressOptions,
  type Schema,
} from "../../../client/types.ts";
import { check } from "../draft/check.ts";
import { draftOf, linesOf, withReasons } from "../draft/draft.ts";
import { calledIn } from "../state/called.ts";
import { withPlaces } from "../draft/places.ts";
import { withNotes } from "../notes/notes.ts";
import type { Notes } from "../state/notes.ts";
import { Pace } from "../../shell/pace.ts";
import { isAborted, problemOf } from "../../shell/problem.ts";
import { type SampleName, samples } from "../sample/samples.ts";
import { firstHint, firstMethod, type LabelHint } from "../state/choices.ts";
import { buyingMore, sealed, type Source, type State } from "../state/state.ts";
import { firstHistory } from "../state/history.ts";
import { idle } from "../state/work.ts";
import type { Workspace } from "../state/workspace.ts";

/**
 * Opens the sample or files, looks at them for a schema, and holds what is open of them as a design
 * matrix.
 */
export class Reader {
  private readonly sources = new Map<string, number>();
  private opened: {
    readonly source: number;
    readonly key: string;
    readonly dataset: Dataset<AnyLabel>;
  } | null = null;
  /** The file as the ledger knows it, from when it was read for a suggestion. */
  private content: { readonly source: number; readonly content: Content } | null = null;

  constructor(private readonly studio: Workspace) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  /** Opens a made-up table. */
  async useSample(name: SampleName): Promise<void> {
    if (!this.studio.made || buyingMore(this.state)) return;
    this.set({ source: null });
    this.describeSample(name);
    await this.makeSample();
  }

  /** Makes the rows of the table that is described, a thousand at a time. */
  async makeSample(): Promise<void> {
    const { running, made } = this.studio;
    const { sample: name } = this.state;
    if (!made || buyingMore(this.state)) return;
    const control = running.start();
    const parts: string[] = [];
    for (const part of made.csvOf(made.tables[name], samples[name].rows, made.seeds.open)) {
      parts.push(part);
      await breathe();
      if (!running.is(control)) return; // a file was chosen meanwhile, or another table
    }
    running.done(control);
    const blob = new Blob(parts, { type: "text/csv" });
    this.replaceSource(
      {
        kind: "sample",
        sample: name,
        parts: [blob],
        names: [`made-up-${name}.csv`],
        bytes: blob.size,
      },
      `sample ${name}`,
    );
    this.set({ reading: { phase: "done" } });
    this.studio.planner.soon();
  }

  /** Describes a made-up table by its own code book, before a row of it is made. */
  describeSample(name: SampleName): void {
    const { made } = this.studio;
    if (!made) return;
    const table = made.tables[name];
    this.set({
      sample: name,
      draft: withReasons(draftOf(made.schemaOf(table)), made.reasonsOf(table)),
      // Nobody's rows may be counted.
      accuracy: { ...this.state.accuracy, records: String(samples[name].rows), rarer: "" },
      origin: "sample",
      reading: idle,
      open: new Set(),
      touched: new Set(),
      schemaProblem: null,
      history: firstHistory,
      cell: null,
    });
  }

  /**
   * Opens files, read as one table in the order given. A schema that the person imported or wrote
   * is kept; otherwise one is suggested from the file, and marked so. What was entered about these
   * files in an earlier visit is entered again.
   */
  async useFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0 || !sealed(this.state) || buyingMore(this.state)) return;
    this.studio.running.stop();
    const keep = this.state.origin === "imported" || this.state.origin === "written";
    const names = files.map((f) => f.name);
    this.replaceSource(
      { kind: "file", parts: [...files], names, bytes: files.reduce((sum, f) => sum + f.size, 0) },
      JSON.stringify(files.map((f) => [f.name, f.size, f.lastModified])),
    );
    const notes = keep ? null : this.studio.autosave.about(names);
    // How many rows a file has is said by the person, or by nobody.
    this.set({ accuracy: { ...this.state.accuracy, records: notes?.records ?? "", rarer: "" } });
    if (keep) {
      this.set({
        reading: { phase: "done" },
        announcement: `${names.join(", ")} opened. Your schema is kept.`,
      });
      this.studio.onOpened?.();
      this.studio.planner.soon();
      return;
    }
    if (notes) this.set({ budget: notes.budget, method: { ...firstMethod, ...notes.method } });
    if (notes?.whole) {
      this.set({
        ...notes.whole,
        open: new Set(),
        touched: new Set(),
        reading: { phase: "done" },
        announcement: `${names.join(", ")} opened, with what you had entered before.`,
      });
      this.studio.onOpened?.();
      this.studio.planner.soon();
      return;
    }
    this.set({ draft: null, hint: notes?.hint ?? firstHint });
    await this.suggest(notes);
  }

  /**
   * Looks at the open file and suggests a schema. Everything in it stays marked until it is
   * confirmed.
   */
  async suggest(notes: Notes | null = null): Promise<void> {
    const { source } = this.state;
    const { running } = this.studio;
    if (!source || buyingMore(this.state)) return;
    const control = running.start();
    const pace = new Pace();
    this.set({
      reading: { phase: "running", progress: null },
      schemaProblem: null,
      announcement: "Reading the file.",
    });
    try {
      const { label, kind, positive } = this.state.hint;
      const named = label.trim() !== "";
      const client = await this.studio.core(control.signal);
      const { schema, leftOut, sentinels, missing, layout, content } =
        await client.suggestSchema<AnyLabel>(source.parts, {
          header: source.header,
          delimiter: source.delimiter,
          ...(named && { label: label.trim() }),
          ...(named && kind !== "two" && { labelType: kind }),
          ...(named &&
            kind === "two" &&
            linesOf(positive).length > 0 && { positive: linesOf(positive) }),
          signal: control.signal,
          onProgress: (progress) =>
            running.is(control) &&
            this.set({ reading: { phase: "running", progress: pace.with(progress) } }),
        });
      if (!running.is(control)) return void content.close();
      const draft = layout.header ? draftOf(schema) : withPlaces(draftOf(schema));
      void this.content?.content.close();
      this.content = { source: source.id, content };
      this.set({
        draft: notes ? withNotes(draft, notes) : draft,
        history: firstHistory,
        cell: null,
        origin: "read",
        leftOut,
        sentinels,
        missing,
        layout,
        reading: { phase: "done" },
        open: new Set(),
        touched: new Set(),
        announcement: `The file was read: ${schema.features.length} columns and the label ${schema.label.name}. Please check each.`,
      });
      this.studio.onOpened?.();
      this.studio.planner.soon();
    } catch (error) {
      if (!running.is(control)) return;
      const cancelled = isAborted(error);
      // the page says so itself
      if (this.state.core.phase === "failed") return this.set({ reading: { phase: "idle" } });
      this.set({
        reading: cancelled
          ? { phase: "cancelled" }
          : { phase: "failed", problem: problemOf(error) },
        announcement: cancelled ? "Reading was cancelled." : "The file could not be used.",
      });
    } finally {
      running.done(control);
    }
  }

  /**
   * Says what the first line of the open file is, and goes on. A description that is there already
   * is kept.
   */
  say(header: Header): void {
    const { draft } = this.state;
    this.set({ source: { ...this.state.source!, header }, reading: { phase: "done" } });
    if (!draft) return void this.suggest();
    if (header === "none") this.set({ draft: withPlaces(draft) });
    this.studio.onOpened?.();
    void this.studio.look();
    this.studio.planner.soon();
  }

  /**
   * Says how the open file is laid out, where the page got it wrong, and reads it so. A description
   * that was not read from it is kept.
   */
  layOut(told: Pick<Source, "header" | "delimiter">): void {
    const { source, origin } = this.state;
    if (!source || buyingMore(this.state)) return;
    this.studio.running.stop();
    this.set({ source: { ...source, ...told }, layout: null, reading: { phase: "done" } });
    if (origin === "imported" || origin === "written") {
      void this.studio.look();
      this.studio.planner.soon();
    } else {
      this.set({ draft: null });
      void this.suggest();
    }
  }

  /** Says which column to predict, for the next suggestion. */
  changeHint(change: Partial<LabelHint>): void {
    this.set({ hint: { ...this.state.hint, ...change } });
  }

  /**
   * Opens a source. What was opened before is the same again, and so is what its people have spent.
   */
  private replaceSource(source: Omit<Source, "id">, identity: string): void {
    this.closeDataset();
    void this.content?.content.close();
    this.content = null;
    this.studio.fileAccount.close();
    this.studio.buyer?.close();
    this.studio.lookalikes?.stop();
    const id = this.sources.get(identity) ?? this.sources.size + 1;
    this.sources.set(identity, id);
    this.set({
      source: { id, ...source },
      leftOut: [],
      sentinels: [],
      missing: [],
      lookalikes: null,
      layout: null,
      fit: idle,
      attempted: false,
      // What was edited about another file is not to be put back.
      history: firstHistory,
      cell: null,
    });
  }

  /**
   * The open file as a design matrix; kept for the next fit with the same schema. `names`: what its
   * columns are called, of a file without a header.
   */
  async dataset(
    source: Source,
    schema: Schema<AnyLabel>,
    names: readonly string[] | undefined,
    options: ProgressOptions,
  ): Promise<Dataset<AnyLabel>> {
    const { header, delimiter } = source;
    const key = JSON.stringify([source.id, header, delimiter, names, schema]);
    if (this.opened?.key === key) return this.opened.dataset;
    this.closeDataset();
    const dataset = await this.studio
      .client!.openDataset<AnyLabel>(source.parts, schema, { ...options, header, delimiter, names })
      .catch((error) => {
        // What its first line is is asked where the file is.
        const problem = problemOf(error);
        if (problem.code === "header" && this.state.source === source)
          this.set({ reading: { phase: "failed", problem } });
        throw error;
      });
    this.opened = { source: source.id, key, dataset };
    if (this.state.source === source) this.set({ layout: dataset.layout });
    return dataset;
  }

  /**
   * What the ledger can know the file by: what is open of it already; else it is read with the
   * description as it stands.
   */
  async known(source: Source, options: ProgressOptions): Promise<Dataset<AnyLabel> | Content> {
    if (this.opened?.source === source.id) return this.opened.dataset;
    if (this.content?.source === source.id) return this.content.content;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!schema)
      throw new CloisterError(
        "schema",
        "The description of the columns needs a correction before the file can be read.",
      );
    return this.dataset(source, schema, calledIn(this.state), options);
  }

  private closeDataset(): void {
    this.opened?.dataset.close().catch(() => {});
    this.opened = null;
  }
}

/** Lets the browser draw and answer in between. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
