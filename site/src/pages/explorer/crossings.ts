// Finds where two curves cross, meet or part: first on samples, then more closely by asking for
// points in between.

export type Evaluate = (xs: readonly number[]) => Promise<readonly number[]>;

/** `cross`: the first is the smaller before; `meet`, `part`: the two are the same after, before. */
export interface Crossing {
  readonly x: number;
  readonly y: number;
  readonly kind: "cross" | "meet" | "part";
  /** Which is the smaller on the side where they differ: for `cross` before it. */
  readonly smaller: "first" | "second";
}

/** Values nearer to each other than this share of them are the same, where nothing else is said. */
const SAME = 1e-12;

function sign(a: number, b: number, same: number): -1 | 0 | 1 | undefined {
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  if (a === b) return 0;
  if (Math.abs(a - b) <= same * Math.max(Math.abs(a), Math.abs(b))) return 0;
  return a < b ? -1 : 1;
}

export interface Fineness {
  /** The least step of the axis; 0: any place. */
  readonly grain?: number;
  /** Values nearer to each other than this share of them are the same. */
  readonly same?: number;
  /** Points asked for at a time. */
  readonly atOnce?: number;
}

interface Bracket {
  readonly from: number;
  readonly to: number;
  readonly left: -1 | 0 | 1;
  readonly right: -1 | 0 | 1;
}

/**
 * Neighbouring samples between which the order of two curves changes. If they agree at a single
 * point between unequal ones, that is a crossing or a touch; a touch does not count.
 */
export function brackets(
  x: readonly number[],
  a: readonly number[],
  b: readonly number[],
  same = SAME,
): Bracket[] {
  const known = x
    .map((at, i) => ({ at, sign: sign(a[i]!, b[i]!, same) }))
    .filter((one): one is { at: number; sign: -1 | 0 | 1 } => one.sign !== undefined);
  const out: Bracket[] = [];
  for (let i = 1; i < known.length; i++) {
    const [left, right] = [known[i - 1]!, known[i]!];
    if (left.sign === right.sign) continue;
    const next = known[i + 1];
    if (right.sign === 0 && next && next.sign !== 0) {
      if (left.sign !== next.sign)
        out.push({ from: left.at, to: next.at, left: left.sign, right: next.sign });
      i++;
      continue;
    }
    out.push({ from: left.at, to: right.at, left: left.sign, right: right.sign });
  }
  return out;
}

/** Points asked for at a time, where an answer to many costs little more than one to one. */
const MANY = 16;
/** The most parts into which a step of the grid is divided. */
const FINEST = 1e6;

/** Closes in on a bracket until it is narrower than 10⁻⁷ of its place, or as narrow as `grain`. */
export async function closedIn(
  bracket: Bracket,
  first: Evaluate,
  second: Evaluate,
  { grain = 0, same = SAME, atOnce = MANY }: Fineness = {},
): Promise<Crossing | undefined> {
  let { from, to } = bracket;
  const { left } = bracket;
  let y = Number.NaN;
  const finest = (to - from) / FINEST;
  while (
    to - from > finest &&
    to - from > Math.max(grain, 1e-7 * Math.max(Math.abs(from), Math.abs(to)))
  ) {
    let between = Array.from(
      { length: atOnce },
      (_, i) => from + ((to - from) * (i + 1)) / (atOnce + 1),
    );
    if (grain > 0)
      between = [...new Set(between.map((at) => Math.round(at / grain) * grain))].filter(
        (at) => at > from && at < to,
      );
    if (between.length === 0) break;
    const [a, b] = [await first(between), await second(between)];
    let [lower, upper] = [from, to];
    for (let i = 0; i < between.length; i++) {
      const here = sign(a[i]!, b[i]!, same);
      if (here === undefined) return undefined;
      y = a[i]!;
      if (here !== left) {
        upper = between[i]!;
        break;
      }
      lower = between[i]!;
    }
    [from, to] = [lower, upper];
  }
  const kind = bracket.left === 0 ? "part" : bracket.right === 0 ? "meet" : "cross";
  const x = grain === 0 ? (from + to) / 2 : kind === "part" ? from : to;
  return {
    x,
    y,
    kind,
    smaller: (bracket.left === 0 ? bracket.right : bracket.left) < 0 ? "first" : "second",
  };
}

/** All places where two sampled curves change their order. */
export async function crossings(
  x: readonly number[],
  a: readonly number[],
  b: readonly number[],
  first: Evaluate,
  second: Evaluate,
  fineness: Fineness = {},
): Promise<Crossing[]> {
  const out: Crossing[] = [];
  for (const bracket of brackets(x, a, b, fineness.same)) {
    const found = await closedIn(bracket, first, second, fineness);
    if (found) out.push(found);
  }
  return out;
}

export const list = (names: readonly string[]): string =>
  names
    .map((name) => `“${name}”`)
    .reduce(
      (text, name, i) =>
        i === 0 ? name : i === names.length - 1 ? `${text} and ${name}` : `${text}, ${name}`,
      "",
    );

/**
 * A place in words: those that are smaller before it (after it, where they part) against the
 * others. `at` is the place as it is read, of a quantity such as ε.
 */
export function inWords(
  kind: Crossing["kind"],
  lower: readonly string[],
  upper: readonly string[],
  quantity: string,
  at: string,
): string {
  const are = (names: readonly string[]) => (names.length === 1 ? "is" : "are");
  switch (kind) {
    case "cross":
      return `Below ${quantity} = ${at} ${list(lower)} ${are(lower)} the smaller, above it ${list(upper)}.`;
    case "meet":
      return `From ${quantity} = ${at} on, ${list([...upper, ...lower])} are the same; before, ${list(lower)} ${are(lower)} the smaller.`;
    case "part":
      return `Up to ${quantity} = ${at}, ${list([...lower, ...upper])} are the same; after it ${list(lower)} ${are(lower)} the smaller.`;
  }
}
