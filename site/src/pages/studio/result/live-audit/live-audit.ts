import type { AttackPlan, AttackRequest, AttackResult, Client } from "../../../../client/types.ts";
import { Pace } from "../../../shell/pace.ts";
import { isAborted, type Problem, problemOf } from "../../../shell/problem.ts";
import type { PlannedFit } from "../../state/workspace.ts";
import type { Result } from "../../state/state.ts";
import { planOf } from "./plan-of.ts";

/** What is attacked: the fit as it is, or one whose noise was taken away. */
export type Target = "shipped" | "less";

/** How far the attack on a model is. */
export interface Attacked {
  readonly target: Target;
  readonly plan: AttackPlan | null;
  readonly phase: "idle" | "planning" | "running" | "cancelled" | "failed";
  readonly fraction: number;
  /** Seconds. */
  readonly left?: number | undefined;
  readonly problem?: Problem;
  readonly found: Readonly<Partial<Record<Target, AttackResult>>>;
}

const untouched: Attacked = {
  target: "shipped",
  plan: null,
  phase: "idle",
  fraction: 0,
  found: {},
};

/** What the attacks use of the studio. */
export interface Host {
  readonly client: Client | null;
  readonly store: { set(change: { announcement?: string }): void };
}

/**
 * Attacks models of this visit, in workers of their own, which never see a file: the page stays as
 * it is meanwhile, and a fit may be made.
 */
export class LiveAudit {
  private readonly attacked = new Map<number, Attacked>();
  private worker: Client | null = null;
  private control: AbortController | null = null;

  constructor(private readonly host: Host) {}

  of({ number }: Result): Attacked {
    return this.attacked.get(number) ?? untouched;
  }

  choose(result: Result, target: Target): void {
    this.set(result, { target });
  }

  cancel(): void {
    this.control?.abort();
  }

  /** Plans the attack, if it is the first on this model, and carries it out. */
  async attack(result: Result): Promise<void> {
    const { client } = this.host;
    const fit = planOf(result);
    if (!client || !fit) return;
    this.cancel();
    const control = new AbortController();
    this.control = control;
    const { target } = this.of(result);
    this.set(result, { phase: "planning", fraction: 0, left: undefined }, "Planning the attack.");
    try {
      this.worker ??= client.beside();
      const plan = this.of(result).plan ?? (await this.plan(fit, control.signal));
      this.set(result, { plan, phase: "running" }, "The attack has begun.");
      const pace = new Pace();
      const found = await this.worker.attack(requestOf(fit, plan, target), {
        signal: control.signal,
        workers: workers(),
        onProgress: ({ fraction }) => {
          // The words of a fit do not fit here; its pace does.
          const { left } = pace.with({ phase: "releasing", fraction });
          this.set(result, { fraction, left });
        },
      });
      this.set(
        result,
        { phase: "idle", found: { ...this.of(result).found, [target]: found } },
        found.broken ? "The attack found a fault." : "The attack found no fault.",
      );
    } catch (error) {
      this.set(
        result,
        isAborted(error) ? { phase: "cancelled" } : { phase: "failed", problem: problemOf(error) },
        isAborted(error) ? "The attack was cancelled." : "The attack failed.",
      );
    } finally {
      if (this.control === control) {
        this.control = null;
        this.worker?.terminate();
      }
    }
  }

  private async plan(fit: PlannedFit, signal: AbortSignal): Promise<AttackPlan> {
    return this.worker!.planAttack({ ...fit, seconds: 60 * workers() }, { signal });
  }

  private set({ number }: Result, change: Partial<Attacked>, announcement?: string): void {
    this.attacked.set(number, {
      ...(this.attacked.get(number) ?? untouched),
      ...change,
    });
    this.host.store.set(announcement === undefined ? {} : { announcement });
  }
}

function requestOf(fit: PlannedFit, plan: AttackPlan, target: Target): AttackRequest {
  const { suspect, rounds, test } = plan;
  return {
    ...fit,
    suspect,
    rounds,
    test,
    noise: target === "shipped" ? 1 : suspect,
  };
}

/** Two, where there are so many processors; more would take the machine from its owner. */
export const workers = (): number => Math.min(2, globalThis.navigator.hardwareConcurrency || 1);
