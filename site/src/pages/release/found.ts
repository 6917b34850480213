// What a model found, as rows that a page and a card draw alike: differences in units that people
// read, and which of them are more than noise. It all follows from the release.

import { percent, readable, signed } from "../../chart/numbers.ts";
import { rowScale } from "../../client/usual.ts";
import type {
  AnyLabel,
  Difference,
  Differences,
  Feature,
  NumericFeature,
  Release,
} from "../../client/types.ts";

/** A difference between two people who differ in one column. */
export interface FoundRow {
  readonly feature: string;
  /** What is compared with what: "current, not never", or of a number a step: "by 10". */
  readonly between: string;
  /**
   * In the unit of {@link Found.scale}, for a person in the middle of every column; of a number,
   * from its lower bound to its upper one.
   */
  readonly value: number;
  /** How far noise may reach to either side; Infinity where that is not known. */
  readonly reach: number;
  readonly shown: boolean;
  /** The value as a text: "× 3.2", "+4.1"; of a number, for one step. */
  readonly text: string;
  /** The same for all of a number: "× 884 from 0 to 12". */
  readonly whole?: string;
}

export interface Found {
  /** Whose differences, of several classes. */
  readonly class?: string;
  /** Those that are more than noise first, each part by size. */
  readonly rows: readonly FoundRow[];
  readonly shown: number;
  /** What a value is, as the head of a column. */
  readonly scale: string;
  /** What differs: "the odds that ill is “yes”", "wage". */
  readonly of: string;
  /** What a positive value does: "makes “yes” likelier". */
  readonly more: string;
  readonly less: string;
  /** Whether the release says enough for a limit on its noise. */
  readonly limited: boolean;
  /** Why it does not, where it does not. */
  readonly unlimited: string;
}

/** Noise reaches two limits of the standard error to either side, but for one case in twenty. */
const reachOf = 1.96;

/** What vector `k` found. */
export function found(release: Release<AnyLabel>, differences: Differences, k = 0): Found {
  const { label } = release.schema;
  const vector = differences.vectors[Math.min(k, differences.vectors.length - 1)]!;
  const unit = unitOf(release);
  const rows = vector.differences.map((d) => row(release, d, unit));
  rows.sort((a, b) => Number(b.shown) - Number(a.shown) || Math.abs(b.value) - Math.abs(a.value));
  const outcome =
    vector.class ?? (label.type === undefined ? (label.positive[0] ?? "") : label.name);
  return {
    ...(vector.class !== undefined && { class: vector.class }),
    rows,
    shown: rows.filter((r) => r.shown).length,
    scale: unit.name,
    of:
      label.type === "numeric"
        ? label.name
        : unit.name === "Odds"
          ? `the odds that ${label.name} is “${outcome}”`
          : `the score for “${outcome}”`,
    more: label.type === "numeric" ? `raises ${outcome}` : `makes “${outcome}” likelier`,
    less: label.type === "numeric" ? `lowers ${outcome}` : `makes “${outcome}” less likely`,
    limited: Number.isFinite(vector.limit),
    unlimited: unlimited(release),
  };
}

/** Why no limit on the noise is known. */
function unlimited({ model }: Release<AnyLabel>): string {
  if (model.moments)
    return "How far the noise of the sums moves these depends on the rows, so no limit on it is known. Standard errors can be worked out from the sums, at no further cost.";
  if (model.told)
    return "These are one random draw. How widely it is spread depends on the rows, so no limit on it is known.";
  return `${model.selected ? "The rows chose this model from several noisy ones" : "The release does not say enough of its steps"}, so nothing is known of the noise in these.`;
}

/** How often those that are more than noise are wrong; `share` is the proved expectation. */
export const wrongWay = (share: number): string =>
  `On average, at most ${percent(share)} of such differences point the wrong way.`;

/**
 * How far {@link wrongWay} can be relied on. The figures are those that the test of signs in
 * `core/differences` found, of tables with a rare category and of all.
 */
export const onAverage =
  "How many point the wrong way is an average: one model may have more. Of categories that few records have, expect more, too: among made-up tables with a rare category 95.3 % of what was shown pointed the right way, among all 99.1 %. A rare category is pulled to zero, so its difference may be that of its reference.";

