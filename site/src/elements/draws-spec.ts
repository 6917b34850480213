// The settings that elements share that draw a learner's noise many times.

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

/** What every question has. */
export interface DrawsQuestion {
  readonly adjacency: Adjacency;
  readonly n: number;
  readonly seed: number;
  readonly epsilon: number;
  readonly draws: number;
}

/** What the reader can do with it. */
export interface DrawsSettings {
  readonly sliders: readonly Slider[];
  readonly downloads: readonly string[];
}

export const adjacencyAttribute: Attribute = {
  name: "adjacency",
  values: "add-remove, replace-one",
  standard: "",
  text: "Which data sets are neighbours. It has no default.",
};

/** The last rows of the tables of attributes. */
export const lastAttributes: readonly Attribute[] = [
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

/** What stands for numbers that are left out. */
export interface Standards {
  readonly n: number;
  readonly leastN: number;
  readonly epsilon: number;
  readonly draws: number;
  readonly sliders: string;
  /** The parameters that a slider may move, with their names for people. */
  readonly movable: Readonly<Record<string, string>>;
}

/** Reads the attributes. The range of ε is the learner's to check. */
export function drawsSpec(get: Get, standard: Standards): DrawsQuestion & DrawsSettings {
  if (get("adjacency") === null)
    throw new AttributeError(
      "adjacency",
      "is missing: say add-remove or replace-one, for the noise depends on it.",
    );
  const whole = (name: string, otherwise: number, least: number, most: number): number => {
    const value = numberOf(get, name) ?? otherwise;
    if (!Number.isInteger(value) || value < least || value > most)
      throw new AttributeError(
        name,
        `is ${value}: it must be a whole number from ${least} to ${most}.`,
      );
    return value;
  };
  const given = get("sliders") ?? standard.sliders;
  const sliders = parseSliders(given === "none" ? "" : given).map((slider) => {
    const label = standard.movable[slider.field];
    if (label === undefined)
      throw new AttributeError(
        "sliders",
        `has “${slider.field}”: it may have ${Object.keys(standard.movable).join(", ")}.`,
      );
    return { ...slider, label };
  });
  return {
    adjacency: choiceOf(get, "adjacency", ["add-remove", "replace-one"], "add-remove"),
    n: whole("n", standard.n, standard.leastN, 20_000),
    seed: whole("seed", 1, 0, 2 ** 31),
    epsilon: numberOf(get, "epsilon") ?? standard.epsilon,
    draws: whole("draws", standard.draws, 1, 100),
    sliders,
    downloads: choicesOf(get, "downloads", ["svg", "png", "csv"], ["svg", "png", "csv"]),
  };
}
