// Turns a picture's numbers into a plot: axes, lines, the places where the read-out can stand,
// and the values there.

import type { PlotAxis, AxisOptions } from "../../chart/plot-axis.ts";
import {
  percent,
  percentLeast,
  probability,
  probabilityBound,
  readable,
  readableBound,
} from "../../chart/numbers.ts";
import { type Plot, plot, type PlotLine } from "../../chart/plot.ts";
import { roundedUp } from "../../chart/plot-axis.ts";
import { place, type Shape } from "../../chart/shape.ts";
import { between } from "../../curves/views.ts";
import { epsilonOnChord, falseAlarms, missedAtLeast } from "../../curves/tradeoff.ts";
import { figure, figureBound } from "./figure.ts";
import type { Place } from "./lines.ts";
import type { Line, Picture } from "./lines.ts";
import { kindOf } from "./mechanisms.ts";
import { parameters } from "./parameters.ts";
import { sweeps, type View } from "./state.ts";

export interface Reading {
  readonly text: string;
  /** NaN where there is nothing. */
  readonly value: number;
  /** Its height in the axis's space. */
  readonly y: number;
}

export interface Drawing {
  readonly x: AxisOptions;
  readonly y: AxisOptions;
  readonly lines: readonly PlotLine[];
  readonly mark?: { readonly x: number; readonly y: number };
  /** Where the read-out can stand, in the axis's space, and the quantity there. */
  readonly stops: readonly number[];
  readonly quantity: readonly number[];
  readonly home: number;
  readonly names: { readonly x: string; readonly y: string };
  at(stop: number): string;
  read(line: Line, stop: number): Reading;
  /** A crossing's place in the axes' space, and its quantity in words. */
  crossing(one: Pick<Place, "x" | "y">): {
    readonly x: number;
    readonly y: number;
    readonly quantity: string;
    readonly text: string;
  };
}

const nothing: Reading = { text: "–", value: Number.NaN, y: Number.NaN };
const nearest = (values: readonly number[], wanted: number): number =>
  values.reduce(
    (best, value, i) => (Math.abs(value - wanted) < Math.abs(values[best]! - wanted) ? i : best),
    0,
  );
const style = ({ tone, floor, rough }: Line): Pick<PlotLine, "tone" | "reference" | "rough"> => ({
  tone,
  reference: floor,
  rough,
});

/** A quantity on an axis that may be logarithmic. */
const along = (log: boolean) => (x: number) => (log ? Math.log10(x) : x);

/** The names of the views. */
export const viewNames: Readonly<Record<View, { readonly short: string; readonly long: string }>> =
  {
    delta: { short: "δ(ε)", long: "δ by ε" },
    epsilon: { short: "ε(δ)", long: "ε by δ" },
    rdp: { short: "Rényi", long: "Rényi divergence by its order" },
    tradeoff: { short: "Trade-off", long: "Trade-off between an attacker’s errors" },
    sweep: { short: "Parameter", long: "ε, or the noise under a budget, against a parameter" },
  };

export function draw(picture: Picture): Drawing {
  switch (picture.state.view) {
    case "delta":
      return byEpsilon(picture);
    case "epsilon":
      return byDelta(picture);
    case "tradeoff":
      return tradeoff(picture);
    default:
      return byPlace(picture);
  }
}

/** ε at the marked δ, of the first line that is no floor. */
const main = (lines: readonly Line[]): number =>
  lines.find(({ priced, floor }) => priced && !floor)?.priced?.epsilonAtDelta ?? Number.NaN;

/** Points of a line, with nothing said of δ = 0. */
const heights = ({ logDelta }: { readonly logDelta: readonly number[] }, log: boolean): number[] =>
  logDelta.map((one) => (log ? one / Math.LN10 : Math.exp(one)));

