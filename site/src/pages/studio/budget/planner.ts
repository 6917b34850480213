import type { AnyLabel, CalibrateRequest, Calibration, Client } from "../../../client/types.ts";
import { attackOf } from "../../release/curves.ts";
import { check } from "../draft/check.ts";
import { isAborted, problemOf } from "../../shell/problem.ts";
import { cardAskedOf, exploring, makingCard } from "../state/card.ts";
import type { Way } from "../state/choices.ts";
import type { CardState } from "../state/card-state.ts";
import { askedOf, busy, buyingMore, needsAccount, type State } from "../state/state.ts";
import type { PlannedFit, Workspace } from "../state/workspace.ts";

/**
 * Works out, when typing pauses, what the schema and the budget mean: dimension, row norm, noise.
 * None of it needs a row.
 */
export class Planner {
  private readonly plans = new Map<string, Calibration>();
  private readonly attacks = new WeakMap<Calibration, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private previewing: AbortController | null = null;

  constructor(private readonly studio: Workspace) {}

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.preview(), 250);
    this.studio.lookalikes?.soon();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.previewing?.abort();
    this.studio.lookalikes?.stop();
  }

  private async preview(): Promise<void> {
    const { studio } = this;
    const { client, state } = studio;
    this.previewing?.abort();
    if (buyingMore(state)) return this.soon();
    if (!client || !state.draft || busy(state)) return;
    if (makingCard(state)) return this.previewCard(client);
    const planned = this.planned();
    if (!planned) {
      this.set({ preview: null, previewProblem: null });
      studio.accuracyTrials?.soon();
      return;
    }
    const { schema, epsilon: chosen } = planned;
    const control = new AbortController();
    this.previewing = control;
    const current = () => control === this.previewing;
    try {
      const checked = await client.checkSchema<AnyLabel>(schema);
      if (current() && needsAccount(studio.state) && studio.isLookDue(schema))
        return await studio.look();
      const plan = (epsilon: number) => this.plan(client, { ...planned, epsilon });
      const calibration = await plan(chosen);
      if (!current()) return;
      const found = this.attacks.get(calibration);
      this.set({
        preview: { checked, calibration, ...(found !== undefined && { found }) },
        previewProblem: null,
      });
      studio.accuracyTrials?.soon();
      await studio.fileAccount.ask(chosen, async (epsilon) => (await plan(epsilon)).event);
      if (found === undefined && current()) await this.attack(client, calibration, control.signal);
    } catch (error) {
      if (current() && !isAborted(error))
        this.set({ preview: null, previewProblem: problemOf(error) });
    }
  }

  /** The same for a scorecard: how many there are, and how far from the best it may be. */
  private async previewCard(client: Client): Promise<void> {
    const { studio } = this;
    const { state } = studio;
    const put = (change: Partial<CardState>) =>
      this.set({
        card: { ...studio.state.card, plan: null, cells: null, problem: null, ...change },
      });
    const asked = cardAskedOf(state);
    const schema = state.draft && check(state.draft).schema;
    if (!asked || !schema) return put({});
    const control = new AbortController();
    this.previewing = control;
    const current = () => control === this.previewing && makingCard(studio.state);
    try {
      if (needsAccount(state) && studio.isLookDue(schema)) return await studio.look();
      const { points: _, ...counts } = asked;
      const many = exploring(state);
      const planned = many
        ? { cells: await client.planNoisyCells(counts) }
        : { plan: await client.planScorecard(asked) };
      if (!current()) return;
      put(planned);
      await studio.fileAccount.ask(
        asked.epsilon,
        async (epsilon) =>
          (many
            ? await client.planNoisyCells({ ...counts, epsilon })
            : await client.planScorecard({ ...asked, epsilon })
          ).event,
      );
    } catch (error) {
      if (current() && !isAborted(error)) put({ problem: problemOf(error) });
    }
  }

  /**
   * Works out what an attack on the planned fit would find, by the very curve that its release will
   * have.
   */
  private async attack(
    client: Client,
    calibration: Calibration,
    signal: AbortSignal,
  ): Promise<void> {
    const { event, guarantee } = calibration;
    const found = await attackOf(client, event, guarantee, { signal }).catch(() => null);
    if (found === null) return;
    this.attacks.set(calibration, found);
    const { preview } = this.studio.state;
    if (preview?.calibration === calibration) this.set({ preview: { ...preview, found } });
  }

  /** The fit as it is described, if all of it is whole; or the same in another way. */
  planned(way?: Way | "usual"): PlannedFit | null {
    const { state } = this.studio;
    const schema = state.draft && check(state.draft).schema;
    const asked = askedOf(state, way);
    return schema && asked && { ...asked, schema };
  }

  /**
   * What a fit would be charged for. It takes seconds for several classes, so the last few answers
   * are kept.
   */
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
