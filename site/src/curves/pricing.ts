// Asks the accountant for one curve. It requests the certified answer in pieces, so another
// question never waits long.

import type { AccountDescription, AccountResult, RenyiCurve } from "../client/types.ts";
import type { Accountant, AskOptions } from "./accountant.ts";
import type { Curve } from "./curve.ts";

/** What curves are asked of. */
export type Pricer = Pick<Accountant, "account" | "estimate">;

/** What is known of one curve. Logarithms are natural. */
export interface Priced {
  /** Evaluated ε, from 0; the last one is where δ has passed the floor, or the axis ends. */
  readonly epsilon: readonly number[];
  /** Upper bounds on log δ; of a lowest curve, lower bounds; estimates where it is rough. */
  readonly logDelta: readonly number[];
  /** Certified lower ends, where the method has them. */
  readonly logDeltaLower?: readonly number[];
  /** ε at the marked δ, on the same side; Infinity where there is none. */
  readonly epsilonAtDelta: number;
  readonly epsilonLower?: number;
  readonly theorem?: string;
  readonly method?: string;
  readonly rough: boolean;
}

export interface Wanted {
  /** The marked δ. */
  readonly delta: number;
  /** log δ below which nothing is drawn. */
  readonly logFloor: number;
  readonly accuracy: number | undefined;
}

const question = (curve: Curve, accuracy?: number): AccountDescription => ({
  event: curve.event,
  ...(curve.bound && { bound: curve.bound }),
  ...(curve.method && { method: curve.method }),
  ...(accuracy !== undefined &&
    curve.method !== "rdp" &&
    curve.method !== "closed" && { accuracy }),
});

/** ε at the floor: how far the curve has to be drawn. Infinity where it never comes down so far. */
export async function endOf(
  accountant: Pricer,
  curve: Curve,
  wanted: Wanted,
  options: AskOptions,
): Promise<number> {
  const floor = Math.exp(Math.max(wanted.logFloor, -690));
  return (
    (await accountant.account({ ...question(curve, wanted.accuracy), delta: floor }, options))
      .epsilon ?? Infinity
  );
}

/** ε at the marked δ, with its method and theorem. */
export function headOf(
  accountant: Pricer,
  curve: Curve,
  wanted: Wanted,
  options: AskOptions,
): Promise<AccountResult> {
  return accountant.account({ ...question(curve, wanted.accuracy), delta: wanted.delta }, options);
}

/** ε at the marked δ. */
export async function markOf(
  accountant: Pricer,
  curve: Curve,
  wanted: Wanted,
  options: AskOptions,
): Promise<number> {
  return (await headOf(accountant, curve, wanted, options)).epsilon ?? Infinity;
}

/** Points asked for at a time where each is work. */
const PIECE = 24;

/**
 * The certified curve at the points of a grid. A mark that is already known is not computed again.
 */
export async function certified(
  accountant: Pricer,
  curve: Curve,
  grid: readonly number[],
  wanted: Wanted,
  options: AskOptions,
  known?: AccountResult,
): Promise<Priced> {
  const first = question(curve, wanted.accuracy);
  if (curve.lowest) {
    const answer = await accountant.account(
      { ...question({ label: "", event: curve.event }), curve: grid, compare: ["gaussian-lower"] },
      options,
    );
    const line = answer.comparisons?.[0];
    if (!line)
      throw new Error(answer.inapplicable?.[0]?.message ?? "No lower bound is known here.");
    const logDelta = Array.from(line.logDelta);
    return {
      epsilon: grid,
      logDelta,
      epsilonAtDelta: reached(grid, logDelta, Math.log(wanted.delta)),
      theorem: line.theorem,
      rough: false,
    };
  }
  const mark = known ?? (await headOf(accountant, curve, wanted, options));
  const size = mark.method === "pld" ? PIECE : grid.length;
  const logDelta: number[] = [];
  const lower: number[] = [];
  for (let from = 0; from < grid.length; from += size) {
    const { curve: piece } = await accountant.account(
      { ...first, curve: grid.slice(from, from + size) },
      options,
    );
    if (!piece) throw new Error("The accountant answered without a curve.");
    logDelta.push(...piece.logDelta);
    lower.push(...(piece.logDeltaLower ?? []));
  }
  return {
    epsilon: grid,
    logDelta,
    ...(lower.length === grid.length && { logDeltaLower: lower }),
    epsilonAtDelta: mark.epsilon ?? Infinity,
    ...(mark.epsilonLower !== undefined && { epsilonLower: mark.epsilonLower }),
    theorem: mark.theorem,
    method: mark.method,
    rough: false,
  };
}

