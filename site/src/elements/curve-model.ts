// What a <privacy-curve> knows, and how it comes to know it: while a slider is dragged a fast picture, as soon as it rests the certified one.

import type { AccountResult, RenyiCurve } from "../client/account.ts";
import type { PrivacyEvent } from "../client/event.ts";
import type { Accountant, AskOptions } from "./accountant.ts";
import { type Curve, type CurveSpec, described, type View } from "./curve-spec.ts";
import { epsilonGrid, epsilonScope, type Line, type Scope } from "./curve-views.ts";
import { certified, divergences, endOf, headOf, type Priced, rough, type Wanted } from "./pricing.ts";
import { fieldOf, pathIn, type Slider, withField } from "./sliders.ts";

export interface Told {
  drawn(): void;
  failed(error: unknown): void;
}

/** Points of a certified curve, and of a fast one. */
const POINTS = 200;
const FAST = 48;

/** A curve whose certified answer takes longer than this is drawn by its estimate while a slider moves. In milliseconds. */
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
  readonly #accountant: Promise<Pick<Accountant, "account">>;
  readonly #told: Told;
  readonly #wanted: Wanted;
  readonly #values = new Map<string, number>();
  readonly #cost: number[];
  /** The certified lines, and the values of the sliders that they are for. */
  #known: { key: string; lines: readonly Line[]; scope: Scope } | undefined;
  #stopped = false;
  #busy = false;
  #next: { view: View; dragging: boolean } | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(spec: CurveSpec, accountant: Promise<Pick<Accountant, "account">>, told: Told) {
    this.#spec = spec;
    this.#accountant = accountant;
    this.#told = told;
    this.#wanted = { delta: spec.delta, logFloor: Math.LN10 * Math.floor(Math.log10(spec.delta) - 3), accuracy: spec.accuracy };
    this.#cost = spec.curves.map(() => 0);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#later);
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

  /** Asks for what a view shows, with the sliders where they are now. What was asked before and is not under way is forgotten. */
  need(view: View, dragging: boolean): void {
    this.#next = { view, dragging };
    this.settled = false;
    clearTimeout(this.#later);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next && !this.#stopped) {
      const { view, dragging } = this.#next;
      this.#next = undefined;
      try {
        const accountant = await this.#accountant;
        if (!this.#stopped) await this.#answer(accountant, view, dragging);
      } catch (error) {
        if (!this.#next && !this.#stopped) this.#told.failed(error);
      }
    }
    this.#busy = false;
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

  async #answer(accountant: Pick<Accountant, "account">, view: View, dragging: boolean): Promise<void> {
    const key = JSON.stringify([...this.#values]);
    if (view !== "rdp" && this.#known?.key === key) return this.#show(view, this.#known.lines, this.#known.scope, true);
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
      const scope = this.scope ?? { delta: this.#wanted.delta, logFloor: this.#wanted.logFloor, epsilon: [0, 1], log: false };
      const renyi: (RenyiCurve | undefined)[] = [];
      for (const curve of curves) renyi.push(await divergences(accountant, curve, options));
      this.#show(view, curves.map((_, i) => line(i, renyi[i] ? { renyi: renyi[i] } : {})), scope, true);
      return;
    }
    const ends: number[] = [];
    const fast: (Priced | undefined)[] = [];
    const marks: AccountResult[] = [];
    for (const [i, curve] of curves.entries()) {
      if (slow(i)) {
        const first = await rough(accountant, curve, epsilonGrid(this.#wide(), FAST), this.#wanted, options);
        fast[i] = first;
        ends[i] = endOfRough(first, this.#wanted.logFloor);
      } else {
        const began = performance.now();
        const end = curve.lowest ? 0 : endOf(accountant, curve, this.#wanted, options);
        [ends[i], marks[i]] = await Promise.all([end, headOf(accountant, curve, this.#wanted, options)]);
        this.#cost[i] = performance.now() - began;
      }
      if (dragging && this.#next) return; // the slider is elsewhere by now
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
      const own = curve.lowest || !Number.isFinite(ends[i]!) ? grid : grid.slice(0, grid.findIndex((epsilon) => epsilon > ends[i]!) + 1 || grid.length);
      const began = performance.now();
      lines.push(line(i, { priced: await certified(accountant, curve, own, this.#wanted, options, marks[i]) }));
      this.#cost[i]! += performance.now() - began;
      if (this.#next) return;
    }
    const done = !fast.some(Boolean);
    if (done) this.#known = { key, lines, scope };
    this.#show(view, lines, scope, done);
    if (!done && !this.#next) this.#later = setTimeout(() => this.need(view, false), REST);
  }

  #show(view: View, lines: readonly Line[], scope: Scope, done: boolean): void {
    if (this.#stopped) return;
    this.view = view;
    this.lines = lines;
    this.scope = scope;
    this.settled = done && !this.#next;
    this.#told.drawn();
  }

  /** The axis for curves that end at these ε. While a slider moves it stays as it is unless a curve leaves it or fills less than a third. */
  #scopeFor(ends: readonly number[], dragging: boolean): Scope {
    const { delta, logFloor } = this.#wanted;
    const { scale, epsilonMax: max } = this.#spec;
    // ε at the marked δ is about half of ε at the floor; only the ratios of the curves matter here.
    const fresh = { delta, logFloor, ...epsilonScope(ends, ends.map((end) => end / 2), { scale, max }) };
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
