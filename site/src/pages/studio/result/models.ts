import { type Language, languages } from "./publish/languages.ts";
import type { Choice } from "../../../client/types.ts";
import { choiceOf, isOwn, isSaved, mayPublish } from "../state/choice.ts";
import { problemOf } from "../../shell/problem.ts";
import { download } from "../../shell/download.ts";
import type { Chooser } from "../notes/chooser.ts";
import { shownCard } from "../state/card.ts";
import { buyingMore, emptyPredict, type Result } from "../state/state.ts";
import type { Workspace } from "../state/workspace.ts";
import type * as publishing from "./publish/index.ts";

/** The models of this visit: which one is looked at, and each as a file. */
export class Models {
  constructor(
    private readonly studio: Workspace & {
      readonly chooser: Chooser;
      readonly later: { readonly publish: typeof publishing } | null;
    },
  ) {}

  async downloadRelease(): Promise<void> {
    const { store } = this.studio;
    const said = await this.stated();
    if (!said) return;
    download("release.json", "application/json", said.result.text);
    store.set({ saved: new Map(store.state.saved).set(said.result.number, said.choice) });
  }

  /** The model as a page that can be read, printed and sent. */
  async downloadCard(): Promise<void> {
    const { later } = this.studio;
    const said = await this.stated();
    if (said && later) download("model-card.html", "text/html", later.publish.card(said.result));
  }

  /** The model as a notebook, with its release inside. */
  async downloadNotebook(): Promise<void> {
    const { later } = this.studio;
    const said = await this.stated();
    if (said && later)
      download("model.ipynb", "application/x-ipynb+json", later.publish.notebook(said.result));
  }

  /**
   * A model, if it may be published, with what other tabs have done to its rows meanwhile: models
   * made of them, a look at private figures, and accounts that were put together. Where that cannot
   * be read, none is.
   */
  async publishable(asked: Result | null = this.studio.state.result): Promise<Result | null> {
    if (!asked || !(await this.studio.chooser.read(asked, "Nothing was saved"))) return null;
    const { state } = this.studio;
    const result = state.results.find((r) => r.number === asked.number);
    return result && mayPublish(state, result) ? result : null;
  }

  /** The same, its release saying how it was chosen; null where there is none to publish. */
  private async stated(): Promise<{
    readonly result: Result;
    readonly choice: Choice | null;
  } | null> {
    const result = await this.publishable();
    const { state, client, store } = this.studio;
    if (!result) return null;
    const choice = choiceOf(state, result);
    if (choice === (result.release.choice ?? null)) return { result, choice };
    try {
      return {
        result: { ...result, ...(await client!.stateChoice(result.release, choice)) },
        choice,
      };
    } catch (error) {
      store.set({ announcement: `Nothing was saved. ${problemOf(error).message}` });
      return null;
    }
  }

  /** The model as a program. */
  async downloadCode(language: Language): Promise<void> {
    const { later } = this.studio;
    const result = await this.publishable();
    if (result && later)
      download(
        languages[language].file,
        "text/plain",
        later.publish.code(result.release, language),
      );
  }

  /** There is a model of the person's own data that no file holds yet. */
  get unsaved(): boolean {
    const { state } = this.studio;
    return state.results.some(
      (r) => isOwn(r) && r.key && mayPublish(state, r) && !isSaved(state, r),
    );
  }

  /** Draws the rest of a result whose first part is drawn. */
  unfold(): void {
    this.studio.store.set({ fresh: false });
  }

  /** Looks at another model of this visit. */
  show(number: number): void {
    const { state, store, evaluator } = this.studio;
    const result = state.results.find((r) => r.number === number);
    if (!result || buyingMore(state)) return;
    if (result !== state.result || shownCard(state)) evaluator.close();
    if (result === state.result) return store.set({ looking: "model" });
    store.set({
      result,
      looking: "model",
      pledging: null,
      unread: null,
      predict: emptyPredict,
      classShown: 0,
    });
  }

  showAllCoefficients(allCoefficients: boolean): void {
    this.studio.store.set({ allCoefficients });
  }

  showClass(classShown: number): void {
    this.studio.store.set({ classShown });
  }
}
