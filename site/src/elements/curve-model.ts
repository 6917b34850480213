// Computes what a <privacy-curve> shows: a fast estimate while a slider is dragged, and the
// certified curve as soon as it rests.

import type { AccountResult, PrivacyEvent, RenyiCurve } from "../client/types.ts";
import type { AskOptions } from "../curves/accountant.ts";
import { type Curve, described, type View } from "../curves/curve.ts";
import type { CurveSpec } from "./curve-spec.ts";
import { Queue } from "../curves/queue.ts";
import { epsilonGrid, epsilonScope, type Line, type Scope } from "../curves/views.ts";
import {
  certified,
  divergences,
  endOf,
  headOf,
  type Priced,
  type Pricer,
  rough,
  type Wanted,
} from "../curves/pricing.ts";
import { fieldOf, pathIn, type Slider, withField } from "../curves/slider.ts";

export interface Told {
  drawn(): void;
  failed(error: unknown): void;
}

/** Points of a certified curve, and of a fast one. */
const POINTS = 200;
const FAST = 48;

/**
 * A curve whose certified answer takes longer than this is drawn by its estimate while a slider
 * moves. In milliseconds.
 */
const QUICK = 12;

/** How long a slider must rest before the certified curve is asked for. In milliseconds. */
const REST = 90;

export class CurveModel {
  lines: readonly Line[] = [];
  scope: Scope | undefined;
  /** What the lines are for: the view asked last, as soon as there is something to show of it. */
  view: View = "delta";
  /** Everything that is shown is certified. */
  settled = false;

  readonly #spec: CurveSpec;
  readonly #accountant: Promise<Pricer>;
  readonly #told: Told;
  readonly #wanted: Wanted;
  readonly #values = new Map<string, number>();
  readonly #cost: number[];
  /** The certified lines, and the values of the sliders that they are for. */
  #known: { key: string; lines: readonly Line[]; scope: Scope } | undefined;
  readonly #questions: Queue<View>;

