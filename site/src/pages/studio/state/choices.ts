// What the person chooses beside the description of the columns and the budget.

import type { Choice, FitMethod, Loss, PrivateChoice } from "../../../client/types.ts";
import { defaultFitMethod, fitMethods } from "../../../client/wire/methods.ts";
import type { LabelKind } from "../draft/draft.ts";

/**
 * Where the draft came from: the page's sample, a look at the file, a schema file, or the person's
 * own writing.
 */
export type Origin = "sample" | "read" | "imported" | "written";

/** What to predict, for a file in which no column has exactly two values. */
export interface LabelHint {
  readonly label: string;
  readonly kind: LabelKind;
  /** One value a line. */
  readonly positive: string;
}

export const firstHint: LabelHint = {
  label: "",
  kind: "classes",
  positive: "",
};

/** A setting that the rows choose, and pay for, as a request names it. */
export type RowsChoose = keyof PrivateChoice;

/** How a fit is made: where its noise goes, or that the rows choose. */
export type Way = FitMethod | RowsChoose;

export const rowsChoose = (way: Way | "usual"): way is RowsChoose =>
  way === "chooseLambda" || way === "chooseMethod";

/** How the model is fitted, as it was chosen. */
export interface Method {
  /** "usual" is the usual one for the label. */
  readonly loss: Loss | "usual";
  /** Half-width of the Huber loss, as it is typed. */
  readonly huberWidth: string;
  /** Where the losses with a shift bend, as it is typed. */
  readonly shift: string;
  /** What a record of the positive class weighs, with the loss that has weights; as it is typed. */
  readonly positiveWeight: string;
  /** Where the noise goes; "usual" is what the number of rows and ε make the usual way. */
  readonly way: Way | "usual";
}

export const firstMethod: Method = {
  loss: "usual",
  huberWidth: "0.5",
  shift: "2",
  positiveWeight: "",
  way: "usual",
};

/** The loss that is the usual one for such a label, and need not be named. */
export const usualLoss = (kind: LabelKind): Loss =>
  kind === "numeric" ? "squared" : kind === "classes" ? "softmax" : "logistic";

/**
 * Whether a way minimises such a loss for such a label. Several classes one against the rest are
 * the default method's alone.
 */
export const takesLoss = (way: FitMethod, kind: LabelKind, loss: Loss): boolean =>
  kind === "classes" && way !== defaultFitMethod
    ? loss === "softmax"
    : kind === "numeric" || fitMethods[way].losses.includes(loss);

/** Whether a loss bends at a margin that can be chosen. */
export const isShifted = (loss: Loss): boolean =>
  loss === "shifted-logistic" || loss === "rounded-hinge";

/** Whether a loss is for such a label: the softmax is for several classes, two are for two. */
export const isLossFor = (loss: Loss, kind: LabelKind): boolean =>
  loss === "softmax"
    ? kind === "classes"
    : kind === "two" || !(isShifted(loss) || loss === "weighted-logistic");

/** The loss of the fit: the one chosen, or the usual one where that is for another label. */
export function lossOf({ loss }: Method, kind: LabelKind): Loss {
  const unfit = loss === "usual" || kind === "numeric" || !isLossFor(loss, kind);
  return unfit ? usualLoss(kind) : loss;
}

/**
 * What was promised for a look at the private figures: to publish every model of the rows, or none.
 */
export type Pledge = "all" | "none";

/** Which of several promises for the same rows stands: to publish none, if that is among them. */
export function standing(pledges: readonly (Pledge | undefined)[]): Pledge | undefined {
  return pledges.includes("none") ? "none" : pledges.find((pledge) => pledge !== undefined);
}

export interface Stance {
  readonly pledge?: Pledge;
  /** What the person says of the choice, where it is theirs to say. */
  readonly stated?: Choice | null;
}
