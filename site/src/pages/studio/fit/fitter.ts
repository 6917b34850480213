import {
  type AnyLabel,
  CloisterError,
  type FitOptions,
  type FitResult,
  type LedgerCharge,
  type Progress,
} from "../../../client/types.ts";
import { schemaForFit } from "../../../client/usual.ts";
import { isDrawn } from "../../../client/ledger.ts";
import { readableBound } from "../../../chart/numbers.ts";
import { curvesOf } from "../../release/curves.ts";
import { keepsAccount } from "../account/file-account.ts";
import { Pace } from "../../shell/pace.ts";
import { isAborted } from "../../shell/problem.ts";
import {
  askedOf,
  busy,
  emptyPredict,
  needsAccount,
  type Result,
  settingsKey,
  type Source,
  type Spent,
  type State,
  wayOf,
  withResult,
} from "../state/state.ts";
import type { Editor } from "../state/editor.ts";
import type { Workspace } from "../state/workspace.ts";
import { calledIn } from "../state/called.ts";
import { makingCard } from "../state/card.ts";
import type { CardFitter } from "./card-fitter.ts";
import type { Gate } from "./gate.ts";
import { openRows } from "../state/choice.ts";

/** Fits: through the account of the open file, where it has one. */
export class Fitter {
  constructor(
    private readonly studio: Workspace & {
      readonly editor: Editor;
      readonly gate: Gate;
      readonly cardFitter: CardFitter;
    },
  ) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  async fit(): Promise<void> {
    if (makingCard(this.state)) return this.studio.cardFitter.fit();
    if (!(await this.studio.gate.prepared())) return;
    const { studio } = this;
    const { client, fileAccount, running } = studio;
    const { source } = this.state;
    const asked = askedOf(this.state);
    if (!client || !source || busy(this.state)) return;
    const described = studio.editor.schemaOrErrors();
    const columns = calledIn(this.state);
    this.set({ attempted: true });
    if (!described || !asked) return studio.gate.refuseEntries();
    if (!(await studio.gate.accounted())) return;
    studio.planner.stop();
    fileAccount.stopAsking();
    const key = settingsKey(this.state);
    const way = wayOf(this.state);
    const keeps = needsAccount(this.state) && keepsAccount(this.state.fileAccount);
    const before = this.state.fileAccount.account?.charges.length ?? 0;
    const { rows, models: earlier } = openRows(this.state, source);
    const control = running.start();
    const pace = new Pace();
    let drawn = false as boolean;
    let counted = false;
    const onProgress = (progress: Progress) => {
      drawn ||= isDrawn(progress);
      if (running.is(control))
        this.set({ fit: { phase: "running", progress: pace.with(progress) } });
    };
    this.set({
      fit: { phase: "running", progress: null },
      announcement: "Fitting.",
    });
    try {
      const options = { signal: control.signal, onProgress };
      const schema = schemaForFit(described, asked);
      const dataset = await studio.reader.dataset(source, schema, columns, options);
      const request: FitOptions = { ...asked, ...options };
      const bought: { charge?: LedgerCharge } & FitResult<AnyLabel> = keeps
        ? await client.ledger.fit(dataset, request)
        : await client.fit(dataset, request);
      const { release, text, diagnostics } = bought;
      counted = true;
      if (!keeps) this.charge(source, release.guarantee);
      else void studio.charged();
      // The budget is spent from here on, so the release is handed over even if its picture cannot
      // be drawn.
      const series = await curvesOf(client, release.event, release.guarantee).catch(() => []);
      const differences = await client.differences(release).catch(() => undefined);
      const current = running.is(control);
      const number = this.state.results.length + 1;
      const result: Result = {
        number,
        release,
        text,
        diagnostics,
        way,
        tally: dataset.tally,
        source: { ...source, columns },
        key,
        asked,
        series,
        differences,
        charge: bought.charge ?? null,
        rows,
        earlier,
        dataset,
        worker: dataset.worker,
      };
      this.set({
        // It is paid for: it is kept, too, if another file was chosen since.
        results: [result, ...this.state.results],
        ...(!current && {
          announcement: `Model ${number} of ${source.names.join(", ")} is in step 5.`,
          ...(!this.state.result && { result }),
        }),
      });
      void client
        .exactFigures(release, dataset)
        .catch(() => null)
        .then((training) => this.set(withResult(this.state, number, { training })));
      if (!current) return;
      this.set({
        fit: { phase: "done" },
        result,
        looking: "model",
        fresh: true,
        predict: emptyPredict,
        unread: null,
        classShown: 0,
        announcement: `Done. The model is ready, with ε ${readableBound(asked.epsilon)} and δ ${readableBound(asked.delta)}.`,
      });
      studio.evaluator.close();
      studio.onResult?.();
    } catch (error) {
      // A refusal is an output of the mechanism too, so it is charged (theory §2). So is a fit that
      // ended while it ran: an output that is drawn anew until a run is let finish has another law.
      const refused = error instanceof CloisterError && error.code === "refused";
      const spent = !keeps && !counted && (drawn || refused);
      if (spent) this.charge(source, asked);
      const unnoted = spent && source.kind === "file";
      const noted = keeps && studio.charged();
      if (!running.is(control)) return;
      studio.gate.ended(error, unnoted, {
        cancelled: "The fit was cancelled.",
        failed: "The fit failed.",
      });
      if (isAborted(error) && noted) void studio.gate.settle(noted, before);
    } finally {
      running.done(control);
      studio.planner.soon(); // it gave way to the fit, and what is left may be less
    }
  }

  private charge(source: Source, { adjacency, epsilon, delta }: Omit<Spent, "source">): void {
    this.set({
      spent: [...this.state.spent, { source: source.id, adjacency, epsilon, delta }],
    });
  }
}
