// Where the lines of a picture cross, in every view that has such places.

import type { Accountant, AskOptions } from "../../curves/accountant.ts";
import { missedAtLeast } from "../../curves/tradeoff.ts";
import { type Crossing, crossings, type Evaluate } from "./crossings.ts";
import { accuracyOf, budgetOf, type Line, type Picture, type Place } from "./lines.ts";
import { parameters } from "./parameters.ts";
import { divergences, logDeltas, sweptAt } from "./price.ts";
import { sweeps } from "./state.ts";

interface Found extends Crossing {
  readonly first: Line;
  readonly second: Line;
}

/**
 * What a budget has calibrated agrees only as far as that goes, which is 10⁻¹¹ of a parameter, on
 * each of two lines; log δ of a Gaussian mechanism moves by up to twice as much.
 */
const CALIBRATED = 4e-11;
/**
 * The same where a record is replaced, for there the accountant looks for the best way between the
 * data sets.
 */
const SPLIT = 1e-9;

/** Places nearer than this share of them are said as one. */
const NEAR = 1e-3;

/** In δ by ε and ε by δ, lines that are one at ε = 0 and part before this are not said to part. */
const AT_ZERO = 1e-4;

/** More than these are no help. */
const MOST = 12;

/**
 * Rates of false alarms at which the lines of a trade-off are compared: evenly in the logarithm,
 * then evenly.
 */
const alarms = [
  ...Array.from({ length: 60 }, (_, i) => 10 ** (-4 + (3 * i) / 60)),
  ...Array.from({ length: 90 }, (_, i) => 0.1 + i / 100),
];

/**
 * All places where certified lines change their order, from left to right; undefined if the search
 * was interrupted.
 */
export async function foundPlaces(
  accountant: Accountant,
  picture: Picture,
  interrupted: () => boolean,
): Promise<Place[] | undefined> {
  const lines = picture.lines.filter(
    (line) => (line.priced ?? line.y) && !line.problem && !line.rough,
  );
  const { budget, shared, view } = picture.state;
  const same = Math.max(
    budget === null ? 1e-12 : CALIBRATED,
    shared.adjacency === "replace-one" ? SPLIT : 0,
  );
  const byEpsilon = view === "delta" || view === "epsilon";
  const missed = new Map<Line, number[]>();
  const out: Found[] = [];
  for (const [i, first] of lines.entries()) {
    for (const second of lines.slice(i + 1)) {
      // more runs cost more: nothing to say
      if (first.kind === second.kind && first.values.times !== second.values.times) continue;
      // What is computed here, and not by the accountant, leaves the page its turn.
      await new Promise((done) => setTimeout(done));
      const sampled = samplesOf(accountant, picture, first, second, missed);
      if (!sampled) continue;
      const { x, a, b, ask, grain } = sampled;
      // Along a parameter every point is a question of its own: halving asks the fewest.
      const atOnce = view === "sweep" ? 1 : 16;
      for (const one of await crossings(x, a, b, ask(first), ask(second), {
        grain,
        same,
        atOnce,
      })) {
        // A floor of another noise is crossed by many, and that says nothing. Nor does it that two
        // which are one at 0 part next to it.
        const floored = one.kind === "cross" && (first.floor || second.floor);
        const atZero = byEpsilon && one.kind === "part" && x[0] === 0 && one.x < AT_ZERO;
        if (!floored && !atZero) out.push({ ...one, first, second });
      }
      if (interrupted()) return undefined;
    }
  }
  return together(out).slice(0, MOST);
}

/**
 * Pairs that cross at one place, put together: one line against several, or several against one.
 */
function together(found: readonly Found[]): Place[] {
  const sorted = found
    .map(({ first, second, smaller, x, y, kind }) => ({
      x,
      y,
      kind,
      lower: [smaller === "first" ? first : second],
      upper: [smaller === "first" ? second : first],
    }))
    .sort((a, b) => a.x - b.x);
  return joined(joined(sorted, "lower", "upper"), "upper", "lower");
}

function joined(
  places: readonly Place[],
  same: "lower" | "upper",
  other: "lower" | "upper",
): Place[] {
  const out: Place[] = [];
  for (const one of places) {
    const names = (lines: readonly Line[]) =>
      lines
        .map(({ at }) => at)
        .sort()
        .join();
    const at = out.findIndex(
      (there) =>
        there.kind === one.kind &&
        Math.abs(there.x - one.x) <= NEAR * Math.abs(one.x) &&
        names(there[same]) === names(one[same]),
    );
    if (at < 0) out.push(one);
    else out[at] = { ...out[at]!, [other]: [...new Set([...out[at]![other], ...one[other]])] };
  }
  return out;
}

interface Samples {
  readonly x: readonly number[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly ask: (line: Line) => Evaluate;
  readonly grain: number;
}

function samplesOf(
  accountant: Accountant,
  picture: Picture,
  first: Line,
  second: Line,
  missed: Map<Line, number[]>,
): Samples | undefined {
  const { state } = picture;
  const options: AskOptions = {};
  switch (state.view) {
    case "tradeoff": {
      const at = ({ priced }: Line, alpha: number) =>
        missedAtLeast(alpha, priced!.epsilon, priced!.logDelta);
      for (const line of [first, second])
        if (!missed.has(line))
          missed.set(
            line,
            alarms.map((x) => at(line, x)),
          );
      return {
        x: alarms,
        a: missed.get(first)!,
        b: missed.get(second)!,
        ask: (line) => (xs) => Promise.resolve(xs.map((x) => at(line, x))),
        grain: 0,
      };
    }
    case "rdp":
      return {
        x: picture.along,
        a: first.y!,
        b: second.y!,
        ask: (line) => (xs) => divergences(accountant, line.kind, line.values, xs, options),
        grain: 0,
      };
    case "sweep": {
      const one = (line: Line) => state.curves[line.at]!;
      if (!sweeps(state, one(first)) && !sweeps(state, one(second))) return undefined;
      const ask =
        (line: Line): Evaluate =>
        async (xs) => {
          const budget = budgetOf(state, one(line), picture.least);
          const out: number[] = [];
          for (const x of xs) {
            const values = sweeps(state, one(line))
              ? { ...line.values, [state.over]: x }
              : line.values;
            out.push(await sweptAt(accountant, line.kind, values, budget, state.delta, options));
          }
          return out;
        };
      return {
        x: picture.along,
        a: first.y!,
        b: second.y!,
        ask,
        grain: parameters[state.over].whole ? 1 : 0,
      };
    }
    default: {
      const [a, b] = [first.priced!, second.priced!];
      // Far below the floor of the plot nobody sees them, and where δ is 1 both say nothing.
      const seen = (logDelta: number) =>
        logDelta < picture.logFloor || logDelta > -1e-9 ? Number.NaN : logDelta;
      const both = a.epsilon.map((_, i) =>
        Number.isNaN(seen(a.logDelta[i]!)) && Number.isNaN(seen(b.logDelta[i]!)) ? Number.NaN : 0,
      );
      return {
        x: a.epsilon,
        a: a.logDelta.map((log, i) => log + both[i]!),
        b: b.logDelta,
        ask: (line) => (xs) =>
          logDeltas(accountant, line.kind, line.values, xs, accuracyOf(state), options),
        grain: 0,
      };
    }
  }
}
