// What a <privacy-curve> is asked to draw: its attributes and the JSON inside it, checked.

import type { Bound, ComparisonName, Method, PrivacyEvent } from "../client/types.ts";
import { type Curve, type View, views } from "../curves/curve.ts";
import {
  type Attribute,
  AttributeError,
  choiceOf,
  choicesOf,
  commonAttributes,
  type Get,
  numberOf,
} from "./attributes.ts";
import { pathIn, type Slider } from "../curves/slider.ts";
import { parseSliders, slider } from "./sliders.ts";

export interface CurveSpec {
  readonly curves: readonly Curve[];
  readonly view: View;
  readonly views: readonly View[];
  readonly delta: number;
  readonly sliders: readonly Slider[];
  readonly scale: "auto" | "linear" | "log";
  readonly epsilonMax: number | undefined;
  readonly downloads: readonly string[];
  readonly accuracy: number | undefined;
}

/** A shorter axis has no numbers between its ends to be written. */
const LEAST_AXIS = 1e-15;

const comparisons: readonly ComparisonName[] = [
  "auto",
  "control",
  "logistic",
  "rounded-hinge",
  "softmax",
  "signed",
  "glm",
  "profile",
  "rdp",
  "kifer",
  "gaussian-lower",
];
const mechanisms = [
  "gaussian",
  "laplace",
  "discrete-gaussian",
  "discrete-laplace",
  "randomised-response",
  "pure-dp",
  "zcdp",
  "subsampled-gaussian",
  "objective-perturbation",
  "approximate-minima-perturbation",
] as const;

/** Attributes that are fields of the event, by the same name with _ for -. */
export const fields: readonly Attribute[] = [
  {
    name: "sensitivity",
    values: "a number",
    standard: "",
    text: "Δ: by how much one record changes what the noise is added to.",
  },
  {
    name: "sigma",
    values: "a number",
    standard: "",
    text: "σ: standard deviation of Gaussian noise, in the units of the sensitivity.",
  },
  { name: "scale", values: "a number", standard: "", text: "b: scale of Laplace noise." },
  {
    name: "rate",
    values: "0 to 1",
    standard: "",
    text: "q: probability with which a record is in a step’s sample.",
  },
  {
    name: "noise-multiplier",
    values: "a number",
    standard: "",
    text: "σ of DP-SGD, as a multiple of the clipping threshold.",
  },
  { name: "steps", values: "a whole number", standard: "", text: "Steps of DP-SGD." },
  {
    name: "categories",
    values: "a whole number",
    standard: "",
    text: "Answers that randomised response chooses from.",
  },
  {
    name: "truth",
    values: "0 to 1",
    standard: "",
    text: "Probability with which randomised response tells the truth.",
  },
  { name: "epsilon", values: "a number", standard: "", text: "ε of a pure-dp mechanism." },
  { name: "rho", values: "a number", standard: "", text: "ρ of zero-concentrated privacy." },
  {
    name: "loss",
    values: "logistic, signed, glm, smooth",
    standard: "",
    text: "Loss of an objective perturbation.",
  },
  {
    name: "row-norm",
    values: "a number",
    standard: "",
    text: "R: no row is longer, intercept included.",
  },
  {
    name: "lipschitz",
    values: "a number",
    standard: "",
    text: "L: no record’s gradient is longer.",
  },
  {
    name: "smoothness",
    values: "a number",
    standard: "",
    text: "β: bound on the loss’s second derivative.",
  },
  {
    name: "lambda",
    values: "a number",
    standard: "",
    text: "λ of the regulariser (λ/2)‖θ‖², beside a sum over the records.",
  },
  {
    name: "tau",
    values: "a number",
    standard: "",
    text: "τ: certified bound on the gradient of an approximate minimum.",
  },
  {
    name: "sigma-out",
    values: "a number",
    standard: "",
    text: "Standard deviation of the output noise of an approximate minimum.",
  },
];

/** Attributes that say what was run. */
export const eventAttributes: readonly Attribute[] = [
  {
    name: "mechanism",
    values: mechanisms.join(", "),
    standard: "",
    text: "What was run on the data. Others, and several, are given as JSON inside the element.",
  },
  {
    name: "adjacency",
    values: "add-remove, replace-one",
    standard: "",
    text: "Which data sets are neighbours. It has no default.",
  },
  ...fields,
  {
    name: "count",
    values: "a whole number",
    standard: "1",
    text: "How often the mechanism is run.",
  },
  { name: "label", values: "a text", standard: "the mechanism", text: "Its name." },
];

