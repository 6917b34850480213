// What a bound means, in sentences. Pure functions; numbers as people read them.

import { percent, readable, readableBound, readableLeast, surely } from "../../chart/numbers.ts";
import type { Move, PersonalBound, PersonalReport } from "../../client/types.ts";

/**
 * A loss in nats as a factor: how many times surer. It is rounded up where it is shortened, because
 * it is an upper bound.
 */
export function times(loss: number): string {
  const factor = Math.exp(Math.max(0, loss));
  if (factor >= 1000) return readableBound(factor);
  const digits = factor < 10 ? 2 : factor < 100 ? 1 : 0;
  return (Math.ceil(factor * 10 ** digits - 1e-9) / 10 ** digits).toFixed(digits);
}

/** What an even chance becomes at most. Rounded up. */
export function fromEven(loss: number): string {
  return `${Math.min(100, Math.ceil(100 / (1 + Math.exp(-loss)) - 1e-9))}\u00a0%`;
}

/** The whole bound on what one person lost: by the model and by the report’s own releases. */
export const whole = (bound: PersonalBound): number => bound.largest + bound.report;

/** What was promised to everyone, the report’s own releases counted. */
export function promised({ worst, cost }: PersonalReport): number {
  if (!cost) return worst.epsilon;
  return Number.isFinite(cost.total) ? cost.total : worst.epsilon + cost.epsilon;
}

/**
 * What a report that was bought adds to the promise. Where the two could not be priced as one, both
 * their ε and their δ are added up.
 */
export function withReport(report: PersonalReport): string {
  const { worst, cost } = report;
  if (!cost) return "";
  const all = `; with the report, which cost ε = ${readableBound(cost.epsilon)} by itself, ε = ${readableBound(promised(report))} in all`;
  return Number.isFinite(cost.total)
    ? all
    : `${all}, at δ = ${readableBound(worst.delta + cost.delta)}, as both costs are simply added up`;
}

/** What who sees what was published sees. */
export const seen = (report: PersonalReport): string =>
  report.cost ? "this model and its report" : "this model";

/**
 * Probabilities of failure that a reader may choose among: what was proposed, the usual ones, and
 * that of the promise. Least sure first.
 */
export function levels({ worst: { delta } }: PersonalReport, proposed: number): number[] {
  return [
    ...new Set([
      proposed,
      0.1,
      0.05,
      0.01,
      0.001,
      ...(delta >= 1e-8 && delta < 1e-3 ? [delta] : []),
    ]),
  ].sort((a, b) => b - a);
}

/** For whom a bound holds. */
export function forWhom(people: number): string {
  if (people === 0) return "for every row that can be typed, all at once";
  return people === 1 ? "for you, one person" : `for ${readableLeast(people)} people at once`;
}

/** What else stands in the release, and is in no bound; "" if nothing does. */
export const notCounted = ({ besides, worst: { covers, caveats } }: PersonalReport): string =>
  [
    ...(besides.length === 0
      ? []
      : [
          `Not counted here, and paid for apart: ${besides.join(" ")} What that tells about you adds to it.`,
        ]),
    ...(covers
      ? []
      : [
          caveats.length === 0
            ? "What is said here and the promise to everyone leave something out."
            : `What is said here and the promise to everyone leave this out: ${caveats.join(" ")}`,
        ]),
  ].join(" ");

/**
 * What was lost by a row that was left out before the fit. What is not counted may still tell of
 * it: bounds that come from the file, or were bought, may come from this row.
 */
export function leftOutWords(report: PersonalReport): string {
  const which = seen(report);
  const tells = `${report.cost ? "tell" : "tells"} nothing about a row like this.`;
  return notCounted(report) === ""
    ? `${which[0]!.toUpperCase()}${which.slice(1)} ${tells}`
    : `But for what follows, ${which} ${tells}`;
}

/** The answer in one sentence, for a screen reader and for copying. */
export function sentence(report: PersonalReport, bound: PersonalBound): string {
  const apart = notCounted(report);
  const rest = apart === "" ? "" : ` ${apart}`;
  if (bound.leftOut)
    return `A row like this was left out before the fit. ${leftOutWords(report)}${rest}`;
  return `Whoever sees ${seen(report)} can be at most ${times(whole(bound))} times surer about you than before, with probability ${surely(bound.rho)}. The worst case promised to everyone is ${times(promised(report))} times.${rest}`;
}

/** What the model expected of the row, beside what it was. */
export function expectation(
  expected: PersonalBound["expected"],
  label: string,
  own: string,
): string {
  if (!expected) return "";
  if (expected.probability !== undefined)
    return `For a row like yours the model gives ${label} “${own}” a probability of ${percent(expected.probability)}.`;
  if (expected.value !== undefined)
    return `For a row like yours the model expects ${readable(expected.value)} for ${label}; yours is ${own}.`;
  return expected.likely
    ? `The model takes ${label} “${own}” for the likelier answer.`
    : `The model takes ${label} “${own}” for the less likely answer.`;
}

/**
 * Columns by how far they can move the bound, the strongest first. A column that moves it by less
 * than a hundredth is left out.
 */
export function movers(moves: readonly Move[], bound: PersonalBound): Move[] {
  const span = (m: Move) => m.most.bound - m.least.bound;
  return moves
    .filter((m) => span(m) > 0.01 * Math.max(bound.largest, 1e-9))
    .sort((a, b) => span(b) - span(a));
}
