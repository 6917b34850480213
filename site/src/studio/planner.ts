import type { AnyLabel, Budget, CalibrateRequest, Calibration, Client, FitMethod, MethodOptions, Schema } from "../client/types.ts";
import { check } from "./draft/check.ts";
import { isAborted, problemOf } from "./problem.ts";
import { askedOf, busy, buyingMore, needsAccount, type State } from "./state.ts";
import type { Studio } from "./studio.ts";

/** What a fit would be asked, but for its data. */
export type PlannedFit = Budget & MethodOptions & { readonly schema: Schema<AnyLabel> };

/** Works out, when typing pauses, what the schema and the budget mean: dimension, row norm, noise. None of it needs a row. */
export class Planner {
  private readonly plans = new Map<string, Calibration>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private previewing: AbortController | null = null;

  constructor(private readonly studio: Studio) {}

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  soon(): void {
    this.stop();
    this.timer = setTimeout(() => void this.preview(), 250);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async preview(): Promise<void> {
    const { studio } = this;
    const { client, state } = studio;
    this.previewing?.abort();
    if (buyingMore(state)) return this.soon();
    if (!client || !state.draft || busy(state)) return;
    const planned = this.planned();
    if (!planned) {
      this.set({ preview: null, previewProblem: null });
      studio.expectation?.expecter.soon();
      return;
    }
    const { schema, epsilon: chosen } = planned;
    const control = new AbortController();
    this.previewing = control;
    const current = () => control === this.previewing;
    try {
      const checked = await client.checkSchema<AnyLabel>(schema);
      if (current() && needsAccount(studio.state) && studio.isLookDue(schema)) return await studio.look();
      const plan = (epsilon: number) => this.plan(client, { ...planned, epsilon });
      const calibration = await plan(chosen);
      if (!current()) return;
      this.set({ preview: { checked, calibration }, previewProblem: null });
      studio.expectation?.expecter.soon();
      await studio.desk.ask(chosen, async (epsilon) => (await plan(epsilon)).event);
    } catch (error) {
      if (current() && !isAborted(error)) this.set({ preview: null, previewProblem: problemOf(error) });
    }
  }

  /** The fit as it is described, if all of it is whole; or the same in another way. */
  planned(way?: FitMethod): PlannedFit | null {
    const { state } = this.studio;
    const schema = state.draft && check(state.draft).schema;
    const asked = askedOf(state, way);
    return schema && asked && { ...asked, schema };
  }

  /** What a fit would be charged for. It takes seconds for several classes, so the last few answers are kept. */
  private async plan(client: Client, request: CalibrateRequest): Promise<Calibration> {
    const key = JSON.stringify(request);
    const known = this.plans.get(key);
    if (known) return known;
    const calibration = await client.calibrate(request);
    this.plans.set(key, calibration);
    for (const old of this.plans.keys()) if (this.plans.size > 24) this.plans.delete(old);
    return calibration;
  }
}
