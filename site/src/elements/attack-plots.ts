// The two plots of an <attack-view>, from a priced curve and a threshold, and what they show in a
// sentence.

import { percentBound } from "../chart/numbers.ts";
import { type Plot, plot, type PlotLine } from "../chart/plot.ts";
import type { Size } from "../chart/curve.ts";
import { place } from "../chart/shape.ts";
import { alarmsAt, cuts, type Ground, lossAt } from "../curves/attack.ts";
import { AttributeError, type Get, numberOf } from "./attributes.ts";
import type { Priced } from "../curves/pricing.ts";
import { missedAtLeast } from "../curves/tradeoff.ts";

/** Places on the scale of outputs. */
const scale: readonly number[] = Array.from({ length: 161 }, (_, i) => -4 + i * 0.06);

/** Where the scale begins and ends. */
export const [first, last] = [scale[0]!, scale.at(-1)!];

/** A place moved onto the scale. */
export const within = (x: number): number => Math.max(first, Math.min(last, x));

/** The attribute “false-alarms”. */
export function falseAlarms(get: Get): number {
  const alarms = numberOf(get, "false-alarms") ?? 0.05;
  if (!(alarms > 0 && alarms < 1))
    throw new AttributeError(
      "false-alarms",
      `is ${alarms}: it must lie between 0 and 1, such as 0.05.`,
    );
  return alarms;
}

export interface AttackPlots {
  /** How outputs are distributed with and without a person, with the threshold. */
  readonly outputs: Plot;
  /** Members found, by false alarms, with the threshold's place. */
  readonly roc: Plot;
  /** Rates at the threshold: of false alarms, and of members found at most. */
  readonly alarms: number;
  readonly found: number;
}

export function attackPlots(
  priced: Priced,
  ground: Ground,
  threshold: number,
  size: Size,
  replaced = false,
): AttackPlots {
  const tests = cuts(priced.epsilon, priced.logDelta);
  const places = tests.map(({ alarms }) => ground.upperQuantile(alarms));
  const alarms = alarmsAt(ground, threshold);
  const found = 1 - missedAtLeast(alarms, priced.epsilon, priced.logDelta);
  const withPerson = (x: number) => ground.density(x) * Math.exp(lossAt(places, tests, x));
  const both = scale.map(withPerson);
  const right = [threshold, ...scale.filter((x) => x > threshold)];
  const { rough } = priced;
  const lines: PlotLine[] = [
    { x: scale, y: scale.map(ground.density), tone: 1 },
    { x: scale, y: both, tone: 2, rough },
    { x: right, y: right.map(ground.density), other: right.map(() => 0), tone: 1, filled: true },
    { x: right, y: right.map(withPerson), other: right.map(() => 0), tone: 2, rough, filled: true },
  ];
  // Where each line is at two thirds of its height, on its outer side.
  const left = scale.find((x) => ground.density(x) > 0.66 * ground.density(0)) ?? 0;
  const beyond = Math.min(
    2.4,
    scale.findLast((x) => withPerson(x) > 0.66 * Math.max(...both)) ?? 0,
  );
  const corners = [
    { alarms: 0, found: Math.exp(priced.logDelta.at(-1) ?? -Infinity) },
    ...tests,
    { alarms: 1, found: 1 },
  ];
  const outputs = plot({
    size,
    x: { kind: "linear", domain: [first, last], title: ground.title },
    y: {
      kind: "linear",
      domain: [0, Math.min(1, Math.max(0.45, 1.08 * Math.max(...both)))],
      title: "how likely",
    },
    lines,
    beside: [
      {
        x: left,
        y: ground.density(left),
        text: replaced ? "one" : "without",
        anchor: "end",
        tone: 1,
      },
      {
        x: beyond,
        y: withPerson(beyond),
        text: replaced ? "other" : "with",
        anchor: "start",
        tone: 2,
      },
    ],
  });
  const at = place(outputs.x.scale(threshold));
  return {
    outputs: {
      ...outputs,
      shapes: [
        ...outputs.shapes,
        {
          tag: "line",
          is: { class: "cursor", x1: at, x2: at, y1: outputs.frame.top, y2: outputs.frame.bottom },
        },
      ],
    },
    roc: plot({
      size,
      x: { kind: "linear", domain: [0, 1], title: "false alarms" },
      y: {
        kind: "linear",
        domain: [0, 1],
        title: replaced ? "hits, at most" : "members found, at most",
      },
      lines: [
        { x: corners.map((one) => one.alarms), y: corners.map((one) => one.found), tone: 1, rough },
        { x: [0, 1], y: [0, 1], tone: 0, reference: true },
      ],
      mark: { x: alarms, y: found },
    }),
    alarms,
    found,
  };
}

export function attackSentence(
  label: string,
  { logDelta, rough }: Priced,
  replaced = false,
): string {
  const advantage = Math.exp(logDelta[0] ?? Number.NaN);
  const about = rough ? "about" : "at most";
  return `${label}: whoever has to guess ${replaced ? "which of two records" : "whether a person"} is in the data is right ${about} ${percentBound((1 + advantage) / 2)} of the time. Blind guessing is right half of the time; the difference between ${replaced ? "hits" : "members found"} and false alarms is ${about} ${percentBound(advantage)}, whatever the attacker knows.`;
}
