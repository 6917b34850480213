// A small seeded generator (sfc32, by Chris Doty-Humphrey, public domain) for the made-up tables
// and nothing else: the noise that protects people comes from the machine's secure random bits, in
// the core.

export interface Seeded {
  /** Uniform on [0, 1), 32 bits. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** True with the probability that has these log odds. */
  chance(odds: number): boolean;
  /** One of the weighted choices. */
  pick<T>(choices: readonly (readonly [T, number])[]): T;
}

/**
 * The same seed gives the same numbers in every browser: integer arithmetic, and square roots,
 * logarithms and cosines whose last bits are rounded away by the caller.
 */
export function seeded(seed: number): Seeded {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let d = 1;
  const next = () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 0x100000000;
  };
  for (let i = 0; i < 20; i++) next();
  return {
    uniform: next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (odds) => next() < 1 / (1 + Math.exp(-odds)),
    pick(choices) {
      let total = 0;
      for (const [, weight] of choices) total += weight;
      let left = next() * total;
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices[choices.length - 1]![0];
    },
  };
}
