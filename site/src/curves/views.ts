// The four views of a privacy curve. Each turns priced curves into the axes and lines of a plot,
// the numbers at a place, and a sentence.

import type { Adjacency, RenyiCurve } from "../client/types.ts";
import { toneOf } from "../chart/look.ts";
import {
  percent,
  percentLeast,
  probability,
  probabilityBound,
  readable,
  readableBound,
} from "../chart/numbers.ts";
import type { PlotLine } from "../chart/plot.ts";
import { type AxisOptions, roundedUp } from "../chart/plot-axis.ts";
import type { View } from "./curve.ts";
import { orders, type Priced } from "./pricing.ts";
import { epsilonOnChord, falseAlarms, missedAtLeast, missedAtMost } from "./tradeoff.ts";

export interface Line {
  readonly label: string;
  readonly lowest: boolean;
  /** Neighbours differ by a record that is replaced; otherwise by one that is added or removed. */
  readonly replaced?: boolean;
  readonly priced?: Priced;
  readonly renyi?: RenyiCurve;
}

export interface Scope {
  readonly delta: number;
  readonly logFloor: number;
  /** Where the axis of ε ends, and on a logarithmic one begins. */
  readonly epsilon: readonly [from: number, to: number];
  readonly log: boolean;
}

/** What one line says at one place. */
export interface Reading {
  readonly text: string;
  /** The number itself; NaN where there is none. */
  readonly value: number;
  /** A certified lower end; NaN where there is none. */
  readonly lower: number;
  /** Its height in the axis's space. */
  readonly y: number;
}

export interface Drawing {
  readonly x: AxisOptions;
  readonly y: AxisOptions;
  readonly lines: readonly PlotLine[];
  readonly mark?: { readonly x: number; readonly y: number; readonly label?: string };
  /** Where a read-out can stand, in the axis's space, ascending; and the quantity there. */
  readonly stops: readonly number[];
  readonly quantity: readonly number[];
  /** Where it stands at first. */
  readonly home: number;
  readonly names: { readonly x: string; readonly y: string };
  at(stop: number): string;
  read(line: Line, stop: number): Reading;
}

export const viewNames: Readonly<Record<View, { readonly short: string; readonly long: string }>> =
  {
    delta: { short: "δ(ε)", long: "δ by ε" },
    epsilon: { short: "ε(δ)", long: "ε by δ" },
    rdp: { short: "Rényi", long: "Rényi divergence by order" },
    tradeoff: { short: "Trade-off", long: "Trade-off between an attacker’s errors" },
  };

const nbsp = "\u00a0";
const nearest = (values: readonly number[], wanted: number): number =>
  values.reduce(
    (best, value, i) => (Math.abs(value - wanted) < Math.abs(values[best]! - wanted) ? i : best),
    0,
  );
const nothingThere: Reading = { text: "–", value: Number.NaN, lower: Number.NaN, y: Number.NaN };

export function draw(view: View, lines: readonly Line[], scope: Scope): Drawing {
  if (view === "rdp") return byOrder(lines);
  if (view === "tradeoff") return tradeoff(lines);
  return view === "delta" ? byEpsilon(lines, scope) : byDelta(lines, scope);
}

const style = (line: Line, i: number): Pick<PlotLine, "tone" | "rough" | "reference"> => ({
  tone: toneOf(i),
  rough: line.priced?.rough ?? false,
  reference: line.lowest,
});

/** The first line whose ε at the marked δ is marked: the one that the plot is about. */
const main = (lines: readonly Line[]): Priced | undefined => lines[0]?.priced;

/** What is written beside the mark, where no other line can run through it. */
const label = (lines: readonly Line[]): { label?: string } =>
  lines.length === 1 && lines[0]?.priced
    ? { label: `ε${nbsp}${epsilonText(lines[0].priced)}` }
    : {};

