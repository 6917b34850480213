// The picture of one or several privacy curves δ(ε), as numbers and path strings. It knows nothing
// of the DOM: the page draws it with Lit, and a script can print the same figure as a static file.

import { bisectCenter } from "d3-array";

import { type Axis, epsilonAxis, logDeltaAxis } from "./axes.ts";

/**
 * One curve: log δ (natural logarithm) at each ε. Entries of +Infinity or NaN are gaps: nothing is
 * drawn there.
 */
export interface Series {
  readonly id: string;
  readonly label: string;
  readonly epsilon: readonly number[];
  readonly logDelta: readonly number[];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface DrawnLine {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  /** Where the line leaves the frame or ends: the place for its name. */
  readonly end: { readonly x: number; readonly y: number } | null;
}

export interface CurveFigure {
  readonly size: Size;
  readonly frame: Frame;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly DrawnLine[];
  readonly promise: { readonly x: number; readonly y: number } | null;
}

export interface CurveOptions {
  readonly size: Size;
  /** The promised (ε, log δ), drawn as a marked point. */
  readonly promise?: { readonly epsilon: number; readonly logDelta: number };
  /** The range of ε shown; by default that of the first series. */
  readonly epsilon?: readonly [number, number];
  /** The lowest log₁₀ δ shown; by default chosen from the curves. */
  readonly floor?: number;
}

const padding: Frame = { left: 52, top: 30, right: 16, bottom: 44 };

/**
 * Lays out the figure. Curves are clipped to the frame where they cross it, not at the nearest
 * sample.
 */
export function curveFigure(series: readonly Series[], options: CurveOptions): CurveFigure {
  const { size } = options;
  const frame = {
    left: padding.left,
    top: padding.top,
    right: Math.max(padding.left + 40, size.width - padding.right),
    bottom: Math.max(padding.top + 40, size.height - padding.bottom),
  };
  const domain = options.epsilon ?? [0, Math.max(...series.flatMap((s) => s.epsilon), 1)];
  const floor = options.floor ?? chooseFloor(series, options.promise?.logDelta);
  const x = epsilonAxis(domain, [frame.left, frame.right]);
  const y = logDeltaAxis([floor, 0], [frame.bottom, frame.top]);
  const lines = series.map((s) => drawLine(s, x, y));
  const p = options.promise;
  const inside =
    p !== undefined &&
    p.epsilon >= domain[0] &&
    p.epsilon <= domain[1] &&
    p.logDelta / Math.LN10 >= floor;
  return {
    size,
    frame,
    x,
    y,
    lines,
    promise: inside ? { x: x.scale(p.epsilon), y: y.scale(p.logDelta / Math.LN10) } : null,
  };
}

/**
 * The lowest power of ten shown: at least three below the promise, and low enough for the curves'
 * ends, but never so low that the promise is pressed into the top third.
 */
export function chooseFloor(series: readonly Series[], promiseLogDelta?: number): number {
  const lowest =
    Math.min(0, ...series.flatMap((s) => s.logDelta.filter(Number.isFinite))) / Math.LN10;
  if (promiseLogDelta === undefined) return Math.max(-30, Math.floor(lowest - 0.5));
  const promise = promiseLogDelta / Math.LN10;
  const near = Math.floor(promise - 3);
  return Math.min(near, Math.max(Math.floor(lowest), Math.floor(promise * 1.8)));
}

function drawLine(s: Series, x: Axis, y: Axis): DrawnLine {
  const points = clip(
    s.epsilon.map((epsilon, i) => ({
      x: x.scale(epsilon),
      y: y.scale((s.logDelta[i] ?? Number.NaN) / Math.LN10),
    })),
    x.scale(x.domain[0]),
    x.scale(x.domain[1]),
    y.scale(y.domain[0]),
  );
  const last = points.findLast((p) => Number.isFinite(p.y));
  return { id: s.id, label: s.label, path: polyline(points), end: last ?? null };
}

/**
 * Path data of straight lines between points, begun anew after a gap. (d3-shape does this too, for
 * 5 kB: its bundle cannot be taken apart.)
 */
function polyline(points: readonly Point[]): string {
  let path = "";
  let pen = "M";
  for (const { x, y } of points) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      pen = "M";
      continue;
    }
    path += `${pen}${Math.round(x * 100) / 100},${Math.round(y * 100) / 100}`;
    pen = "L";
  }
  return path;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const gap: Point = { x: Number.NaN, y: Number.NaN };

/**
 * Keeps the part of a polyline with left ≤ x ≤ right and y ≤ bottom (pixels grow downwards),
 * cutting segments at the border.
 */
function clip(points: readonly Point[], left: number, right: number, bottom: number): Point[] {
  const out: Point[] = [];
  const ok = (p: Point) => Number.isFinite(p.x) && Number.isFinite(p.y);
  const inside = (p: Point) => p.x >= left - 1e-6 && p.x <= right + 1e-6 && p.y <= bottom + 1e-6;
  for (let i = 0; i < points.length; i++) {
    const p = points[i]!;
    const before = points[i - 1];
    if (!ok(p)) {
      if (out.length > 0 && ok(out[out.length - 1]!)) out.push(gap);
      continue;
    }
    if (before !== undefined && ok(before) && inside(before) !== inside(p))
      out.push(crossing(before, p, left, right, bottom));
    if (inside(p)) out.push(p);
    else if (out.length > 0 && ok(out[out.length - 1]!)) out.push(gap);
  }
  return out;
}

function crossing(a: Point, b: Point, left: number, right: number, bottom: number): Point {
  let from = 0;
  let to = 1;
  const narrow = (edge: number, av: number, bv: number, keepBelow: boolean) => {
    if (av === bv) return;
    const t = (edge - av) / (bv - av);
    if (t <= 0 || t >= 1) return;
    if (av < bv === keepBelow) to = Math.min(to, t);
    else from = Math.max(from, t);
  };
  narrow(right, a.x, b.x, true);
  narrow(left, a.x, b.x, false);
  narrow(bottom, a.y, b.y, true);
  const t = from > 0 ? from : to;
  return { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) };
}

/**
 * The index of the ε nearest to pixel column px. Read-outs stand on evaluated points only; nothing
 * is interpolated.
 */
export function nearestIndex(figure: CurveFigure, epsilon: readonly number[], px: number): number {
  return bisectCenter(epsilon as number[], figure.x.scale.invert(px));
}

/**
 * The smallest evaluated ε at which a series is at or below logDelta, or null if it never is. From
 * a curve that is an upper bound, the answer is a safe ε; it overstates by at most one step of the
 * grid.
 */
export function epsilonAt(series: Series, logDelta: number): number | null {
  for (let i = 0; i < series.epsilon.length; i++) {
    if ((series.logDelta[i] ?? Number.NaN) <= logDelta + 1e-12) return series.epsilon[i] ?? null;
  }
  return null;
}
