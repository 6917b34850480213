import type { AnyLabel, Schema } from "../client/types.ts";
import { type BudgetDraft, checkBudget } from "./budget.ts";
import { download } from "./download.ts";
import { check } from "./draft/check.ts";
import { draftOf, type SchemaDraft, unconfirmed } from "./draft/draft.ts";
import { readJSON } from "./json-file.ts";
import { canBuy } from "./ledger/desk.ts";
import { problemOf } from "./problem.ts";
import { checkMethod, idle, type Method, type State } from "./state.ts";
import type { Studio } from "./studio.ts";

/** What the person enters: the description of the columns, the budget and the method. */
export class Editor {
  constructor(private readonly studio: Studio) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  // What is publicly known

  edit(change: (draft: SchemaDraft) => SchemaDraft): void {
    const { draft, origin } = this.state;
    if (!draft) return;
    const next = change(draft);
    if (next === draft) return;
    const all = unconfirmed(draft).length > 0 && unconfirmed(next).length === 0;
    this.set({
      draft: next,
      origin: origin === "sample" && this.state.source?.kind === "file" ? "written" : origin,
      schemaProblem: null,
      ...(all && { announcement: "Every entry is confirmed. The guarantee will cover the whole release." }),
    });
    this.changed();
    this.studio.buyer?.soon();
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
    const { client } = this.studio;
    if (!client) return;
    try {
      const checked = await client.checkSchema<AnyLabel>(await readJSON(file, "schema"));
      // A suggestion still under way would take the place of what was imported.
      if (this.state.reading.phase === "running") this.studio.running.stop();
      this.set({
        draft: draftOf(checked.schema),
        origin: "imported",
        schemaProblem: null,
        open: new Set(),
        touched: new Set(),
        reading: this.state.source ? { phase: "done" } : this.state.reading,
        announcement: `${file.name} was imported: ${checked.schema.features.length} columns.`,
      });
      this.studio.planner.soon();
    } catch (error) {
      this.set({ schemaProblem: problemOf(error), announcement: "The schema could not be imported." });
    }
  }

  /** Offers the schema as a file, if it is whole; else shows what is missing. */
  exportSchema(): void {
    const schema = this.schemaOrErrors();
    if (schema) download("schema.json", "application/json", `${JSON.stringify(schema, null, 2)}\n`);
  }

  /** The schema, if it is whole; else every column that needs a correction is opened. */
  schemaOrErrors(): Schema<AnyLabel> | null {
    const { draft } = this.state;
    if (!draft) return null;
    const { schema, errors } = check(draft);
    if (schema) return schema;
    const open = new Set(this.state.open);
    for (const e of errors) open.add(e.field.split(".")[0]!);
    this.set({ attempted: true, open, announcement: `${errors.length} entries of the schema need a correction.` });
    return null;
  }

  // Budget and method

  changeBudget(change: Partial<BudgetDraft>): void {
    this.set({ budget: { ...this.state.budget, ...change } });
    this.changed();
  }

  changeMethod(change: Partial<Method>): void {
    this.set({ method: { ...this.state.method, ...change } });
    this.changed();
  }

  private changed(): void {
    this.forgetRefusal();
    this.studio.planner.soon();
  }

  /** Takes back "a few entries need a correction" as soon as none does. What the core said of a file stays. */
  forgetRefusal(): void {
    const { fit, draft, budget } = this.state;
    if (fit.phase !== "failed" || fit.problem.code !== "page") return;
    if (fit.problem.field === "account" ? canBuy(this.state.desk) : draft && check(draft).schema && checkBudget(budget).budget && checkMethod(this.state).options) this.set({ fit: idle });
  }
}
