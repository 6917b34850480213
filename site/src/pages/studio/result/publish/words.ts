// What a model is, in words that its card and its notebook share.

import { readable } from "../../../../chart/numbers.ts";
import type { AnyLabel, Release } from "../../../../client/types.ts";

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
  }[model.loss];
  return `${kind} for “${label.positive[0]}” against “${label.negative[0]}”, ${from}, ${fitted}`;
}
