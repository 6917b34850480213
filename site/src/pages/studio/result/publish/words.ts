// What a model is, in words that its card and its notebook share.

import { readable } from "../../../../chart/numbers.ts";
import type { AnyLabel, Loss, Release } from "../../../../client/types.ts";

/** Whether a score of such a model stands for a probability. */
export const hasOdds = (loss: Loss): boolean => loss !== "huber" && loss !== "rounded-hinge";

/** A sentence for the head: the kind of model, what it predicts, and from how much. */
export function what({ schema, model }: Release<AnyLabel>): string {
  const { label } = schema;
  const from = `from ${schema.features.length === 1 ? "one column" : `${schema.features.length} columns`}`;
  const fitted = "fitted with differential privacy where the data is.";
  if (label.type === "numeric")
    return `A linear model of a number between ${readable(label.min)} and ${readable(label.max)}, ${from}, ${fitted}`;
  if (label.type === "classes")
    return `A linear model of ${label.classes.length} classes, ${model.loss === "softmax" ? "all at once (softmax)" : "each against the others"}, ${from}, ${fitted}`;
  const kind = {
    logistic: "A logistic regression",
    huber: "A linear classifier (Huber loss)",
    squared: "A linear classifier (squared loss)",
    softmax: "",
    "shifted-logistic": "A logistic regression (its loss shifted)",
    "rounded-hinge": "A linear classifier (rounded hinge)",
    "weighted-logistic": "A logistic regression with weights",
  }[model.loss];
  return `${kind} for “${label.positive[0]}” against “${label.negative[0]}”, ${from}, ${fitted}`;
}