/**
 * From this many samples on, that a record is in on average, the privacy loss is normal enough for
 * saddle points. Measured at rate 0.01 and noise multiplier 1: of 10,000 steps they give δ within 5
 * % down to 10⁻⁸, of 1000 within a factor of six, of 100 or fewer the tail is of another kind
 * altogether.
 */
const MANY = 10;

function sampledRarely({ event }: Curve): boolean {
  const [part] =
    event.mechanism === "composition" && event.parts.length === 1
      ? event.parts
      : [{ event, count: 1 }];
  return (
    part?.event.mechanism === "subsampled-gaussian" &&
    part.event.rate * part.event.steps * part.count < MANY
  );
}

/**
 * A fast answer at the points of a grid, for a frame while a slider moves: by saddle points of the
 * Rényi divergences or, where these are far off, certified but coarse. (The accountant's nearer
 * estimate takes 0.2 to 20 s for such a curve of DP-SGD, and this 15 to 30 ms.)
 */
export async function rough(
  accountant: Pricer,
  curve: Curve,
  grid: readonly number[],
  wanted: Wanted,
  options: AskOptions,
): Promise<Priced> {
  if (sampledRarely(curve)) {
    const { epsilon: mark = Infinity, curve: drawn } = await accountant.account(
      { ...question(curve, 0.1), delta: wanted.delta, curve: grid },
      options,
    );
    if (!drawn) throw new Error("The accountant answered without a curve.");
    return {
      epsilon: grid,
      logDelta: Array.from(drawn.logDelta),
      epsilonAtDelta: mark,
      rough: true,
    };
  }
  const { curve: drawn } = await accountant.estimate(
    { event: curve.event, ...(curve.bound && { bound: curve.bound }), method: "rdp", curve: grid },
    options,
  );
  if (!drawn) throw new Error("The accountant answered without a curve.");
  const logDelta = Array.from(drawn.estimatedLogDelta, (log) =>
    log === Infinity ? Number.NaN : log,
  );
  return {
    epsilon: grid,
    logDelta,
    epsilonAtDelta: reached(grid, logDelta, Math.log(wanted.delta)),
    rough: true,
  };
}

/** Orders at which the Rényi view is drawn. */
export const orders: readonly number[] = Array.from(
  { length: 121 },
  (_, i) => 10 ** (0.02 + (2.68 * i) / 120),
);

export async function divergences(
  accountant: Pricer,
  curve: Curve,
  options: AskOptions,
): Promise<RenyiCurve | undefined> {
  if (curve.lowest) return undefined;
  return (
    await accountant.account(
      {
        event: curve.event,
        ...(curve.bound && curve.bound !== "kifer" && { bound: curve.bound }),
        method: "rdp",
        orders,
      },
      options,
    )
  ).renyi;
}

/**
 * Where straight lines between the points of a falling curve reach a height; Infinity if they do
 * not.
 */
function reached(epsilon: readonly number[], logDelta: readonly number[], height: number): number {
  for (let i = 0; i < epsilon.length; i++) {
    const here = logDelta[i]!;
    if (!(here <= height)) continue;
    const before = logDelta[i - 1];
    if (before === undefined || !Number.isFinite(before) || !Number.isFinite(here))
      return epsilon[i]!;
    return (
      epsilon[i - 1]! + ((before - height) / (before - here)) * (epsilon[i]! - epsilon[i - 1]!)
    );
  }
  return Infinity;
}
