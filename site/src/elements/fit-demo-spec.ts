// The settings of a <private-fit-demo>: which made-up points, which learner, which guarantee, and
// what the reader can move.

import type { Adjacency } from "../client/types.ts";
import {
  type Attribute,
  AttributeError,
  choiceOf,
  choicesOf,
  commonAttributes,
  type Get,
  numberOf,
} from "./attributes.ts";
import type { Slider } from "../curves/slider.ts";
import { parseSliders } from "./sliders.ts";

export const methods = [
  "objective-perturbation",
  "output-perturbation",
  "gradient-descent",
] as const;
export type Method = (typeof methods)[number];

/** What the fits depend on. Its numbers can be moved by sliders. */
export interface FitQuestion {
  readonly method: Method;
  readonly adjacency: Adjacency;
  readonly n: number;
  readonly separation: number;
  readonly seed: number;
  readonly epsilon: number;
  readonly delta: number;
  readonly draws: number;
}

export interface FitSpec extends FitQuestion {
  readonly sliders: readonly Slider[];
  readonly downloads: readonly string[];
}

/** Parameters that a slider may move. */
const movable: Readonly<Record<string, string>> = {
  epsilon: "ε",
  n: "Records",
  separation: "Distance of the classes",
  delta: "δ",
};

export const fitDemoAttributes: readonly Attribute[] = [
  {
    name: "adjacency",
    values: "add-remove, replace-one",
    standard: "",
    text: "Which data sets are neighbours. It has no default.",
  },
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
    standard: "epsilon 0.05..10",
    text: "What the reader can move, with ranges: epsilon, n, separation, delta; “none” for nothing.",
  },
  { name: "downloads", values: "svg, png, csv, none", standard: "all", text: "What can be saved." },
  ...commonAttributes.map((one) =>
    one.name === "wasm"
      ? {
          ...one,
          standard: "fit-demo.wasm beside the script",
          text: "Where the learners’ binary is.",
        }
      : one,
  ),
];

/** Reads the attributes. The ranges of n, separation, ε and δ are the learners' to check. */
export function fitSpec(get: Get): FitSpec {
  if (get("adjacency") === null)
    throw new AttributeError(
      "adjacency",
      "is missing: say add-remove or replace-one, for the noise depends on it.",
    );
  const whole = (name: string, standard: number, least: number, most: number): number => {
    const value = numberOf(get, name) ?? standard;
    if (!Number.isInteger(value) || value < least || value > most)
      throw new AttributeError(
        name,
        `is ${value}: it must be a whole number from ${least} to ${most}.`,
      );
    return value;
  };
  const given = get("sliders") ?? "epsilon 0.05..10";
  const sliders = parseSliders(given === "none" ? "" : given).map((slider) => {
    const label = movable[slider.field];
    if (label === undefined)
      throw new AttributeError(
        "sliders",
        `has “${slider.field}”: it may have ${Object.keys(movable).join(", ")}.`,
      );
    return { ...slider, label };
  });
  return {
    method: choiceOf(get, "method", methods, methods[0]),
    adjacency: choiceOf(get, "adjacency", ["add-remove", "replace-one"], "add-remove"),
    n: whole("n", 1000, 10, 20_000),
    separation: numberOf(get, "separation") ?? 2,
    seed: whole("seed", 1, 0, 2 ** 31),
    epsilon: numberOf(get, "epsilon") ?? 1,
    delta: numberOf(get, "delta") ?? 1e-5,
    draws: whole("draws", 20, 1, 100),
    sliders,
    downloads: choicesOf(get, "downloads", ["svg", "png", "csv"], ["svg", "png", "csv"]),
  };
}
