import { download } from "../../../shell/download.ts";
import { isAborted, problemOf } from "../../../shell/problem.ts";
import type { CardResult, Explored } from "../../state/card-state.ts";
import { buyingMore } from "../../state/state.ts";
import type { Workspace } from "../../state/workspace.ts";

/**
 * Cards on noisy counts: their attributes and points are chosen by hand, or searched for. All of it
 * is made from the counts, which are paid for, so it costs nothing.
 */
export class Explorer {
  private turn = 0;
  private control: AbortController | null = null;

  constructor(
    private readonly studio: Workspace,
    private readonly put: (card: CardResult) => void,
  ) {}

  /** Takes an attribute into the card, or leaves it out. */
  keep(card: CardResult, attribute: number, on: boolean): Promise<void> {
    const kept = card.explored!.kept.map((was, g) => (g === attribute ? on : was));
    return this.make(card, { ...card.explored!, kept });
  }

  /** Gives a level its points. */
  point(card: CardResult, attribute: number, level: number, value: number): Promise<void> {
    const points = card.explored!.points.map((of, g) =>
      g === attribute ? of.map((was, l) => (l === level ? value : was)) : of,
    );
    return this.make(card, { ...card.explored!, points });
  }

  /** Takes all points away. */
  clear(card: CardResult): Promise<void> {
    const points = card.explored!.points.map((of) => of.map(() => 0));
    return this.make(card, { ...card.explored!, points });
  }

  /** The points of the attributes in the card that get the fewest rows wrong by the counts. */
  search(card: CardResult): Promise<void> {
    return this.make(card, { ...card.explored!, search: { done: 0 } });
  }

  /** Ends the search; the card stays as it was. */
  stop(): void {
    this.control?.abort();
  }

  saveCells({ explored }: CardResult): void {
    download("noisy-cells.json", "application/json", explored!.text);
  }

  /** Makes the card that is described; of several the last counts. */
  private async make(before: CardResult, asked: Explored): Promise<void> {
    const { client, store } = this.studio;
    if (!client) return;
    // What is being measured stays as it is.
    if (buyingMore(this.studio.state)) return this.put({ ...before });
    const turn = ++this.turn;
    const searching = asked.search !== null && "done" in asked.search;
    const { cells, bound, kept } = asked;
    const inCard = <T>(list: readonly T[]) => list.filter((_, g) => kept[g]);
    const put = (change: Partial<Explored>, more: Partial<CardResult> = {}) =>
      this.put({ ...before, ...more, explored: { ...asked, ...change } });
    const control = new AbortController();
    this.control = control;
    put({});
    try {
      const { release, text, wrong, records, deviation } = await client.cardOfCells(cells, {
        attributes: inCard(cells.schema.attributes).map(({ name }) => name),
        points: bound,
        ...(searching
          ? {
              signal: control.signal,
              onProgress: (progress) => {
                if (turn === this.turn && progress.phase === "searching")
                  put({ search: { done: progress.fraction ?? 0 } });
              },
            }
          : { card: inCard(asked.points) }),
      });
      const checked = await client.checkScorecard(release);
      if (turn !== this.turn) return;
      const found = release.card.attributes.map(({ levels }) => levels.map((l) => l.points));
      const points = asked.points.map((of, g) => (kept[g] ? found.shift()! : of));
      put(
        { points, wrong, records, deviation, search: null },
        { release, text, checked, person: release.card.attributes.map(() => null), saved: false },
      );
      store.set({ announcement: `By the noisy counts this card gets ${wrong} rows wrong.` });
    } catch (error) {
      if (turn !== this.turn) return;
      this.put({
        ...before,
        explored: {
          ...before.explored!,
          search: isAborted(error) ? null : { problem: problemOf(error) },
        },
      });
    }
  }
}
