import { readable, readableBound, roundedUp } from "../../chart/numbers.ts";
import { type ParameterName, parameters } from "./parameters.ts";

/**
 * A computed number with three significant digits, zeros included, so that two of them can be
 * compared: "1.00", "0.808".
 */
export function figure(x: number): string {
  const size = Math.abs(x);
  return size >= 1e-3 && size < 999.5 ? x.toPrecision(3).replace("-", "−") : readable(x);
}

/** As {@link figure}, and never less than it is: for an ε that is proved. */
export function figureBound(x: number): string {
  const most = roundedUp(x, 3);
  return most >= 1e-3 && most < 999.5 ? most.toPrecision(3) : readableBound(x);
}

/**
 * A parameter that a budget fixes. A noise or a regulariser is rounded up, so the budget is kept by
 * the figure as it is written. A number of steps is whole.
 */
export const byBudget = (name: ParameterName, value: number): string =>
  parameters[name].whole ? readable(value) : figureBound(value);
