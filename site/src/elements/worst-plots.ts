// The two pictures of a <worst-data>, and what they say.

import { readable } from "../chart/numbers.ts";
import { plot, type Plot } from "../chart/plot.ts";
import type { Size } from "../chart/curve.ts";
import type { WorstResult } from "../client/types.ts";
import { type Multiples, type Point, proofs, shares } from "./worst-model.ts";

/** From which multiple of the noise on a line leaves the picture. */
const most = 5;

/**
 * Noise over that of one Gaussian mechanism, by λ.
 * @param lines at the first of `shares`
 * @param before at another ε: drawn paler, until the lines are there
 */
export function noisePlot(
  lines: readonly Multiples[],
  before: readonly Multiples[],
  share: number,
  at: Multiples | undefined,
  size: Size,
): Plot {
  const shown = lines.length >= before.length ? lines : before;
  const drawn = proofs.map(({ bound, tone }) => ({
    x: shares.slice(0, shown.length),
    y: shown.map((one) => Math.log10(one[bound] ?? Number.NaN)),
    tone,
    rough: shown === before,
  }));
  return plot({
    size,
    x: { kind: "linear", domain: [shares[0]!, shares.at(-1)!], title: "λ / λ₀" },
    y: { kind: "log", domain: [-0.015, Math.log10(most)], title: "noise, in one Gaussian’s" },
    lines: [
      ...drawn.reverse(),
      { x: [shares[0]!, shares.at(-1)!], y: [0, 0], tone: 0, reference: true },
    ],
    ...(at?.control && { mark: { x: share, y: Math.log10(at.control) } }),
  });
}

/** The record's slope by the noise along its row: of the path that costs most, and of data. */
export function slopePlot({ worst }: Point, size: Size): Plot {
  const { data, path } = worst;
  // What lies beyond is not charged: nearly all of the price is between these.
  const span = [-2, 6] as const;
  const along = (noise: ArrayLike<number>, slope: ArrayLike<number>) => ({
    x: [
      Math.min(span[0], noise[0]!),
      ...Array.from(noise),
      Math.max(span[1], noise[noise.length - 1]!),
    ],
    y: [slope[0]!, ...Array.from(slope), slope[slope.length - 1]!],
  });
  const pinned = { x: [...span], y: [1, 1], tone: 1 };
  return plot({
    size,
    x: { kind: "linear", domain: [...span], title: "noise along the record’s row, in σ" },
    y: { kind: "linear", domain: [0, 1.05], title: "the record’s slope, of the steepest" },
    lines: path
      ? [
          { ...along(path.noise, path.slope), tone: 1 },
          { ...along(data.noise, data.slope), tone: 6 },
        ]
      : [pinned],
  });
}

/** A multiple of the noise as it is written, rounded up. */
export const multiple = (x: number | undefined): string =>
  x === undefined ? "none will do" : `${(Math.ceil(x * 1000 - 1e-3) / 1000).toFixed(3)}`;

/** log δ that data sets come as near to as one likes: pinned, or at full rate. */
export const reached = ({ logDeltaData, logDeltaGaussian }: WorstResult): number =>
  Math.max(logDeltaData, logDeltaGaussian);

export function worstSentence(epsilon: number, point: Point): string {
  const at = `At ε = ${readable(epsilon)} and λ = ${readable(point.share)} λ₀`;
  const { worst } = point;
  if (worst.pinned)
    return `${at} the worst data pin the slope: it stays the steepest whatever the noise is, and a fit costs what one Gaussian mechanism does.`;
  const data = Math.exp(worst.logDeltaData - worst.logDelta);
  const rest = `Data whose slope falls as fast all the way reach ${readable(Math.floor(1000 * data) / 10)} % of V`;
  return `${at} the worst data let the slope fall: as fast as λ allows down to ${readable(worst.turn!)} of the steepest, and later than that below. It costs ${readable(Math.exp(worst.logDelta - worst.logDeltaGaussian))} times the δ of one Gaussian mechanism. ${rest}.`;
}
