// The settings of a <private-fit-demo>: which made-up points, which learner, which guarantee, and
// what the reader can move.

import { type Attribute, choiceOf, type Get, numberOf } from "./attributes.ts";
import {
  adjacencyAttribute,
  type DrawsQuestion,
  type DrawsSettings,
  drawsSpec,
  lastAttributes,
} from "./draws-spec.ts";

export const methods = [
  "objective-perturbation",
  "output-perturbation",
  "gradient-descent",
] as const;
export type Method = (typeof methods)[number];

/** What the fits depend on. Its numbers can be moved by sliders. */
export interface FitQuestion extends DrawsQuestion {
  readonly method: Method;
  readonly separation: number;
  readonly delta: number;
}

export interface FitSpec extends FitQuestion, DrawsSettings {}

const standard = {
  n: 1000,
  leastN: 10,
  epsilon: 1,
  draws: 20,
  sliders: "epsilon 0.05..10",
  movable: { epsilon: "ε", n: "Records", separation: "Distance of the classes", delta: "δ" },
} as const;

export const fitDemoAttributes: readonly Attribute[] = [
  adjacencyAttribute,
  {
    name: "method",
    values: methods.join(", "),
    standard: methods[0],
    text: "Which learner. The last two take the number of records for public.",
  },
  { name: "epsilon", values: "a number", standard: "1", text: "ε of the guarantee, at first." },
  { name: "delta", values: "0 to 1", standard: "1e-5", text: "δ of the guarantee." },
  { name: "n", values: "10 to 20000", standard: "1000", text: "How many points are made up." },
  {
    name: "separation",
    values: "0 to 10",
    standard: "2",
    text: "How far apart the two classes are, in standard deviations.",
  },
  {
    name: "seed",
    values: "a whole number",
    standard: "1",
    text: "Another one makes other points, and other noise.",
  },
  {
    name: "draws",
    values: "1 to 100",
    standard: "20",
    text: "How often the noise is drawn: as many private lines.",
  },
  {
    name: "sliders",
    values: "epsilon 0.05..10, …",
    standard: standard.sliders,
    text: "What the reader can move, with ranges: epsilon, n, separation, delta; “none” for nothing.",
  },
  ...lastAttributes,
];

/** Reads the attributes. The ranges of separation, ε and δ are the learners' to check. */
export function fitSpec(get: Get): FitSpec {
  return {
    ...drawsSpec(get, standard),
    method: choiceOf(get, "method", methods, methods[0]),
    separation: numberOf(get, "separation") ?? 2,
    delta: numberOf(get, "delta") ?? 1e-5,
  };
}