function byEpsilon(lines: readonly Line[], scope: Scope): Drawing {
  const along = (epsilon: number) => (scope.log ? Math.log10(epsilon) : epsilon);
  const longest = lines.reduce<readonly number[]>(
    (grid, { priced }) => (priced && priced.epsilon.length > grid.length ? priced.epsilon : grid),
    [],
  );
  const quantity = scope.log ? longest.filter((epsilon) => epsilon > 0) : longest;
  const marked = main(lines)?.epsilonAtDelta ?? Number.NaN;
  return {
    x: {
      kind: scope.log ? "log" : "linear",
      domain: [along(scope.epsilon[0]), along(scope.epsilon[1])],
      title: "ε",
    },
    y: { kind: "log", domain: [scope.logFloor / Math.LN10, 0], title: "δ" },
    lines: lines.flatMap(({ priced }, i): PlotLine[] => {
      if (!priced) return [];
      const heights = priced.logDelta.map((log) => log / Math.LN10);
      return [
        {
          x: priced.epsilon.map(along),
          y: heights,
          ...(priced.logDeltaLower && {
            other: priced.logDeltaLower.map((log) => log / Math.LN10),
          }),
          ...style(lines[i]!, i),
        },
      ];
    }),
    ...(Number.isFinite(marked) && {
      mark: { x: along(marked), y: Math.log10(scope.delta), ...label(lines) },
    }),
    stops: quantity.map(along),
    quantity,
    home: nearest(quantity, marked),
    names: { x: "ε", y: "δ" },
    at: (stop) => `ε = ${readableBound(quantity[stop] ?? 0)}`,
    read({ priced, lowest }, stop) {
      const i = priced?.epsilon.indexOf(quantity[stop]!) ?? -1;
      const log = priced?.logDelta[i];
      if (!priced || log === undefined)
        return priced
          ? { ...nothingThere, text: `under ${probabilityBound(priced.logDelta.at(-1) ?? 0)}` }
          : nothingThere;
      if (Number.isNaN(log)) return nothingThere;
      return {
        text: (lowest ? probability : probabilityBound)(log),
        value: Math.exp(log),
        lower: Math.exp(priced.logDeltaLower?.[i] ?? Number.NaN),
        y: log / Math.LN10,
      };
    },
  };
}

function byDelta(lines: readonly Line[], scope: Scope): Drawing {
  const up = (epsilon: number) => (scope.log ? Math.log10(epsilon) : epsilon);
  const bottom = scope.logFloor / Math.LN10;
  const wanted = Math.log10(scope.delta);
  // Twelve places a decade, and the marked δ in the place of the one nearest to it.
  const stops = Array.from({ length: Math.round(-12 * bottom) }, (_, i) => bottom + i / 12);
  stops[nearest(stops, wanted)] = wanted;
  const quantity = stops.map((stop) => (stop === wanted ? scope.delta : 10 ** stop));
  const marked = main(lines)?.epsilonAtDelta ?? Number.NaN;
  return {
    x: { kind: "log", domain: [bottom, 0], title: "δ" },
    y: {
      kind: scope.log ? "log" : "linear",
      domain: [up(scope.epsilon[0]), up(scope.epsilon[1])],
      title: "ε",
    },
    lines: lines.flatMap(({ priced }, i): PlotLine[] => {
      if (!priced) return [];
      const order = priced.epsilon.map((_, at) => at).reverse();
      const pick = (values: readonly number[]) => order.map((at) => values[at]!);
      return [
        {
          x: pick(priced.logDelta).map((log) => log / Math.LN10),
          y: pick(priced.epsilon).map(up),
          ...style(lines[i]!, i),
        },
      ];
    }),
    ...(Number.isFinite(marked) && { mark: { x: wanted, y: up(marked), ...label(lines) } }),
    stops,
    quantity,
    home: nearest(stops, wanted),
    names: { x: "δ", y: "ε" },
    at: (stop) => `δ = ${probabilityBound((stops[stop] ?? 0) * Math.LN10)}`,
    read({ priced, lowest }, stop) {
      if (!priced) return nothingThere;
      const exact = stops[stop] === wanted;
      const epsilon = exact
        ? priced.epsilonAtDelta
        : epsilonOnChord(priced.epsilon, priced.logDelta, stops[stop]! * Math.LN10);
      if (!Number.isFinite(epsilon)) return { ...nothingThere, text: "none" };
      return {
        text: (lowest ? readable : readableBound)(epsilon),
        value: epsilon,
        lower: exact ? (priced.epsilonLower ?? Number.NaN) : Number.NaN,
        y: up(epsilon),
      };
    },
  };
}

