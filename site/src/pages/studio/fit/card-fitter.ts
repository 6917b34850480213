import {
  type Client,
  type LedgerCharge,
  type NoisyCells,
  type NoisyCellsOptions,
  type NoisyCellsResult,
  type Progress,
  type ScorecardOptions,
  type ScorecardRelease,
  type ScorecardResult,
} from "../../../client/types.ts";
import { isDrawn } from "../../../client/ledger.ts";
import { readableBound } from "../../../chart/numbers.ts";
import { keepsAccount } from "../account/file-account.ts";
import { Pace } from "../../shell/pace.ts";
import { isAborted } from "../../shell/problem.ts";
import { samples, sampleWords } from "../sample/samples.ts";
import { calledIn } from "../state/called.ts";
import { cardAskedOf, cardKey, exploring } from "../state/card.ts";
import type { CardResult, Explored } from "../state/card-state.ts";
import type { Editor } from "../state/editor.ts";
import { busy, needsAccount, type State } from "../state/state.ts";
import type { Workspace } from "../state/workspace.ts";
import type { Gate } from "./gate.ts";

/** A card, and its file. */
interface ScorecardFile {
  readonly release: ScorecardRelease;
  readonly text: string;
}

/**
 * Has a scorecard chosen, or buys the noisy counts that many are explored on: through the account
 * of the open file, where it has one. The charge comes before the noise, the search goes on to its
 * end, and a search that is cancelled shows nothing.
 */
export class CardFitter {
  constructor(
    private readonly studio: Workspace & {
      readonly editor: Editor;
      readonly gate: Gate;
    },
  ) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  async fit(): Promise<void> {
    const { studio } = this;
    if (!(await studio.gate.prepared())) return;
    const { client, fileAccount, running } = studio;
    const { source } = this.state;
    if (!client || !source || busy(this.state)) return;
    const asked = cardAskedOf(this.state);
    this.set({ attempted: true });
    if (!asked) return studio.gate.refuseEntries();
    if (!(await studio.gate.accounted())) return;
    studio.planner.stop();
    fileAccount.stopAsking();
    const key = cardKey(this.state);
    const many = exploring(this.state);
    const keeps = needsAccount(this.state) && keepsAccount(this.state.fileAccount);
    const before = this.state.fileAccount.account?.charges.length ?? 0;
    const control = running.start();
    const pace = new Pace();
    let [drawn, counted] = [false as boolean, false as boolean];
    /** Adds up what purchases without a ledger come to. */
    const count = () => {
      if (keeps || counted) return;
      counted = true;
      this.set({
        spent: [
          ...this.state.spent,
          { source: source.id, adjacency: asked.adjacency, epsilon: asked.epsilon, delta: 0 },
        ],
      });
    };
    const onProgress = (progress: Progress) => {
      drawn ||= isDrawn(progress);
      if (running.is(control))
        this.set({ fit: { phase: "running", progress: pace.with(progress) } });
    };
    this.set({
      fit: { phase: "running", progress: null },
      announcement: many ? "Buying the counts." : "Choosing the card.",
    });
    try {
      const layout = {
        header: source.header,
        delimiter: source.delimiter,
        names: calledIn(this.state),
      };
      const request: ScorecardOptions = {
        ...asked,
        ...layout,
        signal: control.signal,
        onProgress,
      };
      const { points: bound = 1, ...counts } = request;
      const buyer = keeps ? client.ledger : client;
      const bought: { charge?: LedgerCharge } & (ScorecardResult | NoisyCellsResult) = many
        ? await buyer.noisyCells(source.parts, counts satisfies NoisyCellsOptions)
        : await buyer.scorecard(source.parts, request);
      // It is spent, whatever becomes of what is made of it.
      if (keeps) void studio.charged();
      count();
      const { card, ...start } =
        "counts" in bought.release
          ? await this.firstOf(client, bought.release, bought.text, bound)
          : { card: { release: bought.release, text: bought.text } };
      const { release, text } = card;
      const result: CardResult = {
        number: this.state.card.results.length + 1,
        release,
        text,
        checked: await client.checkScorecard(release),
        source: source.id,
        from: source.sample
          ? `${samples[source.sample].rows.toLocaleString("en-GB")} ${sampleWords(source.sample)}`
          : source.names.join(", "),
        own: source.kind === "file",
        sample: source.sample,
        layout,
        key,
        charge: bought.charge ?? null,
        person: release.card.attributes.map(() => null),
        saved: false,
        ...start,
      };
      // It is paid for: it is kept, too, if another file was chosen since.
      const made = {
        ...this.state.card,
        results: [result, ...this.state.card.results],
      };
      if (!running.is(control))
        return this.set({
          card: { ...made, result: made.result ?? result },
          announcement: `Scorecard ${result.number} of ${result.from} is in step 5.`,
        });
      studio.evaluator.close();
      this.set({
        card: { ...made, result },
        looking: "card",
        fit: { phase: "done" },
        announcement: `Done. The scorecard is ready, with ε ${readableBound(asked.epsilon)} and δ 0.`,
      });
      studio.onResult?.();
    } catch (error) {
      const noted = keeps && studio.charged();
      if (drawn) count();
      const unnoted = counted && source.kind === "file";
      if (!running.is(control)) return;
      studio.gate.ended(error, unnoted, {
        cancelled: "The search was cancelled.",
        failed: "No card was chosen.",
      });
      if (isAborted(error) && noted) void studio.gate.settle(noted, before);
    } finally {
      running.done(control);
      studio.planner.soon(); // it gave way to the search
    }
  }

  /** The card that exploring begins with: no points at all. */
  private async firstOf(
    client: Client,
    cells: NoisyCells,
    text: string,
    bound: number,
  ): Promise<{ card: ScorecardFile; explored: Explored }> {
    const points = cells.schema.attributes.map((a) =>
      Array<number>(a.type === "numeric" ? a.cuts.length + 1 : a.levels.length).fill(0),
    );
    const { wrong, records, deviation, ...card } = await client.cardOfCells(cells, {
      points: bound,
      card: points,
    });
    const kept = points.map(() => true);
    const explored = { cells, text, bound, kept, points, wrong, records, deviation, search: null };
    return { card, explored };
  }
}
