import type { Derived, RegressQuestion } from "../../../../client/types.ts";
import { download } from "../../../shell/download.ts";
import { type Problem, problemOf } from "../../../shell/problem.ts";
import { parseNumber } from "../../draft/number.ts";
import type { Result } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";

/** What is asked of one release's moments, and what came of it. */
export interface Question {
  /** A column of the model; "" for the label. */
  readonly target: string;
  /** Features that are not predicted from. */
  readonly without: readonly string[];
  /** As it is typed; "" for the one that follows from the noise. */
  readonly ridge: string;
  readonly answer: Derived | null;
  readonly problem: Problem | null;
}

const first: Question = { target: "", without: [], ridge: "", answer: null, problem: null };

/** Computes other models from the moments of the visit's releases. Nothing is charged. */
export class OtherModels {
  private readonly questions = new Map<number, Question>();
  private asked = 0;

  constructor(readonly studio: Workspace) {}

  question({ number }: Result): Question {
    return this.questions.get(number) ?? first;
  }

  private set(result: Result, change: Partial<Question>): void {
    this.questions.set(result.number, { ...this.question(result), ...change });
    this.studio.store.set({});
  }

  /** The feature of the column that is predicted; undefined for the label. */
  predicted(result: Result): string | undefined {
    const { target } = this.question(result);
    return result.release.schema.features.find((f) =>
      f.missing === "indicator" && `${f.name} is missing` === target
        ? true
        : f.type === "numeric"
          ? f.name === target
          : f.categories.some((category) => `${f.name}=${category}` === target),
    )?.name;
  }

  /** Features that the model is predicted from. */
  features(result: Result): string[] {
    const { without } = this.question(result);
    const own = this.predicted(result);
    return result.release.schema.features
      .map((f) => f.name)
      .filter((name) => name !== own && !without.includes(name));
  }

  /** Why the ridge cannot be what is typed; undefined if it can. */
  ridgeError(result: Result): string | undefined {
    const { ridge } = this.question(result);
    const value = parseNumber(ridge);
    return ridge.trim() === "" || (value !== null && value > 0)
      ? undefined
      : "Enter a number above 0, such as 10, or nothing.";
  }

  change(result: Result, change: Partial<Pick<Question, "target" | "without" | "ridge">>): void {
    this.set(result, change);
    void this.ask(result);
  }

  tick(result: Result, feature: string, on: boolean): void {
    const { without } = this.question(result);
    this.change(result, {
      without: on ? without.filter((name) => name !== feature) : [...without, feature],
    });
  }

  /** Answers the question as it stands. What was asked before it comes too late. */
  async ask(result: Result): Promise<void> {
    const { client, store } = this.studio;
    if (!client || this.ridgeError(result)) return;
    const asked = ++this.asked;
    const { target, ridge } = this.question(result);
    const question: RegressQuestion = {
      columns: this.features(result),
      ...(target !== "" && { target }),
      ...(ridge.trim() !== "" && { ridge: parseNumber(ridge)! }),
    };
    let problem: Problem | null = null;
    const answer = await client.regress(result.release, question).catch((error: unknown) => {
      problem = { ...problemOf(error), title: "There is no such model" };
      return null;
    });
    if (asked !== this.asked) return;
    this.set(result, { answer, problem });
    if (answer) store.set({ announcement: `The model of ${answer.derived.target} is worked out.` });
  }

  async save(result: Result): Promise<void> {
    const { answer } = this.question(result);
    if (answer && (await this.studio.models.publishable(result)))
      download("derived-model.json", "application/json", answer.text);
  }
}