/** The table of <privacy-curve>’s attributes. */
export const curveAttributes: readonly Attribute[] = [
  ...eventAttributes,
  {
    name: "compare",
    values: comparisons.join(", "),
    standard: "",
    text: "More lines: what other proofs say of the same event.",
  },
  {
    name: "view",
    values: views.join(", "),
    standard: "delta",
    text: "What is drawn first: δ(ε), ε(δ), the Rényi divergence by its order, or the trade-off between an attacker’s errors.",
  },
  {
    name: "views",
    values: `${views.join(", ")}, none`,
    standard: "all",
    text: "What the reader can switch to.",
  },
  { name: "delta", values: "0 to 1", standard: "1e-5", text: "The δ at which ε is marked." },
  {
    name: "epsilon-max",
    values: "a number",
    standard: "chosen",
    text: "Where the axis of ε ends.",
  },
  {
    name: "axis",
    values: "auto, linear, log",
    standard: "auto",
    text: "The axis of ε: logarithmic by itself where the lines lie far apart.",
  },
  {
    name: "sliders",
    values: "sigma 0.5..10, …",
    standard: "",
    text: "Parameters that the reader can move, with their ranges; “log” or “linear” may follow.",
  },
  {
    name: "accuracy",
    values: "1e-5 to 0.1",
    standard: "1e-3",
    text: "Relative width of certified intervals of ε.",
  },
  { name: "downloads", values: "svg, png, csv, none", standard: "all", text: "What can be saved." },
  ...commonAttributes,
];

/**
 * Reads the attributes and the JSON inside. What the accountant checks (ranges of parameters) is
 * left to it.
 */
export function curveSpec(get: Get, json: unknown): CurveSpec {
  const view = choiceOf(get, "view", views, "delta");
  const offered = choicesOf(get, "views", views, views);
  const delta = numberOf(get, "delta") ?? 1e-5;
  if (!(delta > 0 && delta < 1))
    throw new AttributeError("delta", `is ${delta}: it must lie between 0 and 1, such as 1e-5.`);
  const epsilonMax = numberOf(get, "epsilon-max");
  if (epsilonMax !== undefined && !(epsilonMax >= LEAST_AXIS))
    throw new AttributeError("epsilon-max", `must be at least ${LEAST_AXIS}.`);
  const given = json === undefined ? [] : curvesOf(json);
  const own = get("mechanism") === null ? [] : [ownCurve(get)];
  if (own.length + given.length === 0 && json !== undefined)
    throw new AttributeError(
      "the JSON inside",
      "has no curve, and no attribute says what was run: give an event, or the attribute mechanism.",
    );
  if (own.length + given.length === 0)
    throw new AttributeError(
      "mechanism",
      `is missing: give one of ${mechanisms.join(", ")}, or JSON inside the element.`,
    );
  const compared = choicesOf(get, "compare", comparisons, []).map((name) =>
    comparison((own[0] ?? given[0])!, name),
  );
  const sliders = [...parseSliders(get("sliders") ?? ""), ...slidersOf(json)];
  for (const { field } of sliders) {
    if (![...own, ...given].some(({ event }) => pathIn(event, field) !== undefined))
      throw new AttributeError(
        "sliders",
        `has ${field}, which moves nothing: no mechanism here has a number of that name.`,
      );
  }
  return {
    curves: toldApart([...own, ...given, ...compared]),
    view,
    views: offered.includes(view) ? offered : [view, ...offered],
    delta,
    sliders,
    scale: choiceOf(get, "axis", ["auto", "linear", "log"], "auto"),
    epsilonMax,
    downloads: choicesOf(get, "downloads", ["svg", "png", "csv"], ["svg", "png", "csv"]),
    accuracy: numberOf(get, "accuracy"),
  };
}

