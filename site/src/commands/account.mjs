// `cloister account`: prices a description of what was run on private data, through the same
// WebAssembly that pages use.

import { readJSON, readText } from "./files.mjs";
import { exitCodes, loadClient, readOptions, Stop, toJSON } from "./headless.mjs";

const help = (name) => `Usage: ${name} DESCRIPTION
       ${name} --file FILE

Prints, as JSON, what an event costs: epsilon for a delta, delta for an epsilon,
a curve; or which parameter a guarantee asks for; or whether a budget affords
one event more. DESCRIPTION is JSON; "-" reads it from standard input.

The field "method" says what is done:

  auto        prices the event by the first of closed, pld and rdp that applies (the
              default; composed Gumbel noisy min: the sharper of pld and rdp)
  closed      by its privacy profile in closed form
  pld         by its privacy loss distribution, between certified ends
  rdp         by its Renyi curve
  estimate    answers in a few milliseconds, without a promise
  check       sets all methods side by side; an error if they contradict
  calibrate   finds one parameter of the event from a guarantee
  filter      says whether a budget affords one event more
  odometer    says what holds at every time at once for what was charged

To price (auto, closed, pld, rdp, estimate, check), beside "event":

  delta     asks for epsilon: the event is (epsilon, delta)-DP
  epsilon   asks for delta
  curve     asks for delta at many epsilons: {"from": 0, "to": 4, "points": 101},
            or a list of epsilons (not for check)
  bound     which proof prices objective perturbation: "auto" (the sharpest that
            applies; the default), "control", "logistic", "rounded-hinge",
            "signed", "glm", "profile", "rdp" or "kifer"
  accuracy  relative width of certified intervals of epsilon, 1e-5 to 0.1
            (default 0.001; for auto, pld, estimate and check)
  compare   list of more curves at the same points: bounds by name, and
            "gaussian-lower", below which no proof can go (not for estimate, check)
  orders    list of Renyi orders to give the curve at (rdp only)

To calibrate, beside "event" and "bound":

  parameter          what is free: "sigma", "scale", "noise_multiplier", "rate",
                     "steps", "lambda", "truth", "epsilon", "rho", "gamma", "mean" or "tau";
                     the same in an inner event ("parts[1].event.sigma",
                     "base.rate"); "parts[0].count"; "noise" or "sigmas", a factor
                     common to all noise that is given
  epsilon, delta     the guarantee

For a filter, "budget": {"adjacency", "epsilon", "delta"}, "charged": a list of
{"event", "count"}, "candidate": one more such, and "mass", the part of delta for
events that fail outright. For an odometer, "adjacency", "delta" and "charged".

Every answer is on the safe side: upper bounds are never below the truth, those
called lower never above. "log_delta" is the natural logarithm of delta, for values
that a double cannot hold. "inf" stands for infinity.

Events; epsilon is in nats, and adjacency ("add-remove" or "replace-one") has no default.
A description holds at most 8192 of them; those that are the same are one, with a count:

  {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}

  {"mechanism": "laplace", "adjacency": …, "sensitivity": 1, "scale": 2}

  {"mechanism": "discrete-gaussian", "adjacency": …, "sensitivity": 1, "sigma": 2}

  {"mechanism": "discrete-laplace", "adjacency": …, "sensitivity": 1, "scale": 2}

  {"mechanism": "randomised-response", "adjacency": …, "categories": 2, "truth": 0.75}

  {"mechanism": "pure-dp", "adjacency": …, "epsilon": 0.1}

  {"mechanism": "approximate-dp", "adjacency": …, "epsilon": 0.1, "delta": 1e-6}

  {"mechanism": "zcdp", "adjacency": …, "rho": 0.1}

  {"mechanism": "noisy-min", "adjacency": "add-remove", "epsilon": 0.1, "span": 1,
   "noise": "geometric", "denominator": 64}   (or "noise": "gumbel" and no denominator)

  {"mechanism": "proximal-centre", "adjacency": "add-remove", "epsilon": 0.1,
   "span": 1, "bound": 1, "dimension": 23, "denominator": 4}

  {"mechanism": "renyi-dp", "adjacency": …, "order": 20, "epsilon": 0.1}

  {"mechanism": "propose-test-release", "adjacency": …, "test": {…}, "release": {…},
   "failure": 1e-7}

  {"mechanism": "objective-perturbation", "adjacency": "add-remove",
   "loss": "logistic", "row_norm": 1, "lipschitz": 1, "smoothness": 0.25,
   "lambda": 20, "sigma": 5}

  {"mechanism": "approximate-minima-perturbation", …the fields above…,
   "dimension": 105, "tau": 1e-9, "sigma_out": 1e-4, "grid": 9.5367431640625e-7}

  {"mechanism": "subsampled-gaussian", "adjacency": "add-remove", "rate": 0.01,
   "noise_multiplier": 1, "steps": 10000}

  {"mechanism": "gradient-descent", "adjacency": …, "sensitivity": 1, "sigmas": [8, 6, 4]}

  {"mechanism": "composition", "adjacency": …,
   "parts": [{"event": {…}, "count": 10}, {"event": {…}}]}

  {"mechanism": "one-of", "adjacency": …, "events": [{…}, {…}]}

  {"mechanism": "negative-binomial-selection", "base": {…}, "adjacency": …, "eta": 1, "gamma": 0.1}

  {"mechanism": "poisson-selection", "base": {…}, "adjacency": …, "mean": 10}

  {"mechanism": "liu-talwar-selection", "adjacency": …, "tau": 0.05, "cutoff": 1e-6,
   "base": {"mechanism": "approximate-dp", "adjacency": …, "epsilon": 0.1, "delta": 1e-16}}

The "event" of a release can be given as it stands.

Options:
  --file FILE   read the description from a file
  -h, --help    this text

Exit code: 0 done; 1 the description is wrong (the error names the field);
2 the command line is wrong; 3 a part of the program is missing (in a checkout:
make build).

Examples:
  ${name} '{"event": {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}, "delta": 1e-5}'
  ${name} '{"method": "pld", "event": {"mechanism": "subsampled-gaussian", "adjacency": "add-remove", "rate": 0.01, "noise_multiplier": 1, "steps": 10000}, "delta": 1e-5}'
  ${name} '{"method": "calibrate", "parameter": "noise_multiplier", "epsilon": 2, "delta": 1e-5, "event": {"mechanism": "subsampled-gaussian", "adjacency": "add-remove", "rate": 0.01, "steps": 10000}}'
  ${name} '{"method": "filter", "budget": {"adjacency": "add-remove", "epsilon": 1, "delta": 1e-6}, "charged": [], "candidate": {"event": {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 10}, "count": 3}}'`;

