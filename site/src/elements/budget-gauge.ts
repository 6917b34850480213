// What is spent of a budget, as a bar and as a sentence.

import { toneOf } from "../chart/look.ts";
import { between } from "../curves/views.ts";
import { percentBound, readableBound } from "../chart/numbers.ts";
import type { Size } from "../chart/curve.ts";
import { place, type Shape } from "../chart/shape.ts";
import type { BudgetSpec } from "./budget-spec.ts";

/**
 * The bar: all of the budget, and on it each item's share from left to right. If more is spent than
 * the budget affords, no shares are known.
 */
export function gauge(
  { budget: { epsilon } }: BudgetSpec,
  spent: readonly number[] | undefined,
  { width, height }: Size,
): Shape[] {
  const pieces = (spent ?? []).map((to, i): Shape => {
    const from = spent![i - 1] ?? 0;
    return {
      tag: "rect",
      is: {
        class: `piece tone-${toneOf(i)}`,
        x: place((width * from) / epsilon),
        y: 0,
        width: place((width * Math.max(0, to - from)) / epsilon),
        height,
      },
    };
  });
  return [{ tag: "rect", is: { class: "whole", x: 0, y: 0, width, height, rx: 4 } }, ...pieces];
}

export function budgetSentence(
  { budget: { adjacency, epsilon, delta } }: BudgetSpec,
  spent: readonly number[] | undefined,
): string {
  const at = `at δ = ${readableBound(delta)}`;
  if (!spent)
    return `ε = ${readableBound(epsilon)} ${at} could not be promised for all of it. ${between(adjacency)}`;
  const all = spent.at(-1) ?? 0;
  return `ε = ${readableBound(all)} of ${readableBound(epsilon)} is spent ${at}: ${percentBound(Math.min(1, all / epsilon))}. Each event may be chosen after seeing everything released before it. ${between(adjacency)}`;
}