function byEpsilon(picture: Picture): Drawing {
  const { state, lines, epsilon, log, logFloor } = picture;
  const across = along(log);
  const up = state.y !== "linear";
  const longest = lines.find(({ priced }) => priced)?.priced?.epsilon ?? [];
  const quantity = longest.filter((one) => (one > 0 || !log) && one <= epsilon[1] * (1 + 1e-9));
  const top = Math.max(
    ...lines.flatMap(({ priced }) => (priced ? [Math.exp(priced.logDelta[0]!)] : [])),
    1e-9,
  );
  const marked = main(lines);
  const y = (logDelta: number) => (up ? logDelta / Math.LN10 : Math.exp(logDelta));
  return {
    x: {
      kind: log ? "log" : "linear",
      domain: [across(epsilon[0]), across(epsilon[1])],
      title: "ε",
    },
    y: up
      ? { kind: "log", domain: [logFloor / Math.LN10, 0], title: "δ" }
      : { kind: "linear", domain: [0, Math.min(1, roundedUp(top))], title: "δ" },
    lines: lines.flatMap((line): PlotLine[] =>
      line.priced
        ? [{ x: line.priced.epsilon.map(across), y: heights(line.priced, up), ...style(line) }]
        : [],
    ),
    ...(Number.isFinite(marked) && { mark: { x: across(marked), y: y(Math.log(state.delta)) } }),
    stops: quantity.map(across),
    quantity,
    home: nearest(quantity, marked),
    names: { x: "ε", y: "δ" },
    at: (stop) => `ε = ${figureBound(quantity[stop] ?? 0)}`,
    read({ priced, floor }, stop) {
      const i = priced?.epsilon.indexOf(quantity[stop]!) ?? -1;
      const one = priced?.logDelta[i];
      return one === undefined || Number.isNaN(one)
        ? nothing
        : { text: (floor ? probability : probabilityBound)(one), value: Math.exp(one), y: y(one) };
    },
    crossing: (one) => ({ x: across(one.x), y: y(one.y), quantity: "ε", text: figure(one.x) }),
  };
}

function byDelta(picture: Picture): Drawing {
  const { state, lines, epsilon, log, logFloor } = picture;
  const up = along(log && state.y !== "linear");
  const bottom = logFloor / Math.LN10;
  const wanted = Math.log10(state.delta);
  const stops = Array.from({ length: Math.round(-12 * bottom) }, (_, i) => bottom + i / 12);
  stops[nearest(stops, wanted)] = wanted;
  const marked = main(lines);
  const isLog = log && state.y !== "linear";
  return {
    x: { kind: "log", domain: [bottom, 0], title: "δ" },
    y: { kind: isLog ? "log" : "linear", domain: [up(epsilon[0]), up(epsilon[1])], title: "ε" },
    lines: lines.flatMap((line): PlotLine[] => {
      if (!line.priced) return [];
      const { epsilon: at, logDelta } = line.priced;
      return [
        {
          x: [...logDelta].reverse().map((one) => one / Math.LN10),
          y: [...at].reverse().map(up),
          ...style(line),
        },
      ];
    }),
    ...(Number.isFinite(marked) && { mark: { x: wanted, y: up(marked) } }),
    stops,
    quantity: stops.map((stop) => (stop === wanted ? state.delta : 10 ** stop)),
    home: nearest(stops, wanted),
    names: { x: "δ", y: "ε" },
    at: (stop) => `δ = ${probabilityBound((stops[stop] ?? 0) * Math.LN10)}`,
    read({ priced, floor }, stop) {
      if (!priced) return nothing;
      const at =
        stops[stop] === wanted
          ? priced.epsilonAtDelta
          : epsilonOnChord(priced.epsilon, priced.logDelta, stops[stop]! * Math.LN10);
      return Number.isFinite(at)
        ? { text: (floor ? figure : figureBound)(at), value: at, y: up(at) }
        : {
            ...nothing,
            text: priced.epsilonAtDelta === Infinity ? "none" : `over ${readable(epsilon[1])}`,
          };
    },
    crossing: (one) => ({ x: one.y / Math.LN10, y: up(one.x), quantity: "ε", text: figure(one.x) }),
  };
}

function tradeoff({ state, lines }: Picture): Drawing {
  const log = state.x === "log";
  const across = along(log);
  const quantity = log ? falseAlarms.slice(1) : falseAlarms;
  const least = new Map(
    lines.map((line) => [
      line.at,
      line.priced &&
        quantity.map((alpha) => missedAtLeast(alpha, line.priced!.epsilon, line.priced!.logDelta)),
    ]),
  );
  return {
    x: log
      ? { kind: "log", domain: [-4, 0], title: "false alarms" }
      : { kind: "linear", domain: [0, 1], title: "false alarms" },
    y: { kind: "linear", domain: [0, 1], title: "members missed, at least" },
    lines: [
      ...lines.flatMap((line): PlotLine[] =>
        line.priced ? [{ x: quantity.map(across), y: least.get(line.at)!, ...style(line) }] : [],
      ),
      { x: quantity.map(across), y: quantity.map((alpha) => 1 - alpha), tone: 0, reference: true },
    ],
    stops: quantity.map(across),
    quantity,
    home: quantity.indexOf(0.05),
    names: { x: "false alarms", y: "missed, at least" },
    at: (stop) => `${percent(quantity[stop] ?? 0)} false alarms`,
    read(line, stop) {
      const value = least.get(line.at)?.[stop];
      return value === undefined
        ? nothing
        : { text: (line.floor ? percent : percentLeast)(value), value, y: value };
    },
    crossing: (one) => ({
      x: across(one.x),
      y: one.y,
      quantity: "false alarms",
      text: percent(one.x),
    }),
  };
}

