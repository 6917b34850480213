// Works out what the explorer draws: first a coarse picture, then the certified one, then where its
// lines cross. All of it is computed in the worker. Curves that a change leaves alone are not asked
// for again.

import type { Accountant, AskOptions } from "../../curves/accountant.ts";
import { epsilonGrid, epsilonScope } from "../../curves/views.ts";
import { certified, endOf, markOf, type Priced, rough, type Wanted } from "../../curves/pricing.ts";
import { Queue } from "../../curves/queue.ts";
import { foundPlaces } from "./found.ts";
import { accuracyOf, budgetOf, type Line, type Picture } from "./lines.ts";
import { between, kindOf, silent } from "./mechanisms.ts";
import { parameters } from "./parameters.ts";
import { asked, calibrated, divergences, keyOf, sweptAt } from "./price.ts";
import { freeOf, nameOf, type State, sweeps, valuesOf } from "./state.ts";

export interface Told {
  drawn(picture: Picture): void;
  failed(error: unknown): void;
}

const POINTS = 220;
const FAST = 60;
/** Milliseconds after which an answer counts as slow: a coarse picture does without it. */
const QUICK = 20;
/** How long a hand must rest before the certified picture is asked for, in milliseconds. */
const REST = 120;
const KEPT = 4000;

/** What a picture is made from. */
interface Asking {
  readonly accountant: Accountant;
  readonly state: State;
  readonly lines: readonly Line[];
  readonly least: number;
  /** Rather than fast. */
  readonly fine: boolean;
  readonly dragging: boolean;
  readonly options: AskOptions;
}

export class Model {
  picture: Picture | undefined;
  readonly #accountant: Promise<Accountant>;
  readonly #told: Told;
  readonly #known = new Map<string, Priced | readonly number[] | number>();
  readonly #cost = new Map<string, number>();
  readonly #questions: Queue<State>;

