// What a <worst-data> asks the accountant: the worst case of one fit at an ε and a λ, and what
// noise each proof asks for. The noise is that of one Gaussian mechanism which keeps (ε, 10⁻⁵), and
// λ is a share of λ₀, from which on a fit costs no more than that mechanism.

import { CloisterError } from "../client/error.ts";
import type { Bound, PrivacyEvent, WorstResult } from "../client/types.ts";
import type { Accountant, AskOptions } from "../curves/accountant.ts";
import { type Attribute, commonAttributes, type Get, numberOf } from "./attributes.ts";

export const delta = 1e-5;

export const worstAttributes: readonly Attribute[] = [
  { name: "epsilon", values: "0.1 to 8", standard: "1", text: "ε, at first." },
  { name: "share", values: "0.2 to 1.3", standard: "0.5", text: "λ as a share of λ₀, at first." },
  ...commonAttributes.filter(({ name }) => name !== "state"),
];

/** What is asked: where the sliders stand. */
export interface Asked {
  readonly epsilon: number;
  readonly share: number;
}

/** What the author asks at first. */
export const askedOf = (get: Get): Asked => ({
  epsilon: numberOf(get, "epsilon") ?? 1,
  share: numberOf(get, "share") ?? 0.5,
});

/** From the oldest proof to what no proof can promise less than. */
export const proofs = [
  { bound: "kifer", name: "Kifer, Smith & Thakurta 2012", tone: 3 },
  { bound: "profile", name: "Redberg, Koskela & Wang 2023", tone: 4 },
  { bound: "logistic", name: "Theorem 3", tone: 2 },
  { bound: "control", name: "the control problem, V", tone: 1 },
] as const satisfies readonly { bound: Bound; name: string; tone: number }[];
export type Proof = (typeof proofs)[number]["bound"];

export type WorstAccountant = Pick<Accountant, "account" | "solve" | "worst">;

/** What depends on ε alone. */
export interface Ground {
  readonly epsilon: number;
  /** Noise of one Gaussian mechanism of sensitivity 1 that keeps (ε, δ). */
  readonly sigma: number;
  /** λ₀ at this noise. */
  readonly freeLambda: number;
}

/** One λ, at the ground's noise. */
export interface Point {
  readonly share: number;
  readonly worst: WorstResult;
  /** log δ of each proof; absent where it says nothing of this λ. */
  readonly logDelta: Readonly<Partial<Record<Proof, number>>>;
}

/** Noise over the ground's that a proof asks for (ε, δ); undefined where none will do. */
export type Multiples = Readonly<Record<Proof, number | undefined>>;

/** A fit of the logistic loss, rows of length 1 at most. */
const fit = (lambda: number, sigma: number): PrivacyEvent => ({
  mechanism: "objective-perturbation",
  adjacency: "add-remove",
  loss: "logistic",
  row_norm: 1,
  lipschitz: 1,
  smoothness: 0.25,
  lambda,
  sigma,
});

export async function groundOf(
  accountant: WorstAccountant,
  epsilon: number,
  options: AskOptions = {},
): Promise<Ground> {
  const event = { mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1 } as PrivacyEvent;
  const { value: sigma } = await accountant.solve(
    { event, parameter: "sigma", epsilon, delta },
    options,
  );
  const { freeLambda } = await accountant.worst({ event: fit(1, sigma), epsilon }, options);
  return { epsilon, sigma, freeLambda: freeLambda! };
}

export async function pointAt(
  accountant: WorstAccountant,
  { epsilon, sigma, freeLambda }: Ground,
  share: number,
  options: AskOptions = {},
): Promise<Point> {
  const event = fit(share * freeLambda, sigma);
  const worst = await accountant.worst({ event, epsilon }, options);
  const { curve, comparisons = [] } = await accountant.account(
    { event, bound: "logistic", curve: [epsilon], compare: ["profile", "kifer"] },
    options,
  );
  const named = comparisons.map((one) => [one.name, one.logDelta[0]]);
  return {
    share,
    worst,
    logDelta: {
      ...Object.fromEntries(named),
      logistic: curve!.logDelta[0]!,
      control: worst.logDelta,
    },
  };
}

export async function multiplesAt(
  accountant: WorstAccountant,
  { epsilon, sigma, freeLambda }: Ground,
  share: number,
  options: AskOptions = {},
): Promise<Multiples> {
  const found: Partial<Record<Proof, number | undefined>> = {};
  for (const { bound } of proofs) {
    const event = fit(share * freeLambda, sigma);
    try {
      const asked = { event, parameter: "sigma", epsilon, delta, bound };
      found[bound] = (await accountant.solve(asked, options)).value / sigma;
    } catch (error) {
      // No noise is enough at this λ, or the proof says nothing of it.
      if (!(error instanceof CloisterError && error.code === "parameter")) throw error;
      found[bound] = undefined;
    }
  }
  return found as Multiples;
}

/** The shares of λ₀ at which the noise is drawn: closer together where the lines bend. */
export const shares: readonly number[] = [
  ...Array.from({ length: 16 }, (_, i) => 0.2 + 0.02 * i),
  ...Array.from({ length: 9 }, (_, i) => 0.52 + 0.04 * i),
  ...Array.from({ length: 5 }, (_, i) => 0.9 + 0.1 * i),
];
