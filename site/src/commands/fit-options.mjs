// The options of `cloister fit`, and what is asked for by them. What cannot be is refused before
// anything is read or paid for.

import { exitCodes, numberOption, Stop } from "./headless.mjs";

/** As readOptions takes them. */
export const options = {
  data: { type: "string", multiple: true },
  header: { type: "string" },
  names: { type: "string" },
  delimiter: { type: "string" },
  schema: { type: "string" },
  epsilon: { type: "string" },
  delta: { type: "string" },
  norm: { type: "string" },
  bound: { type: "string" },
  adjacency: { type: "string", default: "add-remove" },
  loss: { type: "string" },
  "huber-width": { type: "string" },
  shift: { type: "string" },
  "positive-weight": { type: "string" },
  method: { type: "string" },
  records: { type: "string" },
  rarer: { type: "string" },
  choose: { type: "string" },
  among: { type: "string" },
  evaluate: { type: "string", multiple: true },
  "evaluate-epsilon": { type: "string" },
  "evaluate-bins": { type: "string" },
  chosen: { type: "string" },
  look: { type: "string" },
  report: { type: "string" },
  "report-epsilon": { type: "string" },
  "label-type": { type: "string" },
  lambda: { type: "string" },
  radius: { type: "string" },
  clip: { type: "string" },
  json: { type: "boolean" },
  output: { type: "string" },
  quiet: { type: "boolean" },
  "suggest-schema": { type: "boolean" },
  label: { type: "string" },
  positive: { type: "string", multiple: true },
};

/** The options that were given, of those named. */
export function pick(values, ...names) {
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}

/** The request for a fit, but for the schema. */
export function parameters(values) {
  const request = { adjacency: values.adjacency };
  for (const name of ["epsilon", "delta", "lambda", "radius", "clip", "records", "shift"]) {
    const number = numberOption(values, name);
    if (number !== undefined) request[name] = number;
  }
  for (const name of ["bound", "loss", "method"])
    if (values[name] !== undefined) request[name] = values[name];
  const width = numberOption(values, "huber-width");
  if (width !== undefined) request.huberWidth = width;
  const weight = numberOption(values, "positive-weight");
  if (weight !== undefined) {
    request.positiveWeight = weight;
    request.loss ??= "weighted-logistic";
  }
  return request;
}

/** How the model is to be evaluated; undefined if it is not. */
export function evaluation(values) {
  if (values.evaluate === undefined) {
    const stray = ["evaluate-epsilon", "evaluate-bins"].find((name) => values[name] !== undefined);
    if (stray) throw new Stop(exitCodes.usage, `--${stray} needs --evaluate FILE. See --help.`);
    return undefined;
  }
  const epsilon = numberOption(values, "evaluate-epsilon");
  if (epsilon === undefined)
    throw new Stop(
      exitCodes.usage,
      "--evaluate-epsilon is missing: what the evaluation costs is yours to choose. See --help.",
    );
  const bins = numberOption(values, "evaluate-bins");
  // A fit is paid for before the evaluation, so what cannot be one is refused before both.
  if (!(epsilon > 0 && epsilon < Infinity))
    throw new Stop(
      exitCodes.refused,
      `--evaluate-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`,
    );
  if (bins !== undefined && !(Number.isInteger(bins) && bins >= 1 && bins <= 1000))
    throw new Stop(
      exitCodes.refused,
      `--evaluate-bins: bins is ${bins}, and must be a whole number from 1 to 1000. Nothing was fitted.`,
    );
  return {
    adjacency: values.adjacency,
    epsilon,
    ...(bins !== undefined && { bins }),
  };
}

/**
 * What is said, before anybody looks, of every model of these records: "all" are published, or
 * "none"; undefined for nothing, and nothing is looked at.
 */
export function pledge(values) {
  const { look } = values;
  if (look === undefined) return undefined;
  if (look !== "all" && look !== "none")
    throw new Stop(
      exitCodes.usage,
      `--look is ${JSON.stringify(look)}: it must be "all" (every model of these records is published) or "none" (none of them is). See --help.`,
    );
  if (values.quiet)
    throw new Stop(
      exitCodes.usage,
      "--look shows what --quiet keeps from being shown: leave one of them out.",
    );
  if (values.chosen === "paid-figures")
    throw new Stop(
      exitCodes.usage,
      "--look shows figures that nobody paid for, and --chosen paid-figures says that none was seen: leave one of them out.",
    );
  const published =
    look === "none" &&
    ["output", "json", "report", "chosen"].find((name) => values[name] !== undefined);
  if (published)
    throw new Stop(
      exitCodes.usage,
      `--look none says that no model of these records is published, so there is nothing for --${published} to do: leave one of them out.`,
    );
  return look;
}

/**
 * How the release is to say that its model was chosen; undefined for nothing. A fit is paid for
 * before it is said, so what cannot be is refused before.
 */
export function choice({ chosen, choose }, look) {
  if (choose !== undefined) return undefined; // the release says so by itself
  if (chosen === undefined) return look === "all" ? "all-published" : undefined;
  if (["only-model", "all-published", "paid-figures"].includes(chosen)) return chosen;
  throw new Stop(
    exitCodes.refused,
    `--chosen is ${JSON.stringify(chosen)}, and must be "only-model", "all-published" or "paid-figures". Nothing was fitted.`,
  );
}

/** What privacy report is to be made; undefined for none. */
export function reporting(values) {
  if (values.report === undefined) {
    if (values["report-epsilon"] !== undefined)
      throw new Stop(exitCodes.usage, "--report-epsilon needs --report FILE. See --help.");
    return undefined;
  }
  const epsilon = numberOption(values, "report-epsilon");
  if (epsilon === undefined) return { kind: "data-independent" };
  if (!(epsilon > 0 && epsilon < Infinity))
    throw new Stop(
      exitCodes.refused,
      `--report-epsilon: epsilon is ${epsilon}, and must be a finite number above 0. Nothing was fitted.`,
    );
  return {
    kind: "data-dependent",
    epsilon,
    delta: numberOption(values, "delta"),
    errors: true,
  };
}