/** What "method" says of a description that is more than pricing, as a call of the client. */
const calls = {
  estimate: "estimate",
  check: "check",
  calibrate: "solve",
  filter: "afford",
  odometer: "odometer",
};

/** What checks a release, by its format. */
const checks = {
  "cloister-release": "reprice",
  "cloister-scorecard": "checkScorecard",
  "cloister-noisy-cells": "checkNoisyCells",
};

/** Runs the command with its arguments; `name` is how it was called, for the help. */
export async function account(args, name) {
  const { values, positionals } = readOptions(args, { file: { type: "string" } }, true);
  if (values.help) {
    console.log(help(name));
    return exitCodes.done;
  }
  const description = readJSON(read(values.file, positionals), "description", " See --help.");
  const check = checks[description?.format];
  const { client } = await loadClient(
    check || description?.method === "odometer" ? "cloister.wasm" : "curves.wasm",
  );
  try {
    if (check) {
      const answer = await client[check](description);
      console.log(toJSON(answer));
      return answer.holds ? exitCodes.done : exitCodes.refused;
    }
    console.log(toJSON(printed(await answer(client, description))));
    return exitCodes.done;
  } finally {
    client.terminate();
  }
}

function read(file, positionals) {
  if (positionals.length + (file === undefined ? 0 : 1) !== 1) {
    throw new Stop(
      exitCodes.usage,
      "Give one description: as JSON, as - for standard input, or with --file. See --help.",
    );
  }
  if (file === undefined && positionals[0] !== "-") return positionals[0];
  return readText(file ?? 0, "description");
}

function answer(client, description) {
  const { method, ...rest } = description ?? {};
  if (Object.hasOwn(calls, method ?? "")) return client[calls[method]](rest);
  return client.account(description);
}

/** The answer with the field names of a document. */
function printed(value) {
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      printed(member),
    ]),
  );
}