/** Curves of both kinds of neighbours in one plot say which is which. */
function toldApart(curves: readonly Curve[]): readonly Curve[] {
  const replaced = curves.filter(({ event }) => event.adjacency === "replace-one");
  if (replaced.length === 0 || replaced.length === curves.length) return curves;
  return curves.map((one) =>
    replaced.includes(one) ? { ...one, suffix: ", one record replaced" } : one,
  );
}

function ownCurve(get: Get): Curve {
  const mechanism = choiceOf(get, "mechanism", mechanisms, "gaussian");
  const adjacency = choiceOf(get, "adjacency", ["add-remove", "replace-one"], "add-remove");
  if (get("adjacency") === null)
    throw new AttributeError(
      "adjacency",
      "is missing: say add-remove or replace-one, for the price depends on it.",
    );
  const one: Record<string, unknown> = { mechanism, adjacency };
  for (const { name } of fields) {
    if (get(name) !== null)
      one[name.replaceAll("-", "_")] = name === "loss" ? get(name) : numberOf(get, name);
  }
  const count = numberOf(get, "count");
  const event = (count === undefined
    ? one
    : {
        mechanism: "composition",
        adjacency,
        parts: [{ event: one, count }],
      }) as unknown as PrivacyEvent;
  const label = get("label");
  return { event, label: label ?? "" };
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function curvesOf(json: unknown): Curve[] {
  const where = "the JSON inside";
  const list = Array.isArray(json)
    ? json
    : isTree(json) && Array.isArray(json.curves)
      ? json.curves
      : isTree(json) && "mechanism" in json
        ? [json]
        : undefined;
  if (!list) {
    if (isTree(json) && !("curves" in json) && "sliders" in json) return [];
    throw new AttributeError(
      where,
      'must be an event, a list of them, or {"curves": […], "sliders": […]}.',
    );
  }
  return list.map((item: unknown, i): Curve => {
    const curve = isTree(item) && "mechanism" in item ? { event: item } : item;
    if (!isTree(curve) || !isTree(curve.event))
      throw new AttributeError(`${where}, curves[${i}]`, 'needs an "event".');
    const unknown = Object.keys(curve).find(
      (name) => !["event", "label", "bound", "method", "lowest"].includes(name),
    );
    if (unknown)
      throw new AttributeError(
        `${where}, curves[${i}]`,
        `has “${unknown}”, which is not known: a curve has event, label, bound, method.`,
      );
    return {
      event: curve.event as unknown as PrivacyEvent,
      label: typeof curve.label === "string" ? curve.label : "",
      ...(typeof curve.bound === "string" && { bound: curve.bound as Bound }),
      ...(typeof curve.method === "string" && { method: curve.method as Method }),
    };
  });
}

function slidersOf(json: unknown): Slider[] {
  if (!isTree(json) || json.sliders === undefined) return [];
  if (!Array.isArray(json.sliders))
    throw new AttributeError("the JSON inside, sliders", "must be a list.");
  return json.sliders.map((item: unknown, i) => {
    if (!isTree(item) || typeof item.field !== "string")
      throw new AttributeError(
        `the JSON inside, sliders[${i}]`,
        'needs a "field", "from" and "to".',
      );
    return slider(item.field, Number(item.from), Number(item.to), {
      ...(typeof item.label === "string" && { label: item.label }),
      ...(typeof item.scale === "string" && { scale: item.scale }),
    });
  });
}

const proofs: Readonly<Record<ComparisonName, string>> = {
  auto: "The sharpest proof that applies",
  control: "Cloister, control problem",
  logistic: "Cloister, logistic loss",
  "rounded-hinge": "Cloister, rounded hinge",
  softmax: "Cloister, softmax",
  signed: "Cloister, slope of one sign",
  glm: "Cloister, any linear model",
  profile: "Redberg, Koskela & Wang 2023, Theorem 3.1",
  rdp: "By Rényi divergence",
  kifer: "Kifer, Smith & Thakurta 2012",
  "gaussian-lower": "No proof can go below",
};

function comparison(first: Curve, name: ComparisonName): Curve {
  const { event } = first;
  const label = proofs[name];
  if (name === "gaussian-lower") return { event, label, lowest: true };
  const bounded =
    event.mechanism === "objective-perturbation" ||
    event.mechanism === "approximate-minima-perturbation";
  return name === "rdp" && !bounded
    ? { event, label, method: "rdp" }
    : { event, label, bound: name };
}
