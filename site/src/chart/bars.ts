// Bars for signed coefficients around a common zero.

import { linear } from "./linear.ts";

export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly negative: boolean;
}

export interface Bars {
  readonly zero: number;
  readonly bars: readonly Bar[];
}

/**
 * Lays signed values out on [0, width]. When all values have one sign the zero line moves to that
 * side, so that no room is wasted; otherwise zero stands where the largest values of either sign
 * both fit. Every bar is at least half a unit wide, so even a small value is visible.
 */
export function signedBars(values: readonly number[], width: number): Bars {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const scale = linear(low === high ? [0, 1] : [low, high], [0, width]);
  const zero = scale(0);
  return {
    zero,
    bars: values.map((v) => {
      const to = scale(v);
      const wide = Math.max(v === 0 ? 0 : 0.5, Math.abs(to - zero));
      return { x: v < 0 ? zero - wide : zero, width: wide, negative: v < 0 };
    }),
  };
}