/** The views whose lines are lists along an axis: orders, or a parameter. */
function byPlace(picture: Picture): Drawing {
  const { state, lines, along: places } = picture;
  const orders = state.view === "rdp";
  const [first, last] = [places[0] ?? 1, places.at(-1) ?? 10];
  const logX = state.x === "log" || (state.x === "auto" && (orders || last / first > 8));
  const values = lines.flatMap(({ y }) =>
    (y ?? []).filter((one) => one > 0 && Number.isFinite(one)),
  );
  const [least, most] = values.length > 0 ? [Math.min(...values), Math.max(...values)] : [0.1, 10];
  const logY = state.y === "log" || (state.y === "auto" && (orders || most / least > 20));
  const across = along(logX);
  const raw = along(logY);
  const up = (one: number) => (Number.isFinite(one) ? raw(one) : Number.NaN);
  // A line that runs away at one end does not press the others together.
  const sorted = [...values].sort((a, b) => a - b);
  const top = logY ? most : Math.min(most, 6 * (sorted[sorted.length >> 1] ?? most));
  const { symbol } = parameters[state.over];
  const name = orders ? "Rényi divergence" : state.budget === null ? "ε" : "noise";
  const title = orders
    ? "Rényi divergence, in nats"
    : state.budget === null
      ? `ε at δ = ${readableBound(state.delta)}`
      : "noise, × that of one Gaussian mechanism";
  const start = orders ? 2 : (state.shared[state.over] ?? first);
  return {
    x: {
      kind: logX ? "log" : "linear",
      domain: [across(first), across(last)],
      title: orders ? "order α" : parameters[state.over].label,
    },
    y: {
      kind: logY ? "log" : "linear",
      domain: logY
        ? [
            Math.max(Math.floor(Math.log10(least) * 2) / 2, Math.log10(most) - 8),
            Math.log10(most) + 0.08,
          ]
        : [0, roundedUp(top * 1.05)],
      title,
    },
    lines: lines.flatMap((line): PlotLine[] =>
      line.y ? [{ x: places.map(across), y: line.y.map(up), ...style(line) }] : [],
    ),
    stops: places.map(across),
    quantity: places,
    home: nearest(places, Math.max(first, Math.min(last, start))),
    names: { x: orders ? "α" : symbol, y: name },
    at: (stop) => `${orders ? "α" : symbol} = ${readable(places[stop] ?? 0)}`,
    read({ y, floor }, stop) {
      const value = y?.[stop];
      if (value === undefined || Number.isNaN(value)) return nothing;
      return value === Infinity
        ? { ...nothing, text: "∞" }
        : {
            text:
              state.budget !== null && !orders
                ? `${figure(value)} ×`
                : (floor ? figure : figureBound)(value),
            value,
            y: up(value),
          };
    },
    crossing: (one) => ({
      x: across(one.x),
      y: up(one.y),
      quantity: orders ? "α" : symbol,
      text: orders || !parameters[state.over].whole ? figure(one.x) : readable(one.x),
    }),
  };
}

/** Dashes of further lines of one colour, by their rank among them. */
const further = ["none", "1.5 4", "8 3", "8 3 1.5 3"];

/** The plot with its crossings, numbered as in the list beside it. */
export function plotted(
  picture: Picture,
  drawing: Drawing,
  size: { width: number; height: number },
): Plot {
  const made = plot({ size, ...drawing });
  const shapes = made.shapes.map((shape) =>
    shape.is.class === "data"
      ? { ...shape, children: dashed(shape.children ?? [], drawing) }
      : shape,
  );
  // Places that lie close together have one number between them.
  const rings: { cx: number; cy: number; numbers: number[] }[] = [];
  for (const [i, one] of (picture.places ?? []).entries()) {
    const { x, y } = drawing.crossing(one);
    if (!within(x, made.x) || !within(y, made.y)) continue;
    const [cx, cy] = [made.x.scale(x), made.y.scale(y)];
    const near = rings.find((there) => Math.hypot(there.cx - cx, there.cy - cy) < 18);
    if (near) near.numbers.push(i + 1);
    else rings.push({ cx, cy, numbers: [i + 1] });
  }
  const crossings = rings.flatMap(({ cx, cy, numbers }) =>
    ring(cx, cy, numbers.join(", "), cx > made.frame.right - 40, cy < made.frame.top + 20),
  );
  return { ...made, shapes: [...shapes, ...crossings] };
}

