// The figures of a bought evaluation, with their names. The studio, the verifier and the model
// card each lay them out in their own way.

import type { Figures, Interval, Label } from "../client/types.ts";
import { percent, readable } from "./numbers.ts";

export interface FigureRow {
  readonly name: string;
  readonly estimate: string;
  /** "low to high" */
  readonly range: string;
}

/** Of a card, how often each of its answers is right. */
export function answerRows({ table }: Figures, label: Label): FigureRow[] {
  const [no, yes] = table.map(({ outcome }) => outcome);
  if (!no || !yes) return [];
  const rightNo = { estimate: 1 - no.estimate, low: 1 - no.high, high: 1 - no.low };
  return [
    row(`Right where it says “${label.positive[0]}”`, yes, percent),
    row(`Right where it says “${label.negative[0]}”`, rightNo, percent),
  ];
}

const row = (name: string, i: Interval, write: (x: number) => string): FigureRow => ({
  name,
  estimate: write(i.estimate),
  range: `${write(i.low)} to ${write(i.high)}`,
});

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
  return rows.flatMap(([name, i, write]) => (i ? [row(name, i, write)] : []));
}