function byOrder(lines: readonly Line[]): Drawing {
  const value = (renyi: RenyiCurve | undefined, i: number) =>
    renyi ? Math.max(renyi.added[i]!, renyi.removed[i]!) : Number.NaN;
  const finite = lines
    .flatMap(({ renyi }) => orders.map((_, i) => value(renyi, i)))
    .filter((d) => d > 0 && Number.isFinite(d));
  const low = Math.log10(Math.min(...finite, 1));
  const high = Math.log10(Math.max(...finite, 10 ** low * 10));
  const stops = orders.map(Math.log10);
  return {
    x: { kind: "log", domain: [stops[0]!, stops.at(-1)!], title: "order α" },
    y: {
      kind: "log",
      domain: [Math.max(Math.floor(low * 2) / 2, high - 8), Math.ceil(high * 4) / 4],
      title: "Rényi divergence, in nats",
    },
    lines: lines.flatMap((line, i): PlotLine[] =>
      line.renyi
        ? [
            {
              x: stops,
              y: orders.map((_, at) =>
                Number.isFinite(value(line.renyi, at))
                  ? Math.log10(value(line.renyi, at))
                  : Number.NaN,
              ),
              ...style(line, i),
              rough: false,
            },
          ]
        : [],
    ),
    stops,
    quantity: orders,
    home: nearest(orders, 2),
    names: { x: "α", y: "Rényi divergence" },
    at: (stop) => `α = ${readable(orders[stop] ?? 0)}`,
    read({ renyi }, stop) {
      const d = value(renyi, stop);
      return Number.isNaN(d)
        ? nothingThere
        : { text: readableBound(d), value: d, lower: Number.NaN, y: Math.log10(d) };
    },
  };
}

function tradeoff(lines: readonly Line[]): Drawing {
  const of = new Map(
    lines.map((line) => {
      const { priced } = line;
      const least =
        priced && falseAlarms.map((a) => missedAtLeast(a, priced.epsilon, priced.logDelta));
      const most =
        priced?.logDeltaLower &&
        falseAlarms.map((a) => missedAtMost(a, priced.epsilon, priced.logDeltaLower!));
      return [line, { least, most }];
    }),
  );
  return {
    x: { kind: "linear", domain: [0, 1], title: "false alarms" },
    y: { kind: "linear", domain: [0, 1], title: "members missed, at least" },
    lines: [
      ...lines.flatMap((line, i): PlotLine[] => {
        const { least, most } = of.get(line)!;
        return least
          ? [{ x: falseAlarms, y: least, ...(most && { other: most }), ...style(line, i) }]
          : [];
      }),
      { x: [0, 1], y: [1, 0], tone: 0, reference: true },
    ],
    stops: falseAlarms,
    quantity: falseAlarms,
    home: falseAlarms.indexOf(0.05),
    names: { x: "false alarms", y: "missed, at least" },
    at: (stop) => `${percent(falseAlarms[stop] ?? 0)} false alarms`,
    read(line, stop) {
      const { least, most } = of.get(line) ?? {};
      if (!least) return nothingThere;
      return {
        text: (line.lowest ? percent : percentLeast)(least[stop]!),
        value: least[stop]!,
        lower: most?.[stop] ?? Number.NaN,
        y: least[stop]!,
      };
    },
  };
}