  constructor(accountant: Promise<Accountant>, told: Told) {
    this.#accountant = accountant;
    this.#told = told;
    this.#questions = new Queue(
      (state, dragging) => this.#answer(state, dragging),
      (error) => told.failed(error),
      REST,
    );
  }

  /** Asks for the picture of a state. What was asked before and is not under way is forgotten. */
  need(state: State, dragging: boolean): void {
    this.#questions.ask(state, dragging);
  }

  /** A number or a list that is asked for once. */
  async #once<T extends Priced | readonly number[] | number>(
    key: string,
    ask: () => Promise<T>,
  ): Promise<T> {
    const there = this.#known.get(key);
    if (there !== undefined) return there as T;
    const answer = await ask();
    if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, answer);
    return answer;
  }

  /** Shows the picture of a state; true if nothing more is to be found of it. */
  async #answer(state: State, dragging: boolean): Promise<boolean> {
    const accountant = await this.#accountant;
    const options: AskOptions = { urgent: dragging };
    const lines: Line[] = [];
    const least =
      state.budget === null
        ? Number.NaN
        : await this.#once(`least ${state.budget} ${state.delta} ${state.shared.adjacency}`, () =>
            calibrated(
              accountant,
              "gauss",
              { ...state.shared, times: 1 },
              "sigma",
              state.budget!,
              state.delta,
              options,
            ),
          );
    for (const [at, one] of state.curves.entries()) {
      if (one.hidden) continue;
      const { floor = false, estimate = false } = kindOf(one.kind);
      const made: Line = {
        at,
        kind: one.kind,
        name: nameOf(one),
        tone: one.tone,
        floor,
        values: valuesOf(state, one),
        rough: estimate,
      };
      const free = freeOf(state, one);
      const mute =
        between(one.kind, made.values) ??
        ((state.view === "sweep" && sweeps(state, one)) || free === "lambda"
          ? undefined
          : silent(one.kind, made.values));
      const line = mute === undefined ? made : { ...made, problem: mute };
      if (
        mute !== undefined ||
        free === undefined ||
        (state.view === "sweep" && sweeps(state, one))
      ) {
        lines.push(line);
        continue;
      }
      try {
        const value = await this.#once(
          `free ${free} ${state.budget} ${state.delta} ${keyOf(one.kind, { ...line.values, [free]: 1 })}`,
          () =>
            calibrated(
              accountant,
              one.kind,
              line.values,
              free,
              state.budget!,
              state.delta,
              options,
            ),
        );
        lines.push({ ...line, values: { ...line.values, [free]: value }, solved: free });
      } catch (error) {
        lines.push({ ...line, problem: said(error) });
      }
      if (this.#questions.outdated) return false;
    }
    const of =
      state.view === "rdp"
        ? this.#byOrder
        : state.view === "sweep"
          ? this.#byParameter
          : this.#byEpsilon;
    const asking = { accountant, state, lines, least, dragging, options };
    for (const fine of dragging ? [false] : [false, true]) {
      const picture = await of.call(this, { ...asking, fine });
      if (!picture) return false; // asked anew meanwhile
      this.#show(picture);
      if (!fine && picture.settled) break;
    }
    const { picture } = this;
    if (dragging || !picture || this.#questions.outdated) return false;
    const places = await foundPlaces(accountant, picture, () => this.#questions.outdated);
    if (places) this.#show({ ...picture, places });
    return true;
  }

  #show(picture: Picture): void {
    this.picture = picture;
    this.#told.drawn(picture);
  }

  async #byEpsilon({
    accountant,
    state,
    lines,
    least,
    fine,
    dragging,
    options,
  }: Asking): Promise<Picture | undefined> {
    const logFloor = Math.LN10 * (state.low ?? Math.floor(Math.log10(state.delta) - 3));
    const wanted: Wanted = { delta: state.delta, logFloor, accuracy: accuracyOf(state) };
    const problems = new Map<number, string>();
    const certain = lines.filter((line) => !line.problem && !kindOf(line.kind).estimate);
    const ends: number[] = [];
    // While a hand moves, the axis stays.
    const kept =
      dragging && this.picture && same(this.picture.state, state) ? this.picture : undefined;
    if (!kept && !state.span) {
      for (const line of certain) {
        try {
          ends.push(
            await this.#once(
              `end ${logFloor} ${wanted.accuracy} ${keyOf(line.kind, line.values)}`,
              () => endOf(accountant, asked(line.kind, line.values), wanted, options),
            ),
          );
        } catch (error) {
          problems.set(line.at, said(error));
        }
        if (this.#questions.outdated) return undefined;
      }
    }
    const { epsilon, log } = kept ?? spanOf(state, ends);
    // The read-out stands at first where the first line reaches the marked δ.
    const leading = certain.find((line) => !line.floor && !problems.has(line.at));
    const marked =
      fine && leading
        ? await this.#once(
            `mark ${state.delta} ${wanted.accuracy} ${keyOf(leading.kind, leading.values)}`,
            () => markOf(accountant, asked(leading.kind, leading.values), wanted, options),
          ).catch(() => Number.NaN)
        : Number.NaN;
    const out: Line[] = [];
    for (const line of lines) {
      if (line.problem || problems.has(line.at)) {
        out.push({ ...line, problem: line.problem ?? problems.get(line.at)! });
        continue;
      }
      if (kindOf(line.kind).estimate) {
        out.push({
          ...line,
          problem: "It is an estimate of a Rényi divergence, and is drawn in that view alone.",
        });
        continue;
      }
      const key = keyOf(line.kind, line.values);
      const full = `curve ${POINTS} ${wanted.accuracy} ${epsilon} ${log} ${state.delta} ${logFloor} ${marked} ${key}`;
      const slow =
        (this.#cost.get(line.kind) ?? 0) > QUICK ||
        /amp|sgd|rdp/.test(line.kind) ||
        line.values.times > 1;
      const fast = !fine && !this.#known.has(full);
      const grid = epsilonGrid({ epsilon, log }, fast ? FAST : POINTS, marked);
      const question = asked(line.kind, line.values);
      try {
        const began = performance.now();
        const priced =
          fast && slow && !kindOf(line.kind).noRenyi
            ? await rough(accountant, question, grid, wanted, options)
            : await this.#once(fast ? `${full} coarse` : full, () =>
                certified(accountant, question, grid, wanted, options),
              );
        if (fine) this.#cost.set(line.kind, performance.now() - began);
        out.push({ ...line, priced, rough: priced.rough || fast });
      } catch (error) {
        out.push({ ...line, problem: said(error) });
      }
      if (this.#questions.outdated) return undefined;
    }
    return {
      state,
      lines: out,
      epsilon,
      log,
      logFloor,
      along: [],
      settled: !out.some((line) => line.priced && line.rough),
      places: undefined,
      least,
    };
  }

  async #byOrder(asking: Asking): Promise<Picture | undefined> {
    const { accountant, state, fine, options } = asking;
    const [from, to] = state.span && state.span[0] > 1 ? state.span : [1.05, 500];
    const points = fine ? 141 : 36;
    const along = withPlace(
      Array.from({ length: points }, (_, i) =>
        state.x === "linear"
          ? from + ((to - from) * i) / (points - 1)
          : from * (to / from) ** (i / (points - 1)),
      ),
      2,
    );
    return this.#listed(asking, along, (line) => {
      if (kindOf(line.kind).noRenyi)
        return Promise.reject(new Error("It says nothing of Rényi divergences."));
      return this.#once(
        `orders ${from} ${to} ${points} ${state.x} ${keyOf(line.kind, line.values)}`,
        () => divergences(accountant, line.kind, line.values, along, options),
      );
    });
  }

  async #byParameter(asking: Asking): Promise<Picture | undefined> {
    const { accountant, state, least, fine, options } = asking;
    const { over } = state;
    const { whole } = parameters[over];
    const [from, to] = sweepSpan(state);
    const points = fine ? 61 : 13;
    const log = state.x === "log" || (state.x === "auto" && to / from > 8);
    const exact = Array.from({ length: points }, (_, i) =>
      log ? from * (to / from) ** (i / (points - 1)) : from + ((to - from) * i) / (points - 1),
    );
    const along = withPlace(
      whole ? [...new Set(exact.map(Math.round))] : exact,
      state.shared[over],
    );
    return this.#listed(asking, along, async (line) => {
      const one = state.curves[line.at]!;
      if (kindOf(line.kind).estimate)
        throw new Error(
          "It is an estimate of a Rényi divergence, and is drawn in that view alone.",
        );
      const free = freeOf(state, one);
      if (!sweeps(state, one)) {
        const y = await this.#once(
          `still ${state.delta} ${state.budget} ${keyOf(line.kind, line.values)}`,
          () =>
            sweptAt(
              accountant,
              line.kind,
              line.values,
              budgetOf(state, one, least),
              state.delta,
              options,
            ),
        );
        return along.map(() => y);
      }
      if (free === over)
        throw new Error(
          "The budget fixes this parameter: choose another along the axis, or another for the budget.",
        );
      const out: number[] = [];
      for (const x of along) {
        const values = { ...line.values, [over]: x };
        out.push(
          await this.#once(
            `swept ${state.delta} ${free} ${state.budget} ${keyOf(line.kind, values)}`,
            () =>
              sweptAt(
                accountant,
                line.kind,
                values,
                budgetOf(state, one, least),
                state.delta,
                options,
              ),
          ),
        );
        if (this.#questions.outdated) break;
      }
      return out;
    });
  }

  async #listed(
    { state, lines, least, fine }: Asking,
    along: readonly number[],
    ask: (line: Line) => Promise<readonly number[]>,
  ): Promise<Picture | undefined> {
    const out: Line[] = [];
    for (const line of lines) {
      try {
        out.push(line.problem ? line : { ...line, y: await ask(line), rough: line.rough || !fine });
      } catch (error) {
        out.push({ ...line, problem: said(error) });
      }
      if (this.#questions.outdated) return undefined;
    }
    return {
      ...{ state, lines: out, along, least },
      ...{ epsilon: [0, 1], log: false, logFloor: 0 },
      settled: fine,
      places: undefined,
    };
  }
}

