// The settings of a <private-scorecard-demo>: how many made-up patients, which guarantee, and what
// the reader can move.

import type { Attribute, Get } from "./attributes.ts";
import {
  adjacencyAttribute,
  type DrawsQuestion,
  type DrawsSettings,
  drawsSpec,
  lastAttributes,
} from "./draws-spec.ts";

/** What the cards depend on. n and ε can be moved by sliders. */
export type CardQuestion = DrawsQuestion;
export interface CardSpec extends CardQuestion, DrawsSettings {}

const standard = {
  n: 500,
  leastN: 50,
  epsilon: 0.1,
  draws: 50,
  sliders: "epsilon 0.01..3",
  movable: { epsilon: "ε", n: "Patients" },
} as const;

export const cardDemoAttributes: readonly Attribute[] = [
  adjacencyAttribute,
  {
    name: "epsilon",
    values: "a number",
    standard: "0.1",
    text: "ε of the guarantee, at first. Its δ is 0.",
  },
  { name: "n", values: "50 to 20000", standard: "500", text: "How many patients are made up." },
  {
    name: "seed",
    values: "a whole number",
    standard: "1",
    text: "Another one makes other patients, and other noise.",
  },
  {
    name: "draws",
    values: "1 to 100",
    standard: "50",
    text: "How often the noise is drawn: as many private cards.",
  },
  {
    name: "sliders",
    values: "epsilon 0.01..3, …",
    standard: standard.sliders,
    text: "What the reader can move, with ranges: epsilon, n; “none” for nothing.",
  },
  ...lastAttributes,
];

/** Reads the attributes. */
export const cardSpec = (get: Get): CardSpec => drawsSpec(get, standard);
