import type { AnyLabel, Schema } from "../../../client/types.ts";
import { type BudgetDraft, checkBudget } from "../account/budget.ts";
import { download } from "../../shell/download.ts";
import { makesCard } from "../draft/card.ts";
import { checkCard } from "../draft/card-check.ts";
import { check } from "../draft/check.ts";
import { draftOf, type SchemaDraft } from "../draft/draft.ts";
import { withPlaces } from "../draft/places.ts";
import { unconfirmed } from "../draft/learnt.ts";
import { readJSON } from "../../shell/json-file.ts";
import { canBuy } from "../account/file-account.ts";
import { problemOf } from "../../shell/problem.ts";
import { cardAskedOf, makingCard } from "./card.ts";
import type { Method } from "./choices.ts";
import { doneAgain, edited, takenBack } from "./history.ts";
import { checkMethod, type State } from "./state.ts";
import { idle } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** What the person enters: the description of the columns, the budget and the method. */
export class Editor {
  constructor(private readonly studio: Workspace) {}

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
      history: edited(this.state.history, draft, next, origin),
      origin: origin === "sample" && this.state.source?.kind === "file" ? "written" : origin,
      schemaProblem: null,
      ...(all && {
        announcement: "Every entry is confirmed. The guarantee will cover the whole release.",
      }),
    });
    this.changed();
    this.studio.buyer?.soon();
  }

  /** A field was left: its errors are shown, and what is typed next is an edit of its own. */
  touch(field: string): void {
    const { touched, history } = this.state;
    if (history.typing !== null) this.set({ history: { ...history, typing: null } });
    if (!touched.has(field)) this.set({ touched: new Set(touched).add(field) });
  }

  /** Takes the last edit of the description back. */
  undo(): void {
    this.step(takenBack, "Taken back", "There is nothing to take back.");
  }

  /** Does again what was taken back. */
  redo(): void {
    this.step(doneAgain, "Done again", "There is nothing to do again.");
  }

  private step(find: typeof takenBack, what: string, nothing: string): void {
    const { draft, origin, history } = this.state;
    const found = draft && find(history, { draft, origin });
    if (!found) return this.set({ announcement: nothing });
    this.set({
      draft: found.draft,
      origin: found.origin,
      history: found.history,
      schemaProblem: null,
      announcement: found.about === "" ? `${what}.` : `${what}: ${found.about}.`,
    });
    this.changed();
    this.studio.buyer?.soon();
  }

  /** Moves to a cell of the table of columns, or begins to edit it; null leaves the table. */
  goToCell(cell: State["cell"]): void {
    const now = this.state.cell;
    if (cell?.id !== now?.id || cell?.part !== now?.part || cell?.editing !== now?.editing)
      this.set({ cell });
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
      const { draft, origin, history } = this.state;
      const read = draftOf(checked.schema);
      const next = this.state.source?.header === "none" ? withPlaces(read, draft) : read;
      this.set({
        draft: next,
        origin: "imported",
        cell: null,
        history: draft ? edited(history, draft, next, origin) : history,
        schemaProblem: null,
        open: new Set(),
        touched: new Set(),
        reading: this.state.source ? { phase: "done" } : this.state.reading,
        announcement: `${file.name} was imported: ${checked.schema.features.length} columns.`,
      });
      this.studio.planner.soon();
    } catch (error) {
      this.set({
        schemaProblem: problemOf(error),
        announcement: "The schema could not be imported.",
      });
    }
  }

  /** Offers the schema as a file, if it is whole; else shows what is missing. */
  exportSchema(): void {
    const schema = this.schemaOrErrors();
    if (schema) download("schema.json", "application/json", `${JSON.stringify(schema, null, 2)}\n`);
  }

  /** Ticks levels that are to be merged, of a column. */
  tick(id: string, categories: readonly string[]): void {
    const { card } = this.state;
    this.set({
      card: { ...card, ticked: { ...card.ticked, [id]: categories } },
    });
  }

  /** The schema, if it is whole; else every column that needs a correction is opened. */
  schemaOrErrors(): Schema<AnyLabel> | null {
    const { draft } = this.state;
    if (!draft) return null;
    const { schema, errors } = check(draft);
    const wrong = makesCard(draft) ? checkCard(draft).errors : errors;
    if (schema && wrong.length === 0) return schema;
    const open = new Set(this.state.open);
    for (const e of wrong) open.add(e.field.split(".")[0]!);
    this.set({
      attempted: true,
      open,
      announcement: `${wrong.length} entries of the schema need a correction.`,
    });
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

  /**
   * Takes back "a few entries need a correction" as soon as none does. What the core said of a file
   * stays.
   */
  forgetRefusal(): void {
    const { fit, draft, budget } = this.state;
    if (fit.phase !== "failed" || fit.problem.code !== "page") return;
    if (
      fit.problem.field === "account"
        ? canBuy(this.state.fileAccount)
        : makingCard(this.state)
          ? cardAskedOf(this.state)
          : draft &&
            check(draft).schema &&
            checkBudget(budget).budget &&
            checkMethod(this.state).options
    )
      this.set({ fit: idle });
  }
}
