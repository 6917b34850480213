// What an element shows that draws the noise of a learner many times: what the draws are of, and
// the draws. While a slider moves, it requests only as many draws as fit into a frame. The others
// follow when the slider rests.

import type { Ask } from "../curves/engine.ts";
import type { Slider } from "../curves/slider.ts";

/** What may take a moment, and what the model tells. */
export interface Told {
  drawn(): void;
  failed(error: unknown): void;
}

/** What one answer may take while a slider moves, in milliseconds. */
const QUICK = 12;

/** Draws that are always made. */
const LEAST = 3;

/** Whether what is asked goes ahead of what is not urgent. */
export interface Haste {
  readonly urgent: boolean;
}

/** Of a question Q, whose ground is G; P is a picture of draws D. */
export abstract class DrawsModel<
  Q extends { readonly draws: number },
  G,
  D,
  P extends { readonly question: Q },
> {
  /** The last picture; undefined before the first. Everything in it is of one question. */
  picture: P | undefined;
  /** All draws are there, of the numbers as they are now. */
  settled = false;

  readonly #spec: Q;
  readonly #ask: Promise<Ask>;
  readonly #told: Told;
  readonly #values = new Map<string, number>();
  #ground: { key: string; is: G } | undefined;
  /** Milliseconds a draw, as they were last. */
  #cost = 1;
  #stopped = false;
  #busy = false;
  #wanted = false;
  #dragging = false;

  constructor(spec: Q, ask: Promise<Ask>, told: Told) {
    this.#spec = spec;
    this.#ask = ask;
    this.#told = told;
  }

  /** What the ground depends on. */
  protected abstract groundKey(question: Q): string;
  protected abstract ground(ask: Ask, question: Q, haste: Haste): Promise<G>;
  /** So many draws, from this one on. */
  protected abstract draws(
    ask: Ask,
    question: Q,
    first: number,
    count: number,
    haste: Haste,
  ): Promise<readonly D[]>;
  /** A picture with the draws that there are by now. */
  protected abstract pictureOf(question: Q, ground: G, draws: readonly D[]): P;

  stop(): void {
    this.#stopped = true;
  }

  #given(slider: Slider): number | undefined {
    return (this.#spec as Readonly<Record<string, unknown>>)[slider.field] as number | undefined;
  }

  value(slider: Slider): number | undefined {
    return this.#values.get(slider.field) ?? this.#given(slider);
  }

  moved(slider: Slider): boolean {
    return this.value(slider) !== this.#given(slider);
  }

  set(slider: Slider, value: number): void {
    this.#values.set(slider.field, value);
  }

  /**
   * Asks for the draws of the numbers as they are now. What was asked before is not gone on with.
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

  async #answer(ask: Ask): Promise<void> {
    const question: Q = { ...this.#spec, ...Object.fromEntries(this.#values) };
    const haste = { urgent: this.#dragging };
    const key = this.groundKey(question);
    if (this.#ground?.key !== key)
      this.#ground = { key, is: await this.ground(ask, question, haste) };
    const draws: D[] = [];
    while (draws.length < question.draws && !this.#stopped) {
      const most =
        haste.urgent || draws.length > 0
          ? Math.max(LEAST, Math.floor(QUICK / this.#cost))
          : question.draws;
      const size = Math.min(most, question.draws - draws.length);
      const began = performance.now();
      const more = await this.draws(ask, question, draws.length, size, haste);
      this.#cost = Math.max(0.05, (performance.now() - began) / size);
      if (this.#wanted && draws.length > 0) return; // the slider is elsewhere by now
      draws.push(...more);
      this.#show(this.pictureOf(question, this.#ground.is, [...draws]), draws.length);
    }
  }

  #show(picture: P, draws: number): void {
    if (this.#stopped) return;
    this.picture = picture;
    this.settled = draws === picture.question.draws && !this.#wanted;
    this.#told.drawn();
  }
}
