// What a picture of the explorer consists of, as values.

import type { Priced } from "../../curves/pricing.ts";
import type { Crossing } from "./crossings.ts";
import type { KindName } from "./mechanisms.ts";
import type { ParameterName, Values } from "./parameters.ts";
import type { Budget } from "./price.ts";
import { type CurveState, freeOf, type State } from "./state.ts";

/** One curve of the picture. */
export interface Line {
  /** Its place in the state’s list. */
  readonly at: number;
  readonly kind: KindName;
  readonly name: string;
  readonly tone: number;
  readonly floor: boolean;
  readonly values: Values;
  /** What the budget has fixed. */
  readonly solved?: ParameterName;
  readonly priced?: Priced;
  /**
   * Along the picture’s `along`: Rényi divergences, or what the view of a parameter shows. NaN
   * where there is nothing.
   */
  readonly y?: readonly number[];
  /** Not certified, or not yet. */
  readonly rough: boolean;
  /** Why nothing is drawn, for people. */
  readonly problem?: string;
}

export interface Picture {
  readonly state: State;
  readonly lines: readonly Line[];
  /** The axis of ε. */
  readonly epsilon: readonly [number, number];
  readonly log: boolean;
  readonly logFloor: number;
  /** Orders, or values of the parameter, that `y` belongs to. */
  readonly along: readonly number[];
  /** Everything that can be certified is. */
  readonly settled: boolean;
  /** Where lines cross, meet or part; undefined while that is being looked for. */
  readonly places: readonly Place[] | undefined;
  /** σ of the Gaussian mechanism under the budget: the least noise there is. */
  readonly least: number;
}

/** One place where the order of some lines changes: those of `lower` against those of `upper`. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly kind: Crossing["kind"];
  /** Smaller before it (of `part`: after it). */
  readonly lower: readonly Line[];
  readonly upper: readonly Line[];
}

/** How narrow certified intervals are: under a budget as narrow as the calibration that met it. */
export const accuracyOf = (state: Pick<State, "budget">): number | undefined =>
  state.budget === null ? undefined : 1e-4;

/** The budget as it touches one curve of a state. */
export const budgetOf = (state: State, one: CurveState, least: number): Budget | undefined =>
  state.budget === null ? undefined : { epsilon: state.budget, free: freeOf(state, one), least };
