// The parameters of the compared mechanisms: the name, the allowed range and the slider's range
// of each.
//
// Units: no record's gradient is longer than L = 1 and no row longer than R = 1. Only σ/L and
// βR²/λ matter, so any other problem becomes one of these after dividing σ by L and λ by R².

import type { Adjacency } from "../../client/types.ts";

export interface Parameter {
  readonly symbol: string;
  readonly label: string;
  /** What it may be. */
  readonly least: number;
  readonly most: number;
  /** Where its slider runs; by logarithms. */
  readonly from: number;
  readonly to: number;
  readonly whole: boolean;
  /** What it is where nothing is said. */
  readonly standard: number;
}

const parameter = (
  symbol: string,
  label: string,
  [least, most]: readonly [number, number],
  [from, to]: readonly [number, number],
  standard: number,
  whole = false,
): Parameter => ({ symbol, label, least, most, from, to, whole, standard });

export const parameters = {
  sigma: parameter("σ", "σ, the noise", [0.01, 1e5], [0.5, 200], 3.73),
  lambda: parameter("λ", "λ, the regulariser", [1e-6, 1e12], [0.05, 200], 1),
  beta: parameter("β", "β, the loss’s curvature", [1e-6, 1e3], [0.01, 4], 0.25),
  times: parameter("k", "k, how often it is run", [1, 1000], [1, 30], 1, true),
  dimension: parameter("d", "d, the number of coefficients", [1, 10_000], [1, 200], 10, true),
  classes: parameter("K", "K, the number of classes", [2, 4096], [2, 30], 3, true),
  tau: parameter("τ", "τ, the gradient that the solver leaves", [1e-15, 1e3], [1e-6, 1], 0.01),
  out: parameter("σ_out", "σ_out, the noise of the output", [1e-15, 1e6], [1e-4, 10], 0.15),
  noise: parameter("σ", "σ, the noise multiplier of DP-SGD", [0.1, 1e5], [0.5, 50], 1, false),
  rate: parameter("q", "q, the sampling rate", [1e-5, 1], [0.001, 1], 0.01),
  batch: parameter("b", "b, the mean size of a batch", [1, 1e6], [1, 10_000], 256, true),
  records: parameter("n", "n, the number of records", [1, 1e9], [100, 1e6], 20_000, true),
  steps: parameter("T", "T, the number of steps", [1, 20_000], [1, 5000], 1000, true),
  start: parameter("σ₀", "σ₀, the noise of the first step", [0.01, 1e7], [1, 1000], 100),
  condition: parameter("κ", "κ, the loss’s condition number", [1, 1e6], [2, 1000], 100),
  test: parameter("σ_t", "σ_t, the noise of the test", [0.01, 1e6], [1, 1000], 20),
  votes: parameter("σ", "σ, the noise of each count of votes", [0.01, 1e6], [2, 200], 40),
  queries: parameter("T", "T, the number of queries", [1, 100_000], [1, 1000], 200, true),
  order: parameter("α", "α, the order of the votes’ budget", [1.001, 1e6], [2, 200], 29.4),
  spent: parameter("B", "B, the Rényi divergence of the votes", [1e-9, 1e3], [1e-3, 5], 0.0507),
  single: parameter("ε₀", "ε₀, what one vote costs", [1e-4, 50], [0.01, 5], 0.11),
  card: parameter("ε₀", "ε₀, what one card costs", [1e-4, 32], [0.01, 5], 0.1),
  cells: parameter("ε_c", "ε_c, what noisy cells cost", [1e-4, 32], [0.01, 5], 1),
  failure: parameter("δ′", "δ′, how often the test may err", [1e-15, 0.1], [1e-9, 1e-3], 1e-6),
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof parameters;
/** The parameters of a mechanism, and between which data sets it is priced. */
export type Values = Readonly<Record<ParameterName, number>> & { readonly adjacency: Adjacency };

export const parameterNames = Object.keys(parameters) as ParameterName[];

export const standardValues = (): Values =>
  ({
    ...Object.fromEntries(parameterNames.map((name) => [name, parameters[name].standard])),
    adjacency: "add-remove",
  }) as Values;

/** What is wrong with a value; undefined if nothing is. */
export function wrong(name: ParameterName, value: number): string | undefined {
  const { symbol, least, most, whole } = parameters[name];
  if (!Number.isFinite(value)) return `${symbol} must be a number.`;
  if (value < least || value > most) return `${symbol} must lie between ${least} and ${most}.`;
  return whole && !Number.isInteger(value) ? `${symbol} must be a whole number.` : undefined;
}
