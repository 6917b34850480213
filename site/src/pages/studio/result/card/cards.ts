import { code } from "../../../../scorecard/code.ts";
import { type Language, languages } from "../../../../scorecard/languages.ts";
import { page } from "../../../../scorecard/page.ts";
import { download } from "../../../shell/download.ts";
import { shownCard } from "../../state/card.ts";
import type { CardResult } from "../../state/card-state.ts";
import { buyingMore } from "../../state/state.ts";
import { Explorer } from "./explorer.ts";
import type { Workspace } from "../../state/workspace.ts";

/** The scorecards of this visit: which one is looked at, and each as files. */
export class Cards {
  readonly explorer: Explorer;

  constructor(private readonly studio: Workspace) {
    this.explorer = new Explorer(studio, (card) => this.put(card));
  }

  /** Changes a card among the results. */
  private put(card: CardResult): void {
    const { store, state } = this.studio;
    const results = state.card.results.map((one) => (one.number === card.number ? card : one));
    const result = state.card.result?.number === card.number ? card : state.card.result;
    store.set({ card: { ...state.card, results, result } });
  }

  /** Looks at another card, or at one in place of a model. */
  show(number: number): void {
    const { store, state, evaluator } = this.studio;
    const result = state.card.results.find((one) => one.number === number);
    if (!result || buyingMore(state)) return;
    if (result !== shownCard(state)) evaluator.close();
    store.set({ card: { ...state.card, result }, looking: "card" });
  }

  /** Says a level of the person to try. */
  say(card: CardResult, attribute: number, level: number): void {
    this.put({
      ...card,
      person: card.person.map((one, g) => (g === attribute ? level : one)),
    });
  }

  /** Nobody in particular. */
  clear(card: CardResult): void {
    this.put({ ...card, person: card.person.map(() => null) });
  }

  saveRelease(card: CardResult): void {
    download("scorecard.json", "application/json", card.text);
    this.put({ ...card, saved: true });
  }

  /** The card on a page that prints on one sheet; the release is in it. */
  savePage(card: CardResult): void {
    download("scorecard.html", "text/html", page(card.release, card.text, card.checked.figures));
    this.put({ ...card, saved: true });
  }

  saveCode({ release }: CardResult, language: Language): void {
    download(languages[language].file, "text/plain", code(release, language));
  }

  /** There is a card of the person's own data that no file holds yet. */
  get unsaved(): boolean {
    return this.studio.state.card.results.some(({ own, saved }) => own && !saved);
  }
}
