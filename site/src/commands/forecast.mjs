// What a fit that is told a number of records is expected to lose, said before it is paid for.

import { judge } from "../client/outlook.ts";
import { defaultFitMethod, fitMethods } from "../client/wire/methods.ts";
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
  const lost = Object.values(of).map((list) =>
    mean(list.map(({ plain, private: [score] }) => Math.max(0, plain - score))),
  );
  const verdict = judge(of.medium, of.strong);
  if (verdict === null) return undefined;
  const numeric = schema.label.type === "numeric";
  const unit = numeric ? "of 100 parts of the variance" : "records of 100";
  return [
    `Expected, from made-up records: privacy costs about ${percent(lost[1])} ${unit}, against a fit without it`,
    `(${percent(Math.min(...lost))} to ${percent(Math.max(...lost))}, by how much the columns tell).`,
    ...warning(verdict, numeric),
    "",
  ].join("\n");
}

const percent = (share) => (100 * share).toFixed(1);

/** That a fit buys nothing, or may not: the lines of it; none where it buys something. */
function warning({ buys, reason, without, plainToo, raise, ...scores }, numeric) {
  const [end, known] = [percent(scores.end), percent(scores.known)];
  const [naming, gets, of100] = numeric
    ? ["naming the mean of every record", "explains", "of 100 parts of the variance"]
    : ["naming the largest class of every record", "gets", "of 100 records right"];
  if (buys === "something") return [];
  if (buys === "uncertain")
    return [
      `This budget may buy nothing here: where columns tell something, ${without.medium} of ${trials} fits gain less`,
      `than one in 100 over ${naming}.`,
    ];
  const why = {
    strong: [
      `This budget buys nothing here: even where columns tell a lot, a fit ${gets} ${end}`,
      `${of100} on average, and ${naming} ${gets} ${known}.`,
    ],
    both: [
      `This budget buys nothing here: even where columns tell a lot, ${without.strong} of ${trials} fits gain less`,
      `than one in 100 over ${naming}.`,
    ],
    medium: [
      `This budget buys nothing here, unless columns tell a lot: where they tell something, ${without.medium} of ${trials} fits`,
      `gain less than one in 100 over ${naming}.`,
    ],
  }[reason];
  return [
    ...why,
    ...(plainToo
      ? [`${reason === "medium" ? "There, a" : "A"} fit without privacy gains no more.`]
      : []),
    ...(reason === "medium"
      ? [`Where they tell a lot, a fit ${gets} ${end} ${of100} instead of ${known}.`]
      : []),
    raise ? "Raise ε, leave out columns, or fit nothing." : "A model may still rank records.",
  ];
}
