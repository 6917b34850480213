// What a fit that is told a number of records is expected to lose, said before it is paid for.

import { outlook } from "../client/outlook.ts";
import {
  defaultFitMethod,
  fitMethods,
  leastGain,
  mostly,
  usually,
} from "../client/wire/methods.ts";
import { exitCodes, numberOption, Stop } from "./headless.mjs";

const trials = 8;

/** Coefficients of all classes together: trials of more take longer than the fit. */
const mostTried = 300;

/** The declared share of the rarer class; undefined if there is none. */
export function rarerClass(values) {
  const rarer = numberOption(values, "rarer");
  if (rarer !== undefined && values.records === undefined)
    throw new Stop(exitCodes.usage, "--rarer needs --records N. See --help.");
  if (rarer !== undefined && !(rarer > 0 && rarer <= 0.5))
    throw new Stop(
      exitCodes.refused,
      `--rarer is ${rarer}, and must be above 0 and at most 0.5. Nothing was fitted.`,
    );
  return rarer;
}

/**
 * What is said of it, from made-up records alone; undefined where they are not tried: no number of
 * records is given, the records choose a setting, no trial is like the method's fit, or it would
 * take long.
 */
export async function forecast(client, { schema, dimension }, request, rarer) {
  const { method, records, epsilon } = request;
  if (rarer !== undefined && (schema.label.type ?? "two") !== "two")
    throw new Stop(exitCodes.refused, "--rarer is for a label of two classes. Nothing was fitted.");
  if (records === undefined || request.chooseLambda || request.chooseMethod) return undefined;
  if (dimension * (schema.label.classes?.length ?? 1) > mostTried) return undefined;
  const facts = fitMethods[method ?? defaultFitMethod];
  if (!facts?.tried || facts.slow) return undefined;
  const of = { weak: [], medium: [], strong: [] };
  try {
    for (const signal of Object.keys(of))
      for (let trial = 1; trial <= trials; trial++)
        of[signal].push(
          await client.expectation({
            ...request,
            ...(rarer !== undefined && { rarer }),
            ...{ schema, signal, trial, epsilons: [epsilon] },
          }),
        );
  } catch {
    return undefined; // the fit itself says what is wrong with what was asked
  }
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const percent = (share) => (100 * share).toFixed(1);
  const lost = Object.values(of).map((list) =>
    mean(list.map(({ plain, private: [score] }) => Math.max(0, plain - score))),
  );
  const buys = outlook(of.medium, of.strong);
  if (buys === null) return undefined;
  const numeric = schema.label.type === "numeric";
  const [unit, naming] = numeric
    ? ["of 100 parts of the variance", "the mean"]
    : ["records of 100", "the largest class"];
  const known = percent(mean(of.strong.map((one) => one.known)));
  const end = percent(mean(of.strong.map((one) => one.private[0])));
  const few = (list) => list.filter((one) => one.private[0] - one.known < leastGain).length;
  const most = few(of.medium) >= usually * trials && few(of.strong) < mostly * trials;
  const none = mean((most ? of.medium : of.strong).map((one) => one.plain - one.known)) < leastGain;
  return [
    `Expected, from made-up records: privacy costs about ${percent(lost[1])} ${unit}, against a fit without it`,
    `(${percent(Math.min(...lost))} to ${percent(Math.max(...lost))}, by how much the columns tell).`,
    ...(buys === "something"
      ? []
      : buys === "nothing"
        ? [
            ...(most
              ? [
                  `This budget buys nothing here, unless columns tell a lot: where they tell something, ${few(of.medium)} of ${of.medium.length} fits`,
                  `gain less than one in 100 over naming ${naming} of every record. Where they tell a lot, a fit ends at ${end} ${unit},`,
                  `and that at ${known}.`,
                ]
              : [
                  `This budget buys nothing here: even where columns tell a lot, a fit ends at ${end} ${unit},`,
                  `${few(of.strong)} of ${of.strong.length} gain less than one, and naming ${naming} of every record ends at ${known}.`,
                ]),
            `${none ? "A fit without privacy gains no more. " : ""}A model may still rank records.`,
          ]
        : [
            `This budget may buy nothing here: where columns tell something, many fits gain less than one`,
            `in 100 over naming ${naming} of every record.`,
          ]),
    "",
  ].join("\n");
}
