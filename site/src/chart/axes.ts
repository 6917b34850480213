// Axes of the privacy curve: ε on a linear axis, log₁₀ δ on another. δ itself is never formed, so
// that 10⁻⁴⁰⁰ can be drawn.

import { range, ticks, tickStep } from "d3-array";
import { format, precisionFixed } from "d3-format";

import { type Linear, linear } from "./linear.ts";
import { powerOfTen } from "./numbers.ts";

export interface Tick {
  readonly value: number;
  readonly at: number;
  readonly label: string;
}

export interface Axis {
  readonly domain: readonly [number, number];
  readonly scale: Linear;
  readonly ticks: readonly Tick[];
}

/**
 * A linear ε axis from domain[0] to domain[1] onto pixels, with ticks at round numbers about every
 * 72 pixels.
 */
export function epsilonAxis(
  domain: readonly [number, number],
  pixels: readonly [number, number],
): Axis {
  const scale = linear(domain, pixels);
  const wanted = Math.max(2, Math.round(Math.abs(pixels[1] - pixels[0]) / 72));
  const label = format(`,.${precisionFixed(tickStep(domain[0], domain[1], wanted))}f`);
  return {
    domain,
    scale,
    ticks: ticks(domain[0], domain[1], wanted).map((value) => ({
      value,
      at: scale(value),
      label: label(value).replace("-", "−"),
    })),
  };
}

/**
 * An axis for log₁₀ of a probability, with ticks at whole powers of ten, thinned to about one every
 * 34 pixels.
 */
export function logDeltaAxis(
  domain: readonly [number, number],
  pixels: readonly [number, number],
): Axis {
  const scale = linear(domain, pixels);
  const [low, high] = domain;
  const room = Math.max(2, Math.floor(Math.abs(pixels[1] - pixels[0]) / 34));
  const step = Math.max(1, Math.ceil((high - low) / room));
  const rounded = step <= 2 ? step : step <= 5 ? 5 : Math.ceil(step / 10) * 10;
  const values: number[] = [];
  for (let v = Math.floor(high / rounded) * rounded; v >= low - 1e-9; v -= rounded)
    values.push(v === 0 ? 0 : v);
  return {
    domain,
    scale,
    ticks: values.map((value) => ({ value, at: scale(value), label: powerOfTen(value) })),
  };
}

/**
 * Values of ε at which curves are evaluated: evenly spaced on [0, end] at a round step, with
 * `promised` among them, so that the read-out can stand exactly on the promised ε.
 */
export function epsilonGrid(end: number, promised: number, points: number): number[] {
  const step = tickStep(0, end, points);
  const grid = range(0, end + step / 2, step).filter((x) => x <= end * (1 + 1e-12));
  if (promised > 0 && promised <= end && !grid.some((x) => Math.abs(x - promised) < step * 1e-6)) {
    grid.push(promised);
    grid.sort((a, b) => a - b);
  } else {
    return grid.map((x) => (Math.abs(x - promised) < step * 1e-6 ? promised : x));
  }
  return grid;
}