const within = (value: number, { domain: [low, high] }: PlotAxis): boolean =>
  value >= low - 1e-9 && value <= high + 1e-9;

function ring(cx: number, cy: number, text: string, atEnd: boolean, atTop: boolean): Shape[] {
  const ink = "var(--curve-ink, currentcolor)";
  return [
    {
      tag: "circle",
      is: {
        class: "crossing",
        cx: place(cx),
        cy: place(cy),
        r: 4,
        fill: "var(--curve-paper, Canvas)",
        stroke: ink,
        "stroke-width": 1.75,
      },
    },
    {
      tag: "text",
      is: {
        class: "crossing-number",
        x: place(cx + (atEnd ? -8 : 8)),
        y: place(atTop ? cy + 17 : cy - 7),
        "text-anchor": atEnd ? "end" : "start",
        fill: ink,
        "font-size": 13,
        "font-weight": 650,
      },
      text,
    },
  ];
}

/** Lines of one colour told apart by their dashes; the plot draws the last line first. */
function dashed(children: readonly Shape[], drawing: Drawing): Shape[] {
  const ranks = ranksOf(drawing.lines.map(({ tone, reference }) => (reference ? 0 : tone)));
  let i = drawing.lines.length;
  return children.map((shape) => {
    if (!String(shape.is.class).startsWith("line")) return shape;
    i--;
    const rank = ranks[i]!;
    return drawing.lines[i]!.reference || rank === 0
      ? shape
      : { ...shape, is: { ...shape.is, "stroke-dasharray": further[rank % further.length]! } };
  });
}

/** How many of the same went before each. */
export function ranksOf(tones: readonly number[]): number[] {
  const seen = new Map<number, number>();
  return tones.map((tone) => {
    const rank = seen.get(tone) ?? 0;
    seen.set(tone, rank + 1);
    return rank;
  });
}

/** The dashes of a line in a list, as the plot draws it; undefined: its colour's own. */
export const dashOf = (rank: number): string | undefined =>
  rank === 0 ? undefined : further[rank % further.length];

/** What a line says at a stop, marked where it is not certified. */
export const reading = (line: Line, drawing: Drawing, stop: number): string =>
  `${line.rough ? "≈ " : ""}${drawing.read(line, stop).text}`;

/** What the picture shows, and between which data sets, in a few sentences. */
export function sentence(picture: Picture, drawing: Drawing): string {
  const text = said(picture, drawing);
  return text === "" ? "Nothing is drawn." : `${text} ${between(picture.state.shared.adjacency)}`;
}

function said(picture: Picture, drawing: Drawing): string {
  const { state, lines } = picture;
  const drawn = lines.filter(({ priced, y, problem }) => !problem && (priced ?? y));
  if (drawn.length === 0) return "";
  const at = readableBound(state.delta);
  const value = (line: Line) => reading(line, drawing, drawing.home);
  const list = (of: (line: Line) => string) =>
    drawn
      .map((line) => {
        const estimate = kindOf(line.kind).estimate ? " (an estimate, not a bound)" : "";
        return `${line.name} ${of(line)}${estimate}`;
      })
      .join("; ");
  switch (state.view) {
    case "delta":
    case "epsilon":
      return `ε at δ = ${at}: ${list(({ priced, floor, rough }) => (Number.isFinite(priced!.epsilonAtDelta) ? `${rough ? "≈ " : ""}${(floor ? figure : figureBound)(priced!.epsilonAtDelta)}` : "none"))}. Lower lines are better guarantees.`;
    case "rdp":
      return `Rényi divergence at order ${drawing.at(drawing.home).slice(4)}: ${list(value)}. Lower lines are better guarantees.`;
    case "tradeoff":
      return `At 5 % false alarms an attacker misses at least: ${list(value)}. Higher lines are better guarantees; the thin diagonal is guessing.`;
    case "sweep":
      return `At ${drawing.at(drawing.home)}, ${state.budget === null ? `ε at δ = ${at}` : "the noise as a multiple of one Gaussian mechanism’s"}: ${list(value)}.${state.curves.some((one) => !one.hidden && !sweeps(state, one)) ? " Lines that do not depend on it are level." : ""}`;
  }
}

/** Marks of a read-out on the lines. */
export const dotsAt = (
  picture: Picture,
  drawing: Drawing,
  stop: number,
): { readonly y: number; readonly tone: number }[] =>
  picture.lines
    .flatMap((line) => (line.floor ? [] : [{ y: drawing.read(line, stop).y, tone: line.tone }]))
    .filter(({ y }) => Number.isFinite(y));