/** What the plot shows, in a sentence or two. */
export function sentence(view: View, lines: readonly Line[], scope: Scope): string {
  const [first] = lines;
  if (!first) return "";
  const at = readableBound(scope.delta);
  const { priced, renyi } = first;
  switch (view) {
    case "rdp": {
      const i = nearest(orders, 2);
      return renyi
        ? `${first.label}: the Rényi divergence of order ${readable(orders[i]!)} is at most ${readableBound(Math.max(renyi.added[i]!, renyi.removed[i]!))} nats. Lower lines are better guarantees.`
        : "";
    }
    case "tradeoff":
      return priced
        ? first.replaced
          ? `${first.label}: whoever has to tell which of two records is in the data, with 5 % false alarms, misses at least ${percentLeast(missedAtLeast(0.05, priced.epsilon, priced.logDelta))}. The thin diagonal is guessing; nearer to it is better.`
          : `${first.label}: whoever accuses 5 % of the people who are not in the data misses at least ${percentLeast(missedAtLeast(0.05, priced.epsilon, priced.logDelta))} of those who are. The thin diagonal is guessing; nearer to it is better.`
        : "";
    default: {
      const said = lines
        .filter((line) => line.priced && !line.lowest)
        .map((line) => `${line.label}, ε${nbsp}${epsilonText(line.priced!)}`);
      if (said.length === 0) return "";
      const end =
        view === "delta"
          ? "Lower lines are better guarantees."
          : "ε grows as δ is made smaller; lower lines are better guarantees.";
      if (said.length === 1 && first.priced?.epsilonAtDelta === Infinity)
        return `${first.label}: no ε holds at δ${nbsp}=${nbsp}${at}.`;
      return said.length === 1
        ? `${first.label}: (ε, δ)-differentially private with ε${nbsp}${epsilonText(first.priced!)} at δ${nbsp}=${nbsp}${at}.`
        : `At δ${nbsp}=${nbsp}${at}: ${said.join("; ")}. ${end}`;
    }
  }
}

function epsilonText(priced: Priced): string {
  if (priced.epsilonAtDelta === Infinity) return "without a bound";
  return `${priced.rough ? "≈" : "="}${nbsp}${readableBound(priced.epsilonAtDelta)}`;
}

/** The same for a picture that stands alone, such as a file: with the neighbours. */
export const sentenceAlone = (view: View, lines: readonly Line[], scope: Scope): string =>
  [sentence(view, lines, scope), neighbours(lines)].filter(Boolean).join(" ");

/** Between which data sets the lines hold; empty where their labels say so. */
export function neighbours(lines: readonly Line[]): string {
  const replaced = lines.filter((line) => line.replaced).length;
  return replaced === 0
    ? between("add-remove")
    : replaced === lines.length
      ? between("replace-one")
      : "";
}

/** Between which data sets a price holds, as a sentence. Use it wherever an ε is told. */
export const between = (adjacency: Adjacency): string =>
  adjacency === "replace-one"
    ? "This compares data before and after one record is replaced."
    : "This compares data with and without one record.";

/**
 * An ε axis that shows all lines down to the floor: where it begins and ends, and whether it is
 * logarithmic.
 */
export function epsilonScope(
  ends: readonly number[],
  marked: readonly number[],
  asked: { scale: "auto" | "linear" | "log"; max: number | undefined },
): Pick<Scope, "epsilon" | "log"> {
  const far = ends.filter((end) => Number.isFinite(end) && end > 0);
  const known = marked.filter((epsilon) => Number.isFinite(epsilon) && epsilon > 0);
  const to =
    asked.max ??
    roundedUp(
      Math.max(...far, ...(far.length === 0 ? [...known.map((epsilon) => 2 * epsilon), 1] : [])),
    );
  const smallest = Math.min(...known, to);
  const log =
    asked.scale === "log" || (asked.scale === "auto" && Math.max(...known, 0) > 8 * smallest);
  return { log, epsilon: [log ? 10 ** Math.floor(Math.log10(smallest / 4)) : 0, to] };
}

/**
 * Values of ε at which curves are evaluated: 0, evenly spaced on the axis, and one more where the
 * read-out stands at first.
 */
export function epsilonGrid(
  { epsilon: [from, to], log }: Pick<Scope, "epsilon" | "log">,
  points: number,
  marked = Number.NaN,
): number[] {
  const grid = log
    ? [0, ...Array.from({ length: points }, (_, i) => from * (to / from) ** (i / (points - 1)))]
    : Array.from({ length: points + 1 }, (_, i) => (to * i) / points);
  if (marked > grid[0]! && marked < to && !grid.includes(marked))
    grid.splice(
      grid.findIndex((epsilon) => epsilon > marked),
      0,
      marked,
    );
  return grid;
}
