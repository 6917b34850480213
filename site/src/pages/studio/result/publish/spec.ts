// What a program needs to use a model, worked out from the release alone: the same for every
// language that ./code.ts writes.

import { bare, quoted } from "../../../../chart/literal.ts";
import { choiceApart } from "../../../../chart/choice.ts";
import { boughtApart, leavesOut } from "../../../../chart/meaning.ts";
import { hasOdds } from "./words.ts";
import { rowScale } from "../../../../client/usual.ts";
import type { AnyLabel, Feature, Loss, NumericFeature, Release } from "../../../../client/types.ts";

/**
 * A column that is the number of a category, −1 for none of them, null where there is no answer.
 */
export type Choice = number | null;

export type FeatureSpec =
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      readonly span: number;
      readonly log: boolean;
      readonly missing: number | null;
      readonly indicator: boolean;
    }
  | {
      readonly name: string;
      readonly categories: readonly string[];
      readonly missing: Choice;
      readonly unknown: Choice;
      /** One column more, that says whether the value is missing. */
      readonly indicator: boolean;
    };

export interface Spec {
  /** Lines for the head of the file. */
  readonly about: readonly string[];
  readonly features: readonly FeatureSpec[];
  /** Spellings of a missing value. */
  readonly missing: readonly string[];
  /** Rows of any length are brought to length 1, or only longer ones, or all are scaled. */
  readonly norm: "unit" | "clip" | "scale";
  /** By what rows are multiplied, where all are by the same. */
  readonly scale: number;
  /** The constant feature; 0 for none. */
  readonly intercept: number;
  /** "huber" where scores stand for no probabilities. */
  readonly loss: Loss;
  /** h of the shifted logistic loss, else 0. */
  readonly shift: number;
  /** What a record of the class +1 weighs where one of −1 weighs 1. */
  readonly weight: number;
  /** Length to which gradients were clipped; the largest number there is if they were not. */
  readonly clip: number;
  readonly vectors: readonly (readonly number[])[];
  readonly label:
    | { readonly kind: "two"; readonly negative: string; readonly positive: string }
    | { readonly kind: "several"; readonly classes: readonly string[] }
    | { readonly kind: "number"; readonly low: number; readonly high: number };
}

/** The spec of a release that was checked before: a release as the library writes it. */
export function specOf(release: Release<AnyLabel>): Spec {
  const { schema, model, guarantee } = release;
  const { label } = schema;
  const several = "classes" in model;
  return {
    about: [
      `Predicts ${quoted(label.name)} by a linear model that was fitted with differential privacy`,
      `(epsilon = ${guarantee.epsilon}, delta = ${guarantee.delta}, ${bare(guarantee.adjacency)}).`,
      ...(guarantee.covers ? [] : [leavesOut]),
      ...boughtApart(schema),
      ...choiceApart(release.choice),
      `Written from the release by Cloister ${bare(release.library)}: pure arithmetic, nothing to install.`,
      "Values outside a feature's bounds count as the nearer bound.",
    ],
    features: schema.features.map(featureSpec),
    missing: schema.missing_values ?? ["", "?", "NA"],
    norm: schema.rows.norm,
    scale: rowScale(schema),
    intercept: schema.intercept,
    loss: hasOdds(model.loss) ? model.loss : "huber",
    shift: model.shift ?? 0,
    weight: model.positive_weight ?? 1,
    clip: model.clip ?? ("lipschitz" in release.event ? release.event.lipschitz : Number.MAX_VALUE),
    vectors: several ? model.classes.map((c) => c.coefficients) : [model.coefficients],
    label:
      label.type === "numeric"
        ? { kind: "number", low: label.min, high: label.max }
        : label.type === "classes"
          ? { kind: "several", classes: label.classes.map((spellings) => spellings[0]!) }
          : { kind: "two", negative: label.negative[0]!, positive: label.positive[0]! },
  };
}

/** Whether any feature has a column for its missing values. */
export const hasIndicators = (spec: Spec): boolean => spec.features.some((f) => f.indicator);

function featureSpec(f: Feature): FeatureSpec {
  const indicator = f.missing === "indicator";
  if (f.type === "numeric") {
    const span = f.log ? Math.log1p(f.max - f.min) : f.max - f.min;
    return {
      name: f.name,
      low: f.min,
      high: f.max,
      span,
      log: f.log === true,
      missing: indicator ? middleOf(f) : typeof f.missing === "number" ? f.missing : null,
      indicator,
    };
  }
  const choice = (rule: typeof f.missing): Choice =>
    rule === "zero" || rule === "indicator"
      ? -1
      : typeof rule === "object"
        ? f.categories.indexOf(rule.category)
        : null;
  return {
    name: f.name,
    categories: f.categories,
    missing: choice(f.missing),
    unknown: choice(f.unknown),
    indicator,
  };
}

/** The middle of a number's bounds, on the scale of its column. */
const middleOf = ({ min, max, log }: NumericFeature): number =>
  log ? min + Math.expm1(Math.log1p(max - min) / 2) : min + (max - min) / 2;
