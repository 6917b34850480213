// Prices a description of what was run on private data, through the same WebAssembly that pages use.

import { readFileSync } from "node:fs";
import { exitCodes, loadClient, readOptions, run, Stop, toJSON } from "./headless.mjs";

const help = `Usage: node scripts/account.mjs DESCRIPTION
       node scripts/account.mjs --file FILE

Prints, as JSON, what an event costs: epsilon for a delta, delta for an epsilon,
or a curve. DESCRIPTION is JSON; "-" reads it from standard input.

The description has these fields:

  event     what was run (below)
  bound     which proof prices it: "auto" (the sharpest that applies; the
            default), "logistic", "signed", "glm", "profile", "rdp" or "kifer"
  delta     asks for epsilon: the event is (epsilon, delta)-DP
  epsilon   asks for delta
  curve     asks for delta at many epsilons: {"from": 0, "to": 4, "points": 101},
            or a list of epsilons
  compare   list of more curves at the same points: bounds by name, and
            "gaussian-lower", below which no proof can go

Every answer is on the safe side: upper bounds are never below the truth, the
lower one never above. "log_delta" is the natural logarithm of delta, for values
that a double cannot hold. "inf" stands for infinity.

Events; epsilon is in nats, and adjacency ("add-remove" or "replace-one") has no default:

  {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}

  {"mechanism": "objective-perturbation", "adjacency": "add-remove",
   "loss": "logistic", "row_norm": 1, "lipschitz": 1, "smoothness": 0.25,
   "lambda": 20, "sigma": 5}

  {"mechanism": "approximate-minima-perturbation", …the fields above…,
   "dimension": 105, "tau": 1e-9, "sigma_out": 1e-4, "grid": 9.5367431640625e-7}

The "event" of a release can be given as it stands. A whole release, as
scripts/fit.mjs and the page save it, is checked: what it claims, what its
parameters give, and whether every claim holds.

Options:
  --file FILE   read the description from a file
  -h, --help    this text

Exit code: 0 done; 1 the description is wrong (the error names the field), or a
release does not keep what it claims; 2 the command line is wrong; 3 not built yet (make build).

Examples:
  node scripts/account.mjs '{"event": {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}, "delta": 1e-5}'
  node scripts/account.mjs '{"event": {"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}, "epsilon": 1}'`;

await run(async () => {
  const { values, positionals } = readOptions({ file: { type: "string" } }, true);
  if (values.help) {
    console.log(help);
    return exitCodes.done;
  }
  const description = parse(read(values.file, positionals));
  const release = description?.format === "cloister-release";
  const { client } = await loadClient(release ? "cloister.wasm" : "curves.wasm");
  try {
    if (release) {
      const answer = await client.reprice(description);
      console.log(toJSON(answer));
      return answer.holds ? exitCodes.done : exitCodes.refused;
    }
    console.log(toJSON(printed(await client.account(description))));
    return exitCodes.done;
  } finally {
    client.terminate();
  }
});

function read(file, positionals) {
  if (positionals.length + (file === undefined ? 0 : 1) !== 1) {
    throw new Stop(exitCodes.usage, "Give one description: as JSON, as - for standard input, or with --file. See --help.");
  }
  try {
    if (file !== undefined) return readFileSync(file, "utf8");
    return positionals[0] === "-" ? readFileSync(0, "utf8") : positionals[0];
  } catch (error) {
    throw new Stop(exitCodes.refused, `The description could not be read: ${error.message}.`);
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Stop(exitCodes.refused, `The description is not JSON: ${error.message}. See --help.`);
  }
}

/** The answer with the field names of a document. */
function printed({ logDelta, curve, comparisons, ...answer }) {
  const drawn = ({ logDelta, ...line }) => ({ ...line, log_delta: logDelta });
  return {
    ...answer,
    ...(logDelta !== undefined && { log_delta: logDelta }),
    ...(curve && { curve: drawn(curve) }),
    ...(comparisons && { comparisons: comparisons.map(drawn) }),
  };
}
