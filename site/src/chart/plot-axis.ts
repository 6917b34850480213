// Linear and logarithmic axes. A logarithmic axis is laid out in log₁₀ of its quantity, which may
// lie far below the smallest float.

import { ticks, tickStep } from "d3-array";
import { format, precisionFixed } from "d3-format";

import type { Axis, Tick } from "./axes.ts";
import { linear } from "./linear.ts";
import { powerOfTen, readable } from "./numbers.ts";

export interface AxisOptions {
  readonly kind: "linear" | "log";
  /** Of a logarithmic axis: log₁₀ of its ends. */
  readonly domain: readonly [number, number];
  /** What it measures, for people. */
  readonly title: string;
}

export interface PlotAxis extends Axis, AxisOptions {}

/** Lays an axis out on pixels, with ticks at round values about `spacing` pixels apart. */
export function plotAxis(
  options: AxisOptions,
  pixels: readonly [number, number],
  spacing: number,
): PlotAxis {
  const scale = linear(options.domain, pixels);
  const wanted = Math.max(2, Math.round(Math.abs(pixels[1] - pixels[0]) / spacing));
  const values =
    options.kind === "log" ? logTicks(options.domain, wanted) : linearTicks(options.domain, wanted);
  return {
    ...options,
    scale,
    ticks: values.map(([value, label]): Tick => ({ value, label, at: scale(value) })),
  };
}

type Labelled = readonly [value: number, label: string];

function linearTicks([low, high]: readonly [number, number], wanted: number): Labelled[] {
  const label = format(`,.${precisionFixed(tickStep(low, high, wanted))}f`);
  return ticks(low, high, wanted).map((value) => [value, label(value).replace("-", "−")]);
}

/**
 * Powers of ten, thinned where there are many; with 2 and 5 between them, or on a round grid, where
 * there are few.
 */
function logTicks([low, high]: readonly [number, number], wanted: number): Labelled[] {
  const decades = high - low;
  const step = Math.max(1, Math.ceil(decades / wanted));
  const round = step <= 2 ? step : step <= 5 ? 5 : Math.ceil(step / 10) * 10;
  const out: Labelled[] = [];
  if (decades < 0.7) {
    const even = ticks(10 ** low, 10 ** high, wanted).filter((x) => x > 0);
    return even.map((x) => [Math.log10(x), readable(x)]);
  }
  const parts = decades * 3 <= wanted * 1.5 ? [1, 2, 5] : [1];
  // One notation along one axis.
  const plain = low > -3.5 && high < 4;
  for (let power = Math.floor(low / round) * round; power <= high; power += round) {
    for (const part of parts) {
      const value = power + Math.log10(part);
      if (value < low - 1e-9 || value > high + 1e-9) continue;
      out.push([
        value,
        plain || part !== 1
          ? readable(Number((part * 10 ** power).toPrecision(3)))
          : power === 1
            ? "10"
            : powerOfTen(power),
      ]);
    }
  }
  return out;
}

/**
 * The next number at or above x with at most two significant digits, the second even: where an axis
 * may end.
 */
export function roundedUp(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const unit = 10 ** Math.floor(Math.log10(x)) / 5;
  return Number((Math.ceil(x / unit - 1e-9) * unit).toPrecision(3));
}
