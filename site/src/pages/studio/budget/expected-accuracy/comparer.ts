import type { Client } from "../../../../client/types.ts";
import { problemOf } from "../../../shell/problem.ts";
import type { PlannedFit } from "../../state/workspace.ts";
import { type Compared, compareTrials, ways } from "../../state/compared.ts";
import type { AccuracyHost } from "./host.ts";
import { expected } from "./expected.ts";
import { idle, pause } from "./idle.ts";
import { rowsChoose, type Way } from "../../state/choices.ts";
import { canTry, obstacle } from "./obstacle.ts";
import { checkRecords, noTrials, rarerOf, signals } from "../../state/expected-accuracy.ts";

/**
 * Tries every way to fit out on the same made-up rows while "Compare methods" is open, in a worker
 * of its own that never sees a file; and asks the ledger what each would take. It begins anew when
 * what is asked changes.
 */
export class Comparer {
  private worker: Client | null = null;
  private control: AbortController | null = null;
  /** What the ledger's answers were about. */
  private priced = "";

  constructor(private readonly host: AccuracyHost) {}

  /** The place where it is shown was opened, or closed. */
  show(open: boolean): void {
    if (open) this.soon();
    else this.stop();
  }

  soon(): void {
    // What was open is closed again when another file is described.
    if (!globalThis.document?.getElementById("comparison")?.closest("details")?.open)
      return this.stop();
    const fits = this.fits();
    const { records } = checkRecords(this.host.get().records);
    const key =
      fits.length > 1 && records !== null
        ? JSON.stringify([fits, records, fits[0] && rarerOf(fits[0].fit, this.host.get())])
        : "";
    const account = this.host.account();
    const priced = `${key} ${account?.id} ${account?.spent}`;
    const known = this.host.get().compared;
    if (
      key === known?.key &&
      priced === this.priced &&
      (this.control || key === "" || this.done(known, fits))
    )
      return;
    this.stop();
    if (key !== known?.key) this.set({ key, ...nothing });
    if (key === "" || records === null) return;
    this.control = new AbortController();
    void this.run(fits, records, priced, this.control);
  }

  private done({ trials, problem }: Compared, fits: readonly Asked[]): boolean {
    return (
      problem !== null ||
      fits.every(({ way }) => (trials[way]?.strong.length ?? 0) >= compareTrials)
    );
  }

  private stop(): void {
    this.control?.abort();
    this.control = null;
  }

  private set(change: Partial<Compared>): void {
    const { compared } = this.host.get();
    this.host.set({
      compared: { key: "", ...nothing, ...compared, ...change },
    });
  }

  /** A fit as it is described, in every way that can be taken. */
  private fits(): readonly Asked[] {
    return ways.flatMap((way) => {
      const fit = this.host.planned(way);
      const { label } = fit?.schema ?? {};
      return fit &&
        label &&
        canTry(way) &&
        obstacle(way, { kind: label.type ?? "two", loss: fit.loss, adjacency: fit.adjacency }) ===
          ""
        ? [{ way, fit }]
        : [];
    });
  }

  private async run(
    fits: readonly Asked[],
    records: number,
    priced: string,
    control: AbortController,
  ): Promise<void> {
    const client = this.host.client();
    if (!client) return;
    this.worker ??= client.beside();
    const { worker } = this;
    const current = () => control === this.control;
    const free = async () => {
      await idle();
      while (current() && (this.host.busy() || !this.host.near())) await pause(300);
      return current();
    };
    try {
      const account = this.host.account();
      for (const { way, fit } of fits) {
        if (!account && !rowsChoose(way)) continue;
        if (!(await free())) return;
        const { event, each } = await worker.calibrate(fit, { signal: control.signal });
        if (!(await free())) return;
        if (each) this.set({ each: { ...this.host.get().compared?.each, [way]: each } });
        if (!account) continue;
        const answer = await client.ledger.afford(account.id, event);
        if (!current()) return;
        this.set({
          takes: {
            ...this.host.get().compared?.takes,
            [way]: answer.affords ? Math.max(0, answer.spent - (account.spent ?? 0)) : null,
          },
        });
      }
      this.priced = priced;
      for (let trial = 1; trial <= compareTrials; trial++) {
        for (const signal of signals) {
          for (const { way, fit } of fits) {
            const { trials } = this.host.get().compared!;
            const own = trials[way] ?? noTrials;
            if (own[signal].length >= trial) continue;
            if (!(await free())) return;
            const answer = await expected(
              worker,
              {
                ...fit,
                ...rarerOf(fit, this.host.get()),
                ...{ records, signal, trial, epsilons: [fit.epsilon] },
              },
              { signal: control.signal },
            );
            if (!current()) return;
            this.set({
              trials: { ...trials, [way]: { ...own, [signal]: [...own[signal], answer] } },
            });
          }
        }
      }
    } catch (error) {
      const problem = problemOf(error);
      if (!current() || problem.code === "aborted") return;
      this.set({ problem });
    }
    this.control = null;
    worker.terminate();
  }
}

const nothing = { trials: {}, takes: {}, each: {}, problem: null };

interface Asked {
  readonly way: Way;
  readonly fit: PlannedFit;
}
