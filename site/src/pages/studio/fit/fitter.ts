import {
  type AnyLabel,
  CloisterError,
  type FitOptions,
  type FitResult,
  type LedgerCharge,
  type Progress,
} from "../../../client/types.ts";
import { defaultFitMethod } from "../../../client/wire/methods.ts";
import { readable } from "../../../chart/numbers.ts";
import { curvesOf } from "../../release/curves.ts";
import { canBuy, keepsAccount } from "../account/file-account.ts";
import { Pace } from "../../shell/pace.ts";
import { isAborted, pageProblem, problemOf } from "../../shell/problem.ts";
import {
  askedOf,
  busy,
  emptyPredict,
  needsAccount,
  type Result,
  settingsKey,
  type Source,
  type State,
} from "../state/state.ts";
import { idle } from "../state/work.ts";
import type { Editor } from "../state/editor.ts";
import type { Workspace } from "../state/workspace.ts";
import { calledIn } from "../state/called.ts";
import { openRows } from "../state/choice.ts";

/** Fits: through the account of the open file, where it has one. */
export class Fitter {
  constructor(private readonly studio: Workspace & { readonly editor: Editor }) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  async fit(): Promise<void> {
    if (!this.studio.client && !busy(this.state) && !(await this.prepared())) return;
    const { studio } = this;
    const { client, fileAccount, running } = studio;
    const { source } = this.state;
    const asked = askedOf(this.state);
    if (!client || !source || busy(this.state)) return;
    const schema = studio.editor.schemaOrErrors();
    const columns = calledIn(this.state);
    this.set({ attempted: true });
    if (!schema || !asked) {
      this.set({
        fit: {
          phase: "failed",
          problem: pageProblem(
            "Not yet",
            "A few entries in the steps before need a correction first.",
          ),
        },
      });
      return;
    }
    if (needsAccount(this.state) && !canBuy(this.state.fileAccount)) {
      if (this.state.fileAccount.phase === "idle" || this.state.fileAccount.phase === "unread") {
        this.set({
          fit: { phase: "running", progress: null },
          announcement: "Looking the file up in the ledger.",
        });
        await studio.look();
        const { phase, problem: why } = this.state.fileAccount;
        if (phase === "unread" && !why)
          return this.set({
            fit: { phase: "cancelled" },
            announcement: "The fit was cancelled. Nothing was released.",
          });
      }
      if (!canBuy(this.state.fileAccount)) return this.refuseWithoutAccount();
    }
    studio.planner.stop();
    fileAccount.stopAsking();
    const key = settingsKey(this.state);
    const keeps = needsAccount(this.state) && keepsAccount(this.state.fileAccount);
    const before = this.state.fileAccount.account?.charges.length ?? 0;
    const { rows, models: earlier } = openRows(this.state, source);
    const control = running.start();
    const pace = new Pace();
    const onProgress = (progress: Progress) => {
      if (running.is(control))
        this.set({ fit: { phase: "running", progress: pace.with(progress) } });
    };
    this.set({ fit: { phase: "running", progress: null }, announcement: "Fitting." });
    try {
      const options = { signal: control.signal, onProgress };
      const dataset = await studio.reader.dataset(source, schema, columns, options);
      const request: FitOptions = { ...asked, ...options };
      const bought: { charge?: LedgerCharge } & FitResult<AnyLabel> = keeps
        ? await client.ledger.fit(dataset, request)
        : await client.fit(dataset, request);
      const { release, text, diagnostics } = bought;
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
        way: asked.method ?? defaultFitMethod,
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
      if (!current) return;
      this.set({
        fit: { phase: "done" },
        result,
        fresh: true,
        predict: emptyPredict,
        classShown: 0,
        announcement: `Done. The model is ready, with ε ${readable(asked.epsilon)} and δ ${readable(asked.delta)}.`,
      });
      studio.evaluator.close();
      studio.onResult?.();
    } catch (error) {
      // A refusal is an output of the mechanism too, so it is charged (theory §2).
      if (!keeps && error instanceof CloisterError && error.code === "refused")
        this.charge(source, asked);
      const charged = error instanceof CloisterError && error.charged !== undefined;
      const noted = keeps && studio.charged();
      if (!running.is(control)) return;
      const cancelled = isAborted(error);
      this.set({
        fit: cancelled
          ? { phase: "cancelled", ...(charged && { charged: "unknown" }) }
          : { phase: "failed", problem: problemOf(error) },
        announcement: cancelled
          ? "The fit was cancelled. Nothing was released."
          : "The fit failed. Nothing was released.",
      });
      if (cancelled && noted) void this.settle(noted, before);
    } finally {
      running.done(control);
      if (this.state.preview?.found === undefined) studio.planner.soon(); // it gave way to the fit
    }
  }

  /**
   * Says whether a cancelled fit was noted in the ledger, once it has been read again: what its
   * worker had begun to write is written or undone before that, also what the page had not heard
   * of.
   */
  private async settle(read: Promise<void>, before: number): Promise<void> {
    await read;
    const { fit, fileAccount } = this.state;
    if (
      fit.phase !== "cancelled" ||
      !fileAccount.account ||
      fileAccount.problem ||
      fileAccount.phase !== "open"
    )
      return;
    const charged = fileAccount.account.charges.length > before;
    if (!charged && !fit.charged) return;
    this.set({
      fit: { phase: "cancelled", charged: charged ? "yes" : "no" },
      announcement: charged
        ? "The cancelled fit had been noted in the ledger, and counts."
        : "The cancelled fit was not noted in the ledger.",
    });
  }

  /**
   * Waits for the core, which is still being compiled when a fit is asked for at once; false if the
   * fit is not to go on.
   */
  private async prepared(): Promise<boolean> {
    const { running } = this.studio;
    const control = running.start();
    this.set({
      fit: { phase: "running", progress: null },
      announcement: "Fitting starts as soon as the page is ready.",
    });
    const then = await this.studio.core(control.signal).then(
      () => idle,
      // the page says itself that it could not be opened
      (error: unknown): State["fit"] => (isAborted(error) ? { phase: "cancelled" } : idle),
    );
    if (!running.is(control)) return false;
    running.done(control);
    this.set({ fit: then });
    return this.studio.client !== null && then === idle;
  }

  /** Says why a fit has to wait for the account of its file, in the words of what is missing. */
  private refuseWithoutAccount(): void {
    const { fileAccount } = this.state;
    const problem =
      fileAccount.phase === "unread" && fileAccount.problem
        ? fileAccount.problem
        : fileAccount.phase === "unavailable"
          ? pageProblem(
              "Not yet",
              "There is no ledger here to note this in. Step 3 says why, and how to go on without.",
              "account",
            )
          : fileAccount.phase === "unread"
            ? pageProblem(
                "Not yet",
                "The file has to be looked up in the ledger first. Step 3 does that.",
                "account",
              )
            : pageProblem(
                "Not yet",
                "Fix first, in step 3, what all models from this file together may spend.",
                "account",
              );
    this.set({ fit: { phase: "failed", problem }, announcement: "Not fitted yet." });
  }

  private charge(
    source: Source,
    { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
  ): void {
    this.set({ spent: [...this.state.spent, { source: source.id, epsilon, delta }] });
  }
}
