// The budget as it is typed, and read back.

import type { Bound } from "../../../client/types.ts";
import type { FieldError } from "../draft/check.ts";
import { parseNumber } from "../draft/number.ts";

export interface BudgetDraft {
  readonly epsilon: string;
  readonly delta: string;
  readonly bound: Bound;
  /** B, a public guess of the coefficients' length; empty for the core's own. */
  readonly radius: string;
}

export interface Budget {
  readonly epsilon: number;
  readonly delta: number;
  readonly bound: Bound;
  readonly radius?: number;
}

export const firstBudget: BudgetDraft = { epsilon: "1", delta: "1e-5", bound: "auto", radius: "" };

/** The largest ε that the page's slider reaches; larger ones can be typed. */
const sliderEpsilon = { low: 0.05, high: 10 } as const;

/** The budget, or what is wrong with it. */
export function checkBudget(draft: BudgetDraft): {
  readonly budget: Budget | null;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const epsilon = parseNumber(draft.epsilon);
  if (epsilon === null || epsilon <= 0) {
    errors.push({
      field: "epsilon",
      message: `${shown(draft.epsilon)} cannot be a budget. Enter a finite number above 0, such as 1.`,
    });
  }
  const delta = parseNumber(draft.delta);
  if (delta === null || delta <= 0 || delta >= 1) {
    errors.push({
      field: "delta",
      message: `${shown(draft.delta)} cannot be δ. Enter a number above 0 and below 1, such as 0.00001 or 1e-5.`,
    });
  }
  const radius = draft.radius.trim() === "" ? undefined : parseNumber(draft.radius);
  if (radius === null || (radius !== undefined && radius <= 0)) {
    errors.push({
      field: "radius",
      message: `${shown(draft.radius)} cannot be a length. Enter a finite number above 0, or leave the field empty.`,
    });
  }
  if (errors.length > 0) return { budget: null, errors };
  return {
    budget: {
      epsilon: epsilon!,
      delta: delta!,
      bound: draft.bound,
      ...(typeof radius === "number" && { radius }),
    },
    errors,
  };
}

function shown(text: string): string {
  return text.trim() === "" ? "An empty field" : `“${text.trim()}”`;
}

const steps = 200;

/** Where ε stands on the slider's logarithmic scale, 0 to 200. */
export function sliderPosition(epsilon: number): number {
  const { low, high } = sliderEpsilon;
  const t = Math.log(epsilon / low) / Math.log(high / low);
  return Math.round(Math.min(1, Math.max(0, t)) * steps);
}

/**
 * The inverse of {@link sliderPosition}, rounded to three significant digits: to two, neighbouring
 * positions would fall together and arrow keys be stuck.
 */
export function sliderValue(position: number): number {
  const { low, high } = sliderEpsilon;
  return Number((low * (high / low) ** (position / steps)).toPrecision(3));
}