/** The category that the others of a column are compared with, by column. */
export function references(differences: Differences): readonly [string, string][] {
  const all = new Map<string, string>();
  for (const d of differences.vectors[0]?.differences ?? [])
    if (d.reference !== undefined) all.set(d.feature, d.reference);
  return [...all];
}

interface Unit {
  readonly name: string;
  /** What a difference of the margin is multiplied by. */
  readonly times: number;
  readonly text: (value: number) => string;
}

/**
 * The unit that differences are told in. A row's margin is divided by its length, so a difference
 * is told for a person whose numbers are all in the middle of their bounds: that length is public.
 */
function unitOf({ schema, model }: Release<AnyLabel>): Unit {
  const squares = schema.features.reduce((sum, f) => sum + (f.type === "numeric" ? 0.25 : 1), 0);
  const length = {
    unit: Math.sqrt(squares),
    clip: Math.sqrt(Math.max(1, squares)),
    scale: 1 / rowScale(schema),
  }[schema.rows.norm];
  const { label } = schema;
  if (label.type === "numeric")
    return {
      name: label.name,
      times: (label.max - label.min) / 2 / length,
      text: signed,
    };
  if (model.loss === "logistic" || model.loss === "softmax")
    return { name: "Odds", times: 1 / length, text: odds };
  return { name: "Score", times: 1 / length, text: signed };
}

/** Log-odds as a factor: "× 3.2", and below 1 as "÷ 3.2". */
function odds(log: number): string {
  const factor = Math.exp(Math.abs(log));
  return `${log < 0 ? "÷" : "×"} ${factor >= 1e4 ? "10,000+" : factor >= 9.95 ? readable(Math.round(factor)) : factor.toFixed(factor < 1.095 ? 2 : 1)}`;
}

function row({ schema }: Release<AnyLabel>, d: Difference, unit: Unit): FoundRow {
  const feature = schema.features.find((f) => f.name === d.feature);
  const value = d.estimate * unit.times;
  const step = feature && !d.missing && stepOf(feature);
  return {
    feature: d.feature,
    between: step ? step.name : betweenOf(d, feature),
    value,
    reach: reachOf * d.error * unit.times,
    shown: d.shown,
    text: unit.text(step ? value * step.share : value),
    ...(step && { whole: `${unit.text(value)} from ${betweenOf(d, feature)}` }),
  };
}

function betweenOf(d: Difference, feature: Feature | undefined): string {
  if (d.missing) return `missing, not ${d.reference ?? "in the middle"}`;
  if (d.category !== undefined) return `${d.category}, not ${d.reference}`;
  return feature?.type === "numeric" ? `${readable(feature.min)} to ${readable(feature.max)}` : "";
}

/** A step that people count a number in, and the share of its range that it is. */
function stepOf(feature: Feature): { readonly name: string; readonly share: number } | null {
  if (feature.type !== "numeric") return null;
  const width = feature.max - feature.min;
  if (feature.log) return { name: "by a doubling", share: Math.LN2 / Math.log1p(width) };
  const step = niceStep(feature);
  return step >= width ? null : { name: `by ${readable(step)}`, share: step / width };
}

/** 1, 2 or 5 times a power of ten, near a tenth of the range. */
function niceStep({ min, max }: NumericFeature): number {
  const tenth = (max - min) / 10;
  const power = 10 ** Math.floor(Math.log10(tenth));
  const lead = tenth / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** A bar around a common zero, and the line of how far noise may reach, all on [0, width]. */
export interface FoundBar {
  readonly zero: number;
  readonly x: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
}

/** The bars of rows, with room for both signs that there are; noise's reach ends at the edge. */
export function foundBars(
  rows: readonly Pick<FoundRow, "value" | "reach">[],
  width: number,
): readonly FoundBar[] {
  const values = rows.map((r) => r.value);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = 0.18 * Math.max(most - least, 1e-12);
  const [low, high] = [least - room, most + room];
  const at = (v: number): number =>
    ((Math.min(high, Math.max(low, v)) - low) / (high - low)) * width;
  const zero = at(0);
  return rows.map((r) => ({
    zero,
    x: Math.min(zero, at(r.value)),
    width: Math.max(0.75, Math.abs(at(r.value) - zero)),
    low: at(r.value - r.reach),
    high: at(r.value + r.reach),
  }));
}
