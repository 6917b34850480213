import { type AnyLabel, CloisterError, type Content, type Dataset, type ProgressOptions, type Schema } from "../client/types.ts";
import { check } from "./draft/check.ts";
import { draftOf, linesOf } from "./draft/draft.ts";
import { type Notes, withNotes } from "./notes/notes.ts";
import { Pace } from "./pace.ts";
import { isAborted, problemOf } from "./problem.ts";
import { sampleCSV, sampleName, sampleSchema } from "./sample.ts";
import { buyingMore, firstHint, firstMethod, idle, type LabelHint, sealed, type Source, type State } from "./state.ts";
import type { Studio } from "./studio.ts";

/** Opens the sample or files, looks at them for a schema, and holds what is open of them as a design matrix. */
export class Reader {
  private readonly sources = new Map<string, number>();
  private opened: { readonly source: number; readonly key: string; readonly dataset: Dataset<AnyLabel> } | null = null;
  /** The file as the ledger knows it, from when it was read for a suggestion. */
  private content: { readonly source: number; readonly content: Content } | null = null;

  constructor(private readonly studio: Studio) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  /** Generates the sample, a thousand rows at a time, and its public schema with it. */
  async useSample(): Promise<void> {
    const { running } = this.studio;
    if (buyingMore(this.state)) return;
    const control = running.start();
    const parts: string[] = [];
    for (const part of sampleCSV()) {
      parts.push(part);
      await breathe();
      if (!running.is(control)) return; // a file was chosen meanwhile
    }
    running.done(control);
    const blob = new Blob(parts, { type: "text/csv" });
    this.replaceSource({ kind: "sample", parts: [blob], names: [sampleName], bytes: blob.size }, "sample");
    this.set({ draft: draftOf(sampleSchema), origin: "sample", reading: { phase: "done" }, open: new Set(), touched: new Set(), schemaProblem: null });
    this.studio.planner.soon();
  }

  /**
   * Opens files, read as one table in the order given. A schema that the person imported or wrote is kept; otherwise one
   * is suggested from the file, and marked so. What was entered about these files in an earlier visit is entered again.
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
    if (keep) {
      this.set({ reading: { phase: "done" }, announcement: `${names.join(", ")} opened. Your schema is kept.` });
      this.studio.planner.soon();
      return;
    }
    const notes = this.studio.keeper.about(names);
    if (notes) {
      const { expectation } = this.state;
      this.set({ budget: notes.budget, expectation: { ...expectation, records: notes.records ?? expectation.records }, method: { ...firstMethod, ...notes.method } });
    }
    if (notes?.whole) {
      this.set({ ...notes.whole, open: new Set(), touched: new Set(), reading: { phase: "done" }, announcement: `${names.join(", ")} opened, with what you had entered before.` });
      this.studio.planner.soon();
      return;
    }
    this.set({ draft: null, hint: notes?.hint ?? firstHint });
    await this.suggest(notes);
  }

  /** Looks at the open file and suggests a schema. Everything in it stays marked until it is confirmed. */
  async suggest(notes: Notes | null = null): Promise<void> {
    const { source } = this.state;
    const { running } = this.studio;
    if (!source || buyingMore(this.state)) return;
    const control = running.start();
    const pace = new Pace();
    this.set({ reading: { phase: "running", progress: null }, schemaProblem: null, announcement: "Reading the file." });
    try {
      const { label, kind, positive } = this.state.hint;
      const named = label.trim() !== "";
      const client = await this.studio.core(control.signal);
      const { schema, leftOut, content } = await client.suggestSchema<AnyLabel>(source.parts, {
        ...(named && { label: label.trim() }),
        ...(named && kind !== "two" && { labelType: kind }),
        ...(named && kind === "two" && linesOf(positive).length > 0 && { positive: linesOf(positive) }),
        signal: control.signal,
        onProgress: (progress) => running.is(control) && this.set({ reading: { phase: "running", progress: pace.with(progress) } }),
      });
      if (!running.is(control)) return void content.close();
      void this.content?.content.close();
      this.content = { source: source.id, content };
      this.set({
        draft: notes ? withNotes(draftOf(schema), notes) : draftOf(schema),
        origin: "read",
        leftOut,
        reading: { phase: "done" },
        open: new Set(),
        touched: new Set(),
        announcement: `The file was read: ${schema.features.length} columns and the label ${schema.label.name}. Please check each.`,
      });
      this.studio.planner.soon();
    } catch (error) {
      if (!running.is(control)) return;
      const cancelled = isAborted(error);
      if (this.state.core.phase === "failed") return this.set({ reading: { phase: "idle" } }); // the page says so itself
      this.set({
        reading: cancelled ? { phase: "cancelled" } : { phase: "failed", problem: problemOf(error) },
        announcement: cancelled ? "Reading was cancelled." : "The file could not be used.",
      });
    } finally {
      running.done(control);
    }
  }

  /** Says which column to predict, for the next suggestion. */
  changeHint(change: Partial<LabelHint>): void {
    this.set({ hint: { ...this.state.hint, ...change } });
  }

  /** Opens a source. What was opened before is the same again, and so is what its people have spent. */
  private replaceSource(source: Omit<Source, "id">, identity: string): void {
    this.closeDataset();
    void this.content?.content.close();
    this.content = null;
    this.studio.desk.close();
    this.studio.buyer?.close();
    const id = this.sources.get(identity) ?? this.sources.size + 1;
    this.sources.set(identity, id);
    this.set({ source: { id, ...source }, leftOut: [], fit: idle, attempted: false });
  }

  /** The open file as a design matrix; kept for the next fit with the same schema. */
  async dataset(source: Source, schema: Schema<AnyLabel>, options: ProgressOptions): Promise<Dataset<AnyLabel>> {
    const key = JSON.stringify([source.id, schema]);
    if (this.opened?.key === key) return this.opened.dataset;
    this.closeDataset();
    const dataset = await this.studio.client!.openDataset<AnyLabel>(source.parts, schema, options);
    this.opened = { source: source.id, key, dataset };
    return dataset;
  }

  /** What the ledger can know the file by: what is open of it already; else it is read with the description as it stands. */
  async known(source: Source, options: ProgressOptions): Promise<Dataset<AnyLabel> | Content> {
    if (this.opened?.source === source.id) return this.opened.dataset;
    if (this.content?.source === source.id) return this.content.content;
    const schema = this.state.draft && check(this.state.draft).schema;
    if (!schema) throw new CloisterError("schema", "The description of the columns needs a correction before the file can be read.");
    return this.dataset(source, schema, options);
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
