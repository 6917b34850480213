import { own } from "../../../client/own.ts";
import type { Client, Row } from "../../../client/types.ts";
import { aboutRow, pageProblem, type Problem, problemOf } from "../../shell/problem.ts";
import type { PredictState } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/** Predicts one row, typed into the form or pasted, from the release alone. */
export class Predictor {
  constructor(
    private readonly store: Store,
    private readonly client: () => Client | null,
  ) {}

  private set(change: Partial<PredictState>): void {
    this.store.set({ predict: { ...this.store.state.predict, ...change } });
  }

  changeField(name: string, value: string): void {
    const { fields } = this.store.state.predict;
    this.set({ fields: { ...fields, [name]: value }, answer: null, problem: null });
  }

  changePasted(pasted: string): void {
    this.set({ pasted, answer: null, problem: null });
  }

  /** The row in the form: an empty field is a missing value. */
  predictForm(): Promise<void> {
    const { result, predict } = this.store.state;
    const features = result?.release.schema.features ?? [];
    return this.predict(
      "form",
      Object.fromEntries(
        features.map((f) => [f.name, own(predict.fields, f.name)?.trim() || null]),
      ),
    );
  }

  /**
   * The pasted row, as a line of CSV in the order of the model's columns, or below a header line.
   */
  predictPasted(): Promise<void> {
    const { pasted } = this.store.state.predict;
    if (pasted.trim() !== "") return this.predict("pasted", pasted);
    this.set({
      from: "pasted",
      answer: null,
      problem: pageProblem("There is no row yet", "Paste one in the field above."),
    });
    return Promise.resolve();
  }

  private async predict(from: PredictState["from"], row: Row): Promise<void> {
    const { result } = this.store.state;
    const client = this.client();
    if (!result || !client) return;
    const { fields, pasted } = this.store.state.predict;
    const unchanged = () =>
      this.store.state.result === result &&
      this.store.state.predict.fields === fields &&
      this.store.state.predict.pasted === pasted;
    let problem: Problem | null = null;
    const answer = await client.predict(result.release, row).catch((error: unknown) => {
      problem = {
        ...problemOf(error),
        title: "This row cannot be used",
        ...(error instanceof Error && { message: aboutRow(error.message) }),
      };
      return null;
    });
    if (unchanged()) this.set({ from, answer, problem });
  }
}
