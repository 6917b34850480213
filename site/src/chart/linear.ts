// A straight line from one range of numbers to another. (d3-scale has one too, and brings a module
// of colours with it: 6 kB to download.)

export interface Linear {
  (x: number): number;
  /** The number that is drawn at a place. */
  invert(at: number): number;
}

/**
 * Takes domain[0] to range[0] and domain[1] to range[1], which may run backwards; the ends of the
 * domain differ.
 */
export function linear(
  [a, b]: readonly [number, number],
  [from, to]: readonly [number, number],
): Linear {
  const slope = (to - from) / (b - a);
  const scale = (x: number) => from + (x - a) * slope;
  return Object.assign(scale, { invert: (at: number) => a + (at - from) / slope });
}
