import { type Language, languages } from "../publish/languages.ts";
import { download } from "./download.ts";
import { buyingMore, emptyPredict } from "./state.ts";
import type { Studio } from "./studio.ts";

/** The models of this visit: which one is looked at, and each as a file. */
export class Shelf {
  constructor(private readonly studio: Studio) {}

  downloadRelease(): void {
    const { state, store } = this.studio;
    const { result, saved } = state;
    if (!result) return;
    download("release.json", "application/json", result.text);
    store.set({ saved: new Set(saved).add(result.number) });
  }

  /** The model as a page that can be read, printed and sent. */
  downloadCard(): void {
    const { state, publisher } = this.studio;
    if (state.result && publisher) download("model-card.html", "text/html", publisher.card(state.result));
  }

  /** The model as a program. */
  downloadCode(language: Language): void {
    const { state, publisher } = this.studio;
    if (state.result && publisher) download(languages[language].file, "text/plain", publisher.code(state.result.release, language));
  }

  /** There is a model of the person's own data that no file holds yet. */
  get unsaved(): boolean {
    const { results, saved } = this.studio.state;
    return results.some((r) => r.source.kind === "file" && r.key && !saved.has(r.number));
  }

  /** Draws the rest of a result whose first part is drawn. */
  unfold(): void {
    this.studio.store.set({ fresh: false });
  }

  /** Looks at another model of this visit. */
  show(number: number): void {
    const { state, store, evaluator } = this.studio;
    const result = state.results.find((r) => r.number === number);
    if (!result || result === state.result || buyingMore(state)) return;
    evaluator.close();
    store.set({ result, predict: emptyPredict, classShown: 0 });
  }

  showAllCoefficients(allCoefficients: boolean): void {
    this.studio.store.set({ allCoefficients });
  }

  showClass(classShown: number): void {
    this.studio.store.set({ classShown });
  }
}