/** A list of places with one more in it, where that lies inside. */
const withPlace = (places: readonly number[], one: number): readonly number[] =>
  places.includes(one) || !(one > places[0]! && one < places.at(-1)!)
    ? places
    : [...places, one].sort((a, b) => a - b);

/** Where the axis of the view of a parameter begins and ends. */
function sweepSpan(state: Pick<State, "over" | "span">): readonly [number, number] {
  const { from, to, least, most } = parameters[state.over];
  const [a, b] = state.span ?? [from, to];
  return a >= least && b <= most ? [a, b] : [from, to];
}

/** Whether two states have the same axis of ε. */
const same = (a: State, b: State): boolean =>
  a.low === b.low && a.x === b.x && a.delta === b.delta && String(a.span) === String(b.span);

function spanOf(
  state: State,
  ends: readonly number[],
): { epsilon: readonly [number, number]; log: boolean } {
  const finite = ends.filter((end) => Number.isFinite(end) && end > 0);
  // A line that goes on for long after the others have left is not waited for.
  const to = state.span?.[1] ?? Math.min(Math.max(...finite, 1e-3), 3 * Math.min(...finite, 1e6));
  const scale = state.x === "auto" ? (state.span ? "linear" : "auto") : state.x;
  const chosen = epsilonScope(
    finite.length > 0 ? finite.map((end) => Math.min(end, to)) : [to],
    finite.map((end) => end / 2),
    { scale, max: state.span?.[1] },
  );
  return {
    log: chosen.log,
    epsilon: [
      chosen.log && state.span && state.span[0] > 0 ? state.span[0] : chosen.epsilon[0],
      chosen.epsilon[1],
    ],
  };
}

/** An error in words for people. */
export function said(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^event\.(?:parts\[0\]\.event\.)?/, "")
    .replace(/^lambda\b/, "λ")
    .replace(/^sigma\b/, "σ");
}
