// The figures of a bought evaluation, with their names. The studio, the verifier and the model
// card each lay them out in their own way.

import type { Figures, Interval } from "../client/types.ts";
import { percent, readable } from "./numbers.ts";

export interface FigureRow {
  readonly name: string;
  readonly estimate: string;
  /** "low to high" */
  readonly range: string;
}

/** One row a figure that there is; the first is how well the model does. */
export function figureRows(figures: Figures): FigureRow[] {
  const root = (i: Interval | undefined): Interval | undefined =>
    i && {
      estimate: Math.sqrt(Math.max(0, i.estimate)),
      low: Math.sqrt(Math.max(0, i.low)),
      high: Math.sqrt(Math.max(0, i.high)),
    };
  const rows: readonly (readonly [string, Interval | undefined, (x: number) => string])[] = [
    ["Predicted right", figures.accuracy, percent],
    ["Variance explained", figures.rSquared, percent],
    ["Log loss, nats", figures.logLoss, readable],
    ["Typical error", root(figures.meanSquaredError), readable],
    ["Records", figures.records, (x) => readable(Math.round(x))],
  ];
  return rows.flatMap(([name, i, write]) =>
    i ? [{ name, estimate: write(i.estimate), range: `${write(i.low)} to ${write(i.high)}` }] : [],
  );
}