  constructor(spec: CurveSpec, accountant: Promise<Pricer>, told: Told) {
    this.#spec = spec;
    this.#accountant = accountant;
    this.#told = told;
    this.#wanted = {
      delta: spec.delta,
      logFloor: Math.LN10 * Math.floor(Math.log10(spec.delta) - 3),
      accuracy: spec.accuracy,
    };
    this.#cost = spec.curves.map(() => 0);
    this.#questions = new Queue(
      (asked, dragging) => this.#answer(asked, dragging),
      (error) => told.failed(error),
      REST,
    );
  }

  stop(): void {
    this.#questions.stop();
  }

  value(slider: Slider): number | undefined {
    return this.#values.get(slider.field) ?? this.#original(slider.field);
  }

  moved(slider: Slider): boolean {
    return this.value(slider) !== this.#original(slider.field);
  }

  set(slider: Slider, value: number): void {
    this.#values.set(slider.field, value);
  }

  /**
   * Asks for what a view shows, with the sliders where they are now. What was asked before and is
   * not under way is forgotten.
   */
  need(view: View, dragging: boolean): void {
    this.settled = false;
    this.#questions.ask(view, dragging);
  }

  #original(field: string): number | undefined {
    for (const { event } of this.#spec.curves) {
      const path = pathIn(event, field);
      if (path !== undefined) return fieldOf(event, path);
    }
    return undefined;
  }

  /** A curve with the sliders' values in it. */
  #current(curve: Curve): Curve {
    let event: PrivacyEvent = curve.event;
    for (const [field, value] of this.#values) {
      const path = pathIn(event, field);
      if (path !== undefined) event = withField(event, path, value);
    }
    return { ...curve, event };
  }

  /** Shows a view; true if nothing in it is an estimate. */
  async #answer(view: View, dragging: boolean): Promise<boolean> {
    const accountant = await this.#accountant;
    if (this.#questions.stopped) return true;
    const key = JSON.stringify([...this.#values]);
    if (view !== "rdp" && this.#known?.key === key) {
      this.#show(view, this.#known.lines, this.#known.scope, true);
      return true;
    }
    const curves = this.#spec.curves.map((curve) => this.#current(curve));
    const options: AskOptions = { urgent: dragging };
    const slow = (i: number) => dragging && this.#cost[i]! > QUICK;
    const line = (i: number, more: { priced?: Priced; renyi?: RenyiCurve }): Line => ({
      label: `${this.#spec.curves[i]!.label || described(curves[i]!.event)}${curves[i]!.suffix ?? ""}`,
      replaced: curves[i]!.event.adjacency === "replace-one",
      lowest: curves[i]!.lowest ?? false,
      ...more,
    });
    if (view === "rdp") {
      const scope = this.scope ?? {
        delta: this.#wanted.delta,
        logFloor: this.#wanted.logFloor,
        epsilon: [0, 1],
        log: false,
      };
      const renyi: (RenyiCurve | undefined)[] = [];
      for (const curve of curves) renyi.push(await divergences(accountant, curve, options));
      this.#show(
        view,
        curves.map((_, i) => line(i, renyi[i] ? { renyi: renyi[i] } : {})),
        scope,
        true,
      );
      return true;
    }
    const ends: number[] = [];
    const fast: (Priced | undefined)[] = [];
    const marks: AccountResult[] = [];
    for (const [i, curve] of curves.entries()) {
      if (slow(i)) {
        const first = await rough(
          accountant,
          curve,
          epsilonGrid(this.#wide(), FAST),
          this.#wanted,
          options,
        );
        fast[i] = first;
        ends[i] = endOfRough(first, this.#wanted.logFloor);
      } else {
        const began = performance.now();
        const end = curve.lowest ? 0 : endOf(accountant, curve, this.#wanted, options);
        [ends[i], marks[i]] = await Promise.all([
          end,
          headOf(accountant, curve, this.#wanted, options),
        ]);
        this.#cost[i] = performance.now() - began;
      }
      if (dragging && this.#questions.outdated) return false; // the slider is elsewhere by now
    }
    const scope = this.#scopeFor(ends, dragging);
    const marked = fast[0]?.epsilonAtDelta ?? marks[0]!.epsilon ?? Infinity;
    const grid = epsilonGrid(scope, POINTS, marked);
    const lines: Line[] = [];
    for (const [i, curve] of curves.entries()) {
      if (fast[i]) {
        lines.push(line(i, { priced: fast[i] }));
        continue;
      }
      const own =
        curve.lowest || !Number.isFinite(ends[i]!)
          ? grid
          : grid.slice(0, grid.findIndex((epsilon) => epsilon > ends[i]!) + 1 || grid.length);
      const began = performance.now();
      lines.push(
        line(i, {
          priced: await certified(accountant, curve, own, this.#wanted, options, marks[i]),
        }),
      );
      this.#cost[i]! += performance.now() - began;
      if (this.#questions.outdated) return false;
    }
    const done = !fast.some(Boolean);
    if (done) this.#known = { key, lines, scope };
    this.#show(view, lines, scope, done);
    return done;
  }

  #show(view: View, lines: readonly Line[], scope: Scope, done: boolean): void {
    if (this.#questions.stopped) return;
    this.view = view;
    this.lines = lines;
    this.scope = scope;
    this.settled = done && !this.#questions.outdated;
    this.#told.drawn();
  }

  /**
   * The axis for curves that end at these ε. While a slider moves it stays as it is unless a curve
   * leaves it or fills less than a third.
   */
  #scopeFor(ends: readonly number[], dragging: boolean): Scope {
    const { delta, logFloor } = this.#wanted;
    const { scale, epsilonMax: max } = this.#spec;
    // ε at the marked δ is about half of ε at the floor; only the ratios of the curves matter here.
    const fresh = {
      delta,
      logFloor,
      ...epsilonScope(
        ends,
        ends.map((end) => end / 2),
        { scale, max },
      ),
    };
    const { scope } = this;
    if (!dragging || !scope) return fresh;
    const far = Math.max(...ends.filter(Number.isFinite), 0);
    return far <= scope.epsilon[1] && far >= scope.epsilon[1] / 3 ? scope : fresh;
  }

  /** A grid that reaches further than the axis does now: an estimate has to find its own end. */
  #wide(): Pick<Scope, "epsilon" | "log"> {
    const { epsilon, log } = this.scope ?? { epsilon: [0, 1] as const, log: false };
    return { epsilon: [epsilon[0], epsilon[1] * 1.25], log };
  }
}

/** ε at the floor, or twice the last point where it lies beyond. */
function endOfRough({ epsilon, logDelta }: Priced, logFloor: number): number {
  const i = logDelta.findIndex((log) => log <= logFloor);
  return i < 0 ? 1.5 * (epsilon.at(-1) ?? 1) : epsilon[i]!;
}
