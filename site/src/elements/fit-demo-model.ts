// What a <private-fit-demo> shows: points, the line without privacy, and a private line for each
// draw of the noise. While a slider moves, it requests only as many draws as fit into a frame.
// The others follow when the slider rests.

import type { FitQuestion, FitSpec } from "./fit-demo-spec.ts";
import type { Ask } from "../curves/engine.ts";
import type { Slider } from "../curves/slider.ts";

/**
 * a·x + b·y + c = 0, the second class where it is below 0; and the share of new points on their
 * class's side.
 */
export interface FittedLine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly right: number;
}

/** A whole picture: everything in it is of one question. */
export interface Fitted {
  readonly question: FitQuestion;
  /** x and y by turns, in the unit disk; those at even places are of the first class. */
  readonly points: ArrayLike<number>;
  readonly plain: FittedLine;
  /** As many as there are by now, at most `question.draws`. */
  readonly lines: readonly FittedLine[];
}

/** What one answer may take while a slider moves, in milliseconds. */
const QUICK = 12;

/** Draws that are always made. */
const LEAST = 3;

type Wire = ArrayLike<number>;
const lineOf = (wire: Wire): FittedLine => ({
  a: wire[0]!,
  b: wire[1]!,
  c: wire[2]!,
  right: wire[3]!,
});

export class FitModel {
  /** The last picture; undefined before the first. */
  fitted: Fitted | undefined;
  /** All lines are there, of the numbers as they are now. */
  settled = false;

  readonly #spec: FitSpec;
  readonly #ask: Promise<Ask>;
  readonly #told: { drawn(): void; failed(error: unknown): void };
  readonly #values = new Map<string, number>();
  #points: { key: string; at: Wire; plain: FittedLine } | undefined;
  /** Milliseconds a draw, as they were last. */
  #cost = 1;
  #stopped = false;
  #busy = false;
  #wanted = false;
  #dragging = false;

  constructor(
    spec: FitSpec,
    ask: Promise<Ask>,
    told: { drawn(): void; failed(error: unknown): void },
  ) {
    this.#spec = spec;
    this.#ask = ask;
    this.#told = told;
  }

  stop(): void {
    this.#stopped = true;
  }

  value(slider: Slider): number | undefined {
    return this.#values.get(slider.field) ?? this.#spec[slider.field as "epsilon"];
  }

  moved(slider: Slider): boolean {
    return this.value(slider) !== this.#spec[slider.field as "epsilon"];
  }

  set(slider: Slider, value: number): void {
    this.#values.set(slider.field, value);
  }

  /**
   * Asks for the lines of the numbers as they are now. What was asked before is not gone on with.
   */
  need(dragging: boolean): void {
    this.#wanted = true;
    this.#dragging = dragging;
    this.settled = false;
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#wanted && !this.#stopped) {
      this.#wanted = false;
      try {
        const ask = await this.#ask;
        if (!this.#stopped) await this.#answer(ask);
      } catch (error) {
        if (!this.#wanted && !this.#stopped) this.#told.failed(error);
      }
    }
    this.#busy = false;
  }

  get #question(): FitQuestion {
    const { method, adjacency, n, separation, seed, epsilon, delta, draws } = this.#spec;
    return {
      method,
      adjacency,
      n,
      separation,
      seed,
      epsilon,
      delta,
      draws,
      ...Object.fromEntries(this.#values),
    };
  }

  async #answer(ask: Ask): Promise<void> {
    const question = this.#question;
    const { n, separation, seed, draws, ...asked } = question;
    const urgent = this.#dragging;
    const where = { n, separation, seed };
    const key = JSON.stringify(where);
    if (this.#points?.key !== key) {
      const { at, plain } = await ask("points", where, { urgent });
      this.#points = { key, at, plain: lineOf(plain) };
    }
    const lines: FittedLine[] = [];
    while (lines.length < draws && !this.#stopped) {
      const most =
        urgent || lines.length > 0 ? Math.max(LEAST, Math.floor(QUICK / this.#cost)) : draws;
      const size = Math.min(most, draws - lines.length);
      const began = performance.now();
      const { lines: more } = await ask(
        "fits",
        { ...where, ...asked, first: lines.length, draws: size },
        { urgent },
      );
      this.#cost = Math.max(0.05, (performance.now() - began) / size);
      if (this.#wanted && lines.length > 0) return; // the slider is elsewhere by now
      lines.push(...more.map(lineOf));
      this.#show({
        question,
        points: this.#points.at,
        plain: this.#points.plain,
        lines: [...lines],
      });
    }
  }

  #show(fitted: Fitted): void {
    if (this.#stopped) return;
    this.fitted = fitted;
    this.settled = fitted.lines.length === fitted.question.draws && !this.#wanted;
    this.#told.drawn();
  }
}
