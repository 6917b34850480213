// `cloister fit --choose`: a setting that the records choose, and what that costs.

import { exitCodes, Stop } from "./headless.mjs";

/** What is chosen by the records, as the request has it; undefined for nothing. */
export function privateChoice({ choose, among, chosen, report }) {
  if (choose === undefined) {
    if (among === undefined) return undefined;
    throw new Stop(exitCodes.usage, "--among needs --choose. See --help.");
  }
  const stray = chosen !== undefined ? "chosen" : report !== undefined ? "report" : undefined;
  if (stray)
    throw new Stop(
      exitCodes.usage,
      stray === "chosen"
        ? "--choose states how the model was chosen: leave --chosen out."
        : "There is no privacy report of a model that was chosen privately: leave --report or --choose out.",
    );
  const list = among === undefined ? [] : among.split(",").map((one) => one.trim());
  if (choose === "method") return { chooseMethod: list };
  if (choose !== "lambda")
    throw new Stop(
      exitCodes.usage,
      `--choose is ${JSON.stringify(choose)}: it must be "lambda" or "method". See --help.`,
    );
  const lambdas = list.map(Number);
  if (lambdas.some((lambda) => !(lambda > 0 && lambda < Infinity)))
    throw new Stop(exitCodes.usage, "--among must be numbers above 0 between commas, such as 1,4.");
  return { chooseLambda: lambdas };
}

/** What a private choice leaves to each fit, beside the default that looks at no record. */
export async function costOf(client, schema, request) {
  const { chooseLambda, chooseMethod, ...usual } = request;
  const [choice, plain] = await Promise.all([
    client.calibrate({ ...request, schema }),
    client.calibrate({ ...usual, schema }),
  ]);
  const [among, score] = choice.event.base.parts;
  const each = among.event.events.map((event, i) => `  ${i + 1}.  ${plannedNoise(event)}`);
  return [
    "",
    `The choice, at epsilon ${request.epsilon} and delta ${request.delta}: ${choice.event.mean} fits on average, of these settings,`,
    `each with a score of noise sigma ${score.event.sigma.toPrecision(4)}:`,
    ...each,
    "The usual default, at the same epsilon and delta, without a choice:",
    `      ${plannedNoise(plain.event)}`,
    "",
  ].join("\n");
}

/** The method and noise of a fit that is planned. */
function plannedNoise(event) {
  const { event: one, count } =
    event.mechanism === "composition" ? event.parts[0] : { event, count: 1 };
  const short = (x) => Number(x.toPrecision(4));
  const times = count > 1 ? `, in each of ${count} fits` : "";
  switch (one.mechanism) {
    case "gaussian":
      return `gaussian: sigma ${short(one.sigma / one.sensitivity)} times what one record can change${times}`;
    case "gradient-descent":
      return `noisy steps: sigma ${short(one.sigmas[0] / one.sensitivity)} times one record's gradient, ${one.sigmas.length} steps${times}`;
    case "subsampled-gaussian":
      return `steps on samples: sigma ${short(one.noise_multiplier)} times one record's gradient, ${one.steps} steps${times}`;
    default:
      return `objective perturbation: lambda ${short(one.lambda)}, sigma ${short(one.sigma)}${times}`;
  }
}
